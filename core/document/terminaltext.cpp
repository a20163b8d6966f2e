#include "core/document/terminaltext.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sandfish {
namespace {

// Right of this nothing is written in place; a line that long is text, not a progress bar.
constexpr std::size_t kMaxColumns = 16u << 10;
// A run this long behind the end of the text is appended as bytes, not as columns.
constexpr std::size_t kLongRunBytes = 4096;
constexpr std::size_t kHeadBytes = 1u << 20;
// What ESC[1J erases above the cursor at most: the height of a large terminal.
constexpr std::size_t kScreenRows = 500;

bool isControl(unsigned char c)
{
    return c <= 0x08 || (c >= 0x0a && c <= 0x1b && c != 0x0b && c != 0x0c) || c == 0x7f;
}

/// The next byte that is not plain text: LF, CR, BS, ESC, NUL and the like.
std::size_t findControl(std::string_view text, std::size_t i)
{
    constexpr std::uint64_t kOnes = 0x0101010101010101u;
    constexpr std::uint64_t kHighs = 0x8080808080808080u;
    while (i < text.size()) {
        while (i + 8 <= text.size()) {
            std::uint64_t word;
            std::memcpy(&word, text.data() + i, 8);
            const std::uint64_t below32 = (word - kOnes * 0x20) & ~word;
            const std::uint64_t deletes = word ^ kOnes * 0x7f;
            if ((below32 | ((deletes - kOnes) & ~deletes)) & kHighs)
                break;
            i += 8;
        }
        const std::size_t end = std::min(i + 8, text.size());
        for (; i < end; ++i)
            if (isControl(static_cast<unsigned char>(text[i])))
                return i;
    }
    return text.size();
}

} // namespace

TerminalText::TerminalText(std::size_t limitBytes)
    : m_limitBytes(limitBytes)
{
}

void TerminalText::append(std::string_view text)
{
    // In slices, so that a huge text never takes much more than the limit.
    constexpr std::size_t kSliceBytes = 8u << 20;
    for (std::size_t start = 0; start < text.size();) {
        std::size_t end = std::min(text.size(), start + kSliceBytes);
        while (end < text.size() && (text[end] & 0xc0) == 0x80 && end > start + 1)
            --end;
        read(text.substr(start, end - start));
        settle();
        start = end;
    }
}

void TerminalText::clear()
{
    clearText();
    m_pen = {};
    m_escape = {};
}

void TerminalText::read(std::string_view text)
{
    std::size_t i = 0;
    while (i < text.size()) {
        if (m_escape.isActive()) {
            i = m_escape.feed(text, i);
            if (!m_escape.isActive() && m_escape.final() != 0)
                obey(m_escape.final());
            continue;
        }
        const std::size_t end = findControl(text, i);
        const bool isPlain = !m_cursor && !m_hasPendingCr && m_pen == m_written;
        if (isPlain && end < text.size() && text[end] == '\n') {
            m_lines.append(text.substr(i, end + 1 - i), m_written);
            i = end + 1;
            continue;
        }
        if (end > i)
            print(text.substr(i, end - i));
        if (end < text.size())
            control(text[end]);
        i = end + 1;
    }
}

void TerminalText::print(std::string_view run)
{
    if (m_hasPendingCr)
        enterCursor();
    while (m_cursor && !run.empty())
        run.remove_prefix(overwrite(run));
    appendAtEnd(run);
}

void TerminalText::appendAtEnd(std::string_view run)
{
    if (run.empty())
        return;
    appendTransition();
    m_lines.append(run, m_written);
}

// Writes at the cursor; returns the bytes taken. Gives the cursor up where the rest belongs to the end.
std::size_t TerminalText::overwrite(std::string_view run)
{
    loadScreen();
    const bool isLast = m_cursor->row == lastRow();
    if (isLast && m_cursor->column == m_screen.width() && run.size() >= kLongRunBytes) {
        leaveCursor();
        return 0;
    }
    std::size_t taken = 0;
    m_cursor->column = m_screen.write(run, m_cursor->column, m_pen, kMaxColumns, taken);
    m_isScreenChanged = m_isScreenChanged || taken != 0;
    if (taken < run.size()) {
        leaveCursor();
        if (!isLast && !m_lines.isAtLineStart())
            endLine();
    }
    return taken;
}

void TerminalText::control(char c)
{
    if (c == '\n')
        newline();
    else if (c == '\r' && !m_cursor)
        m_hasPendingCr = !m_lines.isAtLineStart();
    else if (c == '\r')
        m_cursor->column = 0;
    else if (c == '\b')
        backspace();
    else if (c == 0x1b)
        m_escape.start();
    else if (c == 0)
        print("\u2400");
    // BEL, the shifts and the other controls have no picture.
}

void TerminalText::newline()
{
    m_hasPendingCr = false;
    if (m_cursor && m_cursor->row < lastRow()) {
        commit();
        moveToRow(m_cursor->row + 1);
        if (m_cursor)
            m_cursor->column = 0;
        return;
    }
    leaveCursor();
    endLine();
}

void TerminalText::endLine()
{
    if (!m_lines.isAtLineStart())
        appendTransition();
    m_lines.append("\n", m_written);
}

void TerminalText::appendTransition()
{
    if (m_pen == m_written)
        return;
    std::string transition;
    m_pen.appendTransition(m_written, transition);
    m_lines.append(transition, m_written);
    m_written = m_pen;
}

void TerminalText::backspace()
{
    enterCursor();
    if (m_cursor && m_cursor->column > 0)
        --m_cursor->column;
}

