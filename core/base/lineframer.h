#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sandfish {

/// Cuts a byte stream into lines by the framing rule of protocols.md §0-1: cut at LF, drop one CR before it, skip
/// blank lines, and give the last line without LF by \ref takeRest.
///
/// Bytes are kept as they are; a line may hold any byte but LF. Cost: O(bytes), each byte is searched once.
class LineFramer
{
public:
    explicit LineFramer(std::size_t maxLineBytes = 256u << 20);

    /// Adds bytes as they came from the socket; they may end anywhere.
    void append(std::string_view bytes);

    /// The next complete line, valid until the next non-const call; empty view and false if there is none.
    bool next(std::string_view &line);

    /// The unfinished last line at the end of the stream; empties the framer.
    std::string takeRest();

    /// True once a line was longer than the bound: framing is lost, and \ref next gives nothing more.
    bool isOverflown() const { return m_overflown; }
    std::size_t pendingBytes() const { return m_buffer.size() - m_start; }

private:
    void compact();

    std::string m_buffer;
    std::size_t m_start = 0;
    std::size_t m_searched = 0;
    std::size_t m_maxLineBytes;
    bool m_overflown = false;
};

} // namespace sandfish
