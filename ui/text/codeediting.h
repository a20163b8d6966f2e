#pragma once

#include <QString>
#include <QTextCursor>

namespace sandfish {

/// How a text indents: found in the text itself, else the custom of the language.
struct IndentStyle
{
    bool usesTabs = false;
    int width = 4; ///< columns of one step
    QString step() const { return usesTabs ? QStringLiteral("\t") : QString(width, u' '); }
    bool operator==(const IndentStyle &) const = default;
};

IndentStyle indentStyleOf(const QString &text, const QString &language);

/// What starts a comment to the end of the line; empty where the language has none, such as Markdown.
QString lineCommentOf(const QString &language);

// Each of these is one step of the cursor's undo history.

/// Ends the line and indents the next as the code asks: deeper after an opening bracket or a Python colon, less after a
/// Python return; a bracket pair around the cursor is opened up over three lines.
void insertNewline(QTextCursor &cursor, const QString &language);
/// Indents the selected lines, or inserts up to the next step at the cursor.
void indent(QTextCursor &cursor, const IndentStyle &style);
/// Takes one step from the selected lines or the cursor's line.
void unindent(QTextCursor &cursor, const IndentStyle &style);
/// Comments the selected lines at their least indentation, or uncomments them if all are comments. False if the
/// language has no line comment.
bool toggleComment(QTextCursor &cursor, const QString &language);
/// Within leading spaces deletes back to the step before. False if there is nothing of that kind before the cursor.
bool deleteIndentBefore(QTextCursor &cursor, const IndentStyle &style);

} // namespace sandfish
