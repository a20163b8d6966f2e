#pragma once

#include "ui/text/syntaxstyle.h"

#include <QString>
#include <QStringList>
#include <QTextLayout>

#include <memory>
#include <vector>

namespace sandfish {

class Theme;

/// The state in which the highlighter is between two lines; a value, cheap to copy, opaque.
class SyntaxState
{
public:
    SyntaxState();
    ~SyntaxState();
    SyntaxState(const SyntaxState &other);
    SyntaxState &operator=(const SyntaxState &other);
    bool operator==(const SyntaxState &other) const;

private:
    friend class LineHighlighter;
    struct Data;
    std::shared_ptr<const Data> d; // null: the start of a text
};

/// Highlights one line after another in one language: what painter and live editor share, so that both look the same.
/// While SyntaxRepository is not ready, and for unknown languages, everything is plain. Thread: GUI.
class LineHighlighter
{
public:
    explicit LineHighlighter(const QString &language = {});
    ~LineHighlighter();
    LineHighlighter(LineHighlighter &&) noexcept;
    LineHighlighter &operator=(LineHighlighter &&) noexcept;

    const QString &language() const { return m_language; }
    /// False while plain because the repository is not ready.
    bool isLoaded() const;

    struct Line
    {
        std::vector<SyntaxSpan> spans;
        SyntaxState state; ///< for the next line
    };
    /// \a text has no line end. Cost: about 1 µs a character; lines over 4096 characters are plain.
    Line highlight(QStringView text, const SyntaxState &state);

private:
    class Engine;
    void load();

    QString m_language;
    std::unique_ptr<Engine> m_engine;
};

/// The spans of a whole text, line by line, with the states between the lines kept: an edit costs the changed lines and
/// those after them until the state is again what it was.
class CodeHighlighter
{
public:
    explicit CodeHighlighter(const QString &language = {});

    void setLanguage(const QString &language);
    void setText(const QString &text);
    int lineCount() const { return static_cast<int>(m_lines.size()); }
    const QString &lineText(int line) const { return m_lines[static_cast<std::size_t>(line)].text; }
    /// Highlights up to \a line if that is not done yet.
    const std::vector<SyntaxSpan> &spans(int line);
    QList<QTextLayout::FormatRange> formats(int line, const Theme &theme);
    /// Lines highlighted since the start; for tests of the cost.
    std::size_t highlightedLines() const { return m_highlightedLines; }

private:
    struct Line
    {
        QString text;
        SyntaxState before;
        SyntaxState after;
        std::vector<SyntaxSpan> spans;
        bool isDone = false;
    };
    LineHighlighter m_highlighter;
    std::vector<Line> m_lines;
    std::size_t m_doneLines = 0; // all before this one are up to date
    std::size_t m_highlightedLines = 0;
    bool m_wasLoaded = false;
};

} // namespace sandfish
