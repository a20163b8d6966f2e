#include "ui/outputs/erroroutput.h"

#include "ui/outputs/codeline.h"
#include "ui/outputs/paintbox.h"
#include "ui/text/icons.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qreal kRadiusPx = 5;
constexpr qreal kHeadPaddingPx = 5;
constexpr qreal kButtonPx = 24;
constexpr qreal kSidePx = 10;
constexpr qreal kIconPx = 16;
constexpr qreal kSmallIconPx = 14;
constexpr qreal kButtonPaddingPx = 8;
constexpr qreal kRowsTopPx = 4;
constexpr qreal kRowsBottomPx = 5;
constexpr qreal kRowGapPx = 3;
constexpr qreal kLabelGapPx = 12;
constexpr qreal kMaxLabelShare = 0.4;

QString tr(const char *text, int n = -1)
{
    return QCoreApplication::translate("sandfish::ErrorItem", text, nullptr, n);
}

QString joinedTraceback(const ErrorOutput &error)
{
    std::string joined;
    for (const std::string &part : error.traceback) {
        joined += part;
        if (!part.ends_with('\n'))
            joined += '\n';
    }
    return withoutAnsi(joined);
}

/// The last two parts of a path: enough to know a file by.
QString shortFile(const QString &file)
{
    return file.section(u'/', -2);
}

QString frameLabel(const TraceFrame &frame)
{
    const QString file = frame.executionCount > 0 ? frame.file : shortFile(frame.file);
    if (frame.line == 0)
        return file;
    return frame.function.isEmpty() ? tr("%1, line %2").arg(file).arg(frame.line)
                                    : tr("%1, line %2, in %3").arg(file).arg(frame.line).arg(frame.function);
}

} // namespace

ErrorItem::ErrorItem(const Output &output, const RenderStyle &style)
    : m_style(style)
    , m_error(output.error)
    , m_serial(output.serial)
    , m_traceText(joinedTraceback(output.error))
    , m_trace(parseTraceback(m_traceText))
{
    m_libraryFrames = static_cast<int>(
        std::count_if(m_trace.frames.begin(), m_trace.frames.end(), [](const auto &f) { return f.isLibrary; }));
    const std::size_t lineEnd = m_error.message.find('\n');
    if (m_trace.frames.empty() && !m_traceText.trimmed().isEmpty() && m_traceText.trimmed() != title())
        setDetails(plainText().toStdString());
    else if (lineEnd != std::string::npos)
        setDetails(m_error.message.substr(lineEnd + 1));
    buildRows();
}

ErrorItem::~ErrorItem() = default;

void ErrorItem::setDetails(std::string text)
{
    m_details = std::make_unique<TextBlock>(std::make_unique<PlainLines>(std::move(text)), m_style);
}

QString ErrorItem::title() const
{
    const QString name = QString::fromStdString(m_error.name);
    const QString message = withoutAnsi(m_error.message).section(u'\n', 0, 0);
    if (name.isEmpty())
        return message.isEmpty() ? tr("Error") : message;
    return message.isEmpty() ? name : name + u": "_s + message;
}

void ErrorItem::buildRows()
{
    m_rows.clear();
    for (const QString &cause : m_trace.causes)
        m_rows.push_back({tr("Caused by %1").arg(cause), {}});
    for (const TraceFrame &frame : m_trace.frames) {
        if (!frame.isLibrary || m_isUnfolded)
            addFrameRow(frame);
    }
}

void ErrorItem::addFrameRow(const TraceFrame &frame)
{
    Row row{frameLabel(frame), frame};
    if (frame.source.isEmpty() && frame.executionCount > 0 && m_style.sourceLine)
        row.frame.source = m_style.sourceLine(frame.executionCount, frame.line).trimmed();
    m_rows.push_back(std::move(row));
}

bool ErrorItem::update(const Output &)
{
    return false;
}

qreal ErrorItem::headPx() const
{
    return std::round(m_style.theme->scaled(kButtonPx)) + 2 * kHeadPaddingPx;
}

qreal ErrorItem::rowsPx() const
{
    if (m_rows.empty())
        return 0;
    const auto count = static_cast<qreal>(m_rows.size());
    return kRowsTopPx + count * m_style.theme->linePx(TextStyle::Code) + (count - 1) * kRowGapPx + kRowsBottomPx;
}

