#include "ui/window/notebooksearch.h"

#include "core/document/notebookdocument.h"

#include <algorithm>

namespace sandfish {
namespace {

constexpr std::chrono::milliseconds kMergeDelay{120};
constexpr std::size_t kMostOutputBytes = 4u << 20;

} // namespace

NotebookSearch::NotebookSearch(NotebookDocument *document, QObject *parent)
    : QObject(parent)
    , m_document(document)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kMergeDelay);
    connect(&m_timer, &QTimer::timeout, this, &NotebookSearch::search);
    const auto later = [this] {
        if (!m_query.text.isEmpty())
            m_timer.start();
    };
    connect(document, &NotebookDocument::cellChanged, this, later);
    connect(document, &NotebookDocument::cellsInserted, this, later);
    connect(document, &NotebookDocument::cellsRemoved, this, later);
}

void NotebookSearch::setQuery(const FindQuery &query)
{
    if (m_query == query)
        return;
    m_query = query;
    m_current = 0;
    m_timer.start();
}

void NotebookSearch::search()
{
    m_timer.stop();
    m_hits.clear();
    for (qsizetype i = 0; !m_query.text.isEmpty() && i < m_document->cellCount(); ++i) {
        const bool wantsOutputs = m_query.inOutput;
        const Cell &cell = wantsOutputs ? m_document->cellAt(i) : m_document->peekAt(i);
        if (cell.type == Cell::Type::Code ? m_query.inCode : m_query.inText)
            searchText(cell.id, cell.source);
        if (wantsOutputs)
            searchOutputs(cell);
    }
    m_current = std::min(m_current, count());
    emit resultChanged();
}

void NotebookSearch::searchText(const CellId &id, QStringView text)
{
    const auto sensitivity = m_query.isCaseSensitive ? Qt::CaseSensitive : Qt::CaseInsensitive;
    qsizetype at = text.indexOf(m_query.text, 0, sensitivity);
    while (at >= 0 && count() < kMostHits) {
        m_hits.push_back(id);
        at = text.indexOf(m_query.text, at + m_query.text.size(), sensitivity);
    }
}

void NotebookSearch::searchOutputs(const Cell &cell)
{
    for (const Output &output : cell.outputs) {
        std::size_t readBytes = 0;
        for (std::size_t i = 0; output.text && i < output.text->lineCount() && readBytes < kMostOutputBytes; ++i) {
            const std::string_view line = output.text->line(i);
            readBytes += line.size();
            searchText(cell.id, QString::fromUtf8(line.data(), qsizetype(line.size())));
        }
        const std::string_view plain = output.data.text("text/plain").substr(0, kMostOutputBytes);
        searchText(cell.id, QString::fromUtf8(plain.data(), qsizetype(plain.size())));
        if (output.kind == Output::Kind::Error)
            searchText(cell.id, QString::fromStdString(output.error.name + ": " + output.error.message));
    }
}

void NotebookSearch::next()
{
    search();
    if (m_hits.empty())
        return;
    m_current = m_current >= count() ? 1 : m_current + 1;
    activate();
}

void NotebookSearch::previous()
{
    search();
    if (m_hits.empty())
        return;
    m_current = m_current <= 1 ? count() : m_current - 1;
    activate();
}

void NotebookSearch::activate()
{
    emit resultChanged();
    emit hitActivated(m_hits[std::size_t(m_current) - 1]);
}

} // namespace sandfish
