#include "ui/notebook/cellpainter.h"

#include "ui/notebook/cellitem.h"
#include "ui/notebook/devicepixels.h"
#include "ui/text/icons.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sandfish {

using namespace Qt::StringLiterals;

namespace {

constexpr qreal kBoxRadius = 5;
constexpr qreal kIcon = 14;
constexpr qreal kIconGap = 5;
constexpr qreal kMoreGap = 6;
constexpr qreal kStripePiece = 24;
constexpr int kDegreesPerStep = 30;
constexpr qreal kHalfDot = 7;
constexpr qreal kHalfDotGap = 4;

} // namespace

QRectF moreButtonRect(const CellItem &item)
{
    const QRectF &meta = item.geometry().meta;
    const QRectF &place = meta.isValid() ? meta : item.geometry().box.adjusted(0, 0, -10, 0);
    const qreal height = std::min<qreal>(place.height(), 19);
    return {place.right() - kIcon, place.top() + (meta.isValid() ? (place.height() - height) / 2 : 4), kIcon, height};
}

CellPainter::CellPainter(QPainter &painter, const PageStyle &style, const AnimationPhase &phase)
    : m_painter(painter)
    , m_style(style)
    , m_phase(phase)
{
}

void CellPainter::paint(CellItem &item, QPointF origin, const QRectF &clip)
{
    m_painter.save();
    m_painter.translate(origin);
    const QRectF inner = clip.translated(-origin);
    paintGutter(item);
    paintStripe(item);
    paintSource(item, inner);
    paintMeta(item);
    paintOutputs(item, inner);
    paintNote(item);
    m_painter.restore();
}

void CellPainter::paintStripe(const CellItem &item)
{
    const CellLook &look = item.look();
    const QRectF stripe = snappedToDevice(m_painter, item.geometry().stripe);
    const QColor color = m_style.theme.color(look.stripeColor);
    if (look.stripe == CellLook::Stripe::None)
        return;
    if (look.stripe == CellLook::Stripe::Solid) {
        paintBox(m_painter, stripe, 1.5, color, {}, 0);
        if (!look.isAnimated || !m_phase.isMoving)
            return;
        const qreal top = stripe.top() - kStripePiece + m_phase.stripePart * (stripe.height() + kStripePiece);
        const QRectF piece(stripe.left(), top, stripe.width(), kStripePiece);
        const QColor light = m_style.theme.isDark() ? color.lighter(135) : color.lighter(190);
        m_painter.fillRect(piece.intersected(stripe), light);
        return;
    }
    const qreal on = look.stripe == CellLook::Stripe::Dotted ? 2 : 5;
    const qreal off = look.stripe == CellLook::Stripe::Dotted ? 3 : 4;
    for (qreal y = stripe.top(); y < stripe.bottom(); y += on + off)
        m_painter.fillRect(QRectF(stripe.left(), y, stripe.width(), std::min(on, stripe.bottom() - y)), color);
}

void CellPainter::paintGutter(const CellItem &item)
{
    const CellLook &look = item.look();
    const CellGeometry &geometry = item.geometry();
    const Theme &theme = m_style.theme;
    if (look.hasGutterTint)
        paintBox(m_painter, geometry.gutterTint, kBoxRadius, theme.color(ColorToken::AccentTint), {}, 0);
    QRectF count = geometry.count;
    if (look.button != CellLook::Button::None) {
        const bool isStop = look.button == CellLook::Button::Stop;
        paintBox(m_painter, geometry.button, kBoxRadius, theme.color(look.buttonFill),
            isStop ? theme.color(ColorToken::Accent) : QColor(), 1);
        paintIcon(m_painter, geometry.button, isStop ? u"interrupt"_s : u"run"_s,
            theme.color(isStop ? ColorToken::Accent : ColorToken::Run), kIcon);
        count.moveTop(geometry.button.bottom());
    }
    const bool isBelow = look.button != CellLook::Button::None;
    if (look.count.isEmpty() || (isBelow && (!look.isCountBelowButton || count.bottom() > geometry.frame.bottom() + 1)))
        return;
    m_painter.setFont(theme.codeSmallFont());
    m_painter.setPen(theme.color(ColorToken::Text3));
    m_painter.drawText(count, Qt::AlignRight | Qt::AlignVCenter, look.count);
    if (look.hasHalfDot)
        paintHalfDot(count.right() - QFontMetricsF(theme.codeSmallFont()).horizontalAdvance(look.count) - kHalfDotGap,
            count.center().y(), geometry.gutterTint.left());
}

