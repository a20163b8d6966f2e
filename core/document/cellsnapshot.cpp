#include "core/document/cellsnapshot.h"

namespace sandfish {

CellSnapshot::CellSnapshot(const CellRecord &record, const NotebookFrame &frame)
    : m_record(record)
    , m_frame(frame)
{
    for (Output &output : m_record.cell.outputs) {
        if (output.text)
            output.text = output.text->snapshot();
    }
}

std::string_view CellSnapshot::text() const
{
    std::call_once(m_isLaidOut, [this] { m_text = cellText(m_record, m_frame); });
    return m_text;
}

} // namespace sandfish
