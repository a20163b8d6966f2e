#pragma once

#include "core/engine/daytonareply.h"

#include <memory>

namespace sandfish {

/// `POST /process/execute`: one command in the sandbox's shell, both streams in one text (protocols.md §3.7). A command
/// that cannot be started gives exitCode -1; one without a limit of time has 24 h.
void daytonaExecuteCommand(EventLoop &loop, const Interpreters &interpreters,
    const std::shared_ptr<LocalSandbox> &sandbox, const DaytonaCall &call);

/// `POST /process/code-run`: a program for a process of its own, which reads it from its standard input.
void daytonaRunCode(EventLoop &loop, const Interpreters &interpreters, const std::shared_ptr<LocalSandbox> &sandbox,
    const DaytonaCall &call);

} // namespace sandfish
