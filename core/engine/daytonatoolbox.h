#pragma once

#include "core/engine/daytonareply.h"

#include <memory>
#include <string>
#include <vector>

namespace sandfish {

/// What is reached in one sandbox through the Daytona face: interpreter, processes, files (protocols.md §3.5 to §3.7).
/// The caller has checked the credential. Thread: the loop's.
class DaytonaToolbox
{
public:
    using SandboxPtr = std::shared_ptr<LocalSandbox>;

    /// \a facts outlives this. \a version is the daemon's own.
    DaytonaToolbox(EventLoop &loop, const EngineFacts &facts, std::string version);

    /// \a parts is the path below the sandbox's toolbox.
    void handle(const DaytonaCall &call, const SandboxPtr &sandbox, const std::vector<std::string> &parts);

private:
    bool answerFacts(const DaytonaCall &call, const std::vector<std::string> &parts) const;
    void handleProcess(const DaytonaCall &call, const SandboxPtr &sandbox, const std::vector<std::string> &parts);
    void handleContexts(const DaytonaCall &call, const SandboxPtr &sandbox, const std::vector<std::string> &parts);
    void createContext(const DaytonaCall &call, const SandboxPtr &sandbox);
    void deleteContext(const DaytonaCall &call, const SandboxPtr &sandbox, const std::string &id);

    EventLoop &m_loop;
    const EngineFacts &m_facts;
    std::string m_version;
};

} // namespace sandfish
