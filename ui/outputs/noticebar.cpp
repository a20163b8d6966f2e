#include "ui/outputs/noticebar.h"

#include "ui/outputs/paintbox.h"
#include "ui/text/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace sandfish {
namespace {

constexpr qreal kBarPx = 30;
constexpr qreal kPaddingPx = 11;
constexpr qreal kActGapPx = 13;
constexpr qreal kRadiusPx = 5;

} // namespace

NoticeBar::NoticeBar(QString text, std::vector<Act> acts, bool isWarning, const RenderStyle &style)
    : m_text(std::move(text))
    , m_acts(std::move(acts))
    , m_isWarning(isWarning)
    , m_style(style)
{
}

qreal NoticeBar::heightPx(const Theme &theme)
{
    return std::round(theme.scaled(kBarPx));
}

void NoticeBar::paint(QPainter &painter, const QRectF &rect) const
{
    const Theme &theme = *m_style.theme;
    const ColorToken fill = m_isWarning ? ColorToken::WarnTint : ColorToken::Code;
    const ColorToken edge = m_isWarning ? ColorToken::Warn : ColorToken::Border;
    paintBox(painter, rect, theme.color(fill), theme.color(edge), kRadiusPx);
    const std::vector<QRectF> rects = actRects(rect);
    QRectF textRect = rect.adjusted(kPaddingPx, 0, -kPaddingPx, 0);
    if (!rects.empty())
        textRect.setRight(rects.front().left() - kActGapPx);
    const ColorToken ink = m_isWarning ? ColorToken::Text : ColorToken::Text2;
    paintLine(painter, textRect, m_text, theme.smallFont(), theme.color(ink), Qt::AlignLeft);
    for (std::size_t i = 0; i < rects.size(); ++i)
        paintLine(painter, rects[i], m_acts[i].text, theme.smallFont(), theme.color(ColorToken::Accent), Qt::AlignLeft);
}

std::vector<QRectF> NoticeBar::actRects(const QRectF &rect) const
{
    const QFontMetricsF metrics(m_style.theme->smallFont());
    std::vector<QRectF> rects(m_acts.size());
    qreal right = rect.right() - kPaddingPx;
    for (std::size_t i = m_acts.size(); i-- > 0;) {
        const qreal widthPx = std::ceil(metrics.horizontalAdvance(m_acts[i].text));
        rects[i] = QRectF(right - widthPx, rect.top(), widthPx, rect.height());
        right -= widthPx + kActGapPx;
    }
    return rects;
}

std::vector<OutputAction> NoticeBar::actions(const QRectF &rect) const
{
    const std::vector<QRectF> rects = actRects(rect);
    std::vector<OutputAction> actions;
    for (std::size_t i = 0; i < rects.size(); ++i)
        actions.push_back({rects[i], m_acts[i].text, m_acts[i].trigger});
    return actions;
}

void addRequest(
    std::vector<NoticeBar::Act> &acts, const QString &text, const OutputRequest &request, const RenderStyle &style)
{
    if (style.request)
        acts.push_back({text, [&style, request] { style.request(request); }});
}

} // namespace sandfish
