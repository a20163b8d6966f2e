#pragma once

#include "core/document/escapeparser.h"
#include "core/document/linestore.h"
#include "core/document/screenline.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace sandfish {

/// The cursor and the control characters of a terminal over a LineStore: what the text of a stream goes through.
class TerminalText
{
public:
    explicit TerminalText(std::size_t limitBytes);

    /// Obeys valid UTF-8 that may end inside an escape sequence; the lines are complete afterwards.
    void append(std::string_view text);
    void clear();
    const LineStore &lines() const { return m_lines; }

private:
    struct Cursor
    {
        std::size_t row;
        std::size_t column;
    };

    std::size_t lastRow() const { return m_lines.lineCount() - (m_lines.isAtLineStart() ? 0 : 1); }
    void read(std::string_view text);
    void print(std::string_view run);
    void appendAtEnd(std::string_view run);
    void appendTransition();
    std::size_t overwrite(std::string_view run);
    void control(char c);
    void newline();
    void endLine();
    void backspace();
    void enterCursor();
    void leaveCursor();
    void loadScreen();
    void moveToRow(std::size_t row);
    void commit();
    SgrState stateAfter(std::size_t row) const;
    void obey(char final);
    void move(char final, std::size_t count);
    void erase(char final, std::size_t mode);
    void eraseBelow();
    void eraseAbove();
    void clearText();
    void settle();

    std::size_t m_limitBytes;
    LineStore m_lines;
    EscapeParser m_escape;
    SgrState m_pen;
    SgrState m_written;             ///< the state that the bytes in m_lines lead to
    std::optional<Cursor> m_cursor; ///< none: text goes to the end
    bool m_hasPendingCr = false;    ///< a CR takes effect with what follows it, so that CR LF costs nothing
    ScreenLine m_screen;            ///< the row of the cursor
    std::optional<std::size_t> m_loadedRow;
    bool m_isScreenChanged = false;
};

} // namespace sandfish
