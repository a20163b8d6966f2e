#include "ui/text/editorhighlighter.h"

#include "ui/text/syntaxrepository.h"

#include <QTextBlock>
#include <QTextCharFormat>

namespace sandfish {
namespace {

class BlockState : public QTextBlockUserData
{
public:
    explicit BlockState(const SyntaxState &state)
        : after(state)
    {
    }
    SyntaxState after;
};

SyntaxState stateAfter(const QTextBlock &block)
{
    const auto *data = dynamic_cast<BlockState *>(block.userData());
    return data ? data->after : SyntaxState();
}

} // namespace

EditorHighlighter::EditorHighlighter(QTextDocument *document, const QString &language, const Theme &theme)
    : QSyntaxHighlighter(document)
    , m_highlighter(language)
    , m_theme(&theme)
{
    connect(&SyntaxRepository::instance(), &SyntaxRepository::ready, this, &QSyntaxHighlighter::rehighlight);
}

void EditorHighlighter::setLanguage(const QString &language)
{
    if (language == m_highlighter.language())
        return;
    m_highlighter = LineHighlighter(language);
    rehighlight();
}

void EditorHighlighter::setTheme(const Theme &theme)
{
    m_theme = &theme;
    rehighlight();
}

void EditorHighlighter::highlightBlock(const QString &text)
{
    const LineHighlighter::Line line = m_highlighter.highlight(text, stateAfter(currentBlock().previous()));
    for (const SyntaxSpan &span : line.spans)
        setFormat(span.start, span.length, syntaxFormat(span.style, *m_theme));
    if (currentBlock().userData() && stateAfter(currentBlock()) == line.state)
        return;
    setCurrentBlockUserData(new BlockState(line.state));
    // The base class goes on to the next block when this number changes; what it is does not matter.
    setCurrentBlockState(currentBlockState() + 1);
}

} // namespace sandfish
