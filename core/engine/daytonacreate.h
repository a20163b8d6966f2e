#pragma once

#include "core/base/json.h"
#include "core/engine/daytonasettings.h"

namespace sandfish {

/// The body of `POST /sandbox`.
struct DaytonaCreate
{
    SandboxSpec spec;
    DaytonaSettings settings;
};

/// Kind::BadRequest for odd values, and for what this engine cannot hold to, such as images, volumes and lists of
/// allowed hosts. Members that it does not know are ignored.
Result<DaytonaCreate> daytonaCreateFrom(const Json &body);

/// Minutes as they come in a path or a body; Kind::BadRequest names \a member.
Result<int> daytonaMinutes(const Json &value, const std::string &member, int least);

} // namespace sandfish
