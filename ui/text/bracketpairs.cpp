#include "ui/text/bracketpairs.h"

#include <QTextBlock>

#include <algorithm>

namespace sandfish {

using namespace Qt::StringLiterals;

namespace {

QChar closerOf(QChar c)
{
    switch (c.unicode()) {
    case u'(':
        return u')';
    case u'[':
        return u']';
    case u'{':
        return u'}';
    case u'"':
    case u'\'':
        return c;
    default:
        return {};
    }
}

bool isQuote(QChar c)
{
    return c == u'"' || c == u'\'';
}

QChar characterAt(const QTextCursor &cursor, int offset)
{
    const QString text = cursor.block().text();
    const qsizetype place = cursor.positionInBlock() + offset;
    return place >= 0 && place < text.size() ? text[place] : QChar();
}

// Pairs are completed only where nothing follows that the closer would cut off.
bool mayClose(const QTextCursor &cursor, QChar typed)
{
    const QChar next = characterAt(cursor, 0);
    if (!next.isNull() && !next.isSpace() && !u")]},;:"_s.contains(next))
        return false;
    const QChar previous = characterAt(cursor, -1);
    return !isQuote(typed) || (!previous.isLetterOrNumber() && !isQuote(previous) && previous != u'\\');
}

} // namespace

bool BracketPairs::type(QTextCursor &cursor, const QString &typed, bool isProse)
{
    if (typed.size() != 1)
        return false;
    const QChar c = typed.front();
    const auto own = std::find_if(m_ownClosers.begin(), m_ownClosers.end(), [&](const QTextCursor &closer) {
        return closer.position() == cursor.position() && characterAt(closer, 0) == c;
    });
    if (!cursor.hasSelection() && own != m_ownClosers.end()) {
        m_ownClosers.erase(own);
        cursor.movePosition(QTextCursor::NextCharacter);
        return true;
    }
    const QChar closer = closerOf(c);
    if (closer.isNull() || (isProse && isQuote(c)))
        return false;
    if (cursor.hasSelection()) {
        const int start = cursor.selectionStart();
        const QString inner = cursor.selectedText().replace(QChar::ParagraphSeparator, u'\n');
        cursor.insertText(c + inner + closer);
        cursor.setPosition(start + 1);
        cursor.setPosition(start + 1 + static_cast<int>(inner.size()), QTextCursor::KeepAnchor);
        return true;
    }
    if (!mayClose(cursor, c))
        return false;
    cursor.insertText(QString(c) + closer);
    cursor.movePosition(QTextCursor::PreviousCharacter);
    m_ownClosers.push_back(cursor);
    return true;
}

bool BracketPairs::deletePair(QTextCursor &cursor)
{
    const auto own = std::find_if(m_ownClosers.begin(), m_ownClosers.end(),
        [&cursor](const QTextCursor &closer) { return closer.position() == cursor.position(); });
    if (cursor.hasSelection() || own == m_ownClosers.end() || closerOf(characterAt(cursor, -1)).isNull()
        || closerOf(characterAt(cursor, -1)) != characterAt(cursor, 0))
        return false;
    m_ownClosers.erase(own);
    cursor.beginEditBlock();
    cursor.deleteChar();
    cursor.deletePreviousChar();
    cursor.endEditBlock();
    return true;
}

} // namespace sandfish
