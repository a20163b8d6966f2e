#pragma once

#include <QTextLayout>

#include <vector>

class QTextCharFormat;

namespace sandfish {

class Theme;

/// What a stretch of code is; the theme gives it a colour.
enum class SyntaxStyle
{
    Keyword,
    String,
    Number,
    Function,
    Comment,
    Heading,  ///< Markdown
    Strong,   ///< Markdown
    Emphasis, ///< Markdown
    Invalid   ///< what the language does not allow
};

/// A stretch of one line, in UTF-16 units. Spans are in order and do not overlap.
struct SyntaxSpan
{
    int start = 0;
    int length = 0;
    SyntaxStyle style = SyntaxStyle::Keyword;
    bool operator==(const SyntaxSpan &) const = default;
};

QTextCharFormat syntaxFormat(SyntaxStyle style, const Theme &theme);
QList<QTextLayout::FormatRange> syntaxFormats(const std::vector<SyntaxSpan> &spans, const Theme &theme);

} // namespace sandfish