// Only where there is room: the tooltip and the menu say the same.
void CellPainter::paintHalfDot(qreal right, qreal middle, qreal leftEnd)
{
    if (right - kHalfDot < leftEnd)
        return;
    const QRectF dot(right - kHalfDot + 0.5, middle - kHalfDot / 2 + 0.5, kHalfDot - 1, kHalfDot - 1);
    const QColor color = m_style.theme.color(ColorToken::Text2);
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(QPen(color, 1));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawEllipse(dot);
    m_painter.setBrush(color);
    constexpr int kQuarter = 90 * 16;
    m_painter.drawChord(dot, kQuarter, 2 * kQuarter);
    m_painter.restore();
}

void CellPainter::paintSource(CellItem &item, const QRectF &clip)
{
    const CellLook &look = item.look();
    const CellGeometry &geometry = item.geometry();
    const Theme &theme = m_style.theme;
    const bool isProse = item.isProse();
    if (!isProse || item.flags().isCurrent) {
        const QColor fill = isProse ? QColor() : theme.color(ColorToken::Code);
        paintBox(m_painter, geometry.box, kBoxRadius, fill, theme.color(look.edge), look.edgePx);
    }
    if (item.isEdited() || !clip.intersects(geometry.source))
        return;
    if (!isProse)
        return item.code().paint(m_painter, theme, geometry.source.topLeft(), clip, item.sourceFind());
    if (!item.prose())
        return;
    m_painter.save();
    m_painter.translate(geometry.source.topLeft());
    item.prose()->paint(m_painter, clip.translated(-geometry.source.topLeft()));
    m_painter.restore();
}

void CellPainter::paintMeta(const CellItem &item)
{
    const CellLook &look = item.look();
    const Theme &theme = m_style.theme;
    const QRectF more = moreButtonRect(item);
    if (look.hasMore)
        paintIcon(m_painter, more, u"more"_s, theme.color(ColorToken::Text2), kIcon);
    const QRectF &meta = item.geometry().meta;
    if (!meta.isValid())
        return;
    const qreal right = look.hasMore ? more.left() - kMoreGap : meta.right();
    m_painter.setFont(theme.smallFont());
    m_painter.setPen(theme.color(look.metaTextColor));
    const QRectF words(meta.left(), meta.top(), right - meta.left(), meta.height());
    m_painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, look.metaText);
    if (look.metaIcon.isEmpty())
        return;
    const qreal left = right - metaWidth(look, theme);
    const int turn = look.isSpinning && m_phase.isMoving ? m_phase.spinnerStep * kDegreesPerStep : 0;
    paintIcon(m_painter, QRectF(left, meta.top(), kIcon, meta.height()), look.metaIcon, theme.color(look.metaIconColor),
        kIcon, turn);
}

void CellPainter::paintOutputs(CellItem &item, const QRectF &clip)
{
    const QRectF &area = item.geometry().outputs;
    if (!area.isValid() || !clip.intersects(area))
        return;
    m_painter.save();
    m_painter.translate(area.topLeft());
    item.outputs().paint(m_painter, clip.translated(-area.topLeft()));
    m_painter.restore();
}

void CellPainter::paintNote(const CellItem &item)
{
    const CellLook &look = item.look();
    if (look.note.isEmpty())
        return;
    const Theme &theme = m_style.theme;
    const QRectF &area = item.geometry().outputs;
    const qreal height = m_style.metrics.metaLine;
    const QRectF line(area.left(), area.bottom() - height, area.width(), height);
    paintIcon(
        m_painter, QRectF(line.left(), line.top(), kIcon, height), look.noteIcon, theme.color(look.noteColor), kIcon);
    m_painter.setFont(theme.smallFont());
    m_painter.setPen(theme.color(look.noteColor));
    const QRectF words = line.adjusted(kIcon + kIconGap + 1, 0, 0, 0);
    m_painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(theme.smallFont()).elidedText(look.note, Qt::ElideRight, words.width()));
}

} // namespace sandfish
