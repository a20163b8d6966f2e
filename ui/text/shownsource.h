#pragma once

#include <QString>

#include <vector>

namespace sandfish {

/// A source as cells show it: a line longer than a bound ends in a note that says how much is left out, because the
/// time that laying a line out takes grows with the square of its length. The source itself stays as it is. Painted
/// cells and the live editor show the same. Thread: any. Cost: O(source).
class ShownSource
{
public:
    /// UTF-16 units of a line that are shown: some 80 rows, below 30 ms to lay out.
    static constexpr qsizetype kMaxLineChars = 8000;
    /// The same for the lines that follow once kMaxLongChars were shown of lines longer than this.
    static constexpr qsizetype kMaxLineCharsAfter = 1000;
    static constexpr qsizetype kMaxLongChars = 100'000;

    explicit ShownSource(const QString &source = {});

    /// Shares its data with the source if nothing is cut.
    const QString &text() const { return m_text; }
    bool isCut() const { return !m_cuts.empty(); }
    /// The offset in text() of an offset in the source; of what is left out, that of the note.
    int shownOffset(int sourceOffset) const;
    /// The offset in the source of an offset in text(); of a place in a note, where that line ends.
    int sourceOffset(int shownOffset) const;

private:
    struct Cut
    {
        qsizetype sourceStart; // of what is left out
        qsizetype sourceEnd;
        qsizetype shownStart; // of the note
        qsizetype shownEnd;
    };
    void cutLine(const QString &source, qsizetype start, qsizetype end);

    QString m_text;
    std::vector<Cut> m_cuts;
    qsizetype m_longChars = 0; // shown of long lines
    qsizetype m_copiedTo = 0;  // all before this offset of the source is in m_text
};

} // namespace sandfish
