#pragma once

#include "core/protocol/executionevent.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace sandfish {

/// The end marker `done`.
struct WireDone
{
    int executionCount = 0;
    Outcome outcome = Outcome::Ok;         ///< extension member `status`; Ok when absent
    std::chrono::milliseconds duration{0}; ///< extension member `ms`
    std::string reason;                    ///< extension member `reason`
};

/// `keepalive` and every type this reader does not know: never an error.
struct WireIgnored
{
    std::string type;
};

/// One line of the item stream of `POST /execute`: the seed's items (protocols.md §1.4) and Sandfish's own
/// (core/engine/PROTOCOL.md).
struct WireRecord
{
    using Done = WireDone;
    using Ignored = WireIgnored;

    std::uint64_t sequence = 0; ///< extension member `seq`, counted from 1 in an execution; 0 if absent
    std::variant<ExecutionEvent, Done, Ignored> content = Ignored{};
};

/// Reads one line. A line that is no JSON object gives Error::Kind::Protocol; missing members are empty strings.
/// Cost: about 5 us for a short record; text of a stream about 1 ns a byte.
Result<WireRecord> decodeWireRecord(std::string_view line);

/// Which items a client asked for: the seed's alone, or Sandfish's with whole MIME bundles, \c seq and statuses.
enum class WireDialect
{
    Seed,
    Full
};

/// Appends the line for \a event, LF included, to \a out. In the Seed dialect events that the seed does not have
/// (clear, input, started, notice, updates) are left out, and a bundle becomes one `result` by the rule of §1.4.
/// \a unixMs is the `ts` of stream items.
void encodeEvent(
    const ExecutionEvent &event, WireDialect dialect, std::uint64_t sequence, std::int64_t unixMs, std::string &out);
/// The two parts of such a line for text, so that it can be kept on disk for readers of either dialect.
void encodeTextHead(const StreamText &text, std::int64_t unixMs, std::string &out);
void encodeTextTail(WireDialect dialect, std::uint64_t sequence, bool isLate, std::string &out);
void encodeDone(const WireRecord::Done &done, WireDialect dialect, std::uint64_t sequence, std::string &out);

/// Appends \a text as a JSON string with quotes. \a text must be valid UTF-8. Much faster than building a Json value.
void appendJsonString(std::string_view text, std::string &out);

std::string_view outcomeName(Outcome outcome);
Outcome outcomeFromName(std::string_view name);

} // namespace sandfish
