#include "ui/outputs/codeline.h"

#include "ui/outputs/paintbox.h"
#include "ui/text/codehighlighter.h"
#include "ui/text/linelayout.h"
#include "ui/text/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sandfish {
namespace {

constexpr qreal kUnderlinePx = 2;
constexpr int kLeadColumns = 12; // kept before the marked part when the start is cut

CodeLine fitted(const CodeLine &line, int columns)
{
    if (line.text.size() <= columns || columns < 2)
        return line;
    CodeLine cut = line;
    if (line.markStart + line.markLength > columns) {
        const int start = std::max(1, line.markStart - kLeadColumns);
        cut.text = QChar(0x2026) + line.text.mid(start);
        cut.markStart = line.markStart - start + 1;
    }
    if (cut.text.size() > columns)
        cut.text = cut.text.left(columns - 1) + QChar(0x2026);
    cut.markLength = std::clamp(cut.markLength, 0, static_cast<int>(cut.text.size()) - cut.markStart);
    return cut;
}

} // namespace

void paintCodeLine(QPainter &painter, const QRectF &rect, const CodeLine &line, const Theme &theme)
{
    const QFontMetricsF metrics(theme.codeFont());
    const CodeLine shown = fitted(line, static_cast<int>(rect.width() / metrics.horizontalAdvance(u'0')));
    QTextLayout layout(shown.text);
    LineHighlighter highlighter(shown.language);
    layout.setFormats(syntaxFormats(highlighter.highlight(shown.text, SyntaxState()).spans, theme));
    layoutOnGrid(layout, {.font = theme.codeFont(), .linePx = rect.height()});
    painter.setPen(theme.color(ColorToken::Text));
    layout.draw(&painter, rect.topLeft());
    if (shown.markLength <= 0 || layout.lineCount() == 0)
        return;
    const QTextLine text = layout.lineAt(0);
    const qreal left = rect.left() + text.cursorToX(shown.markStart);
    const qreal right = rect.left() + text.cursorToX(shown.markStart + shown.markLength);
    const qreal top = rect.top() + text.y() + text.ascent() + std::ceil(metrics.underlinePos()) + 1;
    painter.fillRect(
        onDeviceGrid(painter, QRectF(left, top, right - left, kUnderlinePx)), theme.color(ColorToken::Error));
}

} // namespace sandfish
