#pragma once

#include "ui/outputs/outputrenderer.h"

#include <QTextDocument>

namespace sandfish {

/// A text document that reads nothing: pictures come from data: addresses inside the text or not at all; no file, no
/// network. Colours and fonts are the theme's. Thread: GUI.
class StaticDocument : public QTextDocument
{
public:
    StaticDocument(const Theme &theme, const QFont &baseFont);

    /// Lays out for a width in logical px and returns the height; O(1) if the width is the same.
    qreal layOut(qreal widthPx);
    void paint(QPainter &painter, const QRectF &clip);
    /// The links that may be opened, as requests to the surroundings; empty if those take none.
    std::vector<OutputAction> links(const RenderStyle &style);

protected:
    QVariant loadResource(int type, const QUrl &name) override;

private:
    const Theme &m_theme;
    qreal m_widthPx = -1;
    qreal m_heightPx = 0;
};

} // namespace sandfish
