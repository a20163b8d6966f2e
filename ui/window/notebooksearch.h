#pragma once

#include "core/document/cell.h"
#include "ui/panels/findstrip.h"

#include <QObject>
#include <QTimer>

#include <vector>

namespace sandfish {

class NotebookDocument;

/// The hits of a query in one notebook, in document order. Searched again, merged, after the query or the document
/// changed. Cost: O(text); at most kMostHits hits are kept, and of each output the first 4 MiB are read. Thread: GUI.
class NotebookSearch : public QObject
{
    Q_OBJECT
public:
    static constexpr int kMostHits = 10'000;

    /// \a document outlives the search.
    explicit NotebookSearch(NotebookDocument *document, QObject *parent = nullptr);

    void setQuery(const FindQuery &query);
    int count() const { return int(m_hits.size()); }
    int current() const { return m_current; } ///< from 1; 0: none
    /// Goes round at the ends.
    void next();
    void previous();

signals:
    void resultChanged();
    void hitActivated(const sandfish::CellId &id);

private:
    void search();
    void searchText(const CellId &id, QStringView text);
    void searchOutputs(const Cell &cell);
    void activate();

    NotebookDocument *m_document;
    FindQuery m_query;
    std::vector<CellId> m_hits;
    int m_current = 0;
    QTimer m_timer;
};

} // namespace sandfish
