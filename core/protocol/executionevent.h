#pragma once

#include "core/protocol/mimebundle.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sandfish {

/// Text of one of the two streams, valid UTF-8; a chunk may end anywhere between two characters.
struct StreamText
{
    enum class Channel
    {
        Stdout,
        Stderr
    };
    Channel channel = Channel::Stdout;
    std::string text;
    bool isLate = false; ///< arrived after the execution that produced it had ended
};

/// Something shown by the code (display_data), or a new value for everything that carries \ref displayId.
struct DisplayData
{
    MimeBundle data;
    Json metadata = Json::object();
    std::string displayId; ///< empty if none
    bool isUpdate = false; ///< replaces the outputs with displayId and adds none
};

/// The value of the cell.
struct ExecuteResult
{
    MimeBundle data;
    Json metadata = Json::object();
};

/// An exception of the user's code.
struct ErrorOutput
{
    std::string name;
    std::string message;
    std::vector<std::string> traceback; ///< lines or frames, may hold ANSI colours; joined with LF for display
};

struct ClearOutput
{
    bool waits = false; ///< true: clear when the next output comes
};

/// The code asks the user for a line.
struct InputRequest
{
    std::string prompt;
    bool isPassword = false;
};

/// The kept state of a context from before one execution (core/engine/PROTOCOL.md §3.4).
struct CheckpointRef
{
    std::string id;
    std::vector<std::string>
        inexact; ///< what a rewound context would not have again, such as "threads:1"; empty: exact
};

/// The execution has been taken up by the kernel; \ref executionCount is 0 where the service sends it only at the end.
struct ExecutionStarted
{
    int executionCount = 0;
    std::optional<CheckpointRef> checkpoint = {}; ///< of the state before it, where one was taken
};

/// A remark of the engine or of the adapter about the output, such as dropped text.
struct Notice
{
    std::string text;
};

using ExecutionEvent = std::variant<StreamText, DisplayData, ExecuteResult, ErrorOutput, ClearOutput, InputRequest,
    ExecutionStarted, Notice>;

/// How an execution ended (protocols.md §6.1).
enum class Outcome
{
    Ok,
    CodeError,      ///< an ErrorOutput was sent
    TimedOut,       ///< the service's or engine's limit
    Interrupted,    ///< by the user; the state is kept
    Aborted,        ///< never run
    ConnectionLost, ///< the end marker was not seen
    Crashed,        ///< the kernel ended
    Rejected,       ///< the service refused it
};

struct ExecutionSummary
{
    Outcome outcome = Outcome::Ok;
    int executionCount = 0;                ///< 0 if the service has none
    std::chrono::milliseconds duration{0}; ///< of the run itself; 0 if not reported
    std::string reason;                    ///< for people, when the outcome is not Ok or CodeError
};

} // namespace sandfish
