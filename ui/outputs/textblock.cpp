#include "ui/outputs/textblock.h"

#include "core/base/utf8.h"
#include "core/document/screenline.h"
#include "ui/text/linelayout.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <climits>
#include <cmath>
#include <optional>

namespace sandfish {
namespace {

constexpr std::size_t kOwnCacheLines = 64;
constexpr int kTabColumns = 8;

std::string_view shownBytes(const TextLines &lines, std::size_t index)
{
    const std::string_view line = lines.line(index);
    return line.substr(0, utf8Boundary(line, std::min(line.size(), TextBlock::kMaxLineBytes)));
}

/// The columns of printable ASCII with SGR sequences; nothing for any other text.
std::optional<int> simpleColumns(std::string_view bytes)
{
    int columns = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        if (bytes[at] == '\x1b') {
            const std::size_t end = bytes.find_first_not_of("0123456789;:", at + 2);
            if (at + 2 >= bytes.size() || bytes[at + 1] != '[' || end == std::string_view::npos || bytes[end] != 'm')
                return std::nullopt;
            at = end;
        } else if (bytes[at] < 0x20 || bytes[at] == 0x7f) {
            return std::nullopt;
        } else {
            ++columns;
        }
    }
    return columns;
}

/// What follows the shown part of a line that is cut.
QString cutNote(const TextLines &lines, std::size_t index, std::size_t shown)
{
    const std::size_t left = lines.sizeBytes(index) - shown;
    return left == 0 ? QString()
                     : QCoreApplication::translate("sandfish::TextBlock", " … %n more bytes in this line", nullptr,
                         static_cast<int>(std::min<std::size_t>(left, INT_MAX)));
}

} // namespace

QList<QTextLayout::FormatRange> rowFormats(const std::vector<AnsiSpan> &spans, const TextRow &row, const Theme &theme)
{
    std::vector<AnsiSpan> inRow;
    for (const AnsiSpan &span : spans) {
        const int start = std::max(span.start, row.start);
        const int end = std::min(span.start + span.length, row.start + row.length);
        if (start < end)
            inRow.push_back({start - row.start, end - start, span.style});
    }
    return ansiFormats(inRow, theme);
}

std::vector<TextRow> wrappedRows(QStringView text, int columns)
{
    std::vector<TextRow> rows;
    int start = 0;
    int column = 0;
    for (int at = 0; at < text.size();) {
        const bool isPair = text[at].isHighSurrogate() && at + 1 < text.size() && text[at + 1].isLowSurrogate();
        const char32_t character = isPair ? QChar::surrogateToUcs4(text[at], text[at + 1]) : text[at].unicode();
        const int width = character == U'\t' ? kTabColumns - column % kTabColumns : columnsOf(character);
        if (column + width > columns && at > start) {
            rows.push_back({start, at - start});
            start = at;
            column = character == U'\t' ? kTabColumns : width;
        } else {
            column += width;
        }
        at += isPair ? 2 : 1;
    }
    rows.push_back({start, static_cast<int>(text.size()) - start});
    return rows;
}

TextBlock::TextBlock(std::unique_ptr<TextLines> lines, const RenderStyle &style, ColorToken ink, std::uint64_t serial)
    : m_lines(std::move(lines))
    , m_style(style)
    , m_ink(ink)
    , m_serial(serial)
{
}

TextBlock::~TextBlock() = default;

qreal TextBlock::heightForWidth(qreal widthPx)
{
    if (widthPx != m_widthPx) {
        m_widthPx = widthPx;
        measure();
    }
    return (m_rowStarts.empty() ? 0 : m_rowStarts.back()) * m_style.theme->linePx(TextStyle::Code);
}

void TextBlock::measure()
{
    const qreal columnPx = QFontMetricsF(m_style.theme->codeFont()).horizontalAdvance(u'0');
    m_columns = std::max(1, static_cast<int>(std::floor(m_widthPx / columnPx)));
    const std::size_t count = m_lines->count();
    const auto limit = static_cast<std::size_t>(std::max(1, m_style.maxShownLines));
    m_firstShown = count > limit ? count - limit : 0;
    m_rowStarts.assign(1, 0);
    m_rowStarts.reserve(count - m_firstShown + 1);
    for (std::size_t index = m_firstShown; index < count; ++index)
        m_rowStarts.push_back(m_rowStarts.back() + rowsOf(index));
}

int TextBlock::rowsOf(std::size_t index) const
{
    const std::string_view bytes = shownBytes(*m_lines, index);
    const bool isCut = bytes.size() < m_lines->sizeBytes(index);
    const std::optional<int> columns = isCut ? std::nullopt : simpleColumns(bytes);
    if (!columns)
        return static_cast<int>(wrappedRows(shownText(index).text, m_columns).size());
    return std::max(1, (*columns + m_columns - 1) / m_columns);
}

AnsiText TextBlock::shownText(std::size_t index) const
{
    AnsiParser parser;
    parser.parse(m_lines->styleAt(index));
    const std::string_view bytes = shownBytes(*m_lines, index);
    AnsiText text = parser.parse(bytes);
    text.text += cutNote(*m_lines, index, bytes.size());
    return text;
}

void TextBlock::paint(QPainter &painter, const QRectF &clip)
{
    if (shownLines() == 0)
        return;
    const qreal linePx = m_style.theme->linePx(TextStyle::Code);
    const int firstRow = std::max(0, static_cast<int>(std::floor(clip.top() / linePx)));
    const int lastRow = std::min(m_rowStarts.back() - 1, static_cast<int>(std::floor(clip.bottom() / linePx)));
    const auto first = std::upper_bound(m_rowStarts.begin(), m_rowStarts.end(), firstRow);
    auto shown = static_cast<std::size_t>(first - m_rowStarts.begin()) - 1;
    for (; shown < shownLines() && m_rowStarts[shown] <= lastRow; ++shown)
        paintLine(painter, shown, firstRow, lastRow);
}

void TextBlock::paintLine(QPainter &painter, std::size_t shown, int firstRow, int lastRow)
{
    const std::size_t index = m_firstShown + shown;
    if (index >= m_lines->count())
        return;
    const Theme &theme = *m_style.theme;
    const AnsiText text = shownText(index);
    const std::vector<Ground> grounds = groundsOf(index, text.text);
    const qreal linePx = lineStyle().linePx;
    painter.setPen(theme.color(m_ink));
    int row = m_rowStarts[shown];
    for (const TextRow &part : wrappedRows(text.text, m_columns)) {
        if (row >= firstRow && row <= lastRow && (part.length > 0 || !grounds.empty())) {
            const QTextLayout &layout = rowLayout(text, part);
            const QPointF origin(0, row * linePx);
            const auto overrides =
                paintGrounds(painter, grounds, layout, part, static_cast<int>(text.text.size()), origin);
            layout.draw(&painter, origin, overrides);
        }
        ++row;
    }
}

LineStyle TextBlock::lineStyle() const
{
    return {.font = m_style.theme->codeFont(), .linePx = m_style.theme->linePx(TextStyle::Code)};
}

LineLayoutCache &TextBlock::cache()
{
    if (m_style.lines)
        return *m_style.lines;
    if (!m_ownCache)
        m_ownCache = std::make_unique<LineLayoutCache>(kOwnCacheLines);
    return *m_ownCache;
}

} // namespace sandfish
