#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sandfish {

class OutputText;

/// Lines of UTF-8 with SGR sequences, as TextBlock paints them.
class TextLines
{
public:
    virtual ~TextLines() = default;
    virtual std::size_t count() const = 0;
    /// A line or the beginning of a very long one; valid until the next call.
    virtual std::string_view line(std::size_t index) const = 0;
    virtual std::size_t sizeBytes(std::size_t index) const = 0;
    /// The SGR sequences in force at its start; valid until the next call.
    virtual std::string_view styleAt(std::size_t index) const = 0;
};

/// The lines of a stream; the text may grow meanwhile.
class StreamLines : public TextLines
{
public:
    explicit StreamLines(std::shared_ptr<const OutputText> text);
    std::size_t count() const override;
    std::string_view line(std::size_t index) const override;
    std::size_t sizeBytes(std::size_t index) const override;
    std::string_view styleAt(std::size_t index) const override;

private:
    std::shared_ptr<const OutputText> m_text;
};

/// The lines of a text that does not change. A LF at the very end starts no further line.
class PlainLines : public TextLines
{
public:
    explicit PlainLines(std::string text);
    const std::string &text() const { return m_text; }
    std::size_t count() const override { return m_lines.size(); }
    std::string_view line(std::size_t index) const override;
    std::size_t sizeBytes(std::size_t index) const override { return m_lines[index].sizeBytes; }
    std::string_view styleAt(std::size_t index) const override { return m_lines[index].style; }

private:
    struct Line
    {
        std::size_t start = 0;
        std::size_t sizeBytes = 0;
        std::string style;
    };
    std::string m_text;
    std::vector<Line> m_lines;
};

} // namespace sandfish
