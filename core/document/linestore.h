#pragma once

#include "core/document/sgrstate.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sandfish {

/// Lines of UTF-8 in chunks of about 128 KiB, each with the starts of its lines. A line longer than kPieceBytes runs
/// over several chunks; its first kPieceBytes are always contiguous. Knows nothing of escapes.
///
/// A copy shares the chunks, and whoever changes one makes it its own first, so a copy may be read in another thread.
class LineStore
{
public:
    static constexpr std::size_t kChunkBytes = 128u << 10;
    static constexpr std::size_t kPieceBytes = 64u << 10;

    /// Appends to the last line; \a run holds at most one LF, as its last byte, which ends the line.
    /// \a style is the state at the start of a line that begins here.
    void append(std::string_view run, const SgrState &style);
    void clear();
    /// Replaces the bytes of a line without its LF; only where isEditable().
    void replaceLine(std::size_t index, std::string_view bytes);
    /// Removes all lines after \a index and the LF of that line.
    void truncateAfter(std::size_t index);

    bool isAtLineStart() const { return m_isAtLineStart; }
    /// Short enough to be rewritten in place.
    bool isEditable(std::size_t index) const;
    std::size_t lineCount() const { return m_lineCount; }
    std::size_t sizeBytes() const { return m_sizeBytes; }
    /// The line, or its first kPieceBytes cut at a character; without LF.
    std::string_view piece(std::size_t index) const;
    std::size_t lineSizeBytes(std::size_t index) const;
    std::string lineText(std::size_t index) const;
    SgrState styleAt(std::size_t index) const;
    std::string toUtf8() const;

    /// Drops chunks after the first \a headBytes until \a limitBytes hold; returns how many lines went.
    std::size_t enforceLimit(std::size_t limitBytes, std::size_t headBytes);
    std::size_t droppedLines() const { return m_droppedLines; }
    std::size_t droppedBytes() const { return m_droppedBytes; }
    std::size_t gapLine() const { return m_gapLine; }

private:
    struct Chunk
    {
        std::string bytes;
        std::vector<std::uint32_t> starts;
        std::vector<std::pair<std::uint32_t, SgrState>> styles; ///< of lines that do not start in the default state
    };
    struct Slot
    {
        std::shared_ptr<Chunk> chunk; ///< may be shared: ownChunk() before a change
        std::size_t firstLine = 0;
        const Chunk *operator->() const { return chunk.get(); }
        const Chunk &operator*() const { return *chunk; }
    };
    struct Place
    {
        std::size_t chunk;
        std::size_t row; ///< of the chunk
    };

    Place placeOf(std::size_t index) const;
    std::string_view partInFirstChunk(const Place &place, bool &hasEnd) const;
    Chunk &chunkWithRoom();
    Chunk &ownChunk(std::size_t position);
    void beginLine(const SgrState &style);
    void dropChunk(std::size_t position);
    template <typename Visitor> void visitParts(std::size_t index, Visitor visitor) const;

    std::vector<Slot> m_chunks;
    std::size_t m_lineCount = 0;
    std::size_t m_sizeBytes = 0;
    bool m_isAtLineStart = true;
    std::size_t m_headChunks = 0; ///< 0: nothing was dropped yet
    std::size_t m_droppedLines = 0;
    std::size_t m_droppedBytes = 0;
    std::size_t m_gapLine = 0;
};

} // namespace sandfish
