#pragma once

#include <QString>

#include <vector>

namespace sandfish {

class NotebookDocument;

/// The part of a word before \a position: letters, digits, underscores.
QString wordBefore(const QString &text, qsizetype position);

/// The words in the code cells of a language that begin with \a prefix, in any letter case, but not \a prefix itself:
/// each once, in the order of the alphabet, 200 at most. Words have two characters or more. Cost: O(sources), bounded
/// to the first 2 Mi characters.
std::vector<QString> notebookWords(const NotebookDocument &document, const QString &language, const QString &prefix);

} // namespace sandfish
