#include "ui/panels/dockhead.h"

#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace sandfish {
namespace {

constexpr int kHeightPx = 34;

} // namespace

DockHead::DockHead(const ThemeSource *source, const QString &title, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
    , m_title(new QLabel(title, this))
    , m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(12, 0, 6, 0);
    m_row->setSpacing(2);
    m_row->addWidget(m_title, 1);
    connect(source, &ThemeSource::changed, this, &DockHead::applyTheme);
    applyTheme();
}

QSize DockHead::sizeHint() const
{
    return {QWidget::sizeHint().width(), qRound(m_source->theme().scaled(kHeightPx))};
}

QToolButton *DockHead::addButton(const QString &icon, const QString &tip)
{
    auto *button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setProperty("sandfishIcon", icon);
    button->setIconSize({16, 16});
    button->setFixedSize(24, 24);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    m_row->addWidget(button);
    m_buttons.append(button);
    applyTheme();
    return button;
}

void DockHead::applyTheme()
{
    const Theme &theme = m_source->theme();
    updateGeometry();
    m_title->setFont(theme.strongFont());
    for (QToolButton *button : std::as_const(m_buttons))
        button->setIcon(tintedIcon(button->property("sandfishIcon").toString(), theme.color(ColorToken::Text2),
            theme.color(ColorToken::Text3)));
    update();
}

void DockHead::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_source->theme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(ColorToken::Panel));
    painter.fillRect(0, height() - 1, width(), 1, theme.color(ColorToken::Border));
}

} // namespace sandfish
