#pragma once

#include "core/document/cell.h"

#include <QByteArray>

#include <string>
#include <string_view>
#include <vector>

namespace sandfish {

/// A part of the bytes of the file.
struct TextSpan
{
    std::size_t begin = 0;
    std::size_t size = 0;
    bool isEmpty() const { return size == 0; }
    std::size_t end() const { return begin + size; }
    std::string_view in(const QByteArray &bytes) const
    {
        return std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())).substr(begin, size);
    }
};

/// The bytes an output was read from; they are written back while its revision is the same.
struct OutputOrigin
{
    std::uint64_t serial = 0;
    std::uint64_t revision = 0;
    TextSpan span;
};

/// A cell with what it was read from and what has changed since.
struct CellRecord
{
    enum Change : unsigned
    {
        SourceChanged = 0x1,
        TypeChanged = 0x2,
        OutputsChanged = 0x4,
        CountChanged = 0x8,
        LanguageChanged = 0x10,
        CollapsedChanged = 0x20,
        ExecutionChanged = 0x40,
        IdChanged = 0x80,
    };

    Cell cell;
    TextSpan origin; ///< the cell in the file; empty: made here
    qsizetype filePosition = -1;
    TextSpan outputs;                ///< the array in the file
    bool hasUnparsedOutputs = false; ///< cell.outputs is to be read from \ref outputs
    std::vector<OutputOrigin> outputOrigins;
    unsigned changes = 0;
    bool clearsAtNextOutput = false;
    qsizetype index = -1; ///< in the notebook; -1: removed
};

} // namespace sandfish
