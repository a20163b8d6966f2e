#include "ui/panels/toast.h"

#include "ui/panels/paintkit.h"
#include "ui/text/themesource.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <chrono>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr std::chrono::seconds kStay{6};
constexpr std::chrono::seconds kStayWithAction{10};
constexpr int kMarginPx = 12;

} // namespace

Toast::Toast(const ThemeSource *source, QWidget *area)
    : QWidget(area)
    , m_source(source)
    , m_label(new QLabel(this))
    , m_button(new QPushButton(this))
{
    setObjectName(u"toast"_s);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(14, 6, 8, 6);
    row->setSpacing(16);
    row->addWidget(m_label);
    row->addWidget(m_button);
    m_button->setFlat(true);
    m_button->setProperty("sandfishInverted", true);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &QWidget::hide);
    connect(m_button, &QPushButton::clicked, this, &Toast::runAction);
    connect(source, &ThemeSource::changed, this, &Toast::applyTheme);
    area->installEventFilter(this);
    m_button->installEventFilter(this);
    applyTheme();
    hide();
}

void Toast::showText(const QString &text)
{
    showText(text, {}, {});
}

void Toast::showText(const QString &text, const QString &actionText, std::function<void()> action)
{
    m_action = std::move(action);
    m_label->setText(text);
    m_button->setText(actionText);
    m_button->setVisible(!actionText.isEmpty());
    setAccessibleName(actionText.isEmpty() ? text : tr("%1, %2 available").arg(text, actionText));
    m_timer.start(actionText.isEmpty() ? kStay : kStayWithAction);
    if (m_isPointed)
        hold();
    place();
    show();
    raise();
}

void Toast::place()
{
    adjustSize();
    move(kMarginPx, parentWidget()->height() - height() - kMarginPx);
}

void Toast::applyTheme()
{
    const Theme &theme = m_source->theme();
    QPalette palette = theme.palette();
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::ButtonText, QPalette::Text})
        palette.setColor(role, theme.color(ColorToken::Canvas));
    m_label->setPalette(palette);
    m_button->setPalette(palette);
    m_button->setFont(theme.strongFont());
    update();
}

void Toast::runAction()
{
    hide();
    if (m_action)
        m_action();
}

void Toast::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor fill = m_source->theme().color(ColorToken::Text);
    paintBox(painter, rect(), fill, fill, kCardRadiusPx);
}

bool Toast::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_button) {
        if (event->type() == QEvent::FocusIn)
            hold();
        else if (event->type() == QEvent::FocusOut)
            letGo();
    } else if (event->type() == QEvent::Resize && isVisible()) {
        place();
    }
    return QWidget::eventFilter(watched, event);
}

void Toast::enterEvent(QEnterEvent *)
{
    m_isPointed = true;
    hold();
}

void Toast::leaveEvent(QEvent *)
{
    m_isPointed = false;
    letGo();
}

void Toast::hideEvent(QHideEvent *)
{
    m_timer.stop();
    m_isPointed = false;
}

std::chrono::milliseconds Toast::timeLeft() const
{
    return m_timer.isActive() ? m_timer.remainingTimeAsDuration() : std::chrono::milliseconds(-1);
}

void Toast::hold()
{
    if (!m_timer.isActive())
        return;
    m_timeLeft = m_timer.remainingTimeAsDuration();
    m_timer.stop();
}

void Toast::letGo()
{
    if (isVisible() && !m_isPointed && !m_button->hasFocus() && !m_timer.isActive())
        m_timer.start(m_timeLeft);
}

} // namespace sandfish
