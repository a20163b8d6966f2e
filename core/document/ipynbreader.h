#pragma once

#include "core/base/result.h"
#include "core/document/cellrecord.h"
#include "core/document/jsonlayout.h"

#include <QString>

#include <memory>
#include <vector>

namespace sandfish {

/// A notebook file, indexed: sources are read, outputs and unknown parts are places in the bytes.
struct ParsedNotebook
{
    QByteArray bytes; ///< UTF-8, with its BOM if it had one
    JsonLayout layout;
    int minor = 5;
    TextSpan cells;    ///< the array
    TextSpan cellRun;  ///< from the first cell to the last; empty: there are none
    TextSpan metadata; ///< the object
    std::vector<std::shared_ptr<CellRecord>> records;
    QString language;              ///< normalised; empty: the file does not say
    std::vector<QString> problems; ///< one sentence each
    bool isRepaired = false;       ///< saving would not give the bytes of the file
    bool isUpgraded = false;       ///< was nbformat 3 or older
    bool lacksCells = false;       ///< the file has no list of cells: it is empty, or some other JSON
};

/// Reads nbformat 4, and older ones by upgrade. A pure function: call it in any thread.
/// Cost: three passes over the bytes at memory speed, one of them checks and indexes; outputs are not decoded.
/// Memory: the bytes are shared, not copied.
Result<std::shared_ptr<ParsedNotebook>> parseNotebook(const QByteArray &bytes);

/// The bytes of a notebook without cells in the layout of Jupyter.
QByteArray emptyNotebookBytes(const QString &language);
/// The metadata that tells Jupyter of a language: members kernelspec and language_info.
std::vector<std::pair<std::string, Json>> languageMetadata(const QString &language);
/// nbformat 4.5: 8 characters.
CellId makeCellId();
bool isValidCellId(QStringView id);

} // namespace sandfish
