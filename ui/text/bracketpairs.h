#pragma once

#include <QString>
#include <QTextCursor>

#include <vector>

namespace sandfish {

/// Brackets and quotes that come in pairs: a typed opening one brings its closing one where nothing follows that it
/// would cut off, typing the closing one then steps over it, and a selection is enclosed.
class BracketPairs
{
public:
    void clear() { m_ownClosers.clear(); }
    /// Handles one typed character; false if it is to be typed plainly. In prose quotes are left alone.
    bool type(QTextCursor &cursor, const QString &typed, bool isProse);
    /// Deletes both of an empty pair that was made here; false if the cursor is not within one.
    bool deletePair(QTextCursor &cursor);

private:
    std::vector<QTextCursor> m_ownClosers; // each before the closing character that we typed
};

} // namespace sandfish
