#pragma once

#include "ui/outputs/outputrenderer.h"
#include "ui/outputs/textlines.h"
#include "ui/outputs/textpieces.h"
#include "ui/text/ansiparser.h"
#include "ui/text/linelayout.h"
#include "ui/text/theme.h"

#include <memory>
#include <vector>

namespace sandfish {

/// A stretch of a line that stands in one row, in UTF-16 units.
struct TextRow
{
    int start = 0;
    int length = 0;
};

/// \a text cut after \a columns terminal columns; never empty. TAB goes to the next multiple of eight.
std::vector<TextRow> wrappedRows(QStringView text, int columns);

/// The formats of \a spans in \a row, from its start on.
QList<QTextLayout::FormatRange> rowFormats(const std::vector<AnsiSpan> &spans, const TextRow &row, const Theme &theme);

/// Paints lines on the grid of the code font: wrapped after whole columns as in a terminal, only what is visible is
/// decoded and shaped. Shows the last RenderStyle::maxShownLines lines, and of a line its first 4096 bytes.
class TextBlock : public SelectableText
{
public:
    static constexpr std::size_t kMaxLineBytes = 4096;

    /// \a serial: of the output whose marks are painted; 0: none are.
    TextBlock(std::unique_ptr<TextLines> lines, const RenderStyle &style, ColorToken ink = ColorToken::Text,
        std::uint64_t serial = 0);
    ~TextBlock() override;

    const TextLines &lines() const { return *m_lines; }
    /// The lines changed: measure again.
    void invalidate() { m_widthPx = -1; }
    /// Cost after a change: O(bytes of the shown lines), about 1 ns a byte of ASCII with colours.
    qreal heightForWidth(qreal widthPx);
    /// At (0,0); \a clip in the same coordinates.
    void paint(QPainter &painter, const QRectF &clip);

    TextPoint pointAt(QPointF point) override;
    TextRange wordAt(const TextPoint &point) override;
    TextRange whole() override;
    QString textOf(const TextRange &span) override;
    QRectF currentHitRect(const TextMarks &marks) override;

    /// The rows as pieces of a larger text, at \a origin of its coordinates.
    std::vector<TextPiece> pieces(QPointF origin) const;

    std::size_t firstShownLine() const { return m_firstShown; }
    std::size_t shownLines() const { return m_rowStarts.empty() ? 0 : m_rowStarts.size() - 1; }

private:
    /// A part of a line with a colour behind it.
    struct Ground
    {
        int start;
        int end;
        ColorToken color;
        bool takesLineEnd;
        bool isHit;
    };
    void measure();
    int rowsOf(std::size_t index) const;
    void paintLine(QPainter &painter, std::size_t index, int firstRow, int lastRow);
    LineStyle lineStyle() const;
    const QTextLayout &rowLayout(const AnsiText &text, const TextRow &row);
    std::vector<Ground> groundsOf(std::size_t index, const QString &text) const;
    /// Returns the formats that go over those of the text.
    QList<QTextLayout::FormatRange> paintGrounds(QPainter &painter, const std::vector<Ground> &grounds,
        const QTextLayout &layout, const TextRow &row, int textSize, QPointF origin) const;
    AnsiText shownText(std::size_t index) const;
    LineLayoutCache &cache();

    std::unique_ptr<TextLines> m_lines;
    const RenderStyle &m_style;
    ColorToken m_ink;
    std::uint64_t m_serial;
    std::unique_ptr<LineLayoutCache> m_ownCache;
    qreal m_widthPx = -1;
    int m_columns = 80;
    std::size_t m_firstShown = 0;
    std::vector<int> m_rowStarts; ///< of the shown lines, and one past the last
};

} // namespace sandfish
