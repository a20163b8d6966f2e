#pragma once

#include "core/document/ipynbreader.h"
#include "core/document/jsontext.h"

#include <string_view>

namespace sandfish {

/// Reads the cells of a notebook one after the other into its records.
class CellReader
{
public:
    /// The notebook's bytes and minor must be set, and it must outlive the reader.
    explicit CellReader(ParsedNotebook &notebook);

    /// \a text and its \a members lie in the notebook's bytes; what is no object has none. Never fails: what is not
    /// understood is kept.
    void read(std::string_view text, JsonNodes members);
    /// Gives ids where the format needs them, and internal ones where it has none.
    void repairIds();

private:
    void readMembers(JsonNodes members, CellRecord &record);
    void readMetadata(std::string_view metadata, Cell &cell) const;
    void tolerate(const QString &sentence);

    ParsedNotebook &m_notebook;
};

} // namespace sandfish
