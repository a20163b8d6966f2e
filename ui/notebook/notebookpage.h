#pragma once

#include "ui/notebook/cellitem.h"
#include "ui/notebook/heightindex.h"

#include <functional>
#include <unordered_map>
#include <vector>

namespace sandfish {

class NotebookDocument;

/// Where the cells of a notebook are on its page, and what part of the page is seen.
///
/// Only cells that are seen are laid out; the others have the height they had last, or an estimate. What is seen hangs
/// on an anchor, the cell at the top edge and how far it is scrolled out, so nothing that becomes known or grows
/// above moves what the reader sees. Thread: GUI.
class NotebookPage
{
public:
    /// A cell that is seen; \a y is where its place begins, in px from the top edge of the viewport.
    struct Place
    {
        qsizetype index = 0;
        qreal y = 0;
        CellItem *item = nullptr;
    };
    /// Called before a cell is laid out, to set its flags and the room for live widgets.
    using Prepare = std::function<void(const Cell &cell, CellItem &item)>;

    NotebookPage(const NotebookDocument &document, PageStyle &style, Prepare prepare);
    ~NotebookPage();

    // What happened to the document.
    void reset();
    void cellsInserted(qsizetype first, qsizetype count);
    void cellsRemoved(qsizetype first, qsizetype count);
    void cellsMoved(qsizetype first, qsizetype count, qsizetype to);
    /// Source or outputs of a cell changed. O(1) for a cell that is not seen.
    void cellChanged(const CellId &id);
    /// Theme or trust changed: everything is made anew. Heights stay as estimates.
    void rebuildItems();

    // What is seen.
    void setViewportHeight(qreal heightPx) { m_viewportHeight = heightPx; }
    void layOutVisible();
    const std::vector<Place> &places() const { return m_places; }
    const Place *placeAt(qreal viewportY) const;
    qreal scrollY() const;
    qreal maxScrollY() const;
    void scrollTo(qreal y);
    void scrollBy(qreal dy);
    /// Scrolls by the least that shows [top, top + height) of a cell; its beginning if that is taller than the view.
    void show(qsizetype index, qreal top, qreal height);
    /// The whole cell is in view already.
    bool isShown(qsizetype index) const;

    /// Follows growing output at the end of the notebook if its end was in view and the reader had not turned back.
    void followEnd(bool wasAtEnd);
    bool isAtEnd() const;
    void setRefusesEnd(bool refuses) { m_refusesEnd = refuses; }

    /// The item of a cell, made and laid out if need be.
    CellItem &item(qsizetype index);
    CellItem *findItem(const CellId &id) const;
    /// In px from the top edge of the viewport, by estimates above.
    qreal viewportY(qsizetype index) const;
    std::size_t itemCount() const { return m_items.size(); }

private:
    struct Entry
    {
        std::unique_ptr<CellItem> item;
        bool needsSync = true;
        std::uint64_t lastSeen = 0;
    };
    qreal estimate(qsizetype index) const;
    qreal measure(qsizetype index);
    void normalizeAnchor();
    void fill();
    bool closeGapAtEnd();
    void setAnchor(qsizetype index, qreal y);
    void dropOldItems();

    const NotebookDocument &m_document;
    PageStyle &m_style;
    Prepare m_prepare;
    HeightIndex m_heights;
    std::unordered_map<CellId, Entry> m_items;
    std::vector<Place> m_places;
    CellId m_anchor;
    qsizetype m_anchorIndex = 0;
    qreal m_anchorY = CellMetrics::kPageTop;
    qreal m_viewportHeight = 0;
    std::uint64_t m_round = 0;
    bool m_refusesEnd = false;
};

} // namespace sandfish
