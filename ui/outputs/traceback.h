#pragma once

#include <QString>

#include <string_view>
#include <vector>

namespace sandfish {

/// One place on the way to an exception.
struct TraceFrame
{
    QString file;           ///< as the interpreter names it; of a cell: "cell [9]"
    int line = 0;           ///< from 1; 0: not told
    QString function;       ///< empty at module level
    QString source;         ///< the line of code without its indent; may be empty
    int markStart = 0;      ///< the failing part of \ref source, in UTF-16 units
    int markLength = 0;     ///< 0: not told
    int executionCount = 0; ///< of the cell it is in; 0: no cell
    bool isLibrary = false; ///< not the user's own code

    bool operator==(const TraceFrame &) const = default;
};

/// A traceback taken apart for display.
struct Traceback
{
    enum class Language
    {
        Unknown,
        Python,
        JavaScript
    };
    Language language = Language::Unknown;
    std::vector<TraceFrame> frames; ///< in the order of calls: the newest last
    /// "During handling of the above exception…" and the like: the exceptions before this one, the newest last.
    std::vector<QString> causes;
};

/// Reads the tracebacks of Python, IPython and V8. \a plain has no ANSI sequences. Unknown text gives no frames. At
/// most 2000 lines are read, from the end. Never fails.
Traceback parseTraceback(const QString &plain);

/// True for code of the interpreter and of installed packages.
bool isLibraryFile(const QString &file);

} // namespace sandfish
