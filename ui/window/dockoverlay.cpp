#include "ui/window/dockoverlay.h"

#include "ui/text/themesource.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QMainWindow>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace sandfish {
namespace {

constexpr int kWidthPx = 280;
constexpr int kLeastPagePx = 80; // of the page that stays in sight, to click on

} // namespace

DockOverlay::DockOverlay(const ThemeSource *source, QMainWindow *window)
    : QWidget(window)
    , m_source(source)
    , m_window(window)
    , m_column(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("dockOverlay"));
    m_column->setContentsMargins(0, 0, 1, 0);
    m_column->setSpacing(0);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) { followFocus(now); });
    connect(source, &ThemeSource::changed, this, qOverload<>(&QWidget::update));
    hide();
}

DockOverlay::~DockOverlay() = default;

void DockOverlay::open(QDockWidget *dock)
{
    if (m_dock == dock)
        return;
    close();
    m_dock = dock;
    m_head = dock->titleBarWidget();
    m_panel = dock->widget();
    for (QWidget *part : {m_head.data(), m_panel.data()}) {
        m_column->addWidget(part);
        part->show();
    }
    m_column->setStretch(1, 1);
    place();
    show();
    raise();
    m_panel->setFocus(Qt::PopupFocusReason);
    emit changed();
}

void DockOverlay::close()
{
    if (!m_dock)
        return;
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    QDockWidget *dock = m_dock;
    m_dock.clear();
    hide();
    dock->setTitleBarWidget(m_head);
    dock->setWidget(m_panel);
    if (hadFocus && m_window->centralWidget())
        m_window->centralWidget()->setFocus();
    emit changed();
}

void DockOverlay::place()
{
    const QRect page = m_window->centralWidget() ? m_window->centralWidget()->geometry() : m_window->rect();
    setGeometry(0, page.top(), std::min(kWidthPx, m_window->width() - kLeastPagePx), page.height());
}

void DockOverlay::followFocus(const QWidget *focus)
{
    // A menu of the panel, or another window, is no other place of this one.
    if (m_dock && focus && focus->window() == m_window && !isAncestorOf(focus) && focus != this)
        close();
}

void DockOverlay::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

void DockOverlay::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_source->theme().color(ColorToken::Panel));
    painter.fillRect(width() - 1, 0, 1, height(), m_source->theme().color(ColorToken::Control));
}

} // namespace sandfish