// Makes the cursor, at the end of the text or where a CR has put it.
void TerminalText::enterCursor()
{
    const bool isAtStart = m_hasPendingCr;
    m_hasPendingCr = false;
    if (m_cursor)
        return;
    const std::size_t row = lastRow();
    if (row < m_lines.lineCount() && !m_lines.isEditable(row)) {
        endLine();
        return;
    }
    m_cursor = Cursor{row, 0};
    m_loadedRow.reset();
    if (!isAtStart) {
        loadScreen();
        m_cursor->column = m_screen.width();
    }
}

void TerminalText::leaveCursor()
{
    if (!m_cursor)
        return;
    commit();
    m_cursor.reset();
    m_loadedRow.reset();
}

void TerminalText::loadScreen()
{
    if (m_loadedRow == m_cursor->row)
        return;
    m_loadedRow = m_cursor->row;
    m_isScreenChanged = false;
    if (m_cursor->row < m_lines.lineCount())
        m_screen.load(m_lines.piece(m_cursor->row), m_lines.styleAt(m_cursor->row));
    else
        m_screen.load({}, {});
}

void TerminalText::moveToRow(std::size_t row)
{
    m_cursor->row = row;
    if (row < m_lines.lineCount() && !m_lines.isEditable(row)) {
        leaveCursor();
        if (!m_lines.isAtLineStart())
            endLine();
    }
}

// Brings the lines up to date with the screen. The state behind a line stays what the next line builds on.
void TerminalText::commit()
{
    if (!m_cursor)
        return;
    const bool isLast = m_cursor->row == lastRow();
    const bool penMoved = isLast && m_pen != m_written && m_cursor->row < m_lines.lineCount();
    if (penMoved)
        loadScreen();
    if (m_loadedRow != m_cursor->row || !(m_isScreenChanged || penMoved))
        return;
    m_isScreenChanged = false;
    if (m_cursor->row == m_lines.lineCount()) {
        m_lines.append(m_screen.toBytes(m_written, m_pen), m_written);
        m_written = m_pen;
        return;
    }
    const SgrState after = isLast ? m_pen : stateAfter(m_cursor->row);
    m_lines.replaceLine(m_cursor->row, m_screen.toBytes(m_lines.styleAt(m_cursor->row), after));
    if (isLast)
        m_written = m_pen;
}

SgrState TerminalText::stateAfter(std::size_t row) const
{
    return row + 1 < m_lines.lineCount() ? m_lines.styleAt(row + 1) : m_written;
}

void TerminalText::obey(char final)
{
    if (final == 'm') {
        m_pen.apply(m_escape.parameters());
        return;
    }
    if (std::strchr("ABCDGKJ", final) == nullptr)
        return;
    enterCursor();
    if (!m_cursor)
        return;
    if (final == 'K' || final == 'J')
        erase(final, m_escape.count(0));
    else
        move(final, m_escape.count(1));
}

void TerminalText::move(char final, std::size_t count)
{
    std::size_t &column = m_cursor->column;
    if (final == 'C')
        column = std::min(column + count, kMaxColumns);
    else if (final == 'D')
        column -= std::min(column, count);
    else if (final == 'G')
        column = std::min(count - 1, kMaxColumns);
    else {
        commit();
        const std::size_t row = m_cursor->row;
        moveToRow(final == 'A' ? row - std::min(row, count) : std::min(row + count, std::max(row, lastRow())));
    }
}

void TerminalText::erase(char final, std::size_t mode)
{
    if (final == 'J' && mode >= 2) {
        clearText();
        return;
    }
    loadScreen();
    m_isScreenChanged = true;
    if (mode == 0)
        m_screen.eraseFrom(m_cursor->column);
    else if (mode == 1)
        m_screen.eraseTo(m_cursor->column);
    else
        m_screen.eraseFrom(0);
    if (final == 'J')
        mode == 0 ? eraseBelow() : eraseAbove();
}

void TerminalText::eraseBelow()
{
    if (m_cursor->row >= m_lines.lineCount())
        return;
    const SgrState after = stateAfter(m_cursor->row);
    const bool removesLines = m_cursor->row < lastRow();
    if (!removesLines)
        return;
    m_lines.truncateAfter(m_cursor->row);
    m_written = after;
    commit();
}

void TerminalText::eraseAbove()
{
    const std::size_t row = m_cursor->row;
    for (std::size_t above = row - std::min(row, kScreenRows); above < row; ++above)
        if (m_lines.isEditable(above)) {
            std::string bytes;
            stateAfter(above).appendTransition(m_lines.styleAt(above), bytes);
            m_lines.replaceLine(above, bytes);
        }
}

void TerminalText::clearText()
{
    m_lines.clear();
    m_written = {};
    m_cursor.reset();
    m_loadedRow.reset();
    m_hasPendingCr = false;
    m_isScreenChanged = false;
}

// Leaves the lines in a state that a reader may see.
void TerminalText::settle()
{
    commit();
    if (!m_cursor && !m_lines.isAtLineStart())
        appendTransition();
    const std::size_t dropped = m_lines.enforceLimit(m_limitBytes, std::min(kHeadBytes, m_limitBytes / 4));
    if (dropped == 0 || !m_cursor)
        return;
    // The rows moved, and that of the cursor may be gone: go on at the end.
    m_cursor.reset();
    m_loadedRow.reset();
    if (!m_lines.isAtLineStart())
        endLine();
}

} // namespace sandfish
