#pragma once

#include "core/engine/kernelexecution.h"
#include "core/engine/programlookup.h"

#include <optional>
#include <string>
#include <vector>

namespace sandfish {

enum class Language
{
    Python,
    JavaScript,
    Bash
};

/// From a name or alias in any letter case.
std::optional<Language> languageFromName(std::string_view name);
std::string_view languageName(Language language);

/// How a runner is started; \a runners is the folder as the sandbox sees it. Kind::Unsupported with what to install
/// when the interpreter is not there.
Result<std::vector<std::string>> runnerArguments(
    Language language, const Interpreters &interpreters, const std::string &runners);

/// The messages of resources/runners/README.md §3 and §7, with their line end.
std::string executeMessage(Language language, int id, const ExecutionSpec &spec);
std::string interruptMessage(Language language, int id);
/// \a operation is one of `vars get complete inspect`; Kind::Unsupported where the language has no such question.
Result<std::string> queryMessage(Language language, int id, const std::string &operation, const Json &parameters);

/// Bash only: has the runner write its state to a file, or read it back.
std::string keepMessage(int id, const std::string &file);
std::string loadMessage(int id, const std::string &file);

/// Has a runner that runs nothing go to another folder. Python only.
std::string folderMessage(const std::string &path);

/// \a word for the shell, safe whatever it holds.
std::string shellQuoted(std::string_view word);

} // namespace sandfish
