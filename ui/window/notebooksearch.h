#pragma once

#include "core/document/cell.h"
#include "ui/notebook/findmarks.h"
#include "ui/panels/findstrip.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>

#include <vector>

namespace sandfish {

class NotebookDocument;

/// The hits of a query in one notebook, in document order. After a change of the document the cells that changed are
/// searched again, merged. Cost: O(text); at most kMostHits hits are kept, and of each output the last 4 MiB are read,
/// which is more than the page shows. Thread: GUI.
class NotebookSearch : public QObject
{
    Q_OBJECT
public:
    static constexpr int kMostHits = 10'000;

    /// \a document outlives the search.
    explicit NotebookSearch(NotebookDocument *document, QObject *parent = nullptr);

    void setQuery(const FindQuery &query);
    int count() const { return int(m_hits.size()); }
    int countInOutputs() const;
    int current() const { return m_current; } ///< from 1; 0: none
    FindMarks marks() const;                  ///< for the page
    /// Go round at the ends.
    void next();
    void previous();

signals:
    void resultChanged();
    void hitActivated(const sandfish::FindHit &hit);

private:
    using Hits = std::vector<FindHit>;

    void searchAll();
    void searchChanged();
    void update();
    void noteChange(const std::vector<CellId> &cells);
    Hits hitsIn(qsizetype index) const;
    void addMatches(Hits &hits, FindHit hit, QStringView text) const;
    void addOutput(Hits &hits, const CellId &cell, const Output &output) const;
    void addStream(Hits &hits, FindHit hit, const OutputText &text) const;
    void flatten();
    void activate(int current);

    NotebookDocument *m_document;
    FindQuery m_query;
    QHash<CellId, Hits> m_byCell;
    Hits m_hits;
    int m_current = 0;
    bool m_needsAll = false;
    QSet<CellId> m_changed;
    QTimer m_timer;
};

} // namespace sandfish
