#include "core/document/linestore.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <atomic>

namespace sandfish {
namespace {

// Rewriting a line moves the rest of its chunk; a chunk that was blown up by rewriting is left alone.
constexpr std::size_t kMaxEditedChunkBytes = 4u << 20;

void growFor(std::string &bytes, std::size_t more)
{
    const std::size_t needed = bytes.size() + more;
    if (needed <= bytes.capacity())
        return;
    // The library would double beyond the chunk's size and leave half of it unused.
    bytes.reserve(std::max(needed, std::min(bytes.capacity() * 2, LineStore::kChunkBytes)));
}

} // namespace

LineStore::Chunk &LineStore::ownChunk(std::size_t position)
{
    std::shared_ptr<Chunk> &chunk = m_chunks[position].chunk;
    if (chunk.use_count() > 1)
        chunk = std::make_shared<Chunk>(*chunk);
    else // What the last reader of a copy read, it read before it let go of the chunk.
        std::atomic_thread_fence(std::memory_order_acquire);
    return *chunk;
}

LineStore::Chunk &LineStore::chunkWithRoom()
{
    if (m_chunks.empty() || m_chunks.back()->bytes.size() >= kChunkBytes) {
        if (!m_chunks.empty())
            ownChunk(m_chunks.size() - 1).starts.shrink_to_fit();
        m_chunks.push_back({std::make_shared<Chunk>(), m_lineCount});
    }
    return ownChunk(m_chunks.size() - 1);
}

void LineStore::beginLine(const SgrState &style)
{
    Chunk &chunk = chunkWithRoom();
    if (!style.isDefault())
        chunk.styles.emplace_back(static_cast<std::uint32_t>(chunk.starts.size()), style);
    chunk.starts.push_back(static_cast<std::uint32_t>(chunk.bytes.size()));
    ++m_lineCount;
    m_isAtLineStart = false;
}

void LineStore::append(std::string_view run, const SgrState &style)
{
    if (run.empty())
        return;
    if (m_isAtLineStart)
        beginLine(style);
    const bool endsLine = run.back() == '\n';
    m_sizeBytes += run.size();
    while (!run.empty()) {
        Chunk *chunk = &ownChunk(m_chunks.size() - 1);
        const std::size_t lineBytes = chunk->bytes.size() - (chunk->starts.empty() ? 0 : chunk->starts.back());
        const bool isShort = !chunk->starts.empty() && lineBytes < kPieceBytes;
        std::size_t room = chunk->bytes.size() < kChunkBytes ? kChunkBytes - chunk->bytes.size() : 0;
        if (isShort)
            room = std::max(room, kPieceBytes + 1 - lineBytes);
        if (room == 0) {
            chunkWithRoom();
            continue;
        }
        const std::string_view part = run.substr(0, room);
        growFor(chunk->bytes, part.size());
        chunk->bytes += part;
        run.remove_prefix(part.size());
    }
    m_isAtLineStart = endsLine;
}

void LineStore::clear()
{
    *this = LineStore();
}

LineStore::Place LineStore::placeOf(std::size_t index) const
{
    const auto after = std::upper_bound(m_chunks.begin(), m_chunks.end(), index,
        [](std::size_t line, const Slot &slot) { return line < slot.firstLine; });
    const auto position = static_cast<std::size_t>(after - m_chunks.begin()) - 1;
    return {position, index - m_chunks[position].firstLine};
}

std::string_view LineStore::partInFirstChunk(const Place &place, bool &hasEnd) const
{
    const Chunk &chunk = *m_chunks[place.chunk];
    const std::size_t start = chunk.starts[place.row];
    const bool isLastOfChunk = place.row + 1 == chunk.starts.size();
    std::string_view part = std::string_view(chunk.bytes).substr(start);
    if (!isLastOfChunk)
        part = part.substr(0, chunk.starts[place.row + 1] - start);
    hasEnd = part.ends_with('\n');
    if (hasEnd)
        part.remove_suffix(1);
    return part;
}

template <typename Visitor> void LineStore::visitParts(std::size_t index, Visitor visitor) const
{
    const Place place = placeOf(index);
    bool hasEnd = false;
    visitor(partInFirstChunk(place, hasEnd));
    const bool isCutByGap = m_headChunks != 0 && place.chunk + 1 == m_headChunks;
    if (isCutByGap || place.row + 1 != m_chunks[place.chunk]->starts.size())
        return;
    for (std::size_t next = place.chunk + 1; !hasEnd && next < m_chunks.size(); ++next) {
        const Chunk &chunk = *m_chunks[next];
        std::string_view part = chunk.bytes;
        if (!chunk.starts.empty()) {
            part = part.substr(0, chunk.starts.front());
            hasEnd = true;
        }
        if (part.ends_with('\n')) {
            part.remove_suffix(1);
            hasEnd = true;
        }
        visitor(part);
    }
}

std::string_view LineStore::piece(std::size_t index) const
{
    bool hasEnd = false;
    const std::string_view part = partInFirstChunk(placeOf(index), hasEnd);
    return part.size() <= kPieceBytes ? part : part.substr(0, utf8Boundary(part, kPieceBytes));
}

std::size_t LineStore::lineSizeBytes(std::size_t index) const
{
    std::size_t size = 0;
    visitParts(index, [&](std::string_view part) { size += part.size(); });
    return size;
}

std::string LineStore::lineText(std::size_t index) const
{
    std::string text;
    visitParts(index, [&](std::string_view part) { text += part; });
    return text;
}

SgrState LineStore::styleAt(std::size_t index) const
{
    const Place place = placeOf(index);
    const auto &styles = m_chunks[place.chunk]->styles;
    const auto it = std::lower_bound(
        styles.begin(), styles.end(), place.row, [](const auto &style, std::size_t row) { return style.first < row; });
    return it != styles.end() && it->first == place.row ? it->second : SgrState{};
}

bool LineStore::isEditable(std::size_t index) const
{
    return m_chunks[placeOf(index).chunk]->bytes.size() <= kMaxEditedChunkBytes && lineSizeBytes(index) <= kPieceBytes;
}

void LineStore::replaceLine(std::size_t index, std::string_view bytes)
{
    const Place place = placeOf(index);
    bool hasEnd = false;
    const std::size_t oldSize = partInFirstChunk(place, hasEnd).size();
    Chunk &chunk = ownChunk(place.chunk);
    growFor(chunk.bytes, bytes.size());
    chunk.bytes.replace(chunk.starts[place.row], oldSize, bytes);
    for (std::size_t row = place.row + 1; row < chunk.starts.size(); ++row)
        chunk.starts[row] = static_cast<std::uint32_t>(chunk.starts[row] + bytes.size() - oldSize);
    m_sizeBytes += bytes.size() - oldSize;
}

void LineStore::truncateAfter(std::size_t index)
{
    const Place place = placeOf(index);
    bool hasEnd = false;
    const std::size_t kept = partInFirstChunk(place, hasEnd).size();
    m_chunks.resize(place.chunk + 1);
    Chunk &chunk = ownChunk(place.chunk);
    chunk.bytes.resize(chunk.starts[place.row] + kept);
    chunk.starts.resize(place.row + 1);
    std::erase_if(chunk.styles, [&](const auto &style) { return style.first > place.row; });
    m_lineCount = index + 1;
    m_isAtLineStart = false;
    m_sizeBytes = 0;
    for (const auto &each : m_chunks)
        m_sizeBytes += each->bytes.size();
    if (m_chunks.size() <= m_headChunks)
        m_headChunks = m_droppedLines = m_droppedBytes = m_gapLine = 0;
}

std::string LineStore::toUtf8() const
{
    std::string text;
    text.reserve(m_sizeBytes + 80);
    for (std::size_t i = 0; i < m_chunks.size(); ++i) {
        if (m_headChunks != 0 && i == m_headChunks) {
            if (!text.ends_with('\n'))
                text += '\n';
            text += "[" + std::to_string(m_droppedLines) + " lines, " + std::to_string(m_droppedBytes)
                + " bytes were dropped here]\n";
        }
        text += m_chunks[i]->bytes;
    }
    return text;
}

std::size_t LineStore::enforceLimit(std::size_t limitBytes, std::size_t headBytes)
{
    const std::size_t linesBefore = m_lineCount;
    if (m_sizeBytes > limitBytes && m_headChunks == 0) {
        std::size_t head = 0;
        while (m_headChunks + 2 < m_chunks.size() && (m_headChunks == 0 || head < headBytes))
            head += m_chunks[m_headChunks++]->bytes.size();
        if (m_headChunks != 0)
            m_gapLine = m_chunks[m_headChunks].firstLine;
    }
    while (m_sizeBytes > limitBytes && m_headChunks != 0 && m_headChunks + 1 < m_chunks.size())
        dropChunk(m_headChunks);
    return linesBefore - m_lineCount;
}

void LineStore::dropChunk(std::size_t position)
{
    const Chunk &dropped = *m_chunks[position];
    const Slot &next = m_chunks[position + 1];
    m_droppedLines += dropped.starts.size();
    m_droppedBytes += dropped.bytes.size();
    m_sizeBytes -= dropped.bytes.size();
    m_lineCount -= dropped.starts.size();
    std::size_t removed = dropped.starts.size();
    const bool isContinuation = next->starts.empty() || next->starts.front() != 0;
    if (isContinuation && !next->bytes.empty()) {
        // The rest of a line whose start is gone is a line of its own.
        Chunk &chunk = ownChunk(position + 1);
        chunk.starts.insert(chunk.starts.begin(), 0);
        for (auto &style : chunk.styles)
            ++style.first;
        ++m_lineCount;
        m_droppedLines -= removed > 0 ? 1 : 0;
        m_chunks[position + 1].firstLine = m_gapLine;
        for (std::size_t i = position + 2; i < m_chunks.size(); ++i)
            m_chunks[i].firstLine = m_chunks[i].firstLine - removed + 1;
    } else {
        for (std::size_t i = position + 1; i < m_chunks.size(); ++i)
            m_chunks[i].firstLine -= removed;
    }
    m_chunks.erase(m_chunks.begin() + static_cast<std::ptrdiff_t>(position));
}

} // namespace sandfish
