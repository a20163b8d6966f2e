#include "core/engine/landlock.h"

#include "core/engine/uniquefd.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace sandfish {
namespace {

// Spelt out here, since the header of an older system lacks the newer members.
struct RulesetAttributes
{
    std::uint64_t files = 0;
    std::uint64_t network = 0;
    std::uint64_t scoped = 0;
};

constexpr std::uint64_t kExecute = 1u << 0;
constexpr std::uint64_t kWriteFile = 1u << 1;
constexpr std::uint64_t kReadFile = 1u << 2;
constexpr std::uint64_t kReadDirectory = 1u << 3;
constexpr std::uint64_t kRefer = 1u << 13;
constexpr std::uint64_t kTruncate = 1u << 14;
constexpr std::uint64_t kDeviceControl = 1u << 15;
constexpr std::uint64_t kAllOfAbi1 = (1u << 13) - 1;
constexpr std::uint64_t kScopeAbstractSockets = 1u << 0;
constexpr std::uint64_t kScopeSignals = 1u << 1;
constexpr std::uint64_t kFileOnly = kExecute | kWriteFile | kReadFile | kTruncate | kDeviceControl;

std::uint64_t handledFiles(int abi)
{
    return kAllOfAbi1 | (abi >= 2 ? kRefer : 0) | (abi >= 3 ? kTruncate : 0) | (abi >= 5 ? kDeviceControl : 0);
}

std::uint64_t rightsFor(PathAccess access)
{
    switch (access) {
    case PathAccess::Read:
        return kExecute | kReadFile | kReadDirectory;
    case PathAccess::Device:
        return kReadFile | kWriteFile | kReadDirectory | kTruncate | kDeviceControl;
    case PathAccess::Write:
        break;
    }
    return ~std::uint64_t(0);
}

Result<> addRule(int ruleset, const LandlockRule &rule, std::uint64_t handled)
{
    const UniqueFd path(::open(rule.path.c_str(), O_PATH | O_CLOEXEC));
    if (!path.isOpen())
        return {};
    struct stat status
    {
    };
    ::fstat(path.get(), &status);
    landlock_path_beneath_attr attributes{};
    attributes.allowed_access = rightsFor(rule.access) & handled;
    if (!S_ISDIR(status.st_mode))
        attributes.allowed_access &= kFileOnly;
    attributes.parent_fd = path.get();
    if (::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &attributes, 0) != 0)
        return Error{Error::Kind::Unsupported, "Landlock refused a rule for " + rule.path + ".", std::strerror(errno)};
    return {};
}

} // namespace

int landlockAbi()
{
    const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return abi > 0 ? static_cast<int>(abi) : 0;
}

Result<> applyLandlock(const std::vector<LandlockRule> &rules)
{
    const int abi = landlockAbi();
    if (abi == 0 && !rules.empty())
        return Error{Error::Kind::Unsupported, "This kernel has no Landlock."};
    RulesetAttributes attributes;
    attributes.files = rules.empty() ? 0 : handledFiles(abi);
    attributes.scoped = abi >= 6 ? kScopeAbstractSockets | kScopeSignals : 0;
    if (attributes.files == 0 && attributes.scoped == 0)
        return {};
    const std::size_t size = abi >= 6 ? sizeof(attributes) : abi >= 4 ? 16 : 8;
    const UniqueFd ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
    if (!ruleset.isOpen())
        return Error{Error::Kind::Unsupported, "Landlock refused the rule set.", std::strerror(errno)};
    for (const LandlockRule &rule : rules) {
        if (Result<> added = addRule(ruleset.get(), rule, attributes.files); !added)
            return added;
    }
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
        return Error{Error::Kind::Unsupported, "Landlock could not be switched on.", std::strerror(errno)};
    return {};
}

} // namespace sandfish
