#pragma once

class QTextDocument;

namespace sandfish {

class Theme;

/// Gives a filled document the look of the theme: tables with hairlines (DESIGN.md §3.6), code in the code font,
/// letters legible on whatever ground the author gave them. Cost: O(fragments). Thread: GUI.
void polishDocument(QTextDocument &document, const Theme &theme);

} // namespace sandfish
