#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sandfish {

/// Turns a byte stream into valid UTF-8: each run of bad bytes becomes one U+FFFD, a character that is cut at the
/// end of one append waits for the next. Cost: O(bytes); ASCII is checked eight bytes at a time.
class Utf8Repair
{
public:
    /// Appends the valid text of \a bytes to \a out.
    void append(std::string_view bytes, std::string &out);
    /// Appends U+FFFD if the stream ended inside a character.
    void finish(std::string &out);

private:
    std::string m_pending; // at most 3 bytes
};

/// \a bytes with every run of bad bytes replaced by U+FFFD.
std::string repairedUtf8(std::string_view bytes);
bool isValidUtf8(std::string_view bytes);
bool isAscii(std::string_view bytes);

/// The largest position <= \a position that is no continuation byte; \a text must be valid UTF-8.
std::size_t utf8Boundary(std::string_view text, std::size_t position);

} // namespace sandfish
