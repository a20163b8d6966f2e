#include "ui/outputs/textoutput.h"

#include "core/document/outputtext.h"
#include "ui/outputs/noticebar.h"
#include "ui/outputs/paintbox.h"
#include "ui/text/icons.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qreal kBarGapPx = 5;
constexpr qreal kMarkLeftPx = -10;
constexpr qreal kStderrBarPx = 2;
constexpr qreal kClockPx = 14;
constexpr qreal kTagRightPx = 8;

QString tr(const char *text)
{
    return QCoreApplication::translate("sandfish::TextOutput", text);
}

QString grouped(std::size_t number)
{
    return QLocale().toString(static_cast<qulonglong>(number));
}

QString minutesAndSeconds(std::chrono::milliseconds time)
{
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
    return u"%1:%2"_s.arg(seconds / 60).arg(seconds % 60, 2, 10, QChar(u'0'));
}

} // namespace

struct TextOutput::Notice
{
    QString text; ///< empty: no bar
    bool isWarning = false;
};

TextOutput::TextOutput(const Output &output, const RenderStyle &style)
    : m_style(style)
    , m_serial(output.serial)
    , m_isStream(true)
    , m_channel(output.channel)
    , m_isLate(output.isLate)
    , m_lateBy(output.lateBy)
    , m_text(output.text)
    , m_block(std::make_unique<StreamLines>(output.text), style,
          output.channel == StreamText::Channel::Stderr ? ColorToken::Warn : ColorToken::Text, output.serial)
{
}

TextOutput::TextOutput(std::string text, std::uint64_t serial, const RenderStyle &style)
    : m_style(style)
    , m_serial(serial)
    , m_block(std::make_unique<PlainLines>(std::move(text)), style, ColorToken::Text, serial)
{
}

TextOutput::~TextOutput() = default;

bool TextOutput::update(const Output &output)
{
    if (!m_isStream || output.kind != Output::Kind::Stream || output.text != m_text || output.channel != m_channel
        || output.isLate != m_isLate)
        return false;
    m_block.invalidate();
    return true;
}

qreal TextOutput::headPx() const
{
    return m_isLate ? m_style.theme->linePx(TextStyle::Code) : 0;
}

qreal TextOutput::heightForWidth(qreal widthPx)
{
    m_widthPx = widthPx;
    m_textPx = m_block.heightForWidth(widthPx);
    const qreal barPx = notice().text.isEmpty() ? 0 : kBarGapPx + NoticeBar::heightPx(*m_style.theme);
    return headPx() + m_textPx + barPx;
}

TextOutput::Notice TextOutput::notice() const
{
    if (m_text && m_text->droppedBytes() > 0) {
        const std::size_t gap = m_text->gapLine();
        const std::size_t dropped = m_text->droppedLines();
        const QString limit = QLocale().formattedDataSize(static_cast<qint64>(m_text->limitBytes()));
        if (dropped == 0)
            return {
                tr("The output limit of %1 was reached. %2 of line %3 were dropped.")
                    .arg(limit, QLocale().formattedDataSize(static_cast<qint64>(m_text->droppedBytes())), grouped(gap)),
                true};
        return {tr("The output limit of %1 was reached. %2 lines were dropped between line %3 and line %4.")
                    .arg(limit, grouped(dropped), grouped(gap), grouped(gap + dropped + 1)),
            true};
    }
    if (m_block.firstShownLine() == 0)
        return {};
    return {tr("Showing the last %1 of %2 lines. All are kept.")
                .arg(grouped(m_block.shownLines()), grouped(m_block.lines().count())),
        false};
}

void TextOutput::paint(QPainter &painter, const QRectF &clip)
{
    if (m_isLate)
        paintLateHead(painter);
    painter.save();
    painter.translate(0, headPx());
    m_block.paint(painter, clip.translated(0, -headPx()).intersected(QRectF(clip.left(), 0, clip.width(), m_textPx)));
    if (isStderr())
        paintStderrMark(painter);
    painter.restore();
    paintBar(painter);
}

