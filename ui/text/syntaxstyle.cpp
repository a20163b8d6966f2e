#include "ui/text/syntaxstyle.h"

#include "ui/text/theme.h"

#include <QTextCharFormat>

namespace sandfish {
namespace {

ColorToken tokenOf(SyntaxStyle style)
{
    switch (style) {
    case SyntaxStyle::Keyword:
        return ColorToken::Keyword;
    case SyntaxStyle::String:
        return ColorToken::StringLiteral;
    case SyntaxStyle::Number:
        return ColorToken::Number;
    case SyntaxStyle::Function:
        return ColorToken::Function;
    case SyntaxStyle::Comment:
        return ColorToken::Comment;
    case SyntaxStyle::Invalid:
        return ColorToken::Error;
    case SyntaxStyle::Heading:
    case SyntaxStyle::Strong:
    case SyntaxStyle::Emphasis:
        break;
    }
    return ColorToken::Text;
}

} // namespace

QTextCharFormat syntaxFormat(SyntaxStyle style, const Theme &theme)
{
    QTextCharFormat format;
    format.setForeground(theme.color(tokenOf(style)));
    if (style == SyntaxStyle::Comment || style == SyntaxStyle::Emphasis)
        format.setFontItalic(true);
    if (style == SyntaxStyle::Heading || style == SyntaxStyle::Strong)
        format.setFontWeight(QFont::DemiBold);
    return format;
}

QList<QTextLayout::FormatRange> syntaxFormats(const std::vector<SyntaxSpan> &spans, const Theme &theme)
{
    QList<QTextLayout::FormatRange> formats;
    formats.reserve(static_cast<qsizetype>(spans.size()));
    for (const SyntaxSpan &span : spans)
        formats.append({span.start, span.length, syntaxFormat(span.style, theme)});
    return formats;
}

} // namespace sandfish
