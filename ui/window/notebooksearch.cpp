#include "ui/window/notebooksearch.h"

#include "core/document/notebookdocument.h"
#include "ui/text/ansiparser.h"
#include "ui/text/textfind.h"

#include <algorithm>

namespace sandfish {
namespace {

constexpr std::chrono::milliseconds kMergeDelay{120};
constexpr std::size_t kMostOutputBytes = 4u << 20;

QString toText(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), qsizetype(utf8.size()));
}

/// A line as it is shown: without colours.
QString shownLine(std::string_view line)
{
    return line.find('\x1b') == std::string_view::npos ? toText(line) : AnsiParser().parse(line).text;
}

/// The first of the last lines that are kMostOutputBytes together.
std::size_t firstSearchedLine(const OutputText &text)
{
    std::size_t bytes = 0;
    std::size_t line = text.lineCount();
    while (line > 0 && bytes < kMostOutputBytes)
        bytes += text.lineSizeBytes(--line);
    return line;
}

} // namespace

NotebookSearch::NotebookSearch(NotebookDocument *document, QObject *parent)
    : QObject(parent)
    , m_document(document)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kMergeDelay);
    connect(&m_timer, &QTimer::timeout, this, &NotebookSearch::update);
    connect(document, &NotebookDocument::cellChanged, this, [this](const CellId &id) { noteChange({id}); });
    connect(document, &NotebookDocument::outputsChanged, this, &NotebookSearch::noteChange);
    const auto all = [this] {
        m_needsAll = true;
        noteChange({});
    };
    connect(document, &NotebookDocument::cellsInserted, this, all);
    connect(document, &NotebookDocument::cellsRemoved, this, all);
    connect(document, &NotebookDocument::cellsMoved, this, all);
}

void NotebookSearch::noteChange(const std::vector<CellId> &cells)
{
    if (m_query.text.isEmpty())
        return;
    for (const CellId &id : cells)
        m_changed.insert(id);
    // Not put off again and again while output streams.
    if (!m_timer.isActive())
        m_timer.start();
}

void NotebookSearch::setQuery(const FindQuery &query)
{
    if (m_query == query)
        return;
    m_query = query;
    m_current = 0;
    m_needsAll = true;
    m_timer.start();
}

void NotebookSearch::update()
{
    m_timer.stop();
    if (m_needsAll)
        searchAll();
    else
        searchChanged();
    m_needsAll = false;
    m_changed.clear();
    flatten();
    emit resultChanged();
}

void NotebookSearch::searchAll()
{
    m_byCell.clear();
    int found = 0;
    for (qsizetype i = 0; !m_query.text.isEmpty() && i < m_document->cellCount() && found < kMostHits; ++i) {
        Hits hits = hitsIn(i);
        found += int(hits.size());
        if (!hits.empty())
            m_byCell.insert(m_document->peekAt(i).id, std::move(hits));
    }
}

void NotebookSearch::searchChanged()
{
    for (const CellId &id : std::as_const(m_changed)) {
        const qsizetype index = m_document->indexOf(id);
        Hits hits = index < 0 ? Hits() : hitsIn(index);
        if (hits.empty())
            m_byCell.remove(id);
        else
            m_byCell.insert(id, std::move(hits));
    }
}

// The current hit stays the same one where it still exists.
void NotebookSearch::flatten()
{
    const std::optional<FindHit> before = marks().current;
    std::vector<CellId> cells(m_byCell.keyBegin(), m_byCell.keyEnd());
    std::sort(cells.begin(), cells.end(),
        [this](const CellId &a, const CellId &b) { return m_document->indexOf(a) < m_document->indexOf(b); });
    m_hits.clear();
    for (const CellId &id : cells) {
        const Hits &hits = m_byCell[id];
        m_hits.insert(m_hits.end(), hits.begin(), hits.end());
    }
    m_hits.resize(std::min(m_hits.size(), std::size_t(kMostHits)));
    const auto same = before ? std::find(m_hits.begin(), m_hits.end(), *before) : m_hits.end();
    m_current = same != m_hits.end() ? int(same - m_hits.begin()) + 1 : std::min(m_current, count());
}

NotebookSearch::Hits NotebookSearch::hitsIn(qsizetype index) const
{
    Hits hits;
    const Cell &cell = m_query.inOutput ? m_document->cellAt(index) : m_document->peekAt(index);
    if (cell.type == Cell::Type::Code ? m_query.inCode : m_query.inText)
        addMatches(hits, {cell.id}, cell.source);
    for (const Output &output : cell.outputs) {
        if (m_query.inOutput)
            addOutput(hits, cell.id, output);
    }
    return hits;
}

void NotebookSearch::addMatches(Hits &hits, FindHit hit, QStringView text) const
{
    const auto sensitivity = m_query.isCaseSensitive ? Qt::CaseSensitive : Qt::CaseInsensitive;
    for (const int start : matchesIn(text, m_query.text, sensitivity)) {
        hit.point.column = start;
        hits.push_back(hit);
        ++hit.ordinal;
    }
}

void NotebookSearch::addOutput(Hits &hits, const CellId &cell, const Output &output) const
{
    const FindHit hit{cell, output.serial};
    if (output.text)
        return addStream(hits, hit, *output.text);
    if (output.kind == Output::Kind::Error)
        return addMatches(hits, hit, QString::fromStdString(output.error.name + ": " + output.error.message));
    const QStringList lines = toText(output.data.text("text/plain").substr(0, kMostOutputBytes)).split(u'\n');
    FindHit inLine = hit;
    for (qsizetype line = 0; line < lines.size(); ++line) {
        const std::size_t before = hits.size();
        inLine.point.line = std::size_t(line);
        addMatches(hits, inLine, lines[line]);
        inLine.ordinal += int(hits.size() - before);
    }
}

void NotebookSearch::addStream(Hits &hits, FindHit hit, const OutputText &text) const
{
    for (std::size_t line = firstSearchedLine(text); line < text.lineCount() && hits.size() < kMostHits; ++line) {
        const std::size_t before = hits.size();
        hit.point.line = line;
        addMatches(hits, hit, shownLine(text.line(line)));
        hit.ordinal += int(hits.size() - before);
    }
}

int NotebookSearch::countInOutputs() const
{
    return int(std::count_if(m_hits.begin(), m_hits.end(), [](const FindHit &hit) { return hit.serial != 0; }));
}

FindMarks NotebookSearch::marks() const
{
    FindMarks marks{m_query.text, m_query.isCaseSensitive ? Qt::CaseSensitive : Qt::CaseInsensitive, m_query.inCode,
        m_query.inText, m_query.inOutput, std::nullopt};
    if (m_current > 0 && m_current <= count())
        marks.current = m_hits[std::size_t(m_current) - 1];
    return marks;
}

void NotebookSearch::next()
{
    if (m_timer.isActive())
        update();
    if (!m_hits.empty())
        activate(m_current >= count() ? 1 : m_current + 1);
}

void NotebookSearch::previous()
{
    if (m_timer.isActive())
        update();
    if (!m_hits.empty())
        activate(m_current <= 1 ? count() : m_current - 1);
}

void NotebookSearch::activate(int current)
{
    m_current = current;
    emit resultChanged();
    emit hitActivated(m_hits[std::size_t(current) - 1]);
}

} // namespace sandfish
