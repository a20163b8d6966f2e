#include "core/engine/executionlog.h"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <sys/uio.h>

namespace sandfish {
namespace {

constexpr std::size_t kRecordOverheadBytes = 128;
constexpr char kText = 't';
constexpr char kLateText = 'l';
constexpr char kFullLine = '{';

std::int64_t nowUnixMs()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::size_t jsonBytes(const Json &value)
{
    return value.is_string() ? value.get_ref<const std::string &>().size() : dumpJson(value).size();
}

std::size_t bundleBytes(const MimeBundle &bundle)
{
    std::size_t bytes = 0;
    for (const MimeEntry &entry : bundle.entries())
        bytes += entry.type.size() + jsonBytes(entry.value);
    return bytes;
}

struct ByteCounter
{
    std::size_t operator()(const StreamText &text) const { return text.text.size(); }
    std::size_t operator()(const DisplayData &display) const { return bundleBytes(display.data); }
    std::size_t operator()(const ExecuteResult &result) const { return bundleBytes(result.data); }
    std::size_t operator()(const ErrorOutput &error) const
    {
        std::size_t bytes = error.name.size() + error.message.size();
        for (const std::string &part : error.traceback)
            bytes += part.size();
        return bytes;
    }
    std::size_t operator()(const ExecutionEvent &event) const { return std::visit(*this, event); }
    template <typename Small> std::size_t operator()(const Small &) const { return 0; }
};

Notice droppedNotice(std::size_t bytes)
{
    return {std::to_string(bytes)
        + " bytes of output were dropped here: the program wrote more than the engine keeps for one cell."};
}

} // namespace

ExecutionLog::ExecutionLog(LogLimits limits)
    : m_limits(std::move(limits))
{
}

void ExecutionLog::append(Content content)
{
    const std::size_t bytes = std::visit(ByteCounter{}, content) + kRecordOverheadBytes;
    Record record{m_next++, nowUnixMs(), bytes, std::move(content)};
    if (!m_isHeadFull && m_headBytes + bytes <= m_limits.headBytes) {
        m_headBytes += bytes;
        m_head.push_back(std::move(record));
    } else {
        m_isHeadFull = true;
        m_tailBytes += bytes;
        m_tail.push_back(std::move(record));
        shrinkTail();
    }
    // A reader may unsubscribe itself or others while it is called.
    std::vector<int> keys;
    for (const auto &[key, grown] : m_readers)
        keys.push_back(key);
    for (int key : keys) {
        const auto found = m_readers.find(key);
        if (found == m_readers.end())
            continue;
        const std::function<void()> grown = found->second;
        grown();
    }
}

void ExecutionLog::shrinkTail()
{
    // The newest record always stays, however large, so that a reader who keeps up loses nothing.
    while (m_tailBytes > m_limits.tailBytes && m_tail.size() > 1) {
        const Record &oldest = m_tail.front();
        if (!spool(oldest)) {
            m_droppedThrough = oldest.sequence;
            m_droppedBytes += oldest.bytes - kRecordOverheadBytes;
        }
        m_tailBytes -= oldest.bytes;
        m_tail.pop_front();
    }
}

// One byte that says how it goes on, and the line; of text without its end, which differs with the dialect.
std::string ExecutionLog::spooledForm(const Record &record) const
{
    const auto *event = std::get_if<ExecutionEvent>(&record.content);
    std::string form(1, kFullLine);
    if (const auto *text = event ? std::get_if<StreamText>(event) : nullptr) {
        form[0] = text->isLate ? kLateText : kText;
        encodeTextHead(*text, record.unixMs, form);
    } else {
        bool isDone = false;
        encodeOne(record, WireDialect::Full, form, isDone);
    }
    return form;
}

bool ExecutionLog::spool(const Record &record)
{
    if (m_isSpoolBroken || m_limits.spoolDirectory.empty())
        return false;
    if (!m_spoolFile.isOpen()) {
        m_spoolFile.reset(::open(m_limits.spoolDirectory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
        m_firstSpooled = record.sequence;
        m_spoolOffsets.assign(1, 0);
    }
    std::string line = spooledForm(record);
    const std::uint64_t offset = m_spoolOffsets.back();
    if (offset + line.size() > m_limits.spoolBytes
        || ::pwrite(m_spoolFile.get(), line.data(), line.size(), static_cast<off_t>(offset))
            != static_cast<ssize_t>(line.size())) {
        // The bound, or a full disk: from here on the tail in memory is all there is.
        m_isSpoolBroken = true;
        return false;
    }
    m_spoolOffsets.push_back(offset + line.size());
    return true;
}

void ExecutionLog::encodeOne(const Record &record, WireDialect dialect, std::string &out, bool &isDone) const
{
    if (const auto *event = std::get_if<ExecutionEvent>(&record.content)) {
        encodeEvent(*event, dialect, record.sequence, record.unixMs, out);
        return;
    }
    encodeDone(std::get<WireDone>(record.content), dialect, record.sequence, out);
    isDone = true;
}

// What is no text is rare enough to be read again for a reader of the seed's dialect.
void ExecutionLog::encodeAgain(const std::string &line, std::uint64_t sequence, std::string &out, bool &isDone) const
{
    Result<WireRecord> record = decodeWireRecord(line);
    if (!record)
        return;
    if (auto *event = std::get_if<ExecutionEvent>(&record->content))
        encodeOne({sequence, nowUnixMs(), 0, std::move(*event)}, WireDialect::Seed, out, isDone);
    else if (auto *done = std::get_if<WireDone>(&record->content))
        encodeOne({sequence, 0, 0, std::move(*done)}, WireDialect::Seed, out, isDone);
}

std::uint64_t ExecutionLog::encodeSpooled(
    std::uint64_t sequence, WireDialect dialect, std::string &out, bool &isDone) const
{
    const std::size_t index = sequence - m_firstSpooled;
    const std::uint64_t offset = m_spoolOffsets[index];
    const std::size_t size = m_spoolOffsets[index + 1] - offset - 1;
    const std::size_t start = out.size();
    out.resize(start + size);
    char form = 0;
    iovec parts[] = {{&form, 1}, {out.data() + start, size}};
    if (::preadv(m_spoolFile.get(), parts, 2, static_cast<off_t>(offset)) != static_cast<ssize_t>(size + 1)) {
        out.resize(start);
        return sequence + 1;
    }
    if (form != kFullLine) {
        encodeTextTail(dialect, sequence, form == kLateText, out);
    } else if (dialect == WireDialect::Seed) {
        const std::string line = out.substr(start);
        out.resize(start);
        encodeAgain(line, sequence, out, isDone);
    }
    return sequence + 1;
}

ExecutionLog::Place ExecutionLog::placeOf(std::uint64_t sequence) const
{
    const std::size_t spooled = m_spoolOffsets.empty() ? 0 : m_spoolOffsets.size() - 1;
    if (!m_head.empty() && sequence <= m_head.back().sequence)
        return Place::Head;
    if (spooled > 0 && sequence >= m_firstSpooled && sequence < m_firstSpooled + spooled)
        return Place::Spool;
    return sequence <= m_droppedThrough ? Place::Dropped : Place::Tail;
}

std::uint64_t ExecutionLog::encode(
    std::uint64_t from, WireDialect dialect, std::size_t budgetBytes, std::string &out, bool &isDone) const
{
    std::uint64_t next = std::max<std::uint64_t>(from, 1);
    while (next < m_next && out.size() < budgetBytes) {
        switch (placeOf(next)) {
        case Place::Head:
            encodeOne(m_head[next - m_head.front().sequence], dialect, out, isDone);
            ++next;
            break;
        case Place::Spool:
            next = encodeSpooled(next, dialect, out, isDone);
            break;
        case Place::Dropped:
            encodeOne({m_droppedThrough, nowUnixMs(), 0, ExecutionEvent(droppedNotice(m_droppedBytes))}, dialect, out,
                isDone);
            next = m_droppedThrough + 1;
            break;
        case Place::Tail:
            encodeOne(m_tail[next - m_tail.front().sequence], dialect, out, isDone);
            ++next;
            break;
        }
    }
    return next;
}

std::size_t ExecutionLog::readSpooled(std::uint64_t sequence, const std::function<void(const Content *)> &take) const
{
    std::string line;
    bool isDone = false;
    encodeSpooled(sequence, WireDialect::Full, line, isDone);
    Result<WireRecord> record = decodeWireRecord(line);
    if (!record)
        return line.size();
    Content content;
    if (auto *event = std::get_if<ExecutionEvent>(&record->content))
        content = std::move(*event);
    else if (auto *done = std::get_if<WireDone>(&record->content))
        content = std::move(*done);
    else
        return line.size();
    take(&content);
    return line.size();
}

std::uint64_t ExecutionLog::read(
    std::uint64_t from, std::size_t budgetBytes, const std::function<void(const Content *)> &take) const
{
    std::uint64_t next = std::max<std::uint64_t>(from, 1);
    std::size_t bytes = 0;
    while (next < m_next && bytes < budgetBytes) {
        const Place place = placeOf(next);
        if (place == Place::Dropped) {
            take(nullptr);
            next = m_droppedThrough + 1;
            continue;
        }
        if (place == Place::Spool) {
            bytes += readSpooled(next, take);
        } else {
            const std::deque<Record> &records = place == Place::Head ? m_head : m_tail;
            const Record &record = records[next - records.front().sequence];
            bytes += record.bytes;
            take(&record.content);
        }
        ++next;
    }
    return next;
}

int ExecutionLog::subscribe(std::function<void()> grown)
{
    m_readers[m_nextReader] = std::move(grown);
    return m_nextReader++;
}

} // namespace sandfish
