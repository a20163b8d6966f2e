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

bool isSystem(const fs::path &path)
{
    return isWithin(path.string(), "/usr") || isWithin(path.string(), "/bin");
}

// PREFIX/bin/python3 needs PREFIX/lib. Only a prefix that holds an interpreter's libraries is one.
bool hasLibraries(const fs::path &prefix)
{
    std::error_code failure;
    if (fs::is_directory(prefix / "include/node", failure) || fs::is_directory(prefix / "lib/node_modules", failure))
        return true;
    for (const char *name : {"lib", "lib64"}) {
        for (fs::directory_iterator it(prefix / name, failure), end; !failure && it != end; it.increment(failure)) {
            if (it->path().filename().string().starts_with("python3"))
                return true;
        }
    }
    return false;
}

/// Decides what of the computer a sandbox sees for the interpreters' sake.
class Exposure
{
public:
    explicit Exposure(const std::string &stateDirectory)
        : m_private{stateDirectory}
        , m_state(stateDirectory)
    {
        std::error_code failure;
        const fs::path home = fs::canonical(fromEnvironment("HOME"), failure);
        for (const char *name : {"", "/.local/share", "/.local/state", "/.config", "/.cache"}) {
            if (!failure)
                m_private.push_back(home == "/" ? name : home.string() + name);
        }
    }

    /// Adds what \a program needs; makes it the path by which the sandbox finds it.
    void expose(std::string &program)
    {
        std::error_code failure;
        const fs::path real = fs::canonical(program, failure);
        if (program.empty() || failure)
            return;
        const fs::path path = fs::absolute(program).lexically_normal();
        const fs::path prefix = path.parent_path().parent_path();
        const bool isEnvironment = fs::exists(prefix / "pyvenv.cfg", failure);
        if (isSystem(path) || (isShareable(prefix) && (isEnvironment || isInstallation(path)))) {
            program = path.string();
            if (!isSystem(path))
                add(prefix);
        } else {
            program = real.string();
        }
        if (!isSystem(real))
            exposeFile(real);
    }

    std::vector<std::string> take() { return std::move(m_paths); }

private:
    void exposeFile(const fs::path &real)
    {
        const fs::path prefix = real.parent_path().parent_path();
        if (isShareable(prefix) && isInstallation(real)) {
            add(prefix);
            return;
        }
        add(real);
        const fs::path library = prefix / "lib" / real.filename();
        std::error_code failure;
        if (fs::is_directory(library, failure) && isShareable(library))
            add(library);
    }

    static bool isInstallation(const fs::path &program)
    {
        return program.parent_path().filename() == "bin" && hasLibraries(program.parent_path().parent_path());
    }

    /// False for the home, the state, what is above them, and what is inside the state.
    bool isShareable(const fs::path &folder) const
    {
        std::error_code failure;
        const std::string real = fs::canonical(folder, failure).string();
        const bool isAbove = std::any_of(
            m_private.begin(), m_private.end(), [&](const std::string &path) { return isWithin(path, real); });
        return !failure && real.size() > 1 && !isAbove && !isWithin(real, m_state);
    }

    void add(const fs::path &path)
    {
        if (std::find(m_paths.begin(), m_paths.end(), path.string()) == m_paths.end())
            m_paths.push_back(path.string());
    }

    std::vector<std::string> m_private;
    std::string m_state;
    std::vector<std::string> m_paths;
};

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

Interpreters findInterpreters(const std::string &stateDirectory)
{
    Interpreters found;
    found.python = chosen("SANDFISH_PYTHON", "python3");
    found.node = chosen("SANDFISH_NODE", "node");
    found.bash = findProgram("bash");
    Exposure exposure(stateDirectory);
    for (std::string *program : {&found.python, &found.node, &found.bash})
        exposure.expose(*program);
    found.prefixes = exposure.take();
    return found;
}

bool isWithin(std::string_view path, std::string_view folder)
{
    if (folder == "/")
        return true;
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

} // namespace sandfish
