#pragma once

#include "app/cli/runprinter.h"

namespace sandfish {

class Console;

/// Writes each event as one line of JSON: the items of core/engine/PROTOCOL.md §3.2 with the member `cell`, and before
/// those of a cell one of type `cell`.
class JsonPrinter : public RunPrinter
{
public:
    explicit JsonPrinter(Console &console)
        : m_console(console)
    {
    }

    void cellStarted(const CellPlace &cell) override;
    void received(const CellPlace &cell, const std::vector<ExecutionEvent> &events) override;
    void cellFinished(const CellPlace &cell, const ExecutionSummary &summary) override;

private:
    void write(const CellPlace &cell, const std::string &records);

    Console &m_console;
    std::uint64_t m_sequence = 0;
};

} // namespace sandfish
