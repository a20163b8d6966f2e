#include "ui/outputs/richtextoutput.h"

#include "ui/outputs/documentpolish.h"
#include "ui/outputs/htmlsanitizer.h"
#include "ui/outputs/markdownrender.h"
#include "ui/outputs/staticdocument.h"
#include "ui/outputs/tableoutput.h"
#include "ui/outputs/textoutput.h"
#include "ui/text/theme.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

// Longer HTML is shown as its text form: the layout of a text document runs in the GUI thread.
constexpr std::size_t kMaxHtmlBytes = 512 << 10;

QString toText(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

class HtmlItem : public OutputItem
{
public:
    HtmlItem(const QString &cleanHtml, std::uint64_t serial, const RenderStyle &style)
        : m_style(style)
        , m_serial(serial)
        , m_document(*style.theme, style.theme->uiFont())
    {
        m_document.setHtml(cleanHtml);
        polishDocument(m_document, *style.theme);
    }
    qreal heightForWidth(qreal widthPx) override { return m_document.layOut(widthPx); }
    void paint(QPainter &painter, const QRectF &clip) override
    {
        m_document.paint(painter, clip, &m_style.marks, m_serial);
    }
    Selectable selectable() override { return {&m_document, {}}; }
    bool update(const Output &) override { return false; }
    std::vector<OutputAction> actions() override { return m_document.links(m_style); }
    QString plainText() const override { return m_document.toPlainText(); }

private:
    const RenderStyle &m_style;
    std::uint64_t m_serial;
    StaticDocument m_document;
};

class MarkdownItem : public OutputItem
{
public:
    MarkdownItem(const QString &markdown, std::uint64_t serial, const RenderStyle &style)
        : m_style(style)
        , m_serial(serial)
        , m_render(markdown, *style.theme)
    {
    }
    qreal heightForWidth(qreal widthPx) override { return m_render.heightForWidth(widthPx); }
    void paint(QPainter &painter, const QRectF &clip) override
    {
        m_render.paint(painter, clip, &m_style.marks, m_serial);
    }
    Selectable selectable() override { return {m_render.text(), {}}; }
    bool update(const Output &) override { return false; }
    std::vector<OutputAction> actions() override { return m_render.links(m_style); }
    QString plainText() const override { return m_render.plainText(); }

private:
    const RenderStyle &m_style;
    std::uint64_t m_serial;
    MarkdownRender m_render;
};

} // namespace

QStringList HtmlRenderer::mimeTypes() const
{
    return {u"text/html"_s};
}

std::unique_ptr<OutputItem> HtmlRenderer::createItem(
    const Output &output, std::string_view mimeType, const RenderStyle &style) const
{
    const std::string_view html = output.data.text(mimeType);
    const std::string_view plain = output.data.text("text/plain");
    if (html.size() > kMaxHtmlBytes && !plain.empty())
        return std::make_unique<TextOutput>(std::string(plain), output.serial, style);
    const std::vector<HtmlToken> tokens = htmlTokens(toText(html.substr(0, kMaxHtmlBytes)));
    if (std::optional<TableData> table = tableFromHtml(tokens))
        return std::make_unique<TableOutput>(std::move(*table), output.serial, style);
    const bool hasContent = std::any_of(tokens.begin(), tokens.end(), [](const HtmlToken &token) {
        return token.kind == HtmlToken::Kind::Text ? !token.text.trimmed().isEmpty() : token.name == "img"_L1;
    });
    if (!hasContent)
        return nullptr;
    return std::make_unique<HtmlItem>(sanitizedHtml(tokens), output.serial, style);
}

QStringList MarkdownRenderer::mimeTypes() const
{
    return {u"text/markdown"_s};
}

std::unique_ptr<OutputItem> MarkdownRenderer::createItem(
    const Output &output, std::string_view mimeType, const RenderStyle &style) const
{
    return std::make_unique<MarkdownItem>(toText(output.data.text(mimeType)), output.serial, style);
}

} // namespace sandfish
