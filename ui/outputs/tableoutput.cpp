#include "ui/outputs/tableoutput.h"

#include "ui/outputs/paintbox.h"
#include "ui/text/theme.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr std::size_t kFirstRows = 20;
constexpr std::size_t kMostRows = 1000;
constexpr qreal kHeaderPx = 23;
constexpr qreal kRowPx = 20;
constexpr qreal kPaddingPx = 14;
constexpr qreal kMaxColumnPx = 360;
constexpr qreal kNoteGapPx = 5;

QString tr(const char *text, int n = -1)
{
    return QCoreApplication::translate("sandfish::TableOutput", text, nullptr, n);
}

QString grouped(std::size_t number)
{
    return QLocale().toString(static_cast<qulonglong>(number));
}

QFont headerFont(const Theme &theme)
{
    QFont font = theme.smallFont();
    font.setWeight(QFont::DemiBold);
    return font;
}

/// The name of the index stands in a header row of its own in data frames; both rows become one.
void mergeHeaderRows(TableData &table)
{
    if (table.headerRows.size() != 2)
        return;
    TableData::Row &upper = table.headerRows[0];
    const TableData::Row &lower = table.headerRows[1];
    for (std::size_t i = 0; i < table.columns; ++i) {
        if (upper[i].isCovered || (!upper[i].text.isEmpty() && !lower[i].text.isEmpty()))
            return;
    }
    for (std::size_t i = 0; i < table.columns; ++i) {
        if (upper[i].text.isEmpty())
            upper[i] = lower[i];
    }
    table.headerRows.pop_back();
}

} // namespace

TableOutput::TableOutput(TableData table, std::uint64_t serial, const RenderStyle &style)
    : m_style(style)
    , m_serial(serial)
    , m_table(std::move(table))
{
    mergeHeaderRows(m_table);
}

bool TableOutput::update(const Output &)
{
    return false;
}

qreal TableOutput::headerRowPx() const
{
    return std::round(m_style.theme->scaled(kHeaderPx));
}

qreal TableOutput::rowPx() const
{
    return std::round(m_style.theme->scaled(kRowPx));
}

std::size_t TableOutput::shownRows() const
{
    return std::min(m_table.rows.size(), m_showsMore ? kMostRows : kFirstRows);
}

void TableOutput::measure()
{
    const QFontMetricsF body(m_style.theme->codeSmallFont());
    const QFontMetricsF header(headerFont(*m_style.theme));
    m_allColumnsPx.assign(m_table.columns, 0);
    m_isRightAligned.assign(m_table.columns, false);
    const std::size_t rows = std::min(m_table.rows.size(), kMostRows);
    for (std::size_t column = 0; column < m_table.columns; ++column) {
        qreal widthPx = 0;
        std::size_t numbers = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            const TableData::Cell &cell = m_table.rows[row][column];
            numbers += cell.isNumber || cell.isEmptyValue || cell.text == "..."_L1 ? 1 : 0;
            if (row < kFirstRows || m_showsMore)
                widthPx = std::max(widthPx, body.horizontalAdvance(cell.text));
        }
        for (const TableData::Row &row : m_table.headerRows) {
            if (!row[column].isCovered && row[column].columnSpan == 1)
                widthPx = std::max(widthPx, header.horizontalAdvance(row[column].text));
        }
        m_isRightAligned[column] = column > 0 && rows > 0 && numbers == rows;
        m_allColumnsPx[column] = std::min(std::ceil(widthPx) + 2 * kPaddingPx, kMaxColumnPx);
    }
}

qreal TableOutput::heightForWidth(qreal widthPx)
{
    if (!m_isMeasured)
        measure();
    if (!m_isMeasured || widthPx != m_widthPx) {
        m_columnsPx.clear();
        qreal used = 0;
        for (const qreal columnPx : m_allColumnsPx) {
            if (used + columnPx > widthPx && !m_columnsPx.empty())
                break;
            m_columnsPx.push_back(std::min(columnPx, widthPx));
            used += columnPx;
        }
    }
    m_isMeasured = true;
    m_widthPx = widthPx;
    return gridPx() + (noteText().isEmpty() ? 0 : kNoteGapPx + NoticeBar::heightPx(*m_style.theme))
        + (m_table.note.isEmpty() ? 0 : kNoteGapPx + m_style.theme->linePx(TextStyle::Small));
}

