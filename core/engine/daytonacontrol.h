#pragma once

#include "core/engine/daytonareply.h"
#include "core/engine/daytonatimers.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sandfish {

/// The control plane of protocols.md §3.2: sandboxes by id or name. The caller has checked the key. Thread: the loop's.
class DaytonaControl
{
public:
    using SandboxPtr = SandboxRegistry::SandboxPtr;

    /// \a registry and \a timers outlive this. \a toolboxUrl is the address below which every sandbox's toolbox lies.
    DaytonaControl(SandboxRegistry &registry, DaytonaTimers &timers, std::string toolboxUrl);

    /// \a parts is the path below the control plane's address.
    void handle(const DaytonaCall &call, const std::vector<std::string> &parts);
    /// The body for one sandbox.
    Json describe(const LocalSandbox &sandbox) const;

private:
    SandboxPtr find(const std::string &idOrName) const;
    void create(const DaytonaCall &call);
    void list(const DaytonaCall &call) const;
    void handleSandbox(const DaytonaCall &call, const SandboxPtr &sandbox);
    void handleAction(const DaytonaCall &call, const SandboxPtr &sandbox, const std::vector<std::string> &parts);
    bool changeState(const DaytonaCall &call, const SandboxPtr &sandbox, const std::string &action);
    bool changeInterval(const DaytonaCall &call, const SandboxPtr &sandbox, const std::vector<std::string> &parts);
    bool answerAddress(const DaytonaCall &call, const SandboxPtr &sandbox, const std::vector<std::string> &parts) const;
    void setLabels(const DaytonaCall &call, const SandboxPtr &sandbox);
    void answer(const DaytonaCall &call, const SandboxPtr &sandbox, const Result<> &result);

    SandboxRegistry &m_registry;
    DaytonaTimers &m_timers;
    std::string m_toolboxUrl;
};

} // namespace sandfish
