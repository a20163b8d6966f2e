#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sandfish {

/// The full path of \a name, searched in the system's folders first and then in PATH; empty if there is none.
std::string findProgram(std::string_view name);

/// The interpreters of the cells. Empty paths: not installed.
struct Interpreters
{
    std::string python; ///< SANDFISH_PYTHON, or python3
    std::string node;   ///< SANDFISH_NODE, or node
    std::string bash;
    /// Files and folders outside /usr that the interpreters need, to be bound read-only.
    std::vector<std::string> prefixes;
};

/// Looks for them. The folder of an installation (PREFIX of PREFIX/bin/python3) or of a virtual environment is among
/// the prefixes, unless it is the home or a folder above it, above the user's settings or above \a stateDirectory; then
/// the program's own file is, with the library folder of its version.
Interpreters findInterpreters(const std::string &stateDirectory);

/// True if \a path is \a folder or lies below it; both absolute and without ".." .
bool isWithin(std::string_view path, std::string_view folder);

} // namespace sandfish
