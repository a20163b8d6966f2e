#include "core/engine/programlookup.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace sandfish {
namespace {

namespace fs = std::filesystem;

std::string fromEnvironment(const char *name)
{
    const char *value = std::getenv(name);
    return value ? value : "";
}

// A shim (pyenv, nvm) is a script that finds the real program by the user's home, which a sandbox cannot see.
bool isBinary(const std::string &path)
{
    unsigned char head[4] = {};
    std::FILE *file = std::fopen(path.c_str(), "rbe");
    const bool isElf = file && std::fread(head, 1, 4, file) == 4 && head[0] == 0x7F && head[1] == 'E';
    if (file)
        std::fclose(file);
    return isElf;
}

std::string chosen(const char *variable, std::string_view name)
{
    const std::string asked = fromEnvironment(variable);
    if (!asked.empty())
        return ::access(asked.c_str(), X_OK) == 0 ? asked : std::string();
    const std::string found = findProgram(name);
    return isBinary(found) ? found : std::string();
}

void addPrefix(const std::string &program, std::vector<std::string> &prefixes)
{
    if (program.empty())
        return;
    std::error_code failure;
    const fs::path real = fs::canonical(program, failure);
    for (const fs::path &path : {fs::path(program), real}) {
        if (failure || path.empty() || isWithin(path.string(), "/usr") || isWithin(path.string(), "/bin"))
            continue;
        // PREFIX/bin/python3 needs PREFIX/lib; a virtual environment also needs the prefix that it was made from.
        const std::string prefix = path.parent_path().parent_path().string();
        if (prefix.size() > 1 && std::find(prefixes.begin(), prefixes.end(), prefix) == prefixes.end())
            prefixes.push_back(prefix);
    }
}

} // namespace

std::string findProgram(std::string_view name)
{
    std::string folders = "/usr/bin:/bin:/usr/local/bin:" + fromEnvironment("PATH");
    for (std::size_t start = 0; start < folders.size();) {
        const std::size_t end = std::min(folders.find(':', start), folders.size());
        const std::string path = folders.substr(start, end - start) + "/" + std::string(name);
        if (path.front() == '/' && ::access(path.c_str(), X_OK) == 0)
            return path;
        start = end + 1;
    }
    return {};
}

Interpreters findInterpreters()
{
    Interpreters found;
    found.python = chosen("SANDFISH_PYTHON", "python3");
    found.node = chosen("SANDFISH_NODE", "node");
    found.bash = findProgram("bash");
    for (const std::string &program : {found.python, found.node, found.bash})
        addPrefix(program, found.prefixes);
    return found;
}

bool isWithin(std::string_view path, std::string_view folder)
{
    if (folder == "/")
        return true;
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

} // namespace sandfish
