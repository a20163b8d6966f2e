#include "ui/notebook/notebookpage.h"

#include "core/document/notebookdocument.h"

#include <algorithm>
#include <cmath>

namespace sandfish {

namespace {

// Items of cells that were seen lately; an item of a small cell takes some 10 KiB.
constexpr std::size_t kMaxItems = 300;
// How near to the lower edge growing output may come before the page follows it.
constexpr qreal kFollowMargin = 24;
constexpr qreal kImageGuess = 300;
constexpr qsizetype kBytesPerLineGuess = 60;

} // namespace

NotebookPage::NotebookPage(const NotebookDocument &document, PageStyle &style, Prepare prepare)
    : m_document(document)
    , m_style(style)
    , m_prepare(std::move(prepare))
{
}

NotebookPage::~NotebookPage() = default;

void NotebookPage::reset()
{
    m_items.clear();
    m_places.clear();
    std::vector<qreal> heights(static_cast<std::size_t>(m_document.cellCount()));
    for (std::size_t i = 0; i < heights.size(); ++i)
        heights[i] = estimate(static_cast<qsizetype>(i));
    m_heights.assign(std::move(heights));
    setAnchor(0, CellMetrics::kPageTop);
}

// By what is known without parsing: lines of source, size of the outputs in the file.
qreal NotebookPage::estimate(qsizetype index) const
{
    const Cell &cell = m_document.peekAt(index);
    CellParts parts;
    parts.isBoxed = cell.type != Cell::Type::Markdown;
    parts.sourceHeight = static_cast<qreal>(cell.source.count(u'\n') + 1) * m_style.metrics.linePitch;
    qreal lines = static_cast<qreal>(m_document.pendingOutputBytes(index)) / kBytesPerLineGuess;
    qreal outputs = std::min<qreal>(std::ceil(lines) * m_style.metrics.linePitch, kImageGuess);
    for (const Output &output : cell.outputs) {
        if (output.kind == Output::Kind::Stream)
            lines = std::min<qreal>(static_cast<qreal>(output.text->lineCount()), m_style.render.maxShownLines);
        outputs += output.kind == Output::Kind::Stream ? lines * m_style.metrics.linePitch : kImageGuess / 3;
    }
    parts.outputsHeight = cell.outputsCollapsed && outputs > 0 ? m_style.metrics.linePitch : outputs;
    return layOutCell(parts, m_style.bodyWidth, m_style.metrics).height;
}

void NotebookPage::setAnchor(qsizetype index, qreal y)
{
    const qsizetype count = m_document.cellCount();
    m_anchorIndex = count > 0 ? std::clamp<qsizetype>(index, 0, count - 1) : 0;
    m_anchor = count > 0 ? m_document.peekAt(m_anchorIndex).id : CellId();
    m_anchorY = y;
}

void NotebookPage::cellsInserted(qsizetype first, qsizetype count)
{
    std::vector<qreal> heights;
    for (qsizetype i = first; i < first + count; ++i)
        heights.push_back(estimate(i));
    m_heights.insert(first, heights);
    // What comes in at the very top of the page is meant to be seen.
    if (m_document.indexOf(m_anchor) < 0 || (first == 0 && m_anchorY >= 0))
        setAnchor(m_anchorIndex, m_anchorY);
}

void NotebookPage::cellsRemoved(qsizetype first, qsizetype count)
{
    m_heights.remove(first, count);
    for (auto it = m_items.begin(); it != m_items.end();)
        it = m_document.indexOf(it->first) < 0 ? m_items.erase(it) : std::next(it);
    m_places.clear();
    if (m_document.indexOf(m_anchor) < 0)
        setAnchor(first, std::max<qreal>(m_anchorY, 0));
}

void NotebookPage::cellsMoved(qsizetype first, qsizetype count, qsizetype to)
{
    m_heights.move(first, count, to);
}

void NotebookPage::cellChanged(const CellId &id)
{
    const qsizetype index = m_document.indexOf(id);
    if (index < 0)
        return;
    if (const auto entry = m_items.find(id); entry != m_items.end())
        entry->second.needsSync = true;
    const bool isSeen =
        std::any_of(m_places.begin(), m_places.end(), [index](const Place &place) { return place.index == index; });
    if (!isSeen)
        m_heights.setHeight(index, estimate(index));
}

void NotebookPage::rebuildItems()
{
    for (auto &[id, entry] : m_items) {
        entry.item->rebuild();
        entry.needsSync = true;
    }
}

CellItem &NotebookPage::item(qsizetype index)
{
    const Cell &cell = m_document.cellAt(index);
    Entry &entry = m_items[cell.id];
    if (!entry.item)
        entry.item = std::make_unique<CellItem>(m_style);
    if (entry.needsSync || entry.item->outputs().needsSync())
        entry.item->sync(cell, m_document.effectiveLanguage(cell.id));
    entry.needsSync = false;
    entry.lastSeen = m_round;
    m_prepare(cell, *entry.item);
    entry.item->layOut(cell);
    return *entry.item;
}

CellItem *NotebookPage::findItem(const CellId &id) const
{
    const auto found = m_items.find(id);
    return found == m_items.end() ? nullptr : found->second.item.get();
}

qreal NotebookPage::measure(qsizetype index)
{
    const qreal height = item(index).geometry().height;
    m_heights.setHeight(index, height);
    return height;
}

void NotebookPage::layOutVisible()
{
    ++m_round;
    m_places.clear();
    if (m_document.cellCount() == 0)
        return;
    const qsizetype index = m_document.indexOf(m_anchor);
    setAnchor(index >= 0 ? index : m_anchorIndex, m_anchorY);
    normalizeAnchor();
    fill();
    // Cells that come into view at the top may turn out lower than estimated, once or twice at most.
    for (int tries = 0; tries < 3 && closeGapAtEnd(); ++tries) {
        normalizeAnchor();
        fill();
    }
    dropOldItems();
}

// Makes the anchor the cell at the top edge, measuring the cells on the way.
void NotebookPage::normalizeAnchor()
{
    qsizetype index = m_anchorIndex;
    qreal y = m_anchorY;
    while (index > 0 && y > 0)
        y -= measure(--index);
    if (index == 0 && y > CellMetrics::kPageTop)
        y = CellMetrics::kPageTop;
    while (index + 1 < m_document.cellCount()) {
        const qreal height = measure(index);
        if (y + height > 0)
            break;
        y += height;
        ++index;
    }
    setAnchor(index, y);
}

void NotebookPage::fill()
{
    m_places.clear();
    qreal y = m_anchorY;
    for (qsizetype index = m_anchorIndex; index < m_document.cellCount() && y < m_viewportHeight; ++index) {
        CellItem &cell = item(index);
        m_heights.setHeight(index, cell.geometry().height);
        m_places.push_back({index, y, &cell});
        y += cell.geometry().height;
    }
}

// True if the page ended above the lower edge and was drawn down.
bool NotebookPage::closeGapAtEnd()
{
    if (m_places.empty() || m_places.back().index + 1 < m_document.cellCount())
        return false;
    const Place &last = m_places.back();
    const qreal end = last.y + last.item->geometry().height + CellMetrics::kPageBottom;
    const bool isAtTop = m_anchorIndex == 0 && m_anchorY >= CellMetrics::kPageTop;
    if (end >= m_viewportHeight || isAtTop)
        return false;
    m_anchorY += m_viewportHeight - end;
    return true;
}

void NotebookPage::dropOldItems()
{
    if (m_items.size() <= kMaxItems)
        return;
    for (auto it = m_items.begin(); it != m_items.end();) {
        const bool isKept = it->second.lastSeen + 2 >= m_round || it->second.item->isEdited();
        it = isKept ? std::next(it) : m_items.erase(it);
    }
}

const NotebookPage::Place *NotebookPage::placeAt(qreal y) const
{
    const auto found = std::find_if(m_places.begin(), m_places.end(),
        [y](const Place &place) { return y >= place.y && y < place.y + place.item->geometry().height; });
    return found == m_places.end() ? nullptr : &*found;
}

qreal NotebookPage::scrollY() const
{
    return CellMetrics::kPageTop + m_heights.top(m_anchorIndex) - m_anchorY;
}

qreal NotebookPage::maxScrollY() const
{
    const qreal page = CellMetrics::kPageTop + m_heights.totalHeight() + CellMetrics::kPageBottom;
    return std::max<qreal>(0, page - m_viewportHeight);
}

qreal NotebookPage::viewportY(qsizetype index) const
{
    return m_anchorY + m_heights.top(index) - m_heights.top(m_anchorIndex);
}

void NotebookPage::scrollTo(qreal y)
{
    const qreal wanted = std::clamp<qreal>(y, 0, maxScrollY()) - CellMetrics::kPageTop;
    const qsizetype index = std::max<qsizetype>(m_heights.indexAt(wanted), 0);
    setAnchor(index, m_heights.count() > 0 ? m_heights.top(index) - wanted : CellMetrics::kPageTop);
}

void NotebookPage::scrollBy(qreal dy)
{
    // Near by, the cells on the way are measured and the distance is exact; far away estimates do.
    if (std::abs(dy) > 3 * m_viewportHeight)
        return scrollTo(scrollY() + dy);
    m_anchorY -= dy;
}

void NotebookPage::show(qsizetype index, qreal top, qreal height)
{
    measure(index);
    const qreal y = viewportY(index) + top;
    const bool isTooTall = height > m_viewportHeight;
    if (y < 0 || (isTooTall && y > 0))
        setAnchor(index, -top);
    else if (!isTooTall && y + height > m_viewportHeight)
        setAnchor(index, m_viewportHeight - height - top);
}

bool NotebookPage::isShown(qsizetype index) const
{
    return std::any_of(m_places.begin(), m_places.end(), [this, index](const Place &place) {
        return place.index == index && place.y + CellMetrics::kCellPad >= 0
            && place.y + place.item->geometry().frame.bottom() <= m_viewportHeight;
    });
}

bool NotebookPage::isAtEnd() const
{
    if (m_places.empty() || m_places.back().index + 1 < m_document.cellCount())
        return false;
    // The gap below the last cell need not be in view: showing the cell does not scroll that far.
    return m_places.back().y + m_places.back().item->geometry().frame.bottom() <= m_viewportHeight;
}

void NotebookPage::followEnd(bool wasAtEnd)
{
    if (!wasAtEnd || m_refusesEnd || m_places.empty())
        return;
    const qsizetype last = m_document.cellCount() - 1;
    const qreal end = viewportY(last) + measure(last);
    const qreal wanted = m_viewportHeight - kFollowMargin;
    if (end > wanted)
        m_anchorY -= end - wanted;
}

} // namespace sandfish