void TextOutput::paintLateHead(QPainter &painter) const
{
    const Theme &theme = *m_style.theme;
    const QString text = m_lateBy.count() > 0
        ? tr("Late output, %1 after the cell ended").arg(minutesAndSeconds(m_lateBy))
        : tr("Late output, after the cell ended");
    const qreal iconPx = theme.scaled(kClockPx);
    const QRectF head(0, 0, m_widthPx, headPx());
    paintIcon(painter, QRectF(0, 0, iconPx, head.height()), u"clock"_s, theme.color(ColorToken::Text3), iconPx);
    paintLine(painter, head.adjusted(iconPx + 5, 0, 0, 0), text, theme.smallFont(), theme.color(ColorToken::Text3),
        Qt::AlignLeft);
    if (isStderr())
        return;
    const QRectF bar = onDeviceGrid(painter, QRectF(kMarkLeftPx, headPx(), kStderrBarPx, m_textPx));
    for (qreal y = bar.top(); y < bar.bottom(); y += 5)
        painter.fillRect(onDeviceGrid(painter, QRectF(bar.left(), y, bar.width(), std::min(2.0, bar.bottom() - y))),
            theme.color(ColorToken::Control));
}

void TextOutput::paintStderrMark(QPainter &painter) const
{
    const Theme &theme = *m_style.theme;
    painter.fillRect(
        onDeviceGrid(painter, QRectF(kMarkLeftPx, 0, kStderrBarPx, m_textPx)), theme.color(ColorToken::Warn));
    const QFontMetricsF metrics(theme.smallFont());
    const QString word = u"stderr"_s;
    const qreal widthPx = metrics.horizontalAdvance(word);
    const QRectF tag(m_widthPx - kTagRightPx - widthPx, 0, widthPx, theme.linePx(TextStyle::Code));
    // A first line that reaches so far stays readable: the word stands on the page's own ground.
    painter.fillRect(onDeviceGrid(painter, tag.adjusted(-6, 0, kTagRightPx, 0)), theme.color(ColorToken::Canvas));
    paintLine(
        painter, tag.adjusted(0, 0, 1, 0), word, theme.smallFont(), theme.color(ColorToken::Text3), Qt::AlignLeft);
}

void TextOutput::paintBar(QPainter &painter)
{
    const Notice bar = notice();
    if (bar.text.isEmpty())
        return;
    std::vector<NoticeBar::Act> acts;
    for (const OutputAction &action : actions())
        acts.push_back({action.text, {}});
    const QRectF rect(0, headPx() + m_textPx + kBarGapPx, m_widthPx, NoticeBar::heightPx(*m_style.theme));
    NoticeBar(bar.text, std::move(acts), bar.isWarning, m_style).paint(painter, rect);
}

std::vector<OutputAction> TextOutput::actions()
{
    using Kind = OutputRequest::Kind;
    const Notice bar = notice();
    if (bar.text.isEmpty())
        return {};
    std::vector<NoticeBar::Act> acts;
    if (bar.isWarning)
        addRequest(acts, tr("Change limit…"), {.kind = Kind::ChangeLimit, .serial = m_serial}, m_style);
    addRequest(acts, tr("Open all in viewer"), {.kind = Kind::OpenInViewer, .serial = m_serial}, m_style);
    addRequest(acts, tr("Save to file…"), {.kind = Kind::SaveToFile, .serial = m_serial}, m_style);
    const QRectF rect(0, headPx() + m_textPx + kBarGapPx, m_widthPx, NoticeBar::heightPx(*m_style.theme));
    return NoticeBar(bar.text, std::move(acts), bar.isWarning, m_style).actions(rect);
}

QString TextOutput::plainText() const
{
    if (m_text)
        return withoutAnsi(m_text->toUtf8());
    return withoutAnsi(static_cast<const PlainLines &>(m_block.lines()).text());
}

} // namespace sandfish
