#include "app/cli/jsonprinter.h"

#include "app/cli/console.h"
#include "core/base/json.h"
#include "core/protocol/wirerecord.h"

#include <QDateTime>

namespace sandfish {

void JsonPrinter::cellStarted(const CellPlace &cell)
{
    m_sequence = 0;
    const Json object{{"type", "cell"}, {"cell", cell.number}, {"of", cell.count}, {"id", cell.id.toStdString()},
        {"language", cell.language.toStdString()}};
    m_console.write(Console::Channel::Out, dumpJson(object) + '\n');
}

void JsonPrinter::received(const CellPlace &cell, const std::vector<ExecutionEvent> &events)
{
    std::string records;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    for (const ExecutionEvent &event : events)
        encodeEvent(event, WireDialect::Full, ++m_sequence, now, records);
    write(cell, records);
}

void JsonPrinter::cellFinished(const CellPlace &cell, const ExecutionSummary &summary)
{
    std::string record;
    encodeDone({summary.executionCount, summary.outcome, summary.duration, summary.reason}, WireDialect::Full,
        ++m_sequence, record);
    write(cell, record);
}

void JsonPrinter::write(const CellPlace &cell, const std::string &records)
{
    const std::string head = "{\"cell\":" + std::to_string(cell.number) + ',';
    std::string out;
    out.reserve(records.size() + head.size());
    std::size_t start = 0;
    // Each record is an object with members on a line of its own, so one more member goes in after its brace.
    for (std::size_t end = records.find('\n'); end != std::string::npos; end = records.find('\n', start)) {
        out += head;
        out.append(records, start + 1, end - start);
        start = end + 1;
    }
    m_console.write(Console::Channel::Out, out);
}

} // namespace sandfish
