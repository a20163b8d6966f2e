#pragma once

#include "core/base/json.h"

#include <string>

namespace sandfish {

/// A notebook of nbformat 3 or 2 as nbformat 4.0 in the layout of Jupyter (notebooks.md §3.2). Members that format 4
/// does not have and that say nothing are dropped. Never fails: what is missing becomes empty.
std::string upgradedNotebook(const Json &old);

} // namespace sandfish