QRectF ErrorItem::rowRect(std::size_t row) const
{
    const qreal linePx = m_style.theme->linePx(TextStyle::Code);
    const qreal top = headPx() + m_detailsPx + kRowsTopPx + static_cast<qreal>(row) * (linePx + kRowGapPx);
    return {kSidePx, top, m_widthPx - 2 * kSidePx, linePx};
}

qreal ErrorItem::heightForWidth(qreal widthPx)
{
    m_widthPx = widthPx;
    m_detailsPx = 0;
    if (m_details)
        m_detailsPx = kRowsTopPx + m_details->heightForWidth(widthPx - 2 * kSidePx) + kRowsBottomPx;
    return headPx() + m_detailsPx + rowsPx();
}

void ErrorItem::paint(QPainter &painter, const QRectF &clip)
{
    const Theme &theme = *m_style.theme;
    const QRectF box(0, 0, m_widthPx, heightForWidth(m_widthPx));
    const QColor edge = theme.color(ColorToken::Error);
    paintBox(painter, box, theme.color(ColorToken::Canvas), edge, kRadiusPx);
    paintHeadGround(painter);
    if (m_style.marks.hasAnyFor(m_serial)) {
        collectPieces();
        m_pieces.paintMarks(painter, m_style.marks, m_serial, theme);
    }
    paintHead(painter);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (rowRect(row).intersects(clip))
            paintRow(painter, row);
    }
    if (m_details) {
        const QPointF origin(kSidePx, headPx() + kRowsTopPx);
        painter.save();
        painter.translate(origin);
        m_details->paint(painter, clip.translated(-origin));
        painter.restore();
    }
    paintBox(painter, box, QColor(), edge, kRadiusPx);
}

void ErrorItem::paintHeadGround(QPainter &painter) const
{
    const Theme &theme = *m_style.theme;
    const QRectF head(0, 0, m_widthPx, headPx());
    const bool hasBody = !m_rows.empty() || m_details;
    painter.save();
    painter.setClipRect(onDeviceGrid(painter, head), Qt::IntersectClip);
    paintBox(painter, hasBody ? head.adjusted(0, 0, 0, 2 * kRadiusPx) : head, theme.color(ColorToken::ErrorTint),
        theme.color(ColorToken::Error), kRadiusPx);
    painter.restore();
    if (hasBody)
        paintTopLine(painter, head.translated(0, head.height()).adjusted(1, 0, -1, 0), theme.color(ColorToken::Border));
}

QRectF ErrorItem::titleRect() const
{
    const qreal left = kSidePx + m_style.theme->scaled(kIconPx) + 6;
    const QRectF fold = foldRect();
    const qreal right = (fold.isEmpty() ? copyRect() : fold).left();
    return {left, 0, right - left - 8, headPx()};
}

void ErrorItem::paintHead(QPainter &painter) const
{
    const Theme &theme = *m_style.theme;
    const QColor ink = theme.color(ColorToken::Error);
    const qreal iconPx = theme.scaled(kIconPx);
    paintIcon(painter, QRectF(kSidePx, 0, iconPx, headPx()), u"error"_s, ink, iconPx);
    paintLine(painter, titleRect(), title(), theme.font(TextStyle::CodeStrong), ink, Qt::AlignLeft);
    const QRectF fold = foldRect();
    const QColor text = theme.color(ColorToken::Text);
    if (!fold.isEmpty())
        paintLine(
            painter, fold.adjusted(kButtonPaddingPx, 0, 0, 0), foldText(), theme.smallFont(), text, Qt::AlignLeft);
    const qreal smallIconPx = theme.scaled(kSmallIconPx);
    const QRectF copy = copyRect().adjusted(kButtonPaddingPx, 0, 0, 0);
    paintIcon(painter, QRectF(copy.left(), copy.top(), smallIconPx, copy.height()), u"copy"_s, text, smallIconPx);
    paintLine(painter, copy.adjusted(smallIconPx + 6, 0, 0, 0), tr("Copy"), theme.smallFont(), text, Qt::AlignLeft);
}

QRectF ErrorItem::copyRect() const
{
    const Theme &theme = *m_style.theme;
    const qreal textPx = std::ceil(QFontMetricsF(theme.smallFont()).horizontalAdvance(tr("Copy")));
    const qreal widthPx = textPx + theme.scaled(kSmallIconPx) + 6 + 2 * kButtonPaddingPx;
    return {m_widthPx - 6 - widthPx, kHeadPaddingPx, widthPx, headPx() - 2 * kHeadPaddingPx};
}

