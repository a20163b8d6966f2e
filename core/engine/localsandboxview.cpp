// What others see of a sandbox: clients, and its processes: their environment, their paths, what a context needs to
// start one.
#include "core/engine/localsandbox.h"

namespace sandfish {
namespace {

constexpr char kPath[] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

} // namespace

std::string LocalSandbox::homeOnHost() const
{
    return m_facts.sandboxDirectory(m_spec.id.value) + "/home";
}

SandboxInfo LocalSandbox::info() const
{
    SandboxInfo info;
    info.id = m_spec.id;
    info.name = m_spec.common.name.empty() ? m_spec.id.value : m_spec.common.name;
    info.templateName = m_spec.common.templateName;
    info.state = m_state;
    info.startedAt = m_spec.startedAt;
    if (m_expiry != 0)
        info.endsAt = std::chrono::system_clock::now() + m_clock.remaining(m_expiry);
    info.metadata = m_spec.common.metadata;
    info.pauseKeeps = PauseKeeps::FilesAndMemory;
    if (m_state == SandboxState::Running || m_state == SandboxState::Paused)
        info.memoryBytes = m_process->residentBytes();
    info.memoryLimitBytes = limitsFor(m_spec.common).memoryBytes;
    info.isolation = isolationLevelName(m_facts.isolation.level);
    return info;
}

bool LocalSandbox::isEnding() const
{
    return (m_state == SandboxState::Stopping && !m_isHalting) || m_state == SandboxState::Failed
        || m_state == SandboxState::Gone;
}

void LocalSandbox::edit(const std::function<void(LocalSandboxSpec &)> &change)
{
    change(m_spec);
    saveRecord();
}

bool LocalSandbox::isDefault(const KernelContext &context) const
{
    const auto found = m_defaults.find(context.language());
    return found != m_defaults.end() && found->second == context.id().value;
}

std::vector<std::string> LocalSandbox::environment(const std::map<std::string, std::string> &extra) const
{
    const bool isWrapped = m_facts.isolation.usesBubblewrap();
    const std::string home = isWrapped ? kSandboxHome : homeOnHost();
    std::map<std::string, std::string> variables{{"HOME", home}, {"USER", "user"}, {"LOGNAME", "user"},
        {"PATH", home + "/.local/bin:" + kPath}, {"LANG", "C.UTF-8"}, {"SHELL", "/bin/bash"}};
    if (!isWrapped)
        variables["TMPDIR"] = m_facts.sandboxDirectory(m_spec.id.value) + "/tmp";
    for (const auto &more : {m_spec.common.environment, extra}) {
        for (const auto &[name, value] : more)
            variables[name] = value;
    }
    variables.erase("PYTHONUNBUFFERED");
    std::vector<std::string> lines;
    for (const auto &[name, value] : variables)
        lines.push_back(name + "=" + value);
    return lines;
}

std::string LocalSandbox::insidePath(const std::string &path) const
{
    std::string absolute = path.empty() || path.front() != '/' ? kSandboxHome + ("/" + path) : path;
    if (absolute.size() > 1 && absolute.back() == '/')
        absolute.pop_back();
    if (!m_facts.isolation.usesBubblewrap() && isWithin(absolute, kSandboxHome))
        return homeOnHost() + absolute.substr(sizeof(kSandboxHome) - 1);
    return absolute;
}

ContextServices LocalSandbox::services()
{
    LogLimits limits;
    limits.spoolDirectory = m_facts.sandboxDirectory(m_spec.id.value) + "/spool";
    const std::string runners = m_facts.isolation.usesBubblewrap() ? kSandboxRunners : m_facts.runners;
    const std::string temporary =
        m_facts.isolation.usesBubblewrap() ? "/tmp" : m_facts.sandboxDirectory(m_spec.id.value) + "/tmp";
    return {m_loop, m_clock, m_process->link(), m_facts.interpreters, runners, temporary, environment({}), limits,
        [this, alive = m_isAlive] { return *alive && m_process && m_process->isUnderPressure(); },
        [this, alive = m_isAlive] {
            if (*alive)
                giveUpStates();
        },
        m_zygote};
}

} // namespace sandfish
