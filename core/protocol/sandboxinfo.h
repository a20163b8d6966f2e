#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sandfish {

/// Ids are types of their own, so that a context id is never handed over for a sandbox id.
struct SandboxId
{
    std::string value;
    bool isEmpty() const { return value.empty(); }
    auto operator<=>(const SandboxId &) const = default;
};
struct ContextId
{
    std::string value;
    bool isEmpty() const { return value.empty(); }
    auto operator<=>(const ContextId &) const = default;
};

/// Neutral states of protocols.md §6.1.
enum class SandboxState
{
    Creating,
    Running,
    Pausing,
    Paused,
    Resuming,
    Stopping,
    Stopped,
    Busy, ///< another transitional state
    Failed,
    Gone,
    Unknown,
};

/// What a pause keeps, as the service reports it.
enum class PauseKeeps
{
    FilesAndMemory,
    FilesOnly,
    Unknown
};

using SystemTime = std::chrono::system_clock::time_point;

/// A folder of this computer that a local sandbox may see, at the same path.
struct FolderBind
{
    enum class Access
    {
        ReadWrite,
        ReadOnly
    };
    std::string path; ///< absolute
    Access access = Access::ReadWrite;
    bool operator==(const FolderBind &) const = default;
};

struct SandboxInfo
{
    SandboxId id;
    std::string name; ///< display name; equal to the id where the service has no names
    std::string templateName;
    SandboxState state = SandboxState::Unknown;
    std::string rawState; ///< the service's own word, empty if it has none
    std::optional<SystemTime> startedAt;
    std::optional<SystemTime> endsAt; ///< when the service acts by itself; nothing: no timer
    std::map<std::string, std::string> metadata;
    PauseKeeps pauseKeeps = PauseKeeps::Unknown;
    std::optional<std::int64_t> memoryBytes; ///< resident now
    std::optional<std::int64_t> memoryLimitBytes;
    std::string isolation;           ///< level reached by the local engine, such as "full"; empty elsewhere
    std::vector<FolderBind> folders; ///< that the local engine bound; empty elsewhere
    std::string reason;              ///< why it has failed, in the service's words; empty otherwise

    bool operator==(const SandboxInfo &) const = default;
};

struct SandboxSpec
{
    std::string name;
    std::string templateName = "code-interpreter-v1";
    std::string projectId;
    std::chrono::milliseconds timeout{0}; ///< 0: none where the service allows it
    std::map<std::string, std::string> metadata;
    std::map<std::string, std::string> environment;
    std::vector<FolderBind> folders; ///< local engine only
    bool hasNetwork = true;
    std::optional<std::int64_t> memoryLimitBytes; ///< local engine only; nothing: its default
    std::optional<int> processLimit;              ///< local engine only; nothing: its default
};

struct ContextSpec
{
    std::string language = "python"; ///< normalised: python, javascript, bash
    std::string cwd;                 ///< empty: the service's default
};

enum class ContextState
{
    Starting,
    Idle,
    Busy,
    Dead,
    Unknown
};

struct ContextInfo
{
    ContextId id;
    std::string language;
    std::string cwd;
    ContextState state = ContextState::Unknown;
    std::string version;               ///< of the interpreter, such as "3.11.2"; empty if not reported
    std::optional<int> executionCount; ///< what its interpreter has run; nothing: the service does not tell

    bool operator==(const ContextInfo &) const = default;
};

/// The normalised name of a language or alias in any letter case (protocols.md §1.3); empty if not supported.
std::string normalisedLanguage(std::string_view name);
/// Such as "running"; the words of the wire extension `state`.
std::string_view sandboxStateName(SandboxState state);
SandboxState sandboxStateFromName(std::string_view name);
std::string_view contextStateName(ContextState state);
ContextState contextStateFromName(std::string_view name);

} // namespace sandfish
