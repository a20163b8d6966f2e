#pragma once

#include "core/document/cellrecord.h"
#include "core/document/jsonlayout.h"

#include <string>
#include <string_view>
#include <vector>

namespace sandfish {

/// Unique in the process.
std::uint64_t nextOutputSerial();

/// Reads one output of a notebook file. What is not understood becomes Kind::Unknown; never fails.
Output readOutput(std::string_view text);
/// Appends an output as nbformat wants it. Display ids are not saved.
void appendOutput(const Output &output, const JsonLayout &layout, int depth, std::string &out);

/// Reads the outputs of a record that has not read them yet.
void readOutputs(CellRecord &record, const QByteArray &file);

} // namespace sandfish
