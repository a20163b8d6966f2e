#pragma once

#include "ui/text/codehighlighter.h"

#include <QSyntaxHighlighter>

namespace sandfish {

/// Colours the document of the live editor exactly as CodeHighlighter colours the painted cell. Thread: GUI.
class EditorHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT
public:
    /// \a theme is borrowed and outlives this or the next setTheme().
    EditorHighlighter(QTextDocument *document, const QString &language, const Theme &theme);

    void setLanguage(const QString &language);
    void setTheme(const Theme &theme);

protected:
    void highlightBlock(const QString &text) override;

private:
    LineHighlighter m_highlighter;
    const Theme *m_theme;
};

} // namespace sandfish
