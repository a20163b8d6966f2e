#include "ui/notebook/celloutputs.h"

#include "ui/notebook/devicepixels.h"
#include "ui/text/icons.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace sandfish {

using namespace Qt::StringLiterals;

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(CellOutputs)
};

constexpr qreal kFoldedHeight = 28;
constexpr qreal kFoldedPad = 10;

qreal gapBetween(Output::Kind above, Output::Kind below)
{
    return above == Output::Kind::Stream && below == Output::Kind::Stream ? 0 : CellMetrics::kOutputGap;
}

} // namespace

CellOutputs::CellOutputs(PageStyle &style)
    : m_style(style)
{
}

CellOutputs::~CellOutputs() = default;

CellOutputs::Slot CellOutputs::slotFor(const Output &output, Slot old, bool &isChanged) const
{
    const bool isSame = old.item && old.revision == output.revision;
    isChanged = isChanged || !isSame;
    if (!isSame && !(old.item && old.item->update(output)))
        old.item = m_style.renderers->createItem(output, m_style.render, m_isTrusted);
    old.serial = output.serial;
    old.revision = output.revision;
    old.kind = output.kind;
    return old;
}

bool CellOutputs::sync(const Cell &cell)
{
    bool isChanged = m_isFolded != cell.outputsCollapsed;
    m_isFolded = cell.outputsCollapsed;
    m_needsSync = false;
    if (m_isTrusted != m_style.isTrusted)
        m_slots.clear();
    m_isTrusted = m_style.isTrusted;
    m_count = cell.outputs.size();
    const std::size_t first = m_count > m_shownLimit ? m_count - m_shownLimit : 0;
    std::vector<Slot> slots_;
    slots_.reserve(m_count - first);
    for (std::size_t i = first; i < m_count; ++i) {
        const Output &output = cell.outputs[i];
        const auto old = std::find_if(m_slots.begin(), m_slots.end(),
            [&output](const Slot &slot) { return slot.item && slot.serial == output.serial; });
        slots_.push_back(slotFor(output, old == m_slots.end() ? Slot() : std::move(*old), isChanged));
    }
    isChanged = isChanged || slots_.size() != m_slots.size();
    m_slots = std::move(slots_);
    if (isFolded())
        m_summary = outputParts(cell.outputs);
    return isChanged;
}

void CellOutputs::showMore()
{
    m_shownLimit += kShownStep;
    m_needsSync = true;
    if (m_style.render.requestRelayout)
        m_style.render.requestRelayout();
}

NoticeBar CellOutputs::moreBar()
{
    const QLocale locale;
    const auto shown = static_cast<qulonglong>(m_slots.size());
    const qulonglong more = std::min<qulonglong>(kShownStep, m_count - shown);
    return NoticeBar(Tr::tr("Showing the last %1 of %2 outputs. All are kept.")
                         .arg(locale.toString(shown), locale.toString(static_cast<qulonglong>(m_count))),
        {{Tr::tr("Show %1 more").arg(locale.toString(more)), [this] { showMore(); }}}, false, m_style.render);
}

QRectF CellOutputs::moreRect() const
{
    const qreal top = m_slots.empty() ? 0 : m_slots.back().top + m_slots.back().height + CellMetrics::kOutputGap;
    return {0, top, m_width, NoticeBar::heightPx(m_style.theme)};
}

void CellOutputs::rebuild()
{
    m_slots.clear();
}

qreal CellOutputs::layOut(qreal widthPx)
{
    m_width = widthPx;
    if (m_slots.empty())
        return 0;
    if (m_isFolded)
        return m_style.theme.scaled(kFoldedHeight);
    qreal y = 0;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (i > 0)
            y += gapBetween(m_slots[i - 1].kind, m_slots[i].kind);
        m_slots[i].top = y;
        m_slots[i].height = std::ceil(m_slots[i].item->heightForWidth(widthPx));
        y += m_slots[i].height;
    }
    return m_slots.size() < m_count ? moreRect().bottom() : y;
}

