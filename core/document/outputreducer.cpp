#include "core/document/outputreducer.h"

#include "core/document/outputcodec.h"

#include <algorithm>

namespace sandfish {
namespace {

/// From the end of \a run until now; 0 if that is not known.
std::chrono::milliseconds timeSinceEnd(const CellRun &run)
{
    if (run.state != CellRun::State::Finished || !run.startedAt.isValid())
        return std::chrono::milliseconds(0);
    const qint64 sinceStartMs = run.startedAt.msecsTo(QDateTime::currentDateTime());
    return std::chrono::milliseconds(std::max<qint64>(sinceStartMs - run.duration.count(), 1));
}

class Reducer
{
public:
    Reducer(CellRecord &record, std::size_t limitBytes)
        : m_record(record)
        , m_limitBytes(limitBytes)
    {
    }

    bool operator()(const StreamText &stream) { return appendText(stream.channel, stream.text, stream.isLate); }

    bool operator()(const DisplayData &display)
    {
        if (display.isUpdate)
            return false;
        Output output;
        output.kind = Output::Kind::Display;
        output.data = display.data;
        output.metadata = display.metadata;
        output.displayId = display.displayId;
        return add(std::move(output));
    }

    bool operator()(const ExecuteResult &result)
    {
        Output output;
        output.kind = Output::Kind::Result;
        output.data = result.data;
        output.metadata = result.metadata;
        output.executionCount = m_record.cell.executionCount;
        return add(std::move(output));
    }

    bool operator()(const ErrorOutput &error)
    {
        Output output;
        output.kind = Output::Kind::Error;
        output.error = error;
        return add(std::move(output));
    }

    bool operator()(const ClearOutput &clear)
    {
        m_record.clearsAtNextOutput = clear.waits;
        return clear.waits ? false : removeOutputs(m_record);
    }

    bool operator()(const Notice &notice) { return appendText(StreamText::Channel::Stderr, notice.text + "\n", false); }

    bool operator()(const InputRequest &) { return false; }
    bool operator()(const ExecutionStarted &) { return false; }

private:
    void clearIfDue()
    {
        if (m_record.clearsAtNextOutput)
            removeOutputs(m_record);
        m_record.clearsAtNextOutput = false;
    }

    bool add(Output output)
    {
        clearIfDue();
        output.serial = nextOutputSerial();
        m_record.cell.outputs.push_back(std::move(output));
        return true;
    }

    bool appendText(StreamText::Channel channel, const std::string &text, bool isLate)
    {
        if (text.empty())
            return false;
        clearIfDue();
        auto &outputs = m_record.cell.outputs;
        const bool joins = !outputs.empty() && outputs.back().kind == Output::Kind::Stream
            && outputs.back().channel == channel && outputs.back().isLate == isLate;
        if (!joins) {
            Output output;
            output.channel = channel;
            output.isLate = isLate;
            if (isLate)
                output.lateBy = timeSinceEnd(m_record.cell.run);
            output.text = std::make_shared<OutputText>(m_limitBytes);
            add(std::move(output));
        }
        outputs.back().text->append(text);
        ++outputs.back().revision;
        return true;
    }

    CellRecord &m_record;
    std::size_t m_limitBytes;
};

} // namespace

bool reduceOutputs(CellRecord &record, const ExecutionEvent &event, std::size_t limitBytes)
{
    return std::visit(Reducer(record, limitBytes), event);
}

bool updateDisplays(CellRecord &record, const DisplayData &display)
{
    bool hasChanged = false;
    for (Output &output : record.cell.outputs) {
        if (output.kind != Output::Kind::Display || output.displayId != display.displayId)
            continue;
        output.data = display.data;
        output.metadata = display.metadata;
        ++output.revision;
        hasChanged = true;
    }
    return hasChanged;
}

bool removeOutputs(CellRecord &record)
{
    const bool hadAny = record.hasUnparsedOutputs || !record.cell.outputs.empty();
    record.hasUnparsedOutputs = false;
    record.outputOrigins.clear();
    record.cell.outputs.clear();
    return hadAny;
}

} // namespace sandfish
