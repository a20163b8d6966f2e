#include "core/engine/processtree.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <memory>
#include <set>
#include <string>
#include <unistd.h>

namespace sandfish {
namespace {

struct FileCloser
{
    void operator()(std::FILE *file) const { std::fclose(file); }
};
struct DirectoryCloser
{
    void operator()(DIR *directory) const { ::closedir(directory); }
};

} // namespace

std::optional<ProcessEntry> processEntry(pid_t pid)
{
    const std::string path = "/proc/" + std::to_string(pid) + "/stat";
    const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "re"));
    char text[1024];
    const std::size_t count = file ? std::fread(text, 1, sizeof(text) - 1, file.get()) : 0;
    text[count] = 0;
    // The second field is the program's name in parentheses and may hold anything, parentheses too.
    const char *rest = std::strrchr(text, ')');
    if (!rest)
        return std::nullopt;
    ProcessEntry entry;
    entry.pid = pid;
    long residentPages = 0;
    const int fields =
        std::sscanf(rest + 1, " %c %d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %*u %*u %ld",
            &entry.state, &entry.parent, &entry.session, &residentPages);
    if (fields < 4)
        return std::nullopt;
    entry.residentBytes = residentPages * ::sysconf(_SC_PAGESIZE);
    return entry;
}

std::vector<ProcessEntry> allProcesses()
{
    std::vector<ProcessEntry> found;
    const std::unique_ptr<DIR, DirectoryCloser> directory(::opendir("/proc"));
    while (const dirent *row = directory ? ::readdir(directory.get()) : nullptr) {
        const int pid = std::atoi(row->d_name);
        if (pid <= 0)
            continue;
        if (const auto entry = processEntry(pid))
            found.push_back(*entry);
    }
    return found;
}

std::vector<ProcessEntry> descendantsOf(pid_t root, const std::vector<ProcessEntry> &all)
{
    std::vector<ProcessEntry> found;
    std::vector<pid_t> parents{root};
    std::set<pid_t> seen{root};
    for (std::size_t i = 0; i < parents.size(); ++i) {
        for (const ProcessEntry &entry : all) {
            if (entry.parent != parents[i] || !seen.insert(entry.pid).second)
                continue;
            found.push_back(entry);
            parents.push_back(entry.pid);
        }
    }
    return found;
}

bool isDescendant(pid_t pid, pid_t root)
{
    constexpr int kTries = 8;
    constexpr int kMaxDepth = 1000;
    for (int attempt = 0; attempt < kTries; ++attempt) {
        std::optional<ProcessEntry> entry = processEntry(pid);
        if (!entry)
            return false;
        for (int depth = 0; entry && entry->parent > 0 && depth < kMaxDepth; ++depth) {
            if (entry->parent == root)
                return true;
            // A parent that ends just now has left its children to another one.
            entry = processEntry(entry->parent);
        }
        if (entry)
            return false;
    }
    return false;
}

std::vector<ProcessEntry> jobOf(pid_t root, const std::vector<ProcessEntry> &all)
{
    std::vector<ProcessEntry> found;
    std::set<pid_t> seen;
    const auto add = [&](const ProcessEntry &entry) {
        if (seen.insert(entry.pid).second)
            found.push_back(entry);
    };
    for (const ProcessEntry &entry : all) {
        if (entry.pid == root)
            add(entry);
    }
    for (const ProcessEntry &member : all) {
        if (member.pid != root && member.session != root && member.parent != root)
            continue;
        add(member);
        for (const ProcessEntry &below : descendantsOf(member.pid, all))
            add(below);
    }
    return found;
}

bool isHalted(char state)
{
    return state == 'T' || state == 't' || state == 'Z' || state == 'X' || state == 'x';
}

} // namespace sandfish
