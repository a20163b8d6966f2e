#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sandfish {

/// The text of one stream output: chunked UTF-8 with a line index and the terminal rules of notebooks.md §2
/// (CR, BS, cursor movement, erase); SGR colour sequences stay in the lines, every other escape is swallowed.
///
/// Memory: at most limitBytes(); beyond it whole chunks go from the middle and droppedLines() grows, the head stays.
/// Cost: O(bytes), about 0.1 us a line. Thread: the document's.
class OutputText
{
public:
    static constexpr std::size_t kDefaultLimitBytes = 64u << 20;

    explicit OutputText(std::size_t limitBytes = kDefaultLimitBytes);
    ~OutputText();
    OutputText(const OutputText &) = delete;
    OutputText &operator=(const OutputText &) = delete;

    /// Appends valid UTF-8 that may end inside an escape sequence; the rest is kept for the next call. Never fails.
    void append(std::string_view utf8);
    void clear();

    /// Lines kept; an unfinished last line counts. An empty text has none.
    std::size_t lineCount() const;
    /// A line without its LF, SGR sequences included; valid until the next non-const call.
    std::string_view line(std::size_t index) const;
    /// The SGR sequences in force at the start of a line, as one text to parse before it; empty if default.
    std::string_view styleAtLine(std::size_t index) const;
    std::size_t sizeBytes() const;
    bool endsWithNewline() const;

    /// Lines dropped from the middle, and the index of the first line after the gap.
    std::size_t droppedLines() const;
    std::size_t gapLine() const;

    /// The whole text as it is shown, SGR included: what a notebook file stores.
    std::string toUtf8() const;
    /// Grows with every change.
    std::uint64_t revision() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace sandfish
