#pragma once

#include "core/document/ipynbwriter.h"

#include <mutex>
#include <string>
#include <string_view>

namespace sandfish {

/// A cell as it was when the image was made. The text of its outputs may be large, so it is laid out where the image is
/// written, in whatever thread that is, and once. Thread: made in the document's, read in any.
class CellSnapshot
{
public:
    /// Cost: the values of outputs are copied; the text of streams is shared.
    CellSnapshot(const CellRecord &record, const NotebookFrame &frame);

    /// The JSON of the cell, at depth 2. Valid as long as the snapshot.
    std::string_view text() const;

private:
    CellRecord m_record;
    NotebookFrame m_frame;
    mutable std::once_flag m_isLaidOut;
    mutable std::string m_text;
};

} // namespace sandfish
