#pragma once

#include <QString>

class QPainter;
class QRectF;

namespace sandfish {

class Theme;

/// One line of code with its colours and, underlined, the part that failed.
struct CodeLine
{
    QString text;
    QString language;
    int markStart = 0;
    int markLength = 0;
};

/// Paints it on the base line of \a rect. What does not fit is cut with an ellipsis, at the start if the marked part
/// would be lost at the end.
void paintCodeLine(QPainter &painter, const QRectF &rect, const CodeLine &line, const Theme &theme);

} // namespace sandfish
