#include "ui/window/windowtoolbar.h"

#include "ui/panels/contextchip.h"
#include "ui/panels/pausebutton.h"
#include "ui/text/themesource.h"
#include "ui/window/actions.h"
#include "ui/window/searchbutton.h"

#include <QAction>
#include <QLayout>
#include <QPainter>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qreal kHeightPx = 44;
constexpr qreal kButtonPx = 30;
constexpr int kLabelsFromPx = 900;

/// The hairline between groups, 13 px wide in all.
class GroupLine : public QWidget
{
public:
    GroupLine(const ThemeSource *source, QWidget *parent)
        : QWidget(parent)
        , m_source(source)
    {
        setFixedSize(13, 22);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.fillRect(6, 0, 1, height(), m_source->theme().color(ColorToken::Border));
    }

private:
    const ThemeSource *m_source;
};

bool hasLabel(ActionId id)
{
    return id == ActionId::RunCell || id == ActionId::RunAll;
}

constexpr std::array kButtons{ActionId::RunCell, ActionId::RunInterrupt, ActionId::SandboxRestart, ActionId::RunAll};

} // namespace

WindowToolBar::WindowToolBar(const ThemeSource *source, Actions *actions, QWidget *parent)
    : QToolBar(parent)
    , m_source(source)
    , m_actions(actions)
    , m_pause(new PauseButton(source, this))
    , m_chip(new ContextChip(source, this))
    , m_search(new SearchButton(source, this))
{
    setObjectName(u"toolBar"_s);
    setWindowTitle(tr("Toolbar"));
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    layout()->setContentsMargins(10, 0, 10, 1);
    actions->action(ActionId::RunCell)->setIconText(tr("Run"));
    actions->action(ActionId::RunAll)->setIconText(tr("Run all"));
    for (const ActionId id : kButtons) {
        addAction(actions->action(id));
        auto *button = qobject_cast<QToolButton *>(widgetForAction(actions->action(id)));
        button->setFocusPolicy(Qt::TabFocus);
    }
    addWidget(new GroupLine(source, this));
    addWidget(m_pause);
    addWidget(new GroupLine(source, this));
    addWidget(m_chip);
    auto *stretch = new QWidget(this);
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(stretch);
    addWidget(m_search);
    connect(source, &ThemeSource::changed, this, &WindowToolBar::applyTheme);
    applyTheme();
}

void WindowToolBar::setStatus(const SessionStatus &status)
{
    m_pause->setStatus(status);
    m_chip->setStatus(status);
    m_search->setEnabled(status.hasSession);
}

void WindowToolBar::setWindowWidth(int widthPx)
{
    m_chip->setWindowWidth(widthPx);
    m_hasLabels = widthPx >= kLabelsFromPx;
    m_search->setCompact(!m_hasLabels);
    applyTheme();
}

void WindowToolBar::applyTheme()
{
    const Theme &theme = m_source->theme();
    setFixedHeight(qRound(theme.scaled(kHeightPx)));
    for (const ActionId id : kButtons) {
        auto *button = qobject_cast<QToolButton *>(widgetForAction(m_actions->action(id)));
        const bool showsLabel = m_hasLabels && hasLabel(id);
        button->setToolButtonStyle(showsLabel ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        button->setFixedHeight(qRound(theme.scaled(kButtonPx)));
        button->setMinimumWidth(qRound(theme.scaled(showsLabel ? 62 : kButtonPx)));
    }
}

} // namespace sandfish
