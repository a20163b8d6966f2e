#pragma once

#include "app/cli/command.h"
#include "core/providers/provider.h"

namespace sandfish {

/// What the commands on sandboxes have in common: a service that is asked, one call after the other.
class SandboxCommand : public Command
{
    Q_OBJECT
public:
    using Command::Command;
    ~SandboxCommand() override;

    void start() override;

protected:
    virtual void ask() = 0;
    Provider &provider() const { return *m_provider; }
    /// With --json {"sandboxes": […]}, else \a text.
    void finishWith(const std::vector<SandboxInfo> &sandboxes, const QString &text);

private:
    std::unique_ptr<Provider> m_provider;
};

/// `sandbox list`.
class SandboxListCommand : public SandboxCommand
{
    Q_OBJECT
public:
    using SandboxCommand::SandboxCommand;
    static CommandSpec spec();

protected:
    void ask() override;
};

/// `sandbox create`.
class SandboxCreateCommand : public SandboxCommand
{
    Q_OBJECT
public:
    using SandboxCommand::SandboxCommand;
    static CommandSpec spec();

protected:
    void ask() override;

private:
    Result<SandboxSpec> wanted() const;
    void create();

    SandboxSpec m_spec;
};

/// `sandbox pause`, `resume` and `kill`: one act on each of the named sandboxes, in their order.
class SandboxActCommand : public SandboxCommand
{
    Q_OBJECT
public:
    enum class Act
    {
        Pause,
        Resume,
        Kill
    };
    SandboxActCommand(Act act, Arguments arguments, Console &console);
    static CommandSpec spec(Act act);

protected:
    void ask() override;

private:
    void choose(const std::vector<SandboxInfo> &all);
    void next();
    void take(const Result<SandboxInfo> &sandbox);

    Act m_act;
    std::vector<SandboxInfo> m_chosen;
    std::vector<SandboxInfo> m_done;
};

} // namespace sandfish
