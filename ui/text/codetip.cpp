#include "ui/text/codetip.h"

#include "ui/text/codedocview.h"
#include "ui/text/theme.h"

#include <algorithm>

namespace sandfish {
namespace {

constexpr qreal kTipWidthPx = 520;
constexpr qreal kTipMaxHeightPx = 200;
constexpr int kTipEdgePx = 2;

} // namespace

CodeTip::CodeTip(QWidget *window)
    : PopupBox(window)
    , m_docs(new CodeDocView(this))
{
    setObjectName(QStringLiteral("codeTip"));
}

void CodeTip::setTheme(const Theme *theme)
{
    setBoxTheme(theme);
    m_docs->setTheme(theme);
}

void CodeTip::showInspection(const Inspection &inspection)
{
    m_docs->showInspection(inspection);
    show();
    raise();
}

void CodeTip::showNote(const QString &text)
{
    m_docs->showNote(text);
    show();
    raise();
}

void CodeTip::place(const QRect &line)
{
    const Theme &theme = *boxTheme();
    const QRect bounds = parentWidget()->rect().adjusted(4, 4, -4, -4);
    const int width = std::min(qRound(theme.scaled(kTipWidthPx)), bounds.width());
    const int height = std::min(qRound(theme.scaled(kTipMaxHeightPx)), m_docs->heightFor(width - 2 * kTipEdgePx));
    setGeometry(placed({width, height + 2 * kTipEdgePx}, line, bounds));
    m_docs->setGeometry(rect().adjusted(kTipEdgePx, kTipEdgePx, -kTipEdgePx, -kTipEdgePx));
}

} // namespace sandfish