QString ErrorItem::foldText() const
{
    if (m_isUnfolded)
        return tr("Hide library frames");
    return m_libraryFrames == 1 ? tr("Show 1 library frame") : tr("Show %n library frames", m_libraryFrames);
}

QRectF ErrorItem::foldRect() const
{
    if (m_libraryFrames == 0)
        return {};
    const qreal textPx = std::ceil(QFontMetricsF(m_style.theme->smallFont()).horizontalAdvance(foldText()));
    const QRectF copy = copyRect();
    const qreal widthPx = textPx + 2 * kButtonPaddingPx;
    return {copy.left() - 8 - widthPx, copy.top(), widthPx, copy.height()};
}

qreal ErrorItem::labelPx() const
{
    const QFontMetricsF metrics(m_style.theme->smallFont());
    qreal widthPx = 0;
    for (const Row &row : m_rows) {
        if (row.frame.line > 0)
            widthPx = std::max(widthPx, std::ceil(metrics.horizontalAdvance(row.label)));
    }
    return std::min(widthPx, kMaxLabelShare * m_widthPx);
}

void ErrorItem::paintRow(QPainter &painter, std::size_t row) const
{
    const Theme &theme = *m_style.theme;
    const QRectF rect = rowRect(row);
    const TraceFrame &frame = m_rows[row].frame;
    if (frame.line == 0) {
        paintLine(painter, rect, m_rows[row].label, theme.smallFont(), theme.color(ColorToken::Text2), Qt::AlignLeft);
        return;
    }
    const bool isLink = frame.executionCount > 0 && m_style.request;
    const qreal widthPx = labelPx();
    paintLine(painter, QRectF(rect.left(), rect.top(), widthPx + 1, rect.height()), m_rows[row].label,
        theme.smallFont(), theme.color(isLink ? ColorToken::Accent : ColorToken::Text2), Qt::AlignLeft);
    const QString language = m_trace.language == Traceback::Language::JavaScript ? u"javascript"_s : u"python"_s;
    paintCodeLine(painter, codeRect(row),
        {.text = frame.source, .language = language, .markStart = frame.markStart, .markLength = frame.markLength},
        theme);
}

QRectF ErrorItem::codeRect(std::size_t row) const
{
    return rowRect(row).adjusted(labelPx() + kLabelGapPx, 0, 0, 0);
}

void ErrorItem::collectPieces()
{
    const Theme &theme = *m_style.theme;
    std::vector<TextPiece> pieces{{titleRect(), title(), theme.font(TextStyle::CodeStrong)}};
    if (m_details) {
        for (TextPiece &piece : m_details->pieces(QPointF(kSidePx, headPx() + kRowsTopPx)))
            pieces.push_back(std::move(piece));
    }
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const bool hasCode = m_rows[row].frame.line > 0;
        QRectF label = rowRect(row);
        if (hasCode)
            label.setWidth(labelPx());
        pieces.push_back({label, m_rows[row].label, theme.smallFont()});
        if (hasCode)
            pieces.push_back({codeRect(row), m_rows[row].frame.source, theme.codeFont(), false, u"  "_s});
    }
    m_pieces.setPieces(std::move(pieces));
}

OutputItem::Selectable ErrorItem::selectable()
{
    collectPieces();
    return {&m_pieces, {}};
}

std::vector<OutputAction> ErrorItem::actions()
{
    std::vector<OutputAction> actions;
    if (m_libraryFrames > 0)
        actions.push_back({foldRect(), foldText(), [this] { toggleLibraryFrames(); }});
    actions.push_back({copyRect(), tr("Copy"), [this] { QGuiApplication::clipboard()->setText(plainText()); }});
    if (!m_style.request)
        return actions;
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const TraceFrame &frame = m_rows[row].frame;
        if (frame.executionCount == 0 || frame.line == 0)
            continue;
        const OutputRequest request{.kind = OutputRequest::Kind::GoToCell,
            .serial = m_serial,
            .executionCount = frame.executionCount,
            .line = frame.line};
        QRectF rect = rowRect(row);
        rect.setWidth(labelPx());
        actions.push_back({rect, m_rows[row].label, [this, request] { m_style.request(request); }});
    }
    return actions;
}

void ErrorItem::toggleLibraryFrames()
{
    m_isUnfolded = !m_isUnfolded;
    buildRows();
    if (m_style.requestRelayout)
        m_style.requestRelayout();
}

QString ErrorItem::plainText() const
{
    return m_traceText.trimmed().isEmpty() ? title() : m_traceText;
}

} // namespace sandfish
