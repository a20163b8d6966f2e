#include "ui/outputs/tabledata.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr std::size_t kMaxRows = 10'000;
constexpr std::size_t kMaxColumns = 1000;
constexpr int kMaxRowSpan = 10'000;

bool isNumberText(const QString &text)
{
    static const QRegularExpression expression(
        u"^[-+−]?(?:\\d[\\d,_\\x{202f}\\x{a0}]*)?\\.?\\d*(?:[eE][-+]?\\d+)?\\s?%?$"_s);
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c.isDigit(); })
        && expression.match(text).hasMatch();
}

bool isEmptyValueText(const QString &text)
{
    static const QSet<QString> texts{u"NaN"_s, u"None"_s, u"null"_s, u"NaT"_s, u"<NA>"_s, u"nan"_s};
    return texts.contains(text);
}

/// Builds the grid from the tokens between <table> and </table>.
class TableBuilder
{
public:
    std::optional<TableData> run(const std::vector<HtmlToken> &tokens)
    {
        for (const HtmlToken &token : tokens) {
            if (token.kind == HtmlToken::Kind::Text)
                takeText(token.text);
            else if (!takeTag(token))
                return std::nullopt;
        }
        if (!m_wasTable || m_isInTable || m_data.rows.size() + m_data.headerRows.size() == 0)
            return std::nullopt;
        closeRow();
        m_data.note = m_data.note.simplified();
        for (std::vector<TableData::Row> *part : {&m_data.headerRows, &m_data.rows}) {
            for (TableData::Row &row : *part)
                row.resize(m_data.columns);
        }
        return std::move(m_data);
    }

private:
    void takeText(const QString &text)
    {
        if (m_isInCell)
            m_cellText += decodedEntities(text);
        else if (!m_isInTable)
            m_data.note += decodedEntities(text);
    }

    bool takeTag(const HtmlToken &token)
    {
        static const QSet<QString> harmless{u"div"_s, u"p"_s, u"thead"_s, u"tbody"_s, u"tfoot"_s, u"colgroup"_s,
            u"col"_s, u"span"_s, u"b"_s, u"strong"_s, u"i"_s, u"em"_s, u"code"_s, u"small"_s, u"pre"_s, u"tt"_s};
        const bool isOpen = token.kind == HtmlToken::Kind::Open;
        if (!token.attribute(u"style").isEmpty() && m_isInTable && !isAlignOnly(token.attribute(u"style")))
            return false;
        if (token.name == "table"_L1)
            return takeTable(isOpen);
        if (token.name == "br"_L1) {
            takeText(u" "_s);
            return true;
        }
        if (!m_isInTable || harmless.contains(token.name))
            return harmless.contains(token.name);
        if (token.name == "tr"_L1) {
            closeCell();
            closeRow();
            m_isInRow = isOpen;
            return true;
        }
        if (token.name != "td"_L1 && token.name != "th"_L1)
            return false;
        closeCell();
        if (isOpen)
            openCell(token);
        return true;
    }

    static bool isAlignOnly(const QString &style)
    {
        static const QRegularExpression expression(
            u"^\\s*(?:(?:text-align|vertical-align|min-width|max-width|width|white-space|padding)\\s*:[^;]*;?\\s*)*$"_s);
        return expression.match(style).hasMatch();
    }

    bool takeTable(bool isOpen)
    {
        if (isOpen && (m_wasTable || !m_data.note.simplified().isEmpty()))
            return false;
        closeCell();
        closeRow();
        m_isInTable = isOpen;
        m_wasTable = true;
        return true;
    }

    void openCell(const HtmlToken &token)
    {
        m_isInRow = true;
        m_isInCell = true;
        m_cellText.clear();
        m_cell = {};
        m_cell.isHeader = token.name == "th"_L1;
        m_cell.columnSpan = std::clamp(token.attribute(u"colspan").toInt(), 1, static_cast<int>(kMaxColumns));
        m_cellRowSpan = std::clamp(token.attribute(u"rowspan").toInt(), 1, kMaxRowSpan);
    }

    void closeCell()
    {
        if (!m_isInCell)
            return;
        m_isInCell = false;
        skipCovered();
        m_cell.text = m_cellText.simplified();
        m_cell.isNumber = isNumberText(m_cell.text);
        m_cell.isEmptyValue = isEmptyValueText(m_cell.text);
        for (int i = 0; i < m_cell.columnSpan && m_row.size() < kMaxColumns; ++i) {
            m_row.push_back(m_cell);
            m_row.back().isCovered = i > 0;
            if (m_cellRowSpan > 1) {
                m_spans.resize(std::max(m_spans.size(), m_row.size()));
                m_spans[m_row.size() - 1] = m_cellRowSpan - 1;
            }
        }
    }

    /// Cells of rows above that reach down into this one.
    void skipCovered()
    {
        while (m_row.size() < m_spans.size() && m_spans[m_row.size()] > 0) {
            --m_spans[m_row.size()];
            m_row.emplace_back().isCovered = true;
            m_row.back().isHeader = m_cell.isHeader;
        }
    }

    void closeRow()
    {
        if (m_isInRow)
            skipCovered();
        if (m_row.empty())
            return;
        const bool isHeader = m_data.rows.empty()
            && std::all_of(m_row.begin(), m_row.end(), [](const auto &c) { return c.isHeader || c.isCovered; });
        m_data.columns = std::max(m_data.columns, m_row.size());
        std::vector<TableData::Row> &part = isHeader ? m_data.headerRows : m_data.rows;
        if (part.size() < kMaxRows)
            part.push_back(std::move(m_row));
        m_row.clear();
        m_isInRow = false;
    }

    TableData m_data;
    TableData::Row m_row;
    TableData::Cell m_cell;
    QString m_cellText;
    std::vector<int> m_spans; ///< rows below that the cell of a column still covers
    int m_cellRowSpan = 1;
    bool m_wasTable = false;
    bool m_isInTable = false;
    bool m_isInRow = false;
    bool m_isInCell = false;
};

} // namespace

std::optional<TableData> tableFromHtml(const std::vector<HtmlToken> &tokens)
{
    return TableBuilder().run(tokens);
}

} // namespace sandfish
