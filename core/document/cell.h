#pragma once

#include "core/document/outputtext.h"
#include "core/protocol/executionevent.h"

#include <QDateTime>
#include <QHash>
#include <QString>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sandfish {

/// The id of a cell: stable for its life, nbformat 4.5 rules (1 to 64 of [a-zA-Z0-9-_]).
struct CellId
{
    QString value;
    bool isEmpty() const { return value.isEmpty(); }
    auto operator<=>(const CellId &) const = default;
};
inline std::size_t qHash(const CellId &id, std::size_t seed = 0)
{
    return ::qHash(id.value, seed);
}

/// One output of a code cell. Views keep what they built by \ref serial and rebuild when \ref revision differs.
struct Output
{
    enum class Kind
    {
        Stream,
        Display,
        Result,
        Error,
        Unknown
    };

    Kind kind = Kind::Stream;
    std::uint64_t serial = 0;                                  ///< unique in the process, stays while the output lives
    std::uint64_t revision = 0;                                ///< grows with every change
    StreamText::Channel channel = StreamText::Channel::Stdout; ///< Stream
    std::shared_ptr<OutputText> text;                          ///< Stream, never null then
    bool isLate = false;                                       ///< Stream: came after the run had ended
    std::chrono::milliseconds lateBy{0};                       ///< isLate: from the end to the first of it; 0: unknown
    MimeBundle data;                                           ///< Display, Result
    Json metadata = Json::object();                            ///< Display, Result
    std::string displayId;                                     ///< Display; transient, never saved
    int executionCount = 0;                                    ///< Result
    ErrorOutput error;                                         ///< Error
    Json raw;                                                  ///< Unknown: kept and saved as it is
};

/// What the last or current run of a cell did. Not saved, but for what nbformat keeps in metadata.execution.
struct CellRun
{
    enum class State
    {
        None,
        Queued,
        Running,
        AwaitingInput,
        Finished
    };

    State state = State::None;
    int queuePosition = 0;                 ///< Queued: 1 is next, 0 is further back
    Outcome outcome = Outcome::Ok;         ///< Finished
    std::string reason;                    ///< Finished, for people, such as "Interrupted by pause after 0:14"
    QDateTime startedAt;                   ///< Running and later
    std::chrono::milliseconds duration{0}; ///< Finished
    InputRequest inputRequest;             ///< AwaitingInput
    std::uint64_t sourceHash = 0;        ///< sourceHash() of what ran, 0: unknown; differs from now: the cell is stale
    std::optional<CheckpointRef> before; ///< the state from before the run, as long as it is kept
    bool isUndone = false;               ///< the context was rewound to before the run since
};

/// Of a cell's source, to see whether it is still what ran. The same in every process.
std::uint64_t sourceHash(QStringView source);

struct Cell
{
    enum class Type
    {
        Code,
        Markdown,
        Raw
    };

    CellId id;
    Type type = Type::Code;
    QString source;
    int executionCount = 0; ///< 0: never run
    std::vector<Output> outputs;
    bool outputsCollapsed = false; ///< metadata.jupyter.outputs_hidden or metadata.collapsed
    QString language;              ///< of a code cell; empty: the notebook's
    bool mayFail = false;          ///< metadata.tags has raises-exception: its error is wanted
    CellRun run;
};

} // namespace sandfish

template <> struct std::hash<sandfish::CellId>
{
    std::size_t operator()(const sandfish::CellId &id) const { return qHash(id.value); }
};
