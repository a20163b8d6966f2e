#include "ui/notebook/notebookaccessible.h"

#include "core/document/notebookdocument.h"
#include "ui/notebook/notebookview_p.h"
#include "ui/text/codeeditor.h"
#include "ui/text/languagename.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <algorithm>
#include <unordered_map>

namespace sandfish {

class CellAccessible;

/// The list: its children are the cells in order. One per view, made when a tool asks.
class NotebookAccessible : public QAccessibleWidget
{
public:
    explicit NotebookAccessible(NotebookView *view)
        : QAccessibleWidget(view, QAccessible::List)
    {
    }
    ~NotebookAccessible() override;

    int childCount() const override;
    QAccessibleInterface *child(int index) const override;
    int indexOfChild(const QAccessibleInterface *child) const override;
    QAccessibleInterface *childAt(int x, int y) const override;
    QAccessibleInterface *focusChild() const override;
    QString text(QAccessible::Text type) const override;

    NotebookView *view() const { return static_cast<NotebookView *>(object()); }
    NotebookView::Private &page() const { return *view()->d; }

private:
    mutable std::unordered_map<CellId, QAccessible::Id> m_cells;
};

/// One cell, whether painted or being edited.
class CellAccessible : public QAccessibleInterface
{
public:
    CellAccessible(const NotebookAccessible &list, const CellId &id)
        : m_list(list)
        , m_id(id)
    {
    }

    bool isValid() const override { return m_list.isValid() && index() >= 0; }
    QObject *object() const override { return nullptr; }
    QWindow *window() const override { return m_list.window(); }
    QAccessibleInterface *parent() const override { return const_cast<NotebookAccessible *>(&m_list); }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    QAccessibleInterface *child(int) const override { return editor(); }
    int childCount() const override { return editor() ? 1 : 0; }
    int indexOfChild(const QAccessibleInterface *child) const override { return child && child == editor() ? 0 : -1; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    void setText(QAccessible::Text, const QString &) override { }
    QRect rect() const override;
    QString text(QAccessible::Text type) const override;
    QAccessible::State state() const override;

    qsizetype index() const { return m_list.page().document->indexOf(m_id); }

private:
    QAccessibleInterface *editor() const;
    QString name() const;

    const NotebookAccessible &m_list;
    CellId m_id;
};

NotebookAccessible::~NotebookAccessible()
{
    for (const auto &[id, cell] : m_cells)
        QAccessible::deleteAccessibleInterface(cell);
}

int NotebookAccessible::childCount() const
{
    return static_cast<int>(page().document->cellCount());
}

QAccessibleInterface *NotebookAccessible::child(int index) const
{
    if (index < 0 || index >= childCount())
        return nullptr;
    const CellId id = page().document->peekAt(index).id;
    const auto known = m_cells.find(id);
    if (known != m_cells.end())
        return QAccessible::accessibleInterface(known->second);
    auto *cell = new CellAccessible(*this, id);
    m_cells.emplace(id, QAccessible::registerAccessibleInterface(cell));
    return cell;
}

int NotebookAccessible::indexOfChild(const QAccessibleInterface *child) const
{
    const auto *cell = dynamic_cast<const CellAccessible *>(child);
    return cell ? static_cast<int>(cell->index()) : -1;
}

QAccessibleInterface *NotebookAccessible::childAt(int x, int y) const
{
    const CellHit hit = page().hitAt(view()->viewport()->mapFromGlobal(QPoint(x, y)));
    return hit.index >= 0 ? child(static_cast<int>(hit.index)) : nullptr;
}

QAccessibleInterface *NotebookAccessible::focusChild() const
{
    return view()->hasFocus() ? child(static_cast<int>(page().document->indexOf(page().selection.current()))) : nullptr;
}

QString NotebookAccessible::text(QAccessible::Text type) const
{
    if (type != QAccessible::Name)
        return QAccessibleWidget::text(type);
    const QString title = view()->accessibleName();
    const int count = childCount();
    const QString cells = count == 1 ? NotebookView::tr("1 cell") : NotebookView::tr("%1 cells").arg(count);
    return title.isEmpty() ? NotebookView::tr("Notebook, %1").arg(cells)
                           : NotebookView::tr("Notebook %1, %2").arg(title, cells);
}

QRect CellAccessible::rect() const
{
    NotebookView::Private &page = m_list.page();
    page.flushLayout();
    const auto &places = page.page.places();
    const auto place = std::find_if(
        places.begin(), places.end(), [this](const NotebookPage::Place &seen) { return seen.index == index(); });
    if (place == places.end())
        return {};
    const QRect local = place->item->geometry().frame.translated(0, place->y).toRect();
    return {m_list.view()->viewport()->mapToGlobal(local.topLeft()), local.size()};
}

QAccessibleInterface *CellAccessible::editor() const
{
    const LiveCells &live = m_list.page().live;
    return live.edited() == m_id ? QAccessible::queryAccessibleInterface(live.editor()) : nullptr;
}

QString CellAccessible::name() const
{
    const NotebookView::Private &page = m_list.page();
    const Cell &cell = page.document->cellAt(index());
    const QString place = QString::number(index() + 1);
    const QString count = QString::number(page.document->cellCount());
    QStringList parts;
    if (cell.type == Cell::Type::Code) {
        parts << NotebookView::tr("Code cell %1 of %2").arg(place, count)
              << languageName(page.document->effectiveLanguage(m_id));
        CellFlags flags;
        flags.now = QDateTime::currentDateTime();
        flags.isStale = cell.run.sourceHash != 0 && cell.run.sourceHash != sourceHash(cell.source);
        parts << spokenState(cell, flags);
        if (!cell.outputs.empty())
            parts << NotebookView::tr("has output");
    } else {
        parts << (cell.type == Cell::Type::Markdown ? NotebookView::tr("Markdown cell %1 of %2").arg(place, count)
                                                    : NotebookView::tr("Raw cell %1 of %2").arg(place, count));
    }
    if (page.selection.contains(m_id))
        parts << NotebookView::tr("selected");
    return parts.join(QStringLiteral(", "));
}

QString CellAccessible::text(QAccessible::Text type) const
{
    if (!isValid())
        return {};
    const Cell &cell = m_list.page().document->cellAt(index());
    switch (type) {
    case QAccessible::Name:
        return name();
    case QAccessible::Value:
        return cell.source;
    case QAccessible::Description:
        return cell.outputs.empty() ? QString() : outputParts(cell.outputs);
    default:
        return {};
    }
}

QAccessible::State CellAccessible::state() const
{
    QAccessible::State state;
    if (!isValid()) {
        state.invalid = true;
        return state;
    }
    const NotebookView::Private &page = m_list.page();
    state.focusable = true;
    state.selectable = true;
    state.multiSelectable = true;
    state.selected = page.selection.contains(m_id);
    state.focused = m_list.view()->hasFocus() && page.selection.current() == m_id;
    state.offscreen = rect().isEmpty();
    state.busy = page.document->peekAt(index()).run.state == CellRun::State::Running;
    return state;
}

void installNotebookAccessibility()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory([](const QString &, QObject *object) -> QAccessibleInterface * {
            auto *view = qobject_cast<NotebookView *>(object);
            return view ? new NotebookAccessible(view) : nullptr;
        });
        return true;
    }();
    Q_UNUSED(isInstalled)
}

void notifyCurrentCell(NotebookView *view)
{
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent event(view, QAccessible::Focus);
    event.setChild(static_cast<int>(view->document()->indexOf(view->currentCell())));
    QAccessible::updateAccessibility(&event);
}

} // namespace sandfish
