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
/// A line is rewritten in place up to 64 KiB; moving the cursor back in a longer one starts a new line instead.
/// Memory: at most limitBytes(); beyond it whole chunks go from the middle and droppedBytes() grows, the head stays.
/// Cost: O(bytes), about 0.1 us a line. Thread: the document's.
class OutputText
{
public:
    static constexpr std::size_t kDefaultLimitBytes = 128u << 20;
    /// line() gives at most this much of a line.
    static constexpr std::size_t kPieceBytes = 64u << 10;

    explicit OutputText(std::size_t limitBytes = kDefaultLimitBytes);
    ~OutputText();
    OutputText(const OutputText &) = delete;
    OutputText &operator=(const OutputText &) = delete;

    /// The text as it is now, for another thread to read. Cost: some bytes for each 128 KiB; the text is shared.
    std::shared_ptr<OutputText> snapshot() const;

    /// Appends valid UTF-8 that may end inside an escape sequence; the rest is kept for the next call. Never fails.
    void append(std::string_view utf8);
    void clear();

    /// Lines kept; an unfinished last line counts. An empty text has none.
    std::size_t lineCount() const;
    /// A line without its LF, SGR sequences included, or the first kPieceBytes of a longer one, cut between two
    /// characters (compare lineSizeBytes()); valid until the next non-const call.
    std::string_view line(std::size_t index) const;
    std::size_t lineSizeBytes(std::size_t index) const;
    /// The whole line, however long.
    std::string lineText(std::size_t index) const;
    /// The SGR sequences in force at the start of a line, as one text to parse before it; empty if default.
    /// Valid until the next call of this function.
    std::string_view styleAtLine(std::size_t index) const;
    std::size_t sizeBytes() const;
    std::size_t limitBytes() const;
    bool endsWithNewline() const;

    /// What was dropped from the middle, and the index of the first line after the gap. A single line may lose bytes
    /// alone: there is a gap if droppedBytes() is not 0.
    std::size_t droppedLines() const;
    std::size_t droppedBytes() const;
    std::size_t gapLine() const;

    /// The whole text as it is shown, SGR included: what a notebook file stores. A gap is one line that tells of it.
    std::string toUtf8() const;
    /// Grows with every change.
    std::uint64_t revision() const;

private:
    struct Private;
    explicit OutputText(std::unique_ptr<Private> state);
    std::unique_ptr<Private> d;
};

} // namespace sandfish
