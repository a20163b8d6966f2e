#pragma once

#include <QRectF>
#include <QString>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>

namespace sandfish {

/// A place between two characters of an output's text as it is shown.
struct TextPoint
{
    std::size_t line = 0; ///< 0 in a text that knows no lines
    int column = 0;       ///< UTF-16 units
    auto operator<=>(const TextPoint &) const = default;
};

struct TextRange
{
    TextPoint start;
    TextPoint end; ///< after the last character
    bool isEmpty() const { return end <= start; }
    bool operator==(const TextRange &) const = default;
};

/// The selected text of a page by the serials of its outputs.
using TextSelection = std::map<std::uint64_t, TextRange>;

/// Serials of rendered Markdown cells have this bit, so that they differ from those of outputs.
inline constexpr std::uint64_t kProseSerialBit = std::uint64_t(1) << 63;

/// A place in the text of one of several outputs.
struct TextPlace
{
    std::uint64_t serial = 0;
    TextPoint point;
};

/// What is marked in the texts of a page: the selection and the hits of a search.
struct TextMarks
{
    TextSelection selection;
    bool isActive = true; ///< the page has the focus
    QString needle;       ///< of the search; empty: none
    Qt::CaseSensitivity sensitivity = Qt::CaseInsensitive;
    bool isInOutputs = true;
    bool isInProse = true;
    std::uint64_t currentSerial = 0; ///< of the output with the current hit; 0: none
    int currentOrdinal = 0;          ///< of the current hit among those of its output, from 0
    TextPoint currentPoint;          ///< where it begins, in a text of lines

    const TextRange *selectedIn(std::uint64_t serial) const
    {
        const auto found = selection.find(serial);
        return found == selection.end() ? nullptr : &found->second;
    }
    /// What is searched for in the text with \a serial.
    QString needleFor(std::uint64_t serial) const
    {
        return ((serial & kProseSerialBit) != 0 ? isInProse : isInOutputs) ? needle : QString();
    }
    bool hasAnyFor(std::uint64_t serial) const { return selectedIn(serial) || !needleFor(serial).isEmpty(); }
};

/// A text whose parts can be selected, in its own coordinates. Thread: GUI.
class SelectableText
{
public:
    virtual ~SelectableText() = default;
    /// The nearest place, also for a point outside.
    virtual TextPoint pointAt(QPointF point) = 0;
    virtual TextRange wordAt(const TextPoint &point) = 0;
    virtual TextRange whole() = 0;
    virtual QString textOf(const TextRange &span) = 0;
    /// Where the current hit of \a marks stands; empty if it is not shown.
    virtual QRectF currentHitRect(const TextMarks &marks) = 0;
};

/// The word around \a column: letters, digits and underlines, or else one character.
TextRange wordInLine(QStringView text, const TextPoint &point);

} // namespace sandfish
