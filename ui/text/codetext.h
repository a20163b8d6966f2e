#pragma once

#include "ui/text/codehighlighter.h"
#include "ui/text/coderows.h"
#include "ui/text/shownsource.h"
#include "ui/text/textfind.h"

#include <QPointF>
#include <QRectF>

#include <optional>

class QPainter;

namespace sandfish {

class Theme;

/// Code as it stands in an idle cell: painted line by line, only what is visible is highlighted and shaped; of very
/// long lines the beginning, as ShownSource has it. Looks the same to the pixel as a CodeEditor with the same shown
/// text. Thread: GUI.
class CodeText
{
public:
    /// \a cache is shared by all cells of a page and outlives this.
    explicit CodeText(LineLayoutCache &cache);

    void setText(const QString &text);
    const QString &text() const { return m_text; }
    const ShownSource &shown() const { return m_shown; }
    void setLanguage(const QString &language);

    /// Lays out for a width in logical px. Cost: O(text) after a change, else constant.
    void layOut(const Theme &theme, qreal widthPx);
    qreal height() const;
    qreal firstRowWidth() const;

    /// \a origin is where the first row begins, \a clip in the painter's coordinates.
    void paint(
        QPainter &painter, const Theme &theme, QPointF origin, const QRectF &clip, const TextFind &find = TextFind());
    /// The offset in the shown text nearest to \a point, relative to the first row's left top.
    int positionAt(QPointF point);

    /// The row that holds the character at \a offset of the shown text, relative to the first row's left top.
    QRectF rowRectAt(int offset);

private:
    int lineAtRow(int row) const;
    int startOf(int line) const;

    LineLayoutCache &m_cache;
    CodeHighlighter m_highlighter;
    QString m_text;
    ShownSource m_shown;
    std::optional<CodeRows> m_rows;
    std::vector<int> m_firstRow; // of each line, and the count of all at the end
    bool m_isStale = true;
};

} // namespace sandfish
