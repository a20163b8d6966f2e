#include "core/protocol/sandboxinfo.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace sandfish {
namespace {

using namespace std::string_view_literals;

constexpr std::array kSandboxStates{
    std::pair{SandboxState::Creating, "creating"sv},
    std::pair{SandboxState::Running, "running"sv},
    std::pair{SandboxState::Pausing, "pausing"sv},
    std::pair{SandboxState::Paused, "paused"sv},
    std::pair{SandboxState::Resuming, "resuming"sv},
    std::pair{SandboxState::Stopping, "stopping"sv},
    std::pair{SandboxState::Stopped, "stopped"sv},
    std::pair{SandboxState::Busy, "busy"sv},
    std::pair{SandboxState::Failed, "failed"sv},
    std::pair{SandboxState::Gone, "gone"sv},
    std::pair{SandboxState::Unknown, "unknown"sv},
};

constexpr std::array kContextStates{
    std::pair{ContextState::Starting, "starting"sv},
    std::pair{ContextState::Idle, "idle"sv},
    std::pair{ContextState::Busy, "busy"sv},
    std::pair{ContextState::Dead, "dead"sv},
    std::pair{ContextState::Unknown, "unknown"sv},
};

constexpr std::array kLanguages{
    std::pair{"python"sv, "python"sv},
    std::pair{"py"sv, "python"sv},
    std::pair{"python3"sv, "python"sv},
    std::pair{"javascript"sv, "javascript"sv},
    std::pair{"js"sv, "javascript"sv},
    std::pair{"node"sv, "javascript"sv},
    std::pair{"nodejs"sv, "javascript"sv},
    std::pair{"bash"sv, "bash"sv},
    std::pair{"sh"sv, "bash"sv},
    std::pair{"shell"sv, "bash"sv},
};

template <typename Table, typename State> std::string_view nameIn(const Table &table, State state)
{
    const auto it = std::find_if(table.begin(), table.end(), [&](const auto &row) { return row.first == state; });
    return it == table.end() ? "unknown"sv : it->second;
}

template <typename State, typename Table> State stateIn(const Table &table, std::string_view name)
{
    const auto it = std::find_if(table.begin(), table.end(), [&](const auto &row) { return row.second == name; });
    return it == table.end() ? State::Unknown : it->first;
}

} // namespace

std::string normalisedLanguage(std::string_view name)
{
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto it =
        std::find_if(kLanguages.begin(), kLanguages.end(), [&](const auto &row) { return row.first == lower; });
    return it == kLanguages.end() ? std::string() : std::string(it->second);
}

std::string_view sandboxStateName(SandboxState state)
{
    return nameIn(kSandboxStates, state);
}

SandboxState sandboxStateFromName(std::string_view name)
{
    return stateIn<SandboxState>(kSandboxStates, name);
}

std::string_view contextStateName(ContextState state)
{
    return nameIn(kContextStates, state);
}

ContextState contextStateFromName(std::string_view name)
{
    return stateIn<ContextState>(kContextStates, name);
}

} // namespace sandfish
