#include "ui/window/docks.h"

#include "core/session/variablewatch.h"
#include "core/support/settings.h"
#include "ui/panels/dockhead.h"
#include "ui/panels/outlinepanel.h"
#include "ui/panels/sandboxmodel.h"
#include "ui/panels/sandboxpanel.h"
#include "ui/panels/variablespanel.h"
#include "ui/text/themesource.h"
#include "ui/window/actions.h"
#include "ui/window/dockoverlay.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kDocksFromPx = 900;
constexpr int kRightDockFromPx = 1360;
constexpr int kRightDockPx = 304;

int dockWidthPx(int windowWidthPx)
{
    return windowWidthPx < 1100 ? 240 : windowWidthPx < 1360 ? 250 : 268;
}

} // namespace

Docks::Docks(const ThemeSource *source, Settings *settings, Actions *actions, SandboxModel *model, QMainWindow *window)
    : QObject(window)
    , m_source(source)
    , m_settings(settings)
    , m_actions(actions)
    , m_window(window)
    , m_sandboxes(new SandboxPanel(source, model, window))
    , m_outline(new OutlinePanel(source, window))
    , m_watch(new VariableWatch(this))
    , m_variables(new VariablesPanel(source, m_watch, window))
    , m_sandboxDock(addDock(u"sandboxDock"_s, tr("Sandboxes"), m_sandboxes, Qt::LeftDockWidgetArea))
    , m_outlineDock(addDock(u"outlineDock"_s, tr("Outline"), m_outline, Qt::LeftDockWidgetArea))
    , m_variablesDock(addDock(u"variablesDock"_s, tr("Variables"), m_variables, Qt::RightDockWidgetArea))
    , m_overlay(new DockOverlay(source, window))
{
    connect(m_overlay, &DockOverlay::changed, this, &Docks::syncActions);
    auto *head = static_cast<DockHead *>(m_sandboxDock->titleBarWidget());
    connect(
        head->addButton(u"restart"_s, tr("Read the list again")), &QToolButton::clicked, model, &SandboxModel::refresh);
    head = static_cast<DockHead *>(m_variablesDock->titleBarWidget());
    connect(head->addButton(u"restart"_s, tr("Read the variables again")), &QToolButton::clicked, m_watch,
        &VariableWatch::refresh);
    window->splitDockWidget(m_sandboxDock, m_outlineDock, Qt::Vertical);
    m_variablesDock->hide();
    bind(m_sandboxDock, int(ActionId::ViewSandboxes));
    bind(m_outlineDock, int(ActionId::ViewOutline));
    bind(m_variablesDock, int(ActionId::ViewVariables));
}

QDockWidget *Docks::addDock(const QString &name, const QString &title, QWidget *panel, Qt::DockWidgetArea area)
{
    auto *dock = new QDockWidget(title, m_window);
    dock->setObjectName(name);
    dock->setTitleBarWidget(new DockHead(m_source, title, dock));
    dock->setWidget(panel);
    dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    m_window->addDockWidget(area, dock);
    return dock;
}

void Docks::bind(QDockWidget *dock, int actionId)
{
    QAction *action = m_actions->action(ActionId(actionId));
    connect(action, &QAction::triggered, this, [this, dock](bool isOn) { toggle(dock, isOn); });
    connect(dock, &QDockWidget::visibilityChanged, this, &Docks::syncActions);
}

void Docks::toggle(QDockWidget *dock, bool isOn)
{
    if (!m_isNarrow) {
        m_settings->set(Settings::Key::DocksTouched, true);
        dock->setVisible(isOn);
    } else if (isOn) {
        m_overlay->open(dock);
    } else {
        m_overlay->close();
    }
}

void Docks::syncActions()
{
    const auto sync = [this](QDockWidget *dock, ActionId id) {
        m_actions->action(id)->setChecked(m_isNarrow ? m_overlay->dock() == dock : !dock->isHidden());
    };
    sync(m_sandboxDock, ActionId::ViewSandboxes);
    sync(m_outlineDock, ActionId::ViewOutline);
    sync(m_variablesDock, ActionId::ViewVariables);
}

void Docks::layOut(int windowWidthPx)
{
    if (!std::exchange(m_isLaidOut, true) && !m_settings->get<bool>(Settings::Key::DocksTouched))
        layOutFirst(windowWidthPx);
    const bool isNarrow = windowWidthPx < kDocksFromPx;
    if (isNarrow == m_isNarrow)
        return m_overlay->place();
    m_isNarrow = isNarrow;
    isNarrow ? fold() : unfold();
    syncActions();
}

void Docks::fold()
{
    for (QDockWidget *dock : docks()) {
        if (dock->isHidden())
            continue;
        m_folded.push_back(dock);
        dock->hide();
    }
}

void Docks::unfold()
{
    m_overlay->close();
    for (QDockWidget *dock : std::exchange(m_folded, {}))
        dock->show();
}

void Docks::layOutFirst(int windowWidthPx)
{
    const bool isOpen = windowWidthPx >= kDocksFromPx;
    m_sandboxDock->setVisible(isOpen);
    m_outlineDock->setVisible(isOpen);
    m_variablesDock->setVisible(windowWidthPx >= kRightDockFromPx);
    if (isOpen) {
        m_window->resizeDocks({m_sandboxDock, m_outlineDock}, {620, 250}, Qt::Vertical);
        m_window->resizeDocks(
            {m_sandboxDock, m_variablesDock}, {dockWidthPx(windowWidthPx), kRightDockPx}, Qt::Horizontal);
    }
}

} // namespace sandfish
