#include "ui/panels/variablespanel.h"

#include "core/session/variablewatch.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/plainheader.h"
#include "ui/panels/tablerowdelegate.h"
#include "ui/panels/variabledetails.h"
#include "ui/panels/variablesmodel.h"
#include "ui/panels/variablewords.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTreeView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

using State = VariableWatch::State;

constexpr int kEdgePx = 12;
constexpr int kNamePx = 110;
constexpr int kSizePx = 74;

} // namespace

VariablesPanel::VariablesPanel(const ThemeSource *source, VariableWatch *watch, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
    , m_watch(watch)
    , m_model(new VariablesModel(source, this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_pages(new QStackedLayout(this))
    , m_empty(new EmptyState(source, this))
    , m_filter(new QLineEdit(this))
    , m_list(new QTreeView(this))
    , m_note(new QLabel(this))
    , m_details(new VariableDetails(source, this))
{
    auto *page = new QWidget(this);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(6);
    auto *field = new QVBoxLayout;
    field->setContentsMargins(10, 0, 10, 0);
    field->addWidget(m_filter);
    column->addLayout(field);
    column->addWidget(m_list, 1);
    column->addWidget(m_note);
    column->addWidget(m_details);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    buildList();
    connect(watch, &VariableWatch::changed, this, &VariablesPanel::showState);
    connect(m_details, &VariableDetails::openRequested, this, [this] { open(m_list->currentIndex()); });
    connect(source, &ThemeSource::changed, this, &VariablesPanel::applyTheme);
    setFocusProxy(m_list);
    setAutoFillBackground(true);
    applyTheme();
    showState();
}

void VariablesPanel::buildList()
{
    m_filter->setPlaceholderText(tr("Filter variables"));
    m_filter->setAccessibleName(tr("Filter variables"));
    m_filter->addAction(new QAction(m_filter), QLineEdit::LeadingPosition);
    m_filter->installEventFilter(this);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(12, 2, 12, 6);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(VariablesModel::SortRole);
    m_sorted->setFilterRole(VariablesModel::FilterRole);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_sorted->setSortCaseSensitivity(Qt::CaseInsensitive);
    auto *head = new PlainHeader(m_source, ColorToken::Panel, PlainHeader::Line::None, m_list);
    head->setFirstPadding(kEdgePx);
    m_list->setHeader(head);
    m_list->setItemDelegate(new TableRowDelegate(m_source, kEdgePx, m_list));
    m_list->setModel(m_sorted);
    m_list->setObjectName(u"variableList"_s);
    m_list->setAccessibleName(tr("Variables"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setSortingEnabled(true);
    m_list->sortByColumn(-1, Qt::AscendingOrder); // as they were made
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    m_list->setProperty("sandfishPanel", true);
    m_list->installEventFilter(this);
    QHeaderView *header = m_list->header();
    header->setSectionsClickable(true);
    header->setStretchLastSection(false);
    header->setSectionResizeMode(VariablesModel::ValueColumn, QHeaderView::Stretch);
    header->resizeSection(VariablesModel::NameColumn, qRound(m_source->theme().scaled(kNamePx)));
    header->resizeSection(VariablesModel::SizeColumn, qRound(m_source->theme().scaled(kSizePx)));
    connect(m_filter, &QLineEdit::textChanged, m_sorted, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_list, &QTreeView::doubleClicked, this, &VariablesPanel::open);
    connect(m_list, &QTreeView::customContextMenuRequested, this, &VariablesPanel::showMenu);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &VariablesPanel::showDetails);
}

QString VariablesPanel::note() const
{
    return m_note->text();
}

const EmptyState *VariablesPanel::emptyState() const
{
    return m_pages->currentIndex() == 0 ? m_empty : nullptr;
}

void VariablesPanel::setWindowActive(bool isActive)
{
    m_watch->setActive(isActive && isVisible());
}

void VariablesPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_watch->setActive(true);
}

void VariablesPanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_watch->setActive(false);
}

void VariablesPanel::showState()
{
    const State state = m_watch->state();
    const bool isKnown = state != State::NoNotebook && state != State::NoContext && state != State::Unsupported;
    static const std::vector<VariableInfo> kNone;
    const std::vector<VariableInfo> &variables = isKnown ? m_watch->variables().variables : kNone;
    m_model->setVariables(variables, state == State::Current ? VariablesModel::Age::Current : VariablesModel::Age::Old);
    m_note->setText(noteText(*m_watch));
    if (variables.empty()) {
        const EmptyWords words = emptyWordsOf(*m_watch);
        m_empty->setWords(words.icon, words.title, words.text);
    }
    m_pages->setCurrentIndex(variables.empty() ? 0 : 1);
    showDetails();
}

bool VariablesPanel::canOpen() const
{
    const std::shared_ptr<Context> context = m_watch->context();
    return m_watch->state() == State::Current && context && context->looks().testFlag(Context::Look::Value);
}

QString VariablesPanel::reasonNotToOpen() const
{
    switch (m_watch->state()) {
    case State::Busy:
        return tr("A cell is running. Values are read when it has ended.");
    case State::Paused:
        return tr("Resume the sandbox first.");
    default:
        return tr("The value cannot be read now.");
    }
}

const VariableInfo *VariablesPanel::variableAt(const QModelIndex &index) const
{
    return index.isValid() ? m_model->variable(m_sorted->mapToSource(index).row()) : nullptr;
}

void VariablesPanel::showDetails()
{
    m_details->showVariable(variableAt(m_list->currentIndex()), canOpen(), reasonNotToOpen());
}

void VariablesPanel::open(const QModelIndex &index)
{
    if (const VariableInfo *info = variableAt(index); info && canOpen())
        emit openRequested(*info);
}

void VariablesPanel::copy(bool withValues) const
{
    QStringList lines;
    const QModelIndexList rows = m_list->selectionModel()->selectedRows();
    for (const QModelIndex &row : rows) {
        const VariableInfo *info = variableAt(row);
        if (!info)
            continue;
        const QString name = QString::fromStdString(info->name);
        lines.append(!withValues   ? name
                : rows.size() == 1 ? QString::fromStdString(info->value.value_or(std::string()))
                                   : name + u'\t' + valueText(*info));
    }
    QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}

bool VariablesPanel::filterKey(QObject *watched, int key, Qt::KeyboardModifiers modifiers)
{
    if (watched == m_filter) {
        if (key == Qt::Key_Escape && !m_filter->text().isEmpty()) {
            m_filter->clear();
            return true;
        }
        if (key != Qt::Key_Down)
            return false;
        m_list->setFocus(Qt::TabFocusReason);
        if (!m_list->currentIndex().isValid())
            m_list->setCurrentIndex(m_sorted->index(0, 0));
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        open(m_list->currentIndex());
        return true;
    }
    if (key == Qt::Key_C && modifiers == Qt::ControlModifier) {
        copy(true);
        return true;
    }
    return false;
}

bool VariablesPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    return filterKey(watched, key->key(), key->modifiers() & ~Qt::KeypadModifier);
}

void VariablesPanel::showMenu(const QPoint &position)
{
    const QModelIndex index = m_list->indexAt(position);
    if (!variableAt(index))
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    QAction *whole = menu->addAction(tr("Open"), this, [this] { open(m_list->currentIndex()); });
    whole->setEnabled(canOpen());
    whole->setToolTip(canOpen() ? QString() : reasonNotToOpen());
    menu->addSeparator();
    menu->addAction(tr("Copy name"), this, [this] { copy(false); });
    menu->addAction(tr("Copy value"), this, [this] { copy(true); });
    menu->popup(m_list->viewport()->mapToGlobal(position));
}

void VariablesPanel::applyTheme()
{
    const Theme &theme = m_source->theme();
    QPalette palette = theme.palette();
    palette.setColor(QPalette::Base, theme.color(ColorToken::Panel));
    m_list->setPalette(palette);
    QPalette surface = theme.palette();
    surface.setColor(QPalette::Window, theme.color(ColorToken::Panel));
    setPalette(surface);
    m_list->doItemsLayout();
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.color(ColorToken::Text2));
    quiet.setColor(QPalette::Window, theme.color(ColorToken::Panel));
    m_note->setPalette(quiet);
    m_note->setFont(theme.smallFont());
    m_filter->actions().constFirst()->setIcon(
        tintedIcon(u"filter"_s, theme.color(ColorToken::Text3), theme.color(ColorToken::Text3)));
}

} // namespace sandfish
