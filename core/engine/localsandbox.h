#pragma once

#include "core/engine/kernelcontext.h"
#include "core/engine/pythonzygote.h"
#include "core/engine/sandboxfreezer.h"
#include "core/engine/sandboxprocess.h"
#include "core/engine/sandboxrecord.h"
#include "core/engine/sparerunners.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sandfish {

/// One sandbox of the local engine: its processes, its contexts, its pause, its end. Thread: the loop's.
class LocalSandbox
{
public:
    using Done = std::function<void(Result<>)>;
    using ContextPtr = std::shared_ptr<KernelContext>;

    LocalSandbox(EventLoop &loop, const EngineFacts &facts, LocalSandboxSpec spec);
    ~LocalSandbox();

    /// \a gone comes once, after a kill or a failed first start. A sandbox whose processes end in another way is
    /// Stopped: its files stay, and resume() starts it again.
    void start(Done done, std::function<void()> gone);
    /// In place of start(), for a sandbox that an earlier daemon has left: Stopped.
    void adopt(std::function<void()> gone);
    /// Asked for while another change is under way, both wait for it. A kill answers them with Kind::NotFound.
    void pause(Done done);
    void resume(Done done);
    /// Ends every process and keeps the files: Stopped, also from Paused. \a done comes when no process is left, or
    /// after 3 s.
    void stop(Done done);
    /// \a done comes when no process is left, or after 3 s.
    void kill(Done done);
    /// From now on; nothing: no limit. Time does not run while the sandbox is paused.
    void setTimeout(std::optional<std::chrono::milliseconds> timeout);

    const LocalSandboxSpec &spec() const { return m_spec; }
    /// Changes what a client may change while the sandbox lives, such as metadata; it is written down.
    void edit(const std::function<void(LocalSandboxSpec &)> &change);
    SandboxInfo info() const;
    SandboxState state() const { return m_state; }
    /// Called at once when it changes; the sandbox is then in the middle of the change.
    void setStateChanged(std::function<void()> changed) { m_stateChanged = std::move(changed); }
    /// False until it has come up for the first time.
    bool hasRun() const { return m_hasRun; }
    /// True from a kill on, and after a failed start: clients do not find it any more.
    bool isEnding() const;
    /// True after a pause that gave memory back to the computer.
    bool hasHandedMemoryBack() const { return m_hasHandedMemoryBack; }

    const std::vector<ContextPtr> &contexts() const { return m_contexts; }
    ContextPtr findContext(const std::string &id) const;
    /// The default context of a language; made on first use.
    ContextPtr defaultContext(Language language);
    bool isDefault(const KernelContext &context) const;
    /// Kind::BadRequest when the working directory is not there, Kind::RateLimited when there are 64 contexts.
    void createContext(Language language, const std::string &cwd, std::function<void(Result<ContextPtr>)> done);
    void removeContext(const ContextPtr &context);
    /// A new context that begins with a kept state of \a context. Kind::RateLimited as for createContext().
    void branchContext(
        const KernelContext &context, const Checkpoint &checkpoint, std::function<void(Result<ContextPtr>)> done);

    /// Null while the sandbox is Stopped.
    SandboxProcess *process() { return m_process.get(); }
    PausableClock &clock() { return m_clock; }
    /// Commands of `exec` that are under way.
    int commands() const { return m_commands; }
    void countCommand(int change) { m_commands += change; }
    /// The environment of every process, NAME=value, with \a extra on top.
    std::vector<std::string> environment(const std::map<std::string, std::string> &extra) const;
    /// A path of the sandbox's view as its processes name it; relative ones are below the home.
    std::string insidePath(const std::string &path) const;
    std::string homeOnHost() const;

private:
    struct Change
    {
        SandboxState wanted;
        Done done;
    };

    void setState(SandboxState state);
    Result<> prepareFolders() const;
    void launch();
    void saveRecord() const;
    void started(const Result<> &result);
    void processEnded();
    void continueChanges();
    Error stateError() const;
    void answerChange(const Result<> &result);
    void refuseChanges();
    void halt();
    void endContexts(const std::string &reason);
    void paused(const Result<> &result);
    void resumed(const Result<> &result);
    void answerKills();
    ContextPtr makeContext(Language language, const std::string &cwd);
    ContextPtr addContext(Language language, const std::string &cwd);
    ContextServices services();
    void warmUp(const ContextPtr &context);
    void giveUpStates();

    EventLoop &m_loop;
    const EngineFacts &m_facts;
    LocalSandboxSpec m_spec;
    SandboxState m_state = SandboxState::Creating;
    std::function<void()> m_stateChanged;
    PausableClock m_clock;
    std::unique_ptr<SandboxProcess> m_process;
    std::unique_ptr<SandboxFreezer> m_freezer;
    std::vector<ContextPtr> m_contexts;
    SpareRunners m_nodeSpares;
    PythonZygote m_zygote;
    std::map<Language, std::string> m_defaults;
    std::deque<Change> m_changes; // the first one is under way
    std::vector<Done> m_killWaiters;
    EventLoop::TimerId m_killTimer = 0;
    std::function<void()> m_gone;
    bool m_hasRun = false;
    bool m_isHalting = false; // Stopping, to become Stopped
    int m_commands = 0;
    PausableClock::TimerId m_expiry = 0;
    bool m_hasHandedMemoryBack = false;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
};

} // namespace sandfish
