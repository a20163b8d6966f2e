#pragma once

#include "ui/outputs/outputrenderer.h"

#include <QString>

#include <memory>

namespace sandfish {

class StaticDocument;

/// Markdown set with the theme's fonts (DESIGN.md §2.4), at most 760 px wide; for Markdown cells and outputs. Reads no
/// file and no network. Thread: GUI. Cost: some 30 µs a line.
class MarkdownRender
{
public:
    static constexpr qreal kMaxWidthPx = 760;

    /// \a theme is borrowed and outlives this; a new theme needs a new one.
    MarkdownRender(const QString &markdown, const Theme &theme);
    ~MarkdownRender();
    MarkdownRender(MarkdownRender &&) noexcept;
    MarkdownRender &operator=(MarkdownRender &&) noexcept;

    qreal heightForWidth(qreal widthPx);
    /// At (0,0); \a clip in the same coordinates.
    void paint(QPainter &painter, const QRectF &clip, const TextMarks *marks = nullptr, std::uint64_t serial = 0);
    SelectableText *text() const;
    std::vector<OutputAction> links(const RenderStyle &style);
    QString plainText() const;

private:
    std::unique_ptr<StaticDocument> m_document;
    qreal m_maxWidthPx = kMaxWidthPx;
};

} // namespace sandfish
