#include "ui/notebook/cellitem.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace sandfish {

namespace {

constexpr qreal kMetaIcon = 14;
constexpr qreal kMetaIconGap = 5;
constexpr qreal kMoreWidth = 14 + 6;
constexpr qreal kNoteTop = 6;

qreal textWidth(const QString &text, const Theme &theme)
{
    return text.isEmpty() ? 0 : std::ceil(QFontMetricsF(theme.smallFont()).horizontalAdvance(text));
}

} // namespace

qreal metaWidth(const CellLook &look, const Theme &theme)
{
    const qreal text = textWidth(look.metaText, theme);
    if (look.metaIcon.isEmpty())
        return text;
    return text > 0 ? kMetaIcon + kMetaIconGap + text : kMetaIcon;
}

std::uint64_t proseSerial(const CellId &id)
{
    return static_cast<std::uint64_t>(qHash(id)) | kProseSerialBit;
}

CellItem::CellItem(PageStyle &style)
    : m_style(style)
    , m_code(style.lines)
    , m_outputs(style)
{
}

CellItem::~CellItem() = default;

void CellItem::sync(const Cell &cell, const QString &language)
{
    m_id = cell.id;
    m_type = cell.type;
    m_isStale = cell.run.sourceHash != 0 && cell.run.sourceHash != sourceHash(cell.source);
    m_code.setLanguage(language);
    m_code.setText(cell.source);
    if (cell.type == Cell::Type::Markdown)
        syncProse(cell);
    else
        m_prose.reset();
    m_outputs.sync(cell);
}

void CellItem::syncProse(const Cell &cell)
{
    if (m_prose && m_proseSource == cell.source)
        return;
    m_proseSource = cell.source;
    Output output;
    output.kind = Output::Kind::Display;
    output.serial = proseSerial(cell.id);
    output.data.set("text/markdown", cell.source.toStdString());
    if (!m_prose || !m_prose->update(output))
        m_prose = m_style.renderers->createItem(output, m_style.render, m_style.isTrusted);
}

void CellItem::rebuild()
{
    m_prose.reset();
    m_outputs.rebuild();
}

TextFind CellItem::sourceFind() const
{
    const FindMarks &find = m_style.find;
    if (!(m_type == Cell::Type::Code ? find.inCode : find.inText))
        return {};
    const bool isHere = find.current && find.current->cell == m_id && find.current->serial == 0;
    return {find.needle, find.sensitivity, isHere ? m_code.shown().shownOffset(find.current->point.column) : -1};
}

qreal CellItem::noteHeight() const
{
    if (m_look.note.isEmpty())
        return 0;
    return m_style.metrics.metaLine + (m_outputs.isEmpty() ? 0 : kNoteTop);
}

const CellGeometry &CellItem::layOut(const Cell &cell)
{
    const CellMetrics &metrics = m_style.metrics;
    CellFlags flags = m_flags;
    flags.isStale = m_isStale;
    m_look = lookOf(cell, flags);
    CellParts parts;
    parts.isBoxed = !isProse();
    if (parts.isBoxed) {
        m_code.layOut(m_style.theme, metrics.codeWidth(m_style.bodyWidth));
        parts.sourceHeight = isEdited() ? m_editorHeight : m_code.height();
        parts.firstLineWidth = m_code.firstRowWidth();
        // Room for the language name and the menu button too, so that pointing at a cell and editing it move nothing.
        parts.metaWidth =
            std::max(metaWidth(m_look, m_style.theme), textWidth(flags.languageName, m_style.theme)) + kMoreWidth;
    } else if (m_prose) {
        parts.sourceHeight = std::ceil(m_prose->heightForWidth(metrics.proseWidth(m_style.bodyWidth)));
    }
    parts.outputsHeight = m_outputs.layOut(metrics.outputWidth(m_style.bodyWidth)) + noteHeight();
    parts.promptHeight = m_promptHeight;
    m_geometry = layOutCell(parts, m_style.bodyWidth, metrics);
    return m_geometry;
}

} // namespace sandfish
