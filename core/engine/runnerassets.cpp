#include "core/engine/runnerassets.h"

#include "core/engine/statefiles.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>

namespace sandfish {
namespace {

namespace fs = std::filesystem;

std::string_view textOf(const RunnerAsset &asset)
{
    return {reinterpret_cast<const char *>(asset.bytes), asset.size};
}

// FNV-1a; it only has to tell versions of Sandfish apart.
std::string contentName()
{
    std::uint64_t hash = 14695981039346656037u;
    const auto add = [&hash](std::string_view text) {
        for (char c : text)
            hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    };
    for (const RunnerAsset &asset : std::span(kRunnerAssets, kRunnerAssetCount)) {
        add(asset.path);
        add(textOf(asset));
    }
    char name[32];
    std::snprintf(name, sizeof(name), "%016llx", static_cast<unsigned long long>(hash));
    return name;
}

} // namespace

Result<std::string> installRunners(const std::string &stateDirectory)
{
    const std::string folder = stateDirectory + "/runners/" + contentName();
    for (const RunnerAsset &asset : std::span(kRunnerAssets, kRunnerAssetCount)) {
        const std::string path = folder + "/" + std::string(asset.path);
        const Result<std::string> present = readSmallFile(path);
        if (present && *present == textOf(asset))
            continue;
        if (Result<> made = makeFolder(fs::path(path).parent_path().string()); !made)
            return made.error();
        if (Result<> written = writeFileAtomically(path, textOf(asset)); !written)
            return written.error();
    }
    return folder;
}

} // namespace sandfish
