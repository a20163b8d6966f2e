#pragma once

#include "core/engine/daytonacontrol.h"
#include "core/engine/daytonaevents.h"
#include "core/engine/daytonatoolbox.h"

#include <string>
#include <vector>

namespace sandfish {

/// The face for the SDKs of Daytona: /daytona/api and /daytona/toolbox/{sandbox} (protocols.md §3, PROTOCOL.md §5). It
/// checks who asks. Thread: the loop's.
class DaytonaFace
{
public:
    struct Options
    {
        std::string url; ///< of the daemon, such as "http://127.0.0.1:4321"
        std::string apiKey;
        std::string version;
    };

    /// \a facts and \a registry outlive this.
    DaytonaFace(EventLoop &loop, const EngineFacts &facts, SandboxRegistry &registry, Options options);
    ~DaytonaFace();

    /// \a parts is the path below /daytona.
    void handle(HttpRequest &&request, std::vector<std::string> parts, const ReplyPtr &reply);

private:
    bool hasKey(const HttpRequest &request) const;
    void handleToolbox(const DaytonaCall &call, std::vector<std::string> parts);

    SandboxRegistry &m_registry;
    Options m_options;
    DaytonaTimers m_timers;
    DaytonaControl m_control;
    DaytonaToolbox m_toolbox;
    DaytonaEvents m_events;
};

} // namespace sandfish
