#include "ui/panels/contextchip.h"

#include "ui/panels/paintkit.h"
#include "ui/panels/statewords.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kHeightPx = 30;
constexpr qreal kPaddingPx = 8;
constexpr qreal kGapPx = 8;
constexpr qreal kIconPx = 16;
constexpr qreal kChevronPx = 12;
constexpr qreal kDotWidthPx = 12;
constexpr qreal kMarkWidthPx = 18;
constexpr qreal kSmallestNamePx = 48;

qreal markWidth(const StateLook &look)
{
    return look.icon == "dot"_L1 ? kDotWidthPx : kMarkWidthPx;
}

bool hasDividerBefore(ContextChip::Segment segment)
{
    // "Lizard sand-otter-41" reads as one name; everything else is set apart by a line.
    return segment != ContextChip::Segment::LanguageName && segment != ContextChip::Segment::Name;
}

} // namespace

ContextChip::ContextChip(const ThemeSource *source, QWidget *parent)
    : QAbstractButton(parent)
    , m_source(source)
{
    setObjectName(u"contextChip"_s);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    connect(source, &ThemeSource::changed, this, &ContextChip::refresh);
    refresh();
}

void ContextChip::setStatus(const SessionStatus &status)
{
    m_status = status;
    refresh();
}

void ContextChip::setWindowWidth(int widthPx)
{
    if (m_windowWidthPx == widthPx)
        return;
    m_windowWidthPx = widthPx;
    refresh();
}

std::vector<ContextChip::Segment> ContextChip::segments() const
{
    std::vector<Segment> result;
    if (m_windowWidthPx >= 1360)
        result.push_back(Segment::LanguageName);
    if (m_windowWidthPx >= 900)
        result.push_back(Segment::Provider);
    result.push_back(Segment::Name);
    if (m_windowWidthPx >= 1100)
        result.push_back(Segment::Origin);
    result.push_back(Segment::State);
    if (m_windowWidthPx >= 1100)
        result.push_back(Segment::Cost);
    std::erase_if(result, [this](Segment segment) { return segmentText(segment).isEmpty(); });
    return result;
}

QString ContextChip::segmentText(Segment segment) const
{
    if (!m_status.hasSession)
        return segment == Segment::Name ? tr("No notebook in front, no context") : QString();
    switch (segment) {
    case Segment::LanguageName: {
        const QString language = languageName(m_status.language);
        return m_status.version.isEmpty() ? language : language + u' ' + m_status.version;
    }
    case Segment::Provider:
        return m_status.providerName;
    case Segment::Name:
        if (!m_status.sandboxName.isEmpty())
            return m_status.sandboxName;
        return m_status.isThisComputer ? tr("this computer") : tr("no sandbox yet");
    case Segment::Origin:
        return m_status.origin;
    case Segment::State: {
        const QString word = lookOf(m_status.state).word;
        const bool counts =
            m_status.state == NotebookSession::State::Pausing || m_status.state == NotebookSession::State::Resuming;
        return counts ? word + u' ' + minutesText(m_status.timeInState) : word;
    }
    case Segment::Cost:
        return m_status.isThisComputer ? tr("no charge") : QString();
    }
    return {};
}

void ContextChip::refresh()
{
    QStringList spoken;
    for (const Segment segment : segments())
        spoken << segmentText(segment);
    if (!m_status.origin.isEmpty() && !spoken.contains(m_status.origin))
        spoken << m_status.origin;
    const QString sentence = spoken.join(u", "_s);
    setAccessibleName(m_status.hasSession ? tr("Context: %1").arg(sentence) : sentence);
    setToolTip(m_status.hasSession ? tr("%1\nChoose where this notebook runs").arg(accessibleName()) : sentence);
    setEnabled(m_status.hasSession);
    updateGeometry();
    update();
}

