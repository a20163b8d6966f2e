#pragma once

#include "ui/outputs/outputrenderer.h"
#include "ui/outputs/textmarks.h"

#include <QHash>
#include <QTextCursor>
#include <QTextDocument>

#include <vector>

namespace sandfish {

/// A text document that reads nothing: pictures come from data: addresses inside the text or not at all; no file, no
/// network. Colours and fonts are the theme's. Thread: GUI.
class StaticDocument : public QTextDocument, public SelectableText
{
public:
    StaticDocument(const Theme &theme, const QFont &baseFont);

    /// The `data:` URIs that stand for some names, which are `data:` URIs too; before the text is set.
    void setPictures(QHash<QString, QString> pictures) { m_pictures = std::move(pictures); }
    /// Lays out for a width in logical px and returns the height; O(1) if the width is the same.
    qreal layOut(qreal widthPx);
    /// \a marks with what concerns \a serial; null: none.
    void paint(QPainter &painter, const QRectF &clip, const TextMarks *marks = nullptr, std::uint64_t serial = 0);
    /// The links that may be opened, as requests to the surroundings; empty if those take none.
    std::vector<OutputAction> links(const RenderStyle &style);

    // In all of them line is 0 and column a position of the document.
    TextPoint pointAt(QPointF point) override;
    TextRange wordAt(const TextPoint &point) override;
    TextRange whole() override;
    QString textOf(const TextRange &span) override;
    QRectF currentHitRect(const TextMarks &marks) override;

protected:
    QVariant loadResource(int type, const QUrl &name) override;

private:
    QTextCursor cursorOf(int start, int end);
    const std::vector<int> &hits(const QString &needle, Qt::CaseSensitivity sensitivity);

    const Theme &m_theme;
    QHash<QString, QString> m_pictures;
    qreal m_widthPx = -1;
    qreal m_heightPx = 0;
    QString m_needle; ///< that \ref m_hits are of
    Qt::CaseSensitivity m_sensitivity = Qt::CaseInsensitive;
    std::vector<int> m_hits;
};

} // namespace sandfish