void CellOutputs::paint(QPainter &painter, const QRectF &clip)
{
    if (isFolded())
        return paintFolded(painter);
    for (const Slot &slot : m_slots) {
        if (slot.top >= clip.bottom() || slot.top + slot.height <= clip.top())
            continue;
        painter.save();
        painter.translate(0, slot.top);
        slot.item->paint(painter, clip.translated(0, -slot.top));
        painter.restore();
    }
    if (m_slots.size() < m_count && moreRect().intersects(clip))
        moreBar().paint(painter, moreRect());
}

QRectF CellOutputs::foldedBox() const
{
    return {0, 0, m_width, m_style.theme.scaled(kFoldedHeight)};
}

void CellOutputs::paintFolded(QPainter &painter) const
{
    const Theme &theme = m_style.theme;
    const QRectF box = foldedBox();
    paintDashedBox(painter, box, 5, theme.color(ColorToken::Control));
    const QRectF row = box.adjusted(kFoldedPad, 0, -kFoldedPad, 0);
    paintIcon(painter, QRectF(row.left(), row.top(), 12, row.height()), u"chevron-right"_s,
        theme.color(ColorToken::Text2), 12);
    painter.setFont(theme.smallFont());
    const QString show = Tr::tr("Show");
    const qreal showWidth = QFontMetricsF(theme.smallFont()).horizontalAdvance(show);
    painter.setPen(theme.color(ColorToken::Text2));
    const QRectF words = row.adjusted(12 + 8, 0, -showWidth - 8, 0);
    const QString text = QFontMetricsF(theme.smallFont()).elidedText(foldedSummary(), Qt::ElideRight, words.width());
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, text);
    painter.setPen(theme.color(ColorToken::Accent));
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, show);
}

std::optional<OutputAction> CellOutputs::actionAt(QPointF point)
{
    for (OutputAction &action : actions())
        if (action.rect.contains(point))
            return std::move(action);
    return std::nullopt;
}

std::vector<OutputAction> CellOutputs::actions()
{
    std::vector<OutputAction> all;
    if (isFolded())
        return all;
    for (const Slot &slot : m_slots) {
        for (OutputAction &action : slot.item->actions()) {
            action.rect.translate(0, slot.top);
            all.push_back(std::move(action));
        }
    }
    if (m_slots.size() < m_count)
        for (OutputAction &action : moreBar().actions(moreRect()))
            all.push_back(std::move(action));
    return all;
}

QString CellOutputs::plainText(const Cell &cell) const
{
    QString text;
    for (const Output &output : cell.outputs) {
        if (!text.isEmpty() && !text.endsWith(u'\n'))
            text += u'\n';
        const Slot *slot = slotWith(output.serial);
        text += slot ? slot->item->plainText()
                     : m_style.renderers->createItem(output, m_style.render, m_isTrusted)->plainText();
    }
    return text;
}

QString CellOutputs::foldedSummary() const
{
    return Tr::tr("Output hidden: %1").arg(m_summary);
}

QString outputParts(const std::vector<Output> &outputs)
{
    int lines = 0;
    int images = 0;
    int tables = 0;
    int errors = 0;
    int others = 0;
    for (const Output &output : outputs) {
        const auto &entries = output.data.entries();
        const auto isImage = [](const MimeEntry &entry) { return entry.type.starts_with("image/"); };
        if (output.kind == Output::Kind::Stream)
            lines += static_cast<int>(output.text->lineCount());
        else if (output.kind == Output::Kind::Error)
            ++errors;
        else if (std::any_of(entries.begin(), entries.end(), isImage))
            ++images;
        else if (output.data.text("text/html").find("<table") != std::string_view::npos)
            ++tables;
        else
            ++others;
    }
    QStringList parts;
    const auto add = [&parts](int count, const QString &one, const QString &many) {
        if (count > 0)
            parts << (count == 1 ? one : many.arg(QLocale().toString(count)));
    };
    add(errors, Tr::tr("1 error"), Tr::tr("%1 errors"));
    add(tables, Tr::tr("1 table"), Tr::tr("%1 tables"));
    add(lines, Tr::tr("1 line"), Tr::tr("%1 lines"));
    add(images, Tr::tr("1 image"), Tr::tr("%1 images"));
    add(others, Tr::tr("1 value"), Tr::tr("%1 values"));
    return parts.join(u", "_s);
}

} // namespace sandfish
