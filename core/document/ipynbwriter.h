#pragma once

#include "core/document/ipynbreader.h"

#include <QByteArray>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sandfish {

class CellSnapshot;

/// The bytes of a notebook to save: parts of the file it came from and new text between them. A value that any thread
/// may write out; cheap to make: untouched parts are shared, and changed outputs become text only where it is needed.
class NotebookImage
{
public:
    explicit NotebookImage(QByteArray source = {});

    void append(const TextSpan &span);
    void append(std::string text);
    void append(std::shared_ptr<const CellSnapshot> cell);

    qsizetype sizeBytes() const;
    QByteArray toBytes() const;
    /// True if the bytes are those of the source.
    bool isSource() const;

    template <typename Visitor> void visit(Visitor visitor) const
    {
        for (const auto &piece : m_pieces)
            visitor(viewOf(piece));
    }

private:
    using Piece = std::variant<TextSpan, std::string, std::shared_ptr<const CellSnapshot>>;
    std::string_view viewOf(const Piece &piece) const;

    QByteArray m_source;
    std::vector<Piece> m_pieces;
};

/// What is saved of a notebook besides its cells.
struct NotebookFrame
{
    QByteArray bytes;
    JsonLayout layout;
    int minor = 5;
    TextSpan cells;
    TextSpan cellRun; ///< from the first cell of the file to the last; empty: there are none
    TextSpan metadata;
    std::optional<QString> newLanguage;
};

/// Cells that did not change keep their bytes, and changed ones keep what did not change in them.
NotebookImage notebookImage(const NotebookFrame &frame, const std::vector<std::shared_ptr<CellRecord>> &records);

/// The JSON of one cell as it would be saved, at depth 2.
std::string cellText(const CellRecord &record, const NotebookFrame &frame);

} // namespace sandfish
