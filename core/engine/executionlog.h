#pragma once

#include "core/engine/uniquefd.h"
#include "core/protocol/wirerecord.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace sandfish {

/// Where an execution's output is kept, and how much of it.
struct LogLimits
{
    std::size_t headBytes = 8u << 20;    ///< the first output, in memory
    std::size_t tailBytes = 8u << 20;    ///< the newest output, in memory
    std::size_t spoolBytes = 200u << 20; ///< what lies between, on disk; beyond it output is dropped and counted
    std::string spoolDirectory;          ///< empty: nothing goes to disk
};

/// The records of one execution, numbered from 1, for any number of readers at their own pace.
///
/// A reader never slows the writer down: what it has not read moves to disk, and in the end is dropped; it then gets
/// one Notice that counts the bytes. Memory: head + tail + 8 bytes a spooled record. Thread: the loop's.
class ExecutionLog
{
public:
    using Content = std::variant<ExecutionEvent, WireDone>;

    explicit ExecutionLog(LogLimits limits);

    void append(Content content);
    std::uint64_t lastSequence() const { return m_next - 1; }
    std::size_t memoryBytes() const { return m_headBytes + m_tailBytes; }

    /// Appends the lines from record \a from on to \a out until they have \a budgetBytes or more, and returns the
    /// number of the record to go on with. \a isDone is set when the done record was among them.
    std::uint64_t encode(
        std::uint64_t from, WireDialect dialect, std::size_t budgetBytes, std::string &out, bool &isDone) const;

    /// The same for a reader with a form of its own: calls \a take with each record, and with null where records before
    /// this one have been dropped. \a take must not change the log.
    std::uint64_t read(
        std::uint64_t from, std::size_t budgetBytes, const std::function<void(const Content *)> &take) const;

    /// \a grown is called after each append. Returns the key for unsubscribe().
    int subscribe(std::function<void()> grown);
    void unsubscribe(int key) { m_readers.erase(key); }

private:
    struct Record
    {
        std::uint64_t sequence;
        std::int64_t unixMs;
        std::size_t bytes;
        Content content;
    };

    enum class Place
    {
        Head,
        Spool,
        Dropped,
        Tail
    };

    Place placeOf(std::uint64_t sequence) const;
    std::size_t readSpooled(std::uint64_t sequence, const std::function<void(const Content *)> &take) const;
    void shrinkTail();
    bool spool(const Record &record);
    std::string spooledForm(const Record &record) const;
    void encodeAgain(const std::string &line, std::uint64_t sequence, std::string &out, bool &isDone) const;
    void encodeOne(const Record &record, WireDialect dialect, std::string &out, bool &isDone) const;
    std::uint64_t encodeSpooled(std::uint64_t sequence, WireDialect dialect, std::string &out, bool &isDone) const;

    LogLimits m_limits;
    std::uint64_t m_next = 1;
    std::deque<Record> m_head;
    std::deque<Record> m_tail;
    std::size_t m_headBytes = 0;
    std::size_t m_tailBytes = 0;
    bool m_isHeadFull = false;
    UniqueFd m_spoolFile;
    bool m_isSpoolBroken = false;
    std::uint64_t m_firstSpooled = 0;
    std::vector<std::uint64_t> m_spoolOffsets; // one more than there are records
    std::uint64_t m_droppedThrough = 0;
    std::size_t m_droppedBytes = 0;
    std::map<int, std::function<void()>> m_readers;
    int m_nextReader = 1;
};

} // namespace sandfish
