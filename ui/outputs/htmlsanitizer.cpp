#include "ui/outputs/htmlsanitizer.h"

#include <QRegularExpression>
#include <QSet>
#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr std::size_t kMaxDepth = 60;
constexpr int kMaxTags = 20'000;
constexpr int kMaxSpan = 1000;
constexpr qsizetype kMaxPictureChars = 4 << 20;

bool isAllowedTag(const QString &name)
{
    static const QSet<QString> names{u"a"_s, u"b"_s, u"big"_s, u"blockquote"_s, u"br"_s, u"caption"_s, u"center"_s,
        u"cite"_s, u"code"_s, u"dd"_s, u"del"_s, u"details"_s, u"dfn"_s, u"div"_s, u"dl"_s, u"dt"_s, u"em"_s, u"font"_s,
        u"h1"_s, u"h2"_s, u"h3"_s, u"h4"_s, u"h5"_s, u"h6"_s, u"hr"_s, u"i"_s, u"img"_s, u"kbd"_s, u"li"_s, u"ol"_s,
        u"p"_s, u"pre"_s, u"s"_s, u"samp"_s, u"small"_s, u"span"_s, u"strong"_s, u"sub"_s, u"summary"_s, u"sup"_s,
        u"table"_s, u"tbody"_s, u"td"_s, u"tfoot"_s, u"th"_s, u"thead"_s, u"tr"_s, u"tt"_s, u"u"_s, u"ul"_s, u"var"_s};
    return names.contains(name);
}

bool isVoidTag(const QString &name)
{
    return name == "br"_L1 || name == "hr"_L1 || name == "img"_L1;
}

bool isAllowedPicture(const QString &source)
{
    static const QRegularExpression raster(u"^data:image/(?:png|jpeg|gif|webp);base64,"_s);
    return source.size() <= kMaxPictureChars && raster.match(source).hasMatch();
}

/// Those declarations of a style attribute that only colour and weigh text.
QString allowedStyle(const QString &style)
{
    static const QSet<QString> properties{u"color"_s, u"background-color"_s, u"font-weight"_s, u"font-style"_s,
        u"text-align"_s, u"text-decoration"_s, u"vertical-align"_s, u"white-space"_s};
    QString out;
    const auto declarations = QStringView(style).split(u';', Qt::SkipEmptyParts);
    for (const QStringView declaration : declarations) {
        const qsizetype colon = declaration.indexOf(u':');
        const QString property = declaration.left(std::max<qsizetype>(colon, 0)).trimmed().toString().toLower();
        const QStringView value = declaration.mid(colon + 1);
        if (properties.contains(property) && !value.contains(u'(') && !value.contains(u'\\'))
            out += property + u':' + value.trimmed() + u';';
    }
    return out;
}

QString allowedValue(const QString &tag, const QString &name, const QString &value)
{
    if (name == "href"_L1)
        return tag == "a"_L1 && isAllowedLink(value) ? value : QString();
    if (name == "src"_L1)
        return tag == "img"_L1 && isAllowedPicture(value) ? value : QString();
    if (name == "style"_L1)
        return allowedStyle(value);
    if (name == "colspan"_L1 || name == "rowspan"_L1)
        return QString::number(std::clamp(value.toInt(), 1, kMaxSpan));
    if (name == "width"_L1 || name == "height"_L1)
        return tag == "img"_L1 ? QString::number(std::clamp(value.toInt(), 1, 4000)) : QString();
    static const QSet<QString> plain{u"align"_s, u"valign"_s, u"color"_s, u"start"_s, u"type"_s, u"alt"_s, u"title"_s};
    return plain.contains(name) ? value : QString();
}

QString openTag(const HtmlToken &token)
{
    QString tag = u'<' + token.name;
    for (const auto &[name, value] : token.attributes) {
        const QString allowed = allowedValue(token.name, name, value);
        if (!allowed.isEmpty())
            tag += u' ' + name + u"=\""_s + allowed.toHtmlEscaped() + u'"';
    }
    return tag + u'>';
}

} // namespace

bool isAllowedLink(const QString &address)
{
    const QUrl url(address.trimmed(), QUrl::StrictMode);
    return url.isValid() && (url.scheme() == "https"_L1 || url.scheme() == "http"_L1) && !url.host().isEmpty();
}

QString sanitizedHtml(const std::vector<HtmlToken> &tokens)
{
    QString out;
    std::vector<QString> open;
    int tags = 0;
    for (const HtmlToken &token : tokens) {
        if (token.kind == HtmlToken::Kind::Text) {
            // Entities stay; what is left of tag soup must not open a tag again.
            out += QString(token.text).replace(u'<', "&lt;"_L1).replace(u'>', "&gt;"_L1);
            continue;
        }
        if (!isAllowedTag(token.name))
            continue;
        if (++tags > kMaxTags)
            break;
        if (token.kind == HtmlToken::Kind::Close) {
            const auto match = std::find(open.rbegin(), open.rend(), token.name);
            if (match == open.rend())
                continue;
            for (auto it = open.rbegin(); it <= match; ++it)
                out += u"</"_s + *it + u'>';
            open.erase(std::prev(match.base()), open.end());
        } else if (isVoidTag(token.name)) {
            if (token.name != "img"_L1 || isAllowedPicture(token.attribute(u"src")))
                out += openTag(token);
        } else if (open.size() < kMaxDepth) {
            out += openTag(token);
            open.push_back(token.name);
        }
    }
    return out;
}

} // namespace sandfish
