#pragma once

#include "core/document/ipynbreader.h"

#include <string_view>

namespace sandfish {

/// Reads the cells of a notebook one after the other into its records.
class CellReader
{
public:
    /// The notebook's bytes and minor must be set, and it must outlive the reader.
    explicit CellReader(ParsedNotebook &notebook);

    /// \a text lies in the notebook's bytes. Never fails: what is not understood is kept.
    void read(std::string_view text);
    /// Gives ids where the format needs them, and internal ones where it has none.
    void repairIds();

private:
    void readMembers(std::string_view text, CellRecord &record);
    void readMetadata(std::string_view metadata, Cell &cell) const;
    void tolerate(const QString &sentence);

    ParsedNotebook &m_notebook;
};

} // namespace sandfish