qreal TableOutput::gridPx() const
{
    return static_cast<qreal>(m_table.headerRows.size()) * headerRowPx() + static_cast<qreal>(shownRows()) * rowPx()
        + 1;
}

QString TableOutput::noteText() const
{
    const bool cutsRows = m_table.rows.size() > shownRows() || m_showsMore;
    const bool cutsColumns = m_table.columns > m_columnsPx.size();
    if (cutsRows && cutsColumns)
        return tr("Showing %1 of %2 rows and %3 of %4 columns.")
            .arg(grouped(shownRows()), grouped(m_table.rows.size()), grouped(m_columnsPx.size()),
                grouped(m_table.columns));
    if (cutsRows)
        return tr("Showing %1 of %2 rows.").arg(grouped(shownRows()), grouped(m_table.rows.size()));
    if (cutsColumns)
        return tr("Showing %1 of %2 columns.").arg(grouped(m_columnsPx.size()), grouped(m_table.columns));
    return {};
}

QRectF TableOutput::barRect() const
{
    return {0, gridPx() + kNoteGapPx, m_widthPx, NoticeBar::heightPx(*m_style.theme)};
}

NoticeBar TableOutput::bar()
{
    std::vector<NoticeBar::Act> acts;
    if (m_table.rows.size() > kFirstRows) {
        const auto most = static_cast<int>(std::min(m_table.rows.size(), kMostRows));
        acts.push_back({m_showsMore ? tr("Show fewer rows") : tr("Show %n rows", most), [this] { toggleRows(); }});
    }
    return NoticeBar(noteText(), std::move(acts), false, m_style);
}

void TableOutput::toggleRows()
{
    m_showsMore = !m_showsMore;
    m_isMeasured = false;
    if (m_style.requestRelayout)
        m_style.requestRelayout();
}

std::vector<OutputAction> TableOutput::actions()
{
    return noteText().isEmpty() ? std::vector<OutputAction>() : bar().actions(barRect());
}

void TableOutput::addPieces(
    std::vector<TextPiece> &pieces, const TableData::Row &row, qreal top, qreal heightPx, bool isHeader)
{
    const Theme &theme = *m_style.theme;
    qreal left = 0;
    for (std::size_t column = 0; column < m_columnsPx.size(); ++column) {
        if (!row[column].isCovered) {
            QFont font = isHeader ? headerFont(theme) : theme.codeSmallFont();
            font.setItalic(row[column].isEmptyValue);
            pieces.push_back({{left + kPaddingPx, top, spanPx(row, column) - 2 * kPaddingPx, heightPx},
                row[column].text, font, m_isRightAligned[column], column == 0 ? u"\n"_s : u"\t"_s});
        }
        left += m_columnsPx[column];
    }
}

void TableOutput::collectPieces()
{
    std::vector<TextPiece> pieces;
    qreal top = 0;
    for (const TableData::Row &row : m_table.headerRows) {
        addPieces(pieces, row, top, headerRowPx(), true);
        top += headerRowPx();
    }
    for (std::size_t row = 0; row < shownRows(); ++row) {
        addPieces(pieces, m_table.rows[row], top, rowPx(), false);
        top += rowPx();
    }
    m_pieces.setPieces(std::move(pieces));
}

OutputItem::Selectable TableOutput::selectable()
{
    collectPieces();
    return {&m_pieces, {}};
}

