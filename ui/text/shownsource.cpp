#include "ui/text/shownsource.h"

#include <QCoreApplication>

#include <algorithm>

namespace sandfish {

ShownSource::ShownSource(const QString &source)
{
    for (qsizetype start = 0; start <= source.size();) {
        const qsizetype found = source.indexOf(u'\n', start);
        const qsizetype end = found < 0 ? source.size() : found;
        if (end - start > kMaxLineCharsAfter)
            cutLine(source, start, end);
        start = end + 1;
    }
    if (m_cuts.empty())
        m_text = source;
    else
        m_text += QStringView(source).mid(m_copiedTo);
}

void ShownSource::cutLine(const QString &source, qsizetype start, qsizetype end)
{
    const qsizetype limit = m_longChars < kMaxLongChars ? kMaxLineChars : kMaxLineCharsAfter;
    m_longChars += std::min(end - start, limit);
    if (end - start <= limit)
        return;
    qsizetype cut = start + limit;
    if (source[cut].isLowSurrogate() && source[cut - 1].isHighSurrogate())
        --cut;
    m_text += QStringView(source).mid(m_copiedTo, cut - m_copiedTo);
    const qsizetype shownStart = m_text.size();
    m_text += QCoreApplication::translate("sandfish::ShownSource",
        " … %n more characters in this line. Edit it in another editor.", nullptr, static_cast<int>(end - cut));
    m_cuts.push_back({cut, end, shownStart, m_text.size()});
    m_copiedTo = end;
}

int ShownSource::shownOffset(int sourceOffset) const
{
    const auto after = std::upper_bound(m_cuts.begin(), m_cuts.end(), sourceOffset,
        [](qsizetype offset, const Cut &cut) { return offset < cut.sourceStart; });
    if (after == m_cuts.begin())
        return sourceOffset;
    const Cut &cut = *std::prev(after);
    if (sourceOffset < cut.sourceEnd)
        return static_cast<int>(cut.shownStart);
    return static_cast<int>(sourceOffset - cut.sourceEnd + cut.shownEnd);
}

int ShownSource::sourceOffset(int shownOffset) const
{
    const auto after = std::upper_bound(m_cuts.begin(), m_cuts.end(), shownOffset,
        [](qsizetype offset, const Cut &cut) { return offset <= cut.shownStart; });
    if (after == m_cuts.begin())
        return shownOffset;
    const Cut &cut = *std::prev(after);
    return static_cast<int>(cut.sourceEnd + std::max<qsizetype>(0, shownOffset - cut.shownEnd));
}

} // namespace sandfish
