#include "ui/outputs/staticdocument.h"

#include "ui/outputs/htmlsanitizer.h"
#include "ui/outputs/imagedecoder.h"
#include "ui/text/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextBlock>
#include <QTextFragment>
#include <QTextLayout>
#include <QUrl>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

QString styleSheet(const Theme &theme)
{
    return u"a { color: %1; text-decoration: none; }"_s.arg(theme.color(ColorToken::Accent).name());
}

void addFragmentRects(const QTextBlock &block, const QTextFragment &fragment, const QPointF &origin,
    const std::function<void(const QRectF &)> &add)
{
    const QTextLayout *layout = block.layout();
    const int start = fragment.position() - block.position();
    const int end = start + fragment.length();
    for (int i = 0; i < layout->lineCount(); ++i) {
        const QTextLine line = layout->lineAt(i);
        const int from = std::max(start, line.textStart());
        const int to = std::min(end, line.textStart() + line.textLength());
        if (from >= to)
            continue;
        const qreal left = line.cursorToX(from);
        add(QRectF(left, line.y(), line.cursorToX(to) - left, line.height()).translated(origin));
    }
}

} // namespace

StaticDocument::StaticDocument(const Theme &theme, const QFont &baseFont)
    : m_theme(theme)
{
    setUndoRedoEnabled(false);
    setDocumentMargin(0);
    setDefaultFont(baseFont);
    setDefaultStyleSheet(styleSheet(theme));
}

QVariant StaticDocument::loadResource(int type, const QUrl &name)
{
    if (type != QTextDocument::ImageResource || name.scheme() != "data"_L1)
        return {};
    const QString path = name.path(QUrl::FullyDecoded);
    const qsizetype comma = path.indexOf(u',');
    if (comma < 0 || !QStringView(path).left(comma).endsWith(u";base64"))
        return {};
    return decodeSmallImage(QStringView(path).mid(comma + 1).toLatin1());
}

qreal StaticDocument::layOut(qreal widthPx)
{
    if (widthPx != m_widthPx) {
        m_widthPx = widthPx;
        setTextWidth(widthPx);
        m_heightPx = std::ceil(size().height());
    }
    return m_heightPx;
}

void StaticDocument::paint(QPainter &painter, const QRectF &clip)
{
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette = m_theme.palette();
    context.clip = clip;
    painter.save();
    painter.setClipRect(clip, Qt::IntersectClip);
    documentLayout()->draw(&painter, context);
    painter.restore();
}

std::vector<OutputAction> StaticDocument::links(const RenderStyle &style)
{
    std::vector<OutputAction> actions;
    if (!style.request)
        return actions;
    for (QTextBlock block = begin(); block.isValid(); block = block.next()) {
        const QPointF origin = documentLayout()->blockBoundingRect(block).topLeft();
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextCharFormat format = it.fragment().charFormat();
            if (!format.isAnchor() || !isAllowedLink(format.anchorHref()))
                continue;
            const OutputRequest request{.kind = OutputRequest::Kind::OpenLink, .link = format.anchorHref()};
            addFragmentRects(block, it.fragment(), origin, [&](const QRectF &rect) {
                actions.push_back({rect, request.link, [&style, request] { style.request(request); }});
            });
        }
    }
    return actions;
}

} // namespace sandfish
