#include "ui/outputs/markdownrender.h"

#include "ui/outputs/documentpolish.h"
#include "ui/outputs/htmltokens.h"
#include "ui/outputs/markdownsource.h"
#include "ui/outputs/staticdocument.h"
#include "ui/text/theme.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextFragment>
#include <QTextList>

#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kMaxHtmlDepth = 60;
constexpr std::size_t kMaxHtmlTags = 20'000;
constexpr qreal kParagraphGapPx = 8;
constexpr qreal kHeadingGapPx = 10;
constexpr qreal kItemGapPx = 2;
constexpr qreal kQuoteIndentPx = 20;

/// False if the HTML in \a text nests so deep, or is so much, that its layout would take long.
bool hasHarmlessHtml(const QString &text)
{
    if (!text.contains(u'<'))
        return true;
    int depth = 0;
    const std::vector<HtmlToken> tokens = htmlTokens(text);
    for (const HtmlToken &token : tokens) {
        if (token.kind == HtmlToken::Kind::Open)
            ++depth;
        else if (token.kind == HtmlToken::Kind::Close)
            depth = std::max(0, depth - 1);
        if (depth > kMaxHtmlDepth)
            return false;
    }
    return tokens.size() <= kMaxHtmlTags;
}

class Setter
{
public:
    Setter(QTextDocument &document, const Theme &theme)
        : m_document(document)
        , m_theme(theme)
    {
    }

    void run()
    {
        // Without an edit block every change would have the layout look for the cursor's line again.
        QTextCursor edit(&m_document);
        edit.beginEditBlock();
        for (QTextBlock block = m_document.begin(); block.isValid(); block = block.next()) {
            setBlock(block);
            setFragments(block);
        }
        edit.endEditBlock();
    }

private:
    static bool isCode(const QTextBlock &block)
    {
        return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)
            || block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage)
            || block.blockFormat().nonBreakableLines();
    }

    void setBlock(const QTextBlock &block)
    {
        QTextBlockFormat format = block.blockFormat();
        const int level = format.headingLevel();
        const bool isFirst = block == m_document.begin();
        const bool isLast = !block.next().isValid();
        TextStyle style = TextStyle::MarkdownBody;
        if (isCode(block))
            style = TextStyle::Code;
        else if (level > 0)
            style = level == 1 ? TextStyle::MarkdownH1 : level == 2 ? TextStyle::MarkdownH2 : TextStyle::MarkdownH3;
        // The ground of code is painted for the line's own height, so extra space would show as stripes.
        if (!isCode(block))
            format.setLineHeight(m_theme.linePx(style), QTextBlockFormat::MinimumHeight);
        const bool isTight = block.textList() || (isCode(block) && isCode(block.next()));
        format.setTopMargin(level > 0 && !isFirst ? kHeadingGapPx : 0);
        format.setBottomMargin(isLast ? 0
                : isTight             ? (isCode(block) ? 0 : kItemGapPx)
                : level > 0           ? 2
                                      : kParagraphGapPx);
        if (const int quotes = format.intProperty(QTextFormat::BlockQuoteLevel); quotes > 0) {
            format.setLeftMargin(quotes * kQuoteIndentPx);
            format.setRightMargin(0);
        }
        if (isCode(block))
            format.setBackground(m_theme.color(ColorToken::Code));
        QTextCursor(block).setBlockFormat(format);
    }

    void setFragments(const QTextBlock &block)
    {
        struct Piece
        {
            int position;
            int length;
            QTextCharFormat format;
        };
        std::vector<Piece> pieces; // changing a format moves the fragments
        for (auto it = block.begin(); !it.atEnd(); ++it)
            pieces.push_back({it.fragment().position(), it.fragment().length(), it.fragment().charFormat()});
        for (Piece &piece : pieces) {
            const QTextCharFormat before = piece.format;
            if (!piece.format.isImageFormat())
                setFont(piece.format, block);
            if (piece.format == before)
                continue;
            QTextCursor cursor(&m_document);
            cursor.setPosition(piece.position);
            cursor.setPosition(piece.position + piece.length, QTextCursor::KeepAnchor);
            cursor.setCharFormat(piece.format);
        }
    }

    void setFont(QTextCharFormat &format, const QTextBlock &block)
    {
        const int level = block.blockFormat().headingLevel();
        format.clearProperty(QTextFormat::FontSizeAdjustment);
        if (level > 0) {
            format.setProperty(QTextFormat::FontPixelSize, m_theme.markdownFont(level).pixelSize());
            format.setFontWeight(QFont::DemiBold);
        } else if (format.fontWeight() > QFont::Normal) {
            format.setFontWeight(QFont::DemiBold);
        }
        if (format.fontFixedPitch() || isCode(block)) {
            format.setFontFamilies(m_theme.codeFont().families());
            format.setFontStyleHint(QFont::Monospace);
            if (level == 0)
                format.setProperty(QTextFormat::FontPixelSize, m_theme.codeFont().pixelSize());
            if (!isCode(block))
                format.setBackground(m_theme.color(ColorToken::Code));
        }
        if (format.isAnchor()) {
            format.setForeground(m_theme.color(ColorToken::Accent));
            format.setFontUnderline(false);
        }
    }

    QTextDocument &m_document;
    const Theme &m_theme;
};

} // namespace

MarkdownRender::MarkdownRender(const QString &markdown, const Theme &theme)
    : m_document(std::make_unique<StaticDocument>(theme, theme.markdownFont(0)))
    , m_maxWidthPx(theme.scaled(kMaxWidthPx))
{
    MarkdownSource source = boundedMarkdown(markdown);
    m_document->setPictures(std::move(source.pictures));
    QTextDocument::MarkdownFeatures features = QTextDocument::MarkdownDialectGitHub;
    if (!hasHarmlessHtml(source.text))
        features |= QTextDocument::MarkdownNoHTML;
    if (source.isPlain)
        m_document->setPlainText(source.text);
    else
        m_document->setMarkdown(source.text, features);
    Setter(*m_document, theme).run();
    polishDocument(*m_document, theme);
}

MarkdownRender::~MarkdownRender() = default;
MarkdownRender::MarkdownRender(MarkdownRender &&) noexcept = default;
MarkdownRender &MarkdownRender::operator=(MarkdownRender &&) noexcept = default;

qreal MarkdownRender::heightForWidth(qreal widthPx)
{
    return m_document->layOut(std::min(widthPx, m_maxWidthPx));
}

void MarkdownRender::paint(QPainter &painter, const QRectF &clip, const TextMarks *marks, std::uint64_t serial)
{
    m_document->paint(painter, clip, marks, serial);
}

SelectableText *MarkdownRender::text() const
{
    return m_document.get();
}

std::vector<OutputAction> MarkdownRender::links(const RenderStyle &style)
{
    return m_document->links(style);
}

QString MarkdownRender::plainText() const
{
    return m_document->toPlainText();
}

} // namespace sandfish
