#pragma once

#include "core/document/cellrecord.h"

#include <string_view>

namespace sandfish {

/// Changes the outputs of one cell by one event, after the rules of nbformat and Jupyter: text joins the last output
/// only if that is the same stream, clear_output(wait=True) clears when the next output comes, late text gets a block
/// of its own. Display updates are not obeyed here. A new text keeps at most
/// \a limitBytes. Returns whether the outputs changed.
bool reduceOutputs(
    CellRecord &record, const ExecutionEvent &event, std::size_t limitBytes = OutputText::kDefaultLimitBytes);

/// Shows \a display in every output that carries its id; true if there is one.
bool updateDisplays(CellRecord &record, const DisplayData &display);

/// Removes the outputs, parsed or not; true if there were any.
bool removeOutputs(CellRecord &record);

} // namespace sandfish
