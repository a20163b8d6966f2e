#include "core/document/outputtext.h"

#include "core/document/terminaltext.h"

namespace sandfish {

struct OutputText::Private
{
    TerminalText text;
    std::size_t limitBytes;
    std::uint64_t revision = 0;
    mutable std::string styleText;
};

OutputText::OutputText(std::size_t limitBytes)
    : d(new Private{TerminalText(limitBytes), limitBytes, 0, {}})
{
}

OutputText::OutputText(std::unique_ptr<Private> state)
    : d(std::move(state))
{
}

OutputText::~OutputText() = default;

std::shared_ptr<OutputText> OutputText::snapshot() const
{
    return std::shared_ptr<OutputText>(new OutputText(std::make_unique<Private>(*d)));
}

void OutputText::append(std::string_view utf8)
{
    if (utf8.empty())
        return;
    d->text.append(utf8);
    ++d->revision;
}

void OutputText::clear()
{
    d->text.clear();
    ++d->revision;
}

std::size_t OutputText::lineCount() const
{
    return d->text.lines().lineCount();
}

std::string_view OutputText::line(std::size_t index) const
{
    return d->text.lines().piece(index);
}

std::size_t OutputText::lineSizeBytes(std::size_t index) const
{
    return d->text.lines().lineSizeBytes(index);
}

std::string OutputText::lineText(std::size_t index) const
{
    return d->text.lines().lineText(index);
}

std::string_view OutputText::styleAtLine(std::size_t index) const
{
    d->styleText.clear();
    d->text.lines().styleAt(index).appendTransition({}, d->styleText);
    return d->styleText;
}

std::size_t OutputText::sizeBytes() const
{
    return d->text.lines().sizeBytes();
}

std::size_t OutputText::limitBytes() const
{
    return d->limitBytes;
}

bool OutputText::endsWithNewline() const
{
    return d->text.lines().lineCount() != 0 && d->text.lines().isAtLineStart();
}

std::size_t OutputText::droppedLines() const
{
    return d->text.lines().droppedLines();
}

std::size_t OutputText::droppedBytes() const
{
    return d->text.lines().droppedBytes();
}

std::size_t OutputText::gapLine() const
{
    return d->text.lines().gapLine();
}

std::string OutputText::toUtf8() const
{
    return d->text.lines().toUtf8();
}

std::uint64_t OutputText::revision() const
{
    return d->revision;
}

} // namespace sandfish
