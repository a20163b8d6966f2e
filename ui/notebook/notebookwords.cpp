#include "ui/notebook/notebookwords.h"

#include "core/document/notebookdocument.h"

#include <algorithm>
#include <set>

namespace sandfish {
namespace {

constexpr qsizetype kMaxChars = 2 * 1024 * 1024;
constexpr std::size_t kMaxWords = 200;

bool isWordChar(QChar c)
{
    return c.isLetterOrNumber() || c == u'_' || c.isSurrogate();
}

struct ByAlphabet
{
    bool operator()(const QString &a, const QString &b) const
    {
        const int order = a.compare(b, Qt::CaseInsensitive);
        return order != 0 ? order < 0 : a < b;
    }
};
using Words = std::set<QString, ByAlphabet>;

void addWords(const QString &source, const QString &prefix, Words &words)
{
    for (qsizetype at = 0; at < source.size() && words.size() < kMaxWords;) {
        if (!isWordChar(source[at])) {
            ++at;
            continue;
        }
        qsizetype end = at + 1;
        while (end < source.size() && isWordChar(source[end]))
            ++end;
        const QStringView word = QStringView(source).sliced(at, end - at);
        if (word.size() > 1 && !word.front().isDigit() && word.startsWith(prefix, Qt::CaseInsensitive)
            && word != prefix)
            words.insert(word.toString());
        at = end;
    }
}

} // namespace

QString wordBefore(const QString &text, qsizetype position)
{
    qsizetype start = std::min(position, text.size());
    while (start > 0 && isWordChar(text[start - 1]))
        --start;
    return text.mid(start, position - start);
}

std::vector<QString> notebookWords(const NotebookDocument &document, const QString &language, const QString &prefix)
{
    Words words;
    qsizetype left = kMaxChars;
    for (qsizetype i = 0; i < document.cellCount() && left > 0; ++i) {
        const Cell &cell = document.peekAt(i);
        if (cell.type != Cell::Type::Code || document.effectiveLanguage(cell.id) != language)
            continue;
        addWords(cell.source.left(left), prefix, words);
        left -= cell.source.size();
    }
    return {words.begin(), words.end()};
}

} // namespace sandfish
