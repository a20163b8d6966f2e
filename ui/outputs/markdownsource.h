#pragma once

#include <QHash>
#include <QString>

namespace sandfish {

/// Markdown made ready for a QTextDocument, whose layout takes time that grows with the square of a paragraph's length.
struct MarkdownSource
{
    /// Long `data:` URIs are short names here; long lines end in a note, and so does the whole if it is too long.
    QString text;
    /// The `data:` URI of each name.
    QHash<QString, QString> pictures;
    /// A paragraph is so long, or has so many marks, that only its lines can be shown.
    bool isPlain = false;
};

/// Thread: any. Cost: O(markdown).
MarkdownSource boundedMarkdown(const QString &markdown);

} // namespace sandfish
