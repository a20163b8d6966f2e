#pragma once

#include "app/cli/console.h"
#include "app/cli/runprinter.h"

namespace sandfish {

/// Writes outputs as a terminal shows them: text as it is on the stream it belongs to, of anything else the best text
/// form on standard output, errors on standard error.
class OutputPrinter : public RunPrinter
{
public:
    enum class Headings
    {
        None,
        Hidden, ///< each cell begins on a line of its own
        Shown   ///< and a line on standard error says which one it is
    };

    OutputPrinter(Console &console, Headings headings)
        : m_console(console)
        , m_headings(headings)
    {
    }

    void cellStarted(const CellPlace &cell) override;
    void received(const CellPlace &cell, const std::vector<ExecutionEvent> &events) override;
    void cellFinished(const CellPlace &cell, const ExecutionSummary &summary) override;

private:
    void print(const ExecutionEvent &event);
    void printValue(const std::string &text);
    void printError(const ErrorOutput &error);

    Console &m_console;
    Headings m_headings;
};

/// What a terminal can show of a bundle, without an LF at its end. Empty if there is nothing.
std::string bestText(const MimeBundle &data);
/// \a text without terminal escape sequences.
std::string withoutEscapes(std::string_view text);

} // namespace sandfish
