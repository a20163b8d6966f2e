#include "ui/outputs/htmltokens.h"

#include <QHash>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qsizetype kMaxEntityLength = 12;

bool isDroppedWithContent(const QString &name)
{
    static const QSet<QString> names{u"script"_s, u"style"_s, u"template"_s, u"noscript"_s, u"iframe"_s, u"object"_s,
        u"svg"_s, u"math"_s, u"textarea"_s, u"title"_s, u"video"_s, u"audio"_s, u"canvas"_s};
    return names.contains(name);
}

class Tokenizer
{
public:
    explicit Tokenizer(QStringView html)
        : m_html(html)
    {
    }

    std::vector<HtmlToken> run()
    {
        while (m_at < m_html.size()) {
            const qsizetype open = m_html.indexOf(u'<', m_at);
            addText(m_at, open < 0 ? m_html.size() : open);
            if (open < 0)
                break;
            m_at = open;
            readMarkup();
        }
        return std::move(m_tokens);
    }

private:
    void addText(qsizetype from, qsizetype to)
    {
        if (to > from)
            m_tokens.push_back({HtmlToken::Kind::Text, m_html.mid(from, to - from).toString(), {}, {}, false});
    }

    void readMarkup()
    {
        const QStringView rest = m_html.mid(m_at);
        if (rest.startsWith(u"<!--")) {
            const qsizetype end = m_html.indexOf(u"-->", m_at + 4);
            m_at = end < 0 ? m_html.size() : end + 3;
        } else if (rest.size() > 1 && (rest[1] == u'!' || rest[1] == u'?')) {
            skipPast(u'>');
        } else if (rest.size() > 1 && (rest[1].isLetter() || rest[1] == u'/')) {
            readTag();
        } else {
            addText(m_at, m_at + 1);
            ++m_at;
        }
    }

    void skipPast(QChar c)
    {
        const qsizetype end = m_html.indexOf(c, m_at);
        m_at = end < 0 ? m_html.size() : end + 1;
    }

    void readTag()
    {
        HtmlToken token;
        ++m_at;
        token.kind = m_html[m_at] == u'/' ? HtmlToken::Kind::Close : HtmlToken::Kind::Open;
        if (token.kind == HtmlToken::Kind::Close)
            ++m_at;
        token.name = readName();
        while (m_at < m_html.size() && m_html[m_at] != u'>')
            readAttribute(token);
        m_at = std::min(m_at + 1, m_html.size());
        if (token.kind == HtmlToken::Kind::Open && isDroppedWithContent(token.name)) {
            if (!token.isSelfClosed)
                skipElement(token.name);
        } else if (!isDroppedWithContent(token.name)) {
            m_tokens.push_back(std::move(token));
        }
    }

    QString readName()
    {
        const qsizetype start = m_at;
        while (
            m_at < m_html.size() && (m_html[m_at].isLetterOrNumber() || m_html[m_at] == u'-' || m_html[m_at] == u':'))
            ++m_at;
        return m_html.mid(start, m_at - start).toString().toLower();
    }

    void readAttribute(HtmlToken &token)
    {
        if (m_html[m_at].isSpace() || m_html[m_at] == u'/') {
            token.isSelfClosed = m_html[m_at] == u'/';
            ++m_at;
            return;
        }
        const qsizetype start = m_at;
        while (m_at < m_html.size() && !m_html[m_at].isSpace() && m_html[m_at] != u'=' && m_html[m_at] != u'>'
            && m_html[m_at] != u'/')
            ++m_at;
        const QString name = m_html.mid(start, m_at - start).toString().toLower();
        QString value;
        if (m_at < m_html.size() && m_html[m_at] == u'=') {
            ++m_at;
            value = readValue();
        }
        token.isSelfClosed = false;
        token.attributes.emplace_back(name, decodedEntities(value));
    }

    QString readValue()
    {
        if (m_at < m_html.size() && (m_html[m_at] == u'"' || m_html[m_at] == u'\'')) {
            const qsizetype end = m_html.indexOf(m_html[m_at], m_at + 1);
            const qsizetype stop = end < 0 ? m_html.size() : end;
            const QString value = m_html.mid(m_at + 1, stop - m_at - 1).toString();
            m_at = std::min(stop + 1, m_html.size());
            return value;
        }
        const qsizetype start = m_at;
        while (m_at < m_html.size() && !m_html[m_at].isSpace() && m_html[m_at] != u'>')
            ++m_at;
        return m_html.mid(start, m_at - start).toString();
    }

    void skipElement(const QString &name)
    {
        const QString end = u"</"_s + name;
        const qsizetype at = m_html.indexOf(end, m_at, Qt::CaseInsensitive);
        m_at = at < 0 ? m_html.size() : at;
        if (at >= 0)
            skipPast(u'>');
    }

    QStringView m_html;
    qsizetype m_at = 0;
    std::vector<HtmlToken> m_tokens;
};

QString entityText(QStringView name)
{
    static const QHash<QString, QString> names{{u"amp"_s, u"&"_s}, {u"lt"_s, u"<"_s}, {u"gt"_s, u">"_s},
        {u"quot"_s, u"\""_s}, {u"apos"_s, u"'"_s}, {u"nbsp"_s, u"\u00a0"_s}, {u"times"_s, u"×"_s},
        {u"hellip"_s, u"…"_s}, {u"mdash"_s, u"—"_s}, {u"ndash"_s, u"–"_s}, {u"micro"_s, u"µ"_s}, {u"deg"_s, u"°"_s},
        {u"plusmn"_s, u"±"_s}, {u"le"_s, u"≤"_s}, {u"ge"_s, u"≥"_s}, {u"middot"_s, u"·"_s}, {u"copy"_s, u"©"_s}};
    if (!name.startsWith(u'#'))
        return names.value(name.toString());
    const bool isHex = name.size() > 1 && (name[1] == u'x' || name[1] == u'X');
    bool isNumber = false;
    const uint code = name.mid(isHex ? 2 : 1).toUInt(&isNumber, isHex ? 16 : 10);
    if (!isNumber || code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return {};
    const auto character = static_cast<char32_t>(code);
    return QString::fromUcs4(&character, 1);
}

} // namespace

QString HtmlToken::attribute(QStringView attributeName) const
{
    for (const auto &[key, value] : attributes) {
        if (key == attributeName)
            return value;
    }
    return {};
}

std::vector<HtmlToken> htmlTokens(const QString &html)
{
    return Tokenizer(html).run();
}

QString decodedEntities(const QString &text)
{
    if (!text.contains(u'&'))
        return text;
    QString out;
    out.reserve(text.size());
    for (qsizetype at = 0; at < text.size(); ++at) {
        const qsizetype end = text[at] == u'&' ? text.indexOf(u';', at) : -1;
        const QString decoded = end > at && end - at <= kMaxEntityLength
            ? entityText(QStringView(text).mid(at + 1, end - at - 1))
            : QString();
        out += decoded.isEmpty() ? QString(text[at]) : decoded;
        if (!decoded.isEmpty())
            at = end;
    }
    return out;
}

} // namespace sandfish
