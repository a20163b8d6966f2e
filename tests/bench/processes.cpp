#include "tests/bench/processes.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace sandfish::bench {
namespace {

double fieldMib(const std::string &path, const std::string &name)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with(name))
            return std::stod(line.substr(name.size())) / 1024;
    }
    return 0;
}

pid_t parentOf(const std::string &pid)
{
    std::ifstream file("/proc/" + pid + "/stat");
    std::stringstream text;
    text << file.rdbuf();
    const std::string stat = text.str();
    const std::size_t end = stat.rfind(')');
    if (end == std::string::npos)
        return 0;
    std::istringstream rest(stat.substr(end + 1));
    std::string state;
    pid_t parent = 0;
    rest >> state >> parent;
    return parent;
}

} // namespace

double residentMib()
{
    return fieldMib("/proc/self/status", "VmRSS:");
}

double peakResidentMib()
{
    return fieldMib("/proc/self/status", "VmHWM:");
}

void resetPeak()
{
    std::ofstream("/proc/self/clear_refs") << "5";
}

std::vector<pid_t> processTree(pid_t root)
{
    std::multimap<pid_t, pid_t> children;
    std::error_code ignored;
    for (const auto &entry : std::filesystem::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") == std::string::npos)
            children.emplace(parentOf(name), std::stoi(name));
    }
    std::vector<pid_t> tree{root};
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const auto [first, last] = children.equal_range(tree[i]);
        for (auto it = first; it != last; ++it)
            tree.push_back(it->second);
    }
    return tree;
}

double proportionalMib(const std::vector<pid_t> &pids)
{
    double sum = 0;
    for (const pid_t pid : pids)
        sum += fieldMib("/proc/" + std::to_string(pid) + "/smaps_rollup", "Pss:");
    return sum;
}

} // namespace sandfish::bench
