#pragma once

#include "core/base/lineframer.h"
#include "core/engine/fdwriter.h"
#include "core/engine/holderlink.h"
#include "core/engine/outputdemux.h"
#include "core/engine/supervisorlink.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sandfish {

/// How a runner came to its end.
struct KernelEnd
{
    std::optional<int> waitStatus; ///< nothing: it was never started
    std::string reason;            ///< for people, a whole sentence
};

/// One runner (resources/runners/README.md): its pipes, its control channel, and its end. Thread: the loop's.
class KernelProcess
{
public:
    struct Launch
    {
        std::vector<std::string> arguments;
        std::vector<std::string> environment; ///< without SANDFISH_NONCE
        std::string workingDirectory;
        std::string interpreterName; ///< for people, such as "Python"
        /// Bash takes its commands on fd 0, and the input of its cells on fd 5.
        bool readsCommandsFromStdin = false;
        std::string firstCommand;
    };
    struct Handlers
    {
        std::function<void(StreamText::Channel, std::string_view)> text;
        std::function<void(const Json &)> event;
        std::function<void()> turnEnded;
        std::function<void(KernelEnd)> ended; ///< once, last; the object may be destroyed in a later turn
    };

    KernelProcess(EventLoop &loop, SupervisorLink &link, Handlers handlers);
    ~KernelProcess();

    void start(Launch launch);
    /// In place of start(): takes a new runner from \a holder, with the state that it keeps. \a folder is where the
    /// runner goes, empty: stays where the state was. \a name is the interpreter's, for people.
    enum class Randomness
    {
        Kept, ///< the generators of the state go on where they were
        Fresh
    };
    void resume(HolderLink &holder, const std::string &folder, Randomness randomness, std::string name);
    /// Asks the runner to leave a holder of its state behind, whose socket this is; its answer is the event
    /// `checkpoint` with \a id.
    Result<std::shared_ptr<HolderLink>> checkpoint(int id);
    void setHandlers(Handlers handlers) { m_handlers = std::move(handlers); }
    void send(std::string_view message);
    /// One line for the code that reads its input, with its line end; at most 1 MiB waits at a time, more is refused.
    Result<> writeInput(std::string_view text);
    /// The reader sees the end of its input until reopenInput().
    void endInput();
    void reopenInput();
    void signalGroup(int number);
    /// Ends the runner and all it has started.
    void kill();
    /// The same, and calls nobody back from now on.
    void abandon();

private:
    struct OutputPipe
    {
        UniqueFd fd;
        EventLoop::WatchId watch = 0;
    };

    Result<SpawnRequest> prepare(Launch &launch);
    Result<> preparePipes(SpawnRequest &request, bool readsCommandsFromStdin);
    void watchPipes();
    void killJob();
    void finishLater(std::string reason);
    void spawned(Result<Json> answer);
    void adopt(const Json &ready);
    void adopted(Result<Json> answer, const Json &ready);
    void exited(int status);
    void pump();
    bool readOutput(std::size_t index);
    void readControl();
    void deliver();
    void waitForMarks();
    void giveUpMarks();
    void drainAndFinish();
    void finish(std::string reason);
    void closeOutput(std::size_t index);

    EventLoop &m_loop;
    SupervisorLink &m_link;
    Handlers m_handlers;
    OutputDemux m_demux;
    std::string m_nonce;
    std::string m_name;
    pid_t m_pid = 0;
    std::array<OutputPipe, 2> m_outputs;
    UniqueFd m_control;
    EventLoop::WatchId m_controlWatch = 0;
    LineFramer m_controlLines;
    std::unique_ptr<FdWriter> m_commands;
    UniqueFd m_inputReader; // keeps the pipe of the cells' input alive, and empties it
    std::unique_ptr<FdWriter> m_input;
    EventLoop::TimerId m_markTimer = 0;
    EventLoop::TimerId m_endTimer = 0;
    std::optional<int> m_status;
    bool m_isFinished = false;
    bool m_wasKilled = false;
    std::weak_ptr<HolderLink> m_newestHolder;
    bool m_awaitsHead = false; // asked of a holder, and not heard of yet
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
};

/// "killed by signal 11 (Segmentation fault)", "ended with exit code 3".
std::string describeWaitStatus(int status);

} // namespace sandfish
