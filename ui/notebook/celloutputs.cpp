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

bool CellOutputs::sync(const Cell &cell)
{
    bool isChanged = m_isFolded != cell.outputsCollapsed;
    m_isFolded = cell.outputsCollapsed;
    if (m_isTrusted != m_style.isTrusted)
        m_slots.clear();
    m_isTrusted = m_style.isTrusted;
    std::vector<Slot> slots_;
    slots_.reserve(cell.outputs.size());
    for (const Output &output : cell.outputs) {
        const auto old = std::find_if(m_slots.begin(), m_slots.end(),
            [&output](const Slot &slot) { return slot.item && slot.serial == output.serial; });
        Slot slot;
        if (old != m_slots.end())
            slot = std::move(*old);
        const bool isSame = slot.item && slot.revision == output.revision;
        isChanged = isChanged || !isSame;
        if (!isSame && !(slot.item && slot.item->update(output)))
            slot.item = m_style.renderers->createItem(output, m_style.render, m_isTrusted);
        slot.serial = output.serial;
        slot.revision = output.revision;
        slot.kind = output.kind;
        slots_.push_back(std::move(slot));
    }
    isChanged = isChanged || slots_.size() != m_slots.size();
    m_slots = std::move(slots_);
    if (isFolded())
        m_summary = outputParts(cell.outputs);
    return isChanged;
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
    return y;
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

std::optional<OutputAction> CellOutputs::actionAt(QPointF point) const
{
    for (OutputAction &action : actions())
        if (action.rect.contains(point))
            return std::move(action);
    return std::nullopt;
}

std::vector<OutputAction> CellOutputs::actions() const
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
    return all;
}

QString CellOutputs::plainText() const
{
    QString text;
    for (const Slot &slot : m_slots) {
        if (!text.isEmpty() && !text.endsWith(u'\n'))
            text += u'\n';
        text += slot.item->plainText();
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
