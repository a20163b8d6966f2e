#include "ui/panels/banner.h"

#include "ui/panels/paintkit.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

using Severity = BannerContent::Severity;

constexpr qreal kOneRowPx = 720;

struct Look
{
    QString icon;
    ColorToken ink;
    ColorToken fill;
    ColorToken edge;
};

Look lookOf(Severity severity)
{
    switch (severity) {
    case Severity::Paused:
        return {u"pause"_s, ColorToken::Sand, ColorToken::SandTint, ColorToken::SandMark};
    case Severity::Warning:
        return {u"warning"_s, ColorToken::Warn, ColorToken::WarnTint, ColorToken::Warn};
    case Severity::Error:
        return {u"error"_s, ColorToken::Error, ColorToken::ErrorTint, ColorToken::Error};
    case Severity::Info:
        break;
    }
    return {u"info"_s, ColorToken::Accent, ColorToken::AccentTint, ColorToken::Accent};
}

QLabel *makeLabel(const QString &text, const QFont &font, const QColor &color, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setFont(font);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, color);
    label->setPalette(palette);
    return label;
}

} // namespace

Banner::Banner(const ThemeSource *source, BannerContent content, int moreCount, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
    , m_content(std::move(content))
{
    setObjectName(u"banner"_s);
    const QStringList parts{m_content.title, m_content.text, m_content.works, m_content.needs, m_content.note};
    QString name = parts.join(u' ').simplified();
    setAccessibleName(name);

    auto *row = new QHBoxLayout(this);
    const bool isTall = !m_content.works.isEmpty();
    row->setContentsMargins(16, isTall ? 12 : 9, 14, isTall ? 12 : 9);
    row->setSpacing(14);
    const Look look = lookOf(m_content.severity);
    const QString icon = m_content.icon.isEmpty() ? look.icon : m_content.icon;
    row->addWidget(makeMark(icon, look.ink, 18), 0, isTall ? Qt::AlignTop : Qt::AlignVCenter);
    auto *column = new QVBoxLayout;
    column->setSpacing(4);
    addTexts(column);
    row->addLayout(column, 1);
    addButtons(row, moreCount);
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

QWidget *Banner::makeMark(const QString &icon, ColorToken color, int sizePx)
{
    auto *mark = new QLabel(this);
    mark->setPixmap(iconPixmap(icon, m_source->theme().color(color), sizePx, devicePixelRatioF()));
    return mark;
}

void Banner::addTexts(QVBoxLayout *column)
{
    const Theme &theme = m_source->theme();
    column->addWidget(makeLabel(m_content.title, theme.strongFont(), theme.color(ColorToken::Text), this));
    if (!m_content.text.isEmpty())
        column->addWidget(makeLabel(m_content.text, theme.uiFont(), theme.color(ColorToken::Text2), this));
    if (!m_content.works.isEmpty()) {
        m_facts = new QBoxLayout(QBoxLayout::LeftToRight);
        addFact(u"ok"_s, ColorToken::Run, m_content.works, ColorToken::Text);
        addFact(u"lock"_s, ColorToken::Text2, m_content.needs, ColorToken::Text2);
        m_facts->addStretch(1);
        column->addSpacing(4);
        column->addLayout(m_facts);
    }
    if (!m_content.note.isEmpty())
        column->addWidget(makeLabel(m_content.note, theme.smallFont(), theme.color(ColorToken::Text2), this));
}

void Banner::addFact(const QString &icon, ColorToken iconColor, const QString &text, ColorToken color)
{
    const Theme &theme = m_source->theme();
    auto *fact = new QHBoxLayout;
    fact->setSpacing(6);
    fact->addWidget(makeMark(icon, iconColor, 14));
    QLabel *label = makeLabel(text, theme.smallFont(), theme.color(color), this);
    label->setWordWrap(false);
    fact->addWidget(label);
    fact->addStretch(1);
    m_facts->addLayout(fact);
}

// Beside each other where there is room, else one below the other.
void Banner::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (!m_facts)
        return;
    const bool isOneRow = width() >= m_source->theme().scaled(kOneRowPx);
    m_facts->setDirection(isOneRow ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_facts->setSpacing(isOneRow ? 24 : 4);
}

void Banner::addButtons(QHBoxLayout *row, int moreCount)
{
    // A tall banner has its acts below each other, as the paused one of the design.
    QBoxLayout *acts = m_content.works.isEmpty() ? new QHBoxLayout : static_cast<QBoxLayout *>(new QVBoxLayout);
    acts->setSpacing(6);
    for (const BannerAction &action : m_content.actions) {
        auto *button = new QPushButton(action.text, this);
        button->setAutoDefault(false);
        button->setDefault(action.isPrimary);
        button->setProperty("sandfishPrimary", action.isPrimary);
        button->setMinimumWidth(m_content.works.isEmpty() ? 0 : qRound(m_source->theme().scaled(104)));
        if (!action.icon.isEmpty())
            button->setIcon(tintedIcon(
                action.icon, m_source->theme().color(action.isPrimary ? ColorToken::OnAccent : ColorToken::Text), {}));
        connect(button, &QPushButton::clicked, this, [this, trigger = action.trigger] {
            if (trigger)
                QMetaObject::invokeMethod(parentWidget() ? parentWidget() : this, trigger, Qt::QueuedConnection);
        });
        acts->addWidget(button);
    }
    if (moreCount > 0) {
        auto *more = new QPushButton(tr("%n more", nullptr, moreCount), this);
        more->setFlat(true);
        more->setAutoDefault(false);
        connect(more, &QPushButton::clicked, this, &Banner::nextRequested);
        acts->addWidget(more);
    }
    if (!m_content.works.isEmpty())
        acts->addStretch(1);
    row->addLayout(acts);
    if (!m_content.isDismissible)
        return;
    auto *close = new QToolButton(this);
    close->setIcon(tintedIcon(u"close"_s, m_source->theme().color(ColorToken::Text2), {}));
    close->setIconSize({12, 12});
    close->setAutoRaise(true);
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, this, &Banner::dismissed);
    row->addWidget(close, 0, Qt::AlignTop);
}

void Banner::paintEvent(QPaintEvent *)
{
    const Look look = lookOf(m_content.severity);
    const Theme &theme = m_source->theme();
    QPainter painter(this);
    paintBox(painter, rect(), theme.color(look.fill), theme.color(look.edge), kCardRadiusPx);
}

} // namespace sandfish
