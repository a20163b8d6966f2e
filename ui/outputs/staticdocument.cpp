#include "ui/outputs/staticdocument.h"

#include "ui/outputs/htmlsanitizer.h"
#include "ui/outputs/imagedecoder.h"
#include "ui/text/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextBlock>
#include <QTextDocumentFragment>
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
    const QString address = u"data:"_s + name.path(QUrl::FullyDecoded);
    const QString uri = m_pictures.value(address, address);
    const qsizetype comma = uri.indexOf(u',');
    if (comma < 0 || !QStringView(uri).left(comma).endsWith(u";base64"))
        return {};
    return decodeSmallImage(QStringView(uri).mid(comma + 1).toLatin1());
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

QTextCursor StaticDocument::cursorOf(int start, int end)
{
    QTextCursor cursor(this);
    const int last = characterCount() - 1;
    cursor.setPosition(std::clamp(start, 0, last));
    cursor.setPosition(std::clamp(end, 0, last), QTextCursor::KeepAnchor);
    return cursor;
}

const std::vector<int> &StaticDocument::hits(const QString &needle, Qt::CaseSensitivity sensitivity)
{
    if (needle == m_needle && sensitivity == m_sensitivity)
        return m_hits;
    m_needle = needle;
    m_sensitivity = sensitivity;
    m_hits.clear();
    const FindFlags flags = sensitivity == Qt::CaseSensitive ? FindCaseSensitively : FindFlags();
    for (QTextCursor hit = find(needle, 0, flags); !needle.isEmpty() && !hit.isNull(); hit = find(needle, hit, flags))
        m_hits.push_back(hit.selectionStart());
    return m_hits;
}

TextPoint StaticDocument::pointAt(QPointF point)
{
    return {0, std::max(0, documentLayout()->hitTest(point, Qt::FuzzyHit))};
}

TextRange StaticDocument::wordAt(const TextPoint &point)
{
    QTextCursor cursor = cursorOf(point.column, point.column);
    cursor.select(QTextCursor::WordUnderCursor);
    return {{0, cursor.selectionStart()}, {0, cursor.selectionEnd()}};
}

TextRange StaticDocument::whole()
{
    return {{}, {0, characterCount() - 1}};
}

QString StaticDocument::textOf(const TextRange &span)
{
    return cursorOf(span.start.column, span.end.column).selection().toPlainText();
}

QRectF StaticDocument::currentHitRect(const TextMarks &marks)
{
    const std::vector<int> &all = hits(marks.needle, marks.sensitivity);
    if (marks.currentOrdinal < 0 || static_cast<std::size_t>(marks.currentOrdinal) >= all.size())
        return {};
    const int position = all[static_cast<std::size_t>(marks.currentOrdinal)];
    const QTextBlock block = findBlock(position);
    const QTextLine line = block.layout()->lineForTextPosition(position - block.position());
    const QRectF area = documentLayout()->blockBoundingRect(block);
    return line.isValid() ? line.rect().translated(area.topLeft()) : area;
}

void StaticDocument::paint(QPainter &painter, const QRectF &clip, const TextMarks *marks, std::uint64_t serial)
{
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette = m_theme.palette();
    context.clip = clip;
    if (marks) {
        const QString needle = marks->needleFor(serial);
        const auto length = static_cast<int>(needle.size());
        int ordinal = 0;
        for (const int start : hits(needle, marks->sensitivity)) {
            const bool isCurrent = marks->currentSerial == serial && ordinal++ == marks->currentOrdinal;
            context.selections.append({cursorOf(start, start + length), {}});
            QTextCharFormat &format = context.selections.back().format;
            format.setBackground(m_theme.color(isCurrent ? ColorToken::FindCurrent : ColorToken::Find));
            format.setForeground(m_theme.color(ColorToken::Text));
        }
        if (const TextRange *selected = marks->selectedIn(serial)) {
            context.selections.append({cursorOf(selected->start.column, selected->end.column), {}});
            context.selections.back().format.setBackground(
                m_theme.color(marks->isActive ? ColorToken::Selected : ColorToken::SelectedIdle));
        }
    }
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