void TableOutput::paint(QPainter &painter, const QRectF &clip)
{
    if (m_style.marks.hasAnyFor(m_serial)) {
        collectPieces();
        m_pieces.paintMarks(painter, m_style.marks, m_serial, *m_style.theme);
    }
    paintHeader(painter);
    const qreal top = static_cast<qreal>(m_table.headerRows.size()) * headerRowPx();
    const auto first = static_cast<std::size_t>(std::max(0.0, (clip.top() - top) / rowPx()));
    for (std::size_t row = first; row < shownRows() && top + static_cast<qreal>(row) * rowPx() < clip.bottom(); ++row)
        paintRow(painter, row);
    qreal bottom = gridPx();
    if (!noteText().isEmpty()) {
        bar().paint(painter, barRect());
        bottom = barRect().bottom();
    }
    const Theme &theme = *m_style.theme;
    if (!m_table.note.isEmpty())
        paintLine(painter, QRectF(0, bottom + kNoteGapPx, m_widthPx, theme.linePx(TextStyle::Small)), m_table.note,
            theme.smallFont(), theme.color(ColorToken::Text3), Qt::AlignLeft);
}

qreal TableOutput::spanPx(const TableData::Row &row, std::size_t column) const
{
    qreal widthPx = 0;
    const std::size_t end = std::min(column + static_cast<std::size_t>(row[column].columnSpan), m_columnsPx.size());
    for (std::size_t i = column; i < end; ++i)
        widthPx += m_columnsPx[i];
    return widthPx;
}

void TableOutput::paintHeader(QPainter &painter) const
{
    const Theme &theme = *m_style.theme;
    qreal top = 0;
    qreal right = 0;
    for (const TableData::Row &row : m_table.headerRows) {
        qreal left = 0;
        for (std::size_t column = 0; column < m_columnsPx.size(); ++column) {
            const QRectF cell(left + kPaddingPx, top, spanPx(row, column) - 2 * kPaddingPx, headerRowPx());
            if (!row[column].isCovered)
                paintLine(painter, cell, row[column].text, headerFont(theme), theme.color(ColorToken::Text2),
                    m_isRightAligned[column] ? Qt::AlignRight : Qt::AlignLeft);
            left += m_columnsPx[column];
        }
        top += headerRowPx();
        right = left;
    }
    if (top > 0)
        paintTopLine(painter, QRectF(0, top - 1, right, 1), theme.color(ColorToken::Control));
}

void TableOutput::paintRow(QPainter &painter, std::size_t row) const
{
    const qreal top = static_cast<qreal>(m_table.headerRows.size()) * headerRowPx() + static_cast<qreal>(row) * rowPx();
    qreal left = 0;
    for (std::size_t column = 0; column < m_columnsPx.size(); ++column) {
        const TableData::Cell &cell = m_table.rows[row][column];
        if (!cell.isCovered)
            paintCell(painter, {left + kPaddingPx, top, spanPx(m_table.rows[row], column) - 2 * kPaddingPx, rowPx()},
                column, cell);
        left += m_columnsPx[column];
    }
    paintTopLine(painter, QRectF(0, top + rowPx() - 1, left, 1), m_style.theme->color(ColorToken::Border));
}

void TableOutput::paintCell(
    QPainter &painter, const QRectF &rect, std::size_t column, const TableData::Cell &cell) const
{
    const Theme &theme = *m_style.theme;
    QFont font = theme.codeSmallFont();
    font.setItalic(cell.isEmptyValue);
    const ColorToken ink = cell.isEmptyValue ? ColorToken::Text3 : cell.isHeader ? ColorToken::Text2 : ColorToken::Text;
    paintLine(
        painter, rect, cell.text, font, theme.color(ink), m_isRightAligned[column] ? Qt::AlignRight : Qt::AlignLeft);
}

QString TableOutput::plainText() const
{
    QStringList lines;
    for (const std::vector<TableData::Row> *part : {&m_table.headerRows, &m_table.rows}) {
        for (const TableData::Row &row : *part) {
            QStringList cells;
            for (const TableData::Cell &cell : row)
                cells.append(cell.isCovered ? QString() : cell.text);
            lines.append(cells.join(u'\t'));
        }
    }
    return lines.join(u'\n');
}

} // namespace sandfish
