#include "ui/panels/plainheader.h"

#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QPainter>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qreal kHeightPx = 24;
constexpr int kChevronPx = 12;

} // namespace

PlainHeader::PlainHeader(const ThemeSource *source, ColorToken fill, Line line, QWidget *parent)
    : QHeaderView(Qt::Horizontal, parent)
    , m_source(source)
    , m_fill(fill)
    , m_line(line)
{
    setHighlightSections(false);
    connect(source, &ThemeSource::changed, this, &PlainHeader::applyTheme);
    applyTheme();
}

QSize PlainHeader::sizeHint() const
{
    return {QHeaderView::sizeHint().width(), qRound(m_source->theme().scaled(kHeightPx))};
}

void PlainHeader::applyTheme()
{
    QFont font = m_source->theme().smallFont();
    font.setWeight(QFont::DemiBold);
    setFont(font);
    updateGeometry();
    viewport()->update();
}

void PlainHeader::paintEvent(QPaintEvent *event)
{
    QHeaderView::paintEvent(event);
    // Behind the last section the style has filled with a colour of its own.
    const QRect rest = viewport()->rect().adjusted(length() - offset(), 0, 0, 0);
    if (rest.width() <= 0)
        return;
    QPainter painter(viewport());
    painter.fillRect(rest, m_source->theme().color(m_fill));
    if (m_line == Line::Below)
        painter.fillRect(rest.left(), rest.bottom(), rest.width(), 1, m_source->theme().color(ColorToken::Control));
}

void PlainHeader::paintSection(QPainter *painter, const QRect &rect, int logicalIndex) const
{
    const Theme &theme = m_source->theme();
    painter->fillRect(rect.adjusted(0, 0, 0, m_line == Line::Below ? -1 : 0), theme.color(m_fill));
    if (m_line == Line::Below)
        painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color(ColorToken::Control));
    QRect words = rect.adjusted(logicalIndex == 0 ? m_firstPaddingPx : kPaddingPx, 0, -kPaddingPx, 0);
    const Qt::Alignment alignment(model()->headerData(logicalIndex, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
    if (isSortIndicatorShown() && sortIndicatorSection() == logicalIndex) {
        const QRect chevron(words.right() - kChevronPx + 1, rect.top(), kChevronPx, rect.height());
        paintIcon(*painter, chevron, u"chevron-down"_s, theme.color(ColorToken::Text2), kChevronPx,
            sortIndicatorOrder() == Qt::AscendingOrder ? 180 : 0);
        words.setRight(chevron.left() - 2);
    }
    const QString text = model()->headerData(logicalIndex, Qt::Horizontal, Qt::DisplayRole).toString();
    painter->setFont(font());
    painter->setPen(theme.color(ColorToken::Text2));
    painter->drawText(
        words, alignment | Qt::AlignVCenter, QFontMetrics(font()).elidedText(text, Qt::ElideRight, words.width()));
}

} // namespace sandfish