std::vector<ContextChip::Drawn> ContextChip::layoutFor(qreal widthPx) const
{
    const Theme &theme = m_source->theme();
    std::vector<Drawn> parts;
    for (const Segment segment : segments()) {
        const QFontMetricsF metrics(segment == Segment::Name ? theme.strongFont() : theme.uiFont());
        qreal width = std::ceil(metrics.horizontalAdvance(segmentText(segment)));
        if (segment == Segment::State)
            width += markWidth(lookOf(m_status.state));
        parts.push_back({segment, segmentText(segment), width});
    }
    for (const Segment victim : {Segment::Cost, Segment::LanguageName, Segment::Origin, Segment::Provider}) {
        if (contentWidth(parts) <= widthPx)
            return parts;
        std::erase_if(parts, [victim](const Drawn &part) { return part.segment == victim; });
    }
    const qreal excess = contentWidth(parts) - widthPx;
    for (Drawn &part : parts) {
        if (part.segment != Segment::Name || excess <= 0)
            continue;
        part.widthPx = std::max(kSmallestNamePx, part.widthPx - excess);
        part.text = QFontMetricsF(theme.strongFont()).elidedText(part.text, Qt::ElideMiddle, part.widthPx);
    }
    return parts;
}

qreal ContextChip::contentWidth(const std::vector<Drawn> &parts) const
{
    qreal width = 2 * kPaddingPx + kIconPx + (m_status.hasSession ? kGapPx + kChevronPx : 0);
    for (const Drawn &part : parts)
        width += kGapPx + part.widthPx + (hasDividerBefore(part.segment) ? kGapPx + 1 : 0);
    return width;
}

QSize ContextChip::sizeHint() const
{
    const qreal unlimited = 10'000;
    return {int(std::ceil(contentWidth(layoutFor(unlimited)))), qRound(m_source->theme().scaled(kHeightPx))};
}

QSize ContextChip::minimumSizeHint() const
{
    return {int(std::ceil(contentWidth(layoutFor(0)))), sizeHint().height()};
}

void ContextChip::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_source->theme();
    const bool isHot = isEnabled() && (underMouse() || isDown());
    QPainter painter(this);
    paintBox(painter, rect(), theme.color(isHot ? ColorToken::Hover : ColorToken::Raised),
        theme.color(ColorToken::Border), kCardRadiusPx);
    paintParts(painter, layoutFor(width()));
    if (hasFocus())
        paintFocusRing(painter, rect(), theme);
}

void ContextChip::paintParts(QPainter &painter, const std::vector<Drawn> &parts) const
{
    const Theme &theme = m_source->theme();
    const QColor ink = theme.color(m_status.hasSession ? ColorToken::Text : ColorToken::Text2);
    qreal x = kPaddingPx;
    const QString icon = m_status.hasSession ? languageIcon(m_status.language) : u"sandbox"_s;
    paintIcon(painter, QRectF(x, 0, kIconPx, height()), icon, ink, kIconPx);
    x += kIconPx;
    for (const Drawn &part : parts) {
        x += kGapPx;
        if (hasDividerBefore(part.segment) && part.segment != parts.front().segment) {
            painter.fillRect(QRectF(x, (height() - 14) / 2.0, 1, 14), theme.color(ColorToken::Border));
            x += kGapPx + 1;
        }
        QRectF box(x, 0, part.widthPx, height());
        painter.setFont(part.segment == Segment::Name && m_status.hasSession ? theme.strongFont() : theme.uiFont());
        painter.setPen(
            part.segment == Segment::Cost || part.segment == Segment::Provider || part.segment == Segment::Origin
                ? theme.color(ColorToken::Text2)
                : ink);
        if (part.segment == Segment::State) {
            const StateLook look = lookOf(m_status.state);
            paintStateMark(painter, QRectF(x, 0, markWidth(look) - 4, height()), look, theme, 14);
            box.setLeft(x + markWidth(look));
            painter.setPen(theme.color(look.color));
        }
        painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft, part.text);
        x += part.widthPx;
    }
    if (m_status.hasSession)
        paintIcon(painter, QRectF(width() - kPaddingPx - kChevronPx, 0, kChevronPx, height()), u"chevron-down"_s, ink,
            kChevronPx);
}

} // namespace sandfish
