#include "ui/window/outputviewer.h"

#include "core/document/notebookdocument.h"
#include "ui/text/themesource.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kViewerMarginPx = 16;

} // namespace

OutputViewer::OutputViewer(const ThemeSource *source, const OutputRendererRegistry *renderers,
    NotebookDocument *document, const CellId &cell, const Output &output)
    : m_source(source)
    , m_renderers(renderers)
    , m_document(document)
    , m_cell(cell)
    , m_output(output)
{
    setObjectName(u"outputViewer"_s);
    setAccessibleName(tr("Output"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(source, &ThemeSource::changed, this, &OutputViewer::rebuild);
    connect(document, &NotebookDocument::outputsChanged, this, &OutputViewer::takeChange);
    connect(document, &QObject::destroyed, this, [this] { m_document = nullptr; });
    rebuild();
}

OutputViewer::~OutputViewer() = default;

void OutputViewer::rebuild()
{
    m_item.reset();
    m_style.theme = &m_source->theme();
    m_style.devicePixelRatio = devicePixelRatioF();
    m_style.maxShownLines = std::numeric_limits<int>::max();
    m_style.requestRelayout = [this] { layOut(); };
    m_item = m_renderers->createItem(m_output, m_style, m_document && m_document->isTrusted());
    layOut();
}

void OutputViewer::layOut()
{
    if (!m_item)
        return;
    const qreal width = viewport()->width() - 2 * kViewerMarginPx;
    const qreal height = m_item->heightForWidth(std::max<qreal>(width, 40)) + 2 * kViewerMarginPx;
    const int page = viewport()->height();
    const bool wasAtEnd = verticalScrollBar()->value() == verticalScrollBar()->maximum();
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setSingleStep(qRound(3 * m_source->theme().linePx(TextStyle::Code)));
    verticalScrollBar()->setRange(0, std::max(0, int(std::min(std::ceil(height), 2.0e9)) - page));
    if (wasAtEnd)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    viewport()->update();
}

void OutputViewer::takeChange(const std::vector<CellId> &cells)
{
    if (std::find(cells.begin(), cells.end(), m_cell) == cells.end())
        return;
    const Cell *cell = m_document->find(m_cell);
    if (!cell)
        return;
    for (const Output &output : cell->outputs) {
        if (output.serial != m_output.serial)
            continue;
        m_output = output;
        if (m_item->update(output))
            layOut();
        else
            rebuild();
    }
}

void OutputViewer::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_source->theme().color(ColorToken::Canvas));
    const int top = kViewerMarginPx - verticalScrollBar()->value();
    painter.translate(kViewerMarginPx, top);
    m_item->paint(painter, QRectF(event->rect()).translated(-kViewerMarginPx, -top));
}

std::optional<TextPoint> OutputViewer::textPointAt(QPointF point) const
{
    const OutputItem::Selectable shown = m_item->selectable();
    if (!shown.text)
        return std::nullopt;
    const QPointF top(kViewerMarginPx, kViewerMarginPx - verticalScrollBar()->value());
    return shown.text->pointAt(point - top - shown.origin);
}

void OutputViewer::select(const TextRange &range)
{
    m_style.marks.selection.clear();
    if (!range.isEmpty())
        m_style.marks.selection[m_output.serial] = range;
    viewport()->update();
}

void OutputViewer::copy() const
{
    const TextRange *range = m_style.marks.selectedIn(m_output.serial);
    const OutputItem::Selectable shown = m_item->selectable();
    if (range && shown.text)
        QGuiApplication::clipboard()->setText(shown.text->textOf(*range));
}

void OutputViewer::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_anchor = textPointAt(event->position());
    select({});
}

void OutputViewer::mouseMoveEvent(QMouseEvent *event)
{
    const std::optional<TextPoint> head = m_anchor ? textPointAt(event->position()) : std::nullopt;
    if (!head || !event->buttons().testFlag(Qt::LeftButton))
        return;
    const auto [start, end] = std::minmax(*m_anchor, *head);
    select({start, end});
    if (!viewport()->rect().contains(event->position().toPoint()))
        verticalScrollBar()->triggerAction(
            event->position().y() < 0 ? QAbstractSlider::SliderSingleStepSub : QAbstractSlider::SliderSingleStepAdd);
}

void OutputViewer::mouseDoubleClickEvent(QMouseEvent *event)
{
    const std::optional<TextPoint> point = textPointAt(event->position());
    if (point)
        select(m_item->selectable().text->wordAt(*point));
}

void OutputViewer::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void OutputViewer::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        return copy();
    const OutputItem::Selectable shown = m_item->selectable();
    if (event->matches(QKeySequence::SelectAll) && shown.text)
        return select(shown.text->whole());
    QScrollBar *bar = verticalScrollBar();
    switch (event->key()) {
    case Qt::Key_Home:
        return bar->setValue(0);
    case Qt::Key_End:
        return bar->setValue(bar->maximum());
    case Qt::Key_Up:
        return bar->triggerAction(QAbstractSlider::SliderSingleStepSub);
    case Qt::Key_Down:
        return bar->triggerAction(QAbstractSlider::SliderSingleStepAdd);
    case Qt::Key_PageUp:
        return bar->triggerAction(QAbstractSlider::SliderPageStepSub);
    case Qt::Key_PageDown:
    case Qt::Key_Space:
        return bar->triggerAction(QAbstractSlider::SliderPageStepAdd);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

} // namespace sandfish
