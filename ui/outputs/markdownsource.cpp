#include "ui/outputs/markdownsource.h"

#include "ui/text/shownsource.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qsizetype kMaxChars = 1 << 20;
constexpr qsizetype kMaxUriChars = 1000;
constexpr qsizetype kKeptUriChars = 40;
constexpr int kMaxQuoteDepth = 30;
constexpr int kMaxInlineMarks = 4000;
constexpr qsizetype kMaxParagraphChars = 50'000;

bool isUriCharacter(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9')
        || QStringView(u"+/=;,:.-_%").contains(c);
}

/// Gives long pictures in \a markdown short names.
void takePictures(const QString &markdown, MarkdownSource &source)
{
    qsizetype copied = 0;
    for (qsizetype at = markdown.indexOf("data:image/"_L1); at >= 0; at = markdown.indexOf("data:image/"_L1, at)) {
        const auto end = std::find_if_not(markdown.begin() + at, markdown.end(), isUriCharacter);
        const QStringView uri = QStringView(markdown).mid(at, end - markdown.begin() - at);
        const qsizetype start = at;
        at += uri.size();
        if (uri.size() <= kMaxUriChars || !uri.left(kKeptUriChars).contains(";base64,"_L1))
            continue;
        const QString name = uri.left(kKeptUriChars) + u"..."_s + QString::number(source.pictures.size() + 1);
        source.pictures.insert(name, uri.toString());
        source.text += QStringView(markdown).mid(copied, start - copied);
        source.text += name;
        copied = at;
    }
    source.text += QStringView(markdown).mid(copied);
}

/// False for a paragraph that would take seconds to lay out: very long, or with thousands of pieces between its marks.
bool hasHarmlessParagraphs(const QString &text)
{
    int marks = 0;
    qsizetype chars = 0;
    bool wasLineEnd = false;
    for (const QChar c : text) {
        if (c == u'\n' && wasLineEnd)
            chars = marks = 0;
        wasLineEnd = c == u'\n';
        if (QStringView(u"`*_[]<~").contains(c) && ++marks > kMaxInlineMarks)
            return false;
        if (++chars > kMaxParagraphChars)
            return false;
    }
    return true;
}

/// Quotes and lists nest by the marks at the start of a line; more than anyone writes is cut.
QString withBoundedDepth(const QString &markdown)
{
    QStringList lines = markdown.split(u'\n');
    for (QString &line : lines) {
        int marks = 0;
        qsizetype at = 0;
        for (; at < line.size() && (line[at].isSpace() || QStringView(u">-*+").contains(line[at])); ++at)
            marks += line[at].isSpace() ? 0 : 1;
        const bool isRule = std::all_of(line.begin(), line.end(), [&](QChar c) { return c == line[0] || c == u' '; });
        if (marks > kMaxQuoteDepth && !(isRule && line[0] != u'>'))
            line = line.mid(at);
    }
    return lines.join(u'\n');
}

} // namespace

MarkdownSource boundedMarkdown(const QString &markdown)
{
    MarkdownSource source;
    takePictures(markdown, source);
    source.text = ShownSource(source.text).text();
    if (const qsizetype left = source.text.size() - kMaxChars; left > 0) {
        source.text.truncate(kMaxChars);
        source.text += u"\n\n"_s
            + QCoreApplication::translate("sandfish::MarkdownRender",
                "… %n more characters of this text are not shown.", nullptr, static_cast<int>(left));
    }
    source.isPlain = !hasHarmlessParagraphs(source.text);
    if (!source.isPlain)
        source.text = withBoundedDepth(source.text);
    return source;
}

} // namespace sandfish
