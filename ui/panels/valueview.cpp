#include "ui/panels/valueview.h"

#include "core/session/notebooksession.h"
#include "core/session/valuereader.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/plainheader.h"
#include "ui/panels/tablerowdelegate.h"
#include "ui/panels/valuemodel.h"
#include "ui/panels/valuetext.h"
#include "ui/panels/variablewords.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

using State = ValueReader::State;

constexpr qreal kRowPx = 24;
constexpr int kMaxColumnPx = 420;
constexpr int kLeastColumnPx = 64;

enum Page
{
    EmptyPage,
    TablePage,
    TextPage
};

} // namespace

ValueView::ValueView(const ThemeSource *source, NotebookSession *session, const std::shared_ptr<Context> &context,
    const VariableInfo &variable, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
    , m_context(context)
    , m_reader(std::make_unique<ValueReader>(session, context, variable.name))
    , m_head(new QWidget(this))
    , m_name(new QLabel(m_head))
    , m_facts(new QLabel(m_head))
    , m_note(new QLabel(this))
    , m_pages(new QStackedLayout)
    , m_empty(new EmptyState(source, this))
    , m_table(new QTableView(this))
    , m_text(new ValueText(source, m_reader.get(), this))
    , m_variable(variable)
{
    setObjectName(u"valueView"_s);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 8, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_head);
    column->addLayout(m_pages, 1);
    column->addWidget(m_note);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_text);
    buildHead();
    buildTable();
    connect(m_reader.get(), &ValueReader::pageRead, this, &ValueView::take);
    connect(m_reader.get(), &ValueReader::failed, this, [this](std::int64_t, const QString &message) {
        m_failure = message;
        showNote();
    });
    connect(m_reader.get(), &ValueReader::stateChanged, this, &ValueView::showNote);
    connect(m_reader.get(), &ValueReader::outdated, this, &ValueView::refresh);
    connect(source, &ThemeSource::changed, this, &ValueView::applyTheme);
    applyTheme();
    refresh();
    showNote();
}

ValueView::~ValueView()
{
    m_table->setModel(nullptr);
}

void ValueView::buildHead()
{
    auto *row = new QHBoxLayout(m_head);
    row->setContentsMargins(0, 0, 12, 0);
    row->setSpacing(8);
    m_name->setTextFormat(Qt::PlainText);
    m_name->setText(QString::fromStdString(m_variable.name));
    m_facts->setTextFormat(Qt::PlainText);
    row->addWidget(m_name);
    row->addWidget(m_facts, 1);
    connect(addButton(u"copy"_s, tr("Copy the selection as text with tabs (Ctrl+C)")), &QToolButton::clicked, this,
        &ValueView::copyAsTsv);
    connect(addButton(u"restart"_s, tr("Read the value again (F5)")), &QToolButton::clicked, this, &ValueView::refresh);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(0, 0, 12, 6);
}

QToolButton *ValueView::addButton(const QString &icon, const QString &tip)
{
    auto *button = new QToolButton(m_head);
    button->setAutoRaise(true);
    button->setFixedSize(28, 28);
    button->setProperty("sandfishIcon", icon);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    m_head->layout()->addWidget(button);
    m_buttons.append(button);
    return button;
}

void ValueView::buildTable()
{
    m_table->setHorizontalHeader(new PlainHeader(m_source, ColorToken::Canvas, PlainHeader::Line::Below, m_table));
    m_table->horizontalHeader()->setSectionsMovable(true);
    // Columns fit the rows of the first page: more would be read for it, and 0 means all while nothing is shown.
    m_table->horizontalHeader()->setResizeContentsPrecision(ValueModel::kPageRows / 2);
    m_table->setItemDelegate(new TableRowDelegate(m_source, PlainHeader::kPaddingPx, m_table));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setAccessibleName(tr("Value of %1").arg(QString::fromStdString(m_variable.name)));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setTabKeyNavigation(false);
    m_table->installEventFilter(this);
    m_text->installEventFilter(this);
    m_text->setAccessibleName(m_table->accessibleName());
    connect(m_table, &QTableView::customContextMenuRequested, this, &ValueView::showMenu);
    setFocusProxy(m_table);
}

const std::string &ValueView::variable() const
{
    return m_variable.name;
}

QString ValueView::note() const
{
    return m_note->text();
}

const EmptyState *ValueView::emptyState() const
{
    return m_pages->currentIndex() == EmptyPage ? m_empty : nullptr;
}

// The first answer tells what kind of value it is: it may be a text, of which a page is more than 100 characters.
void ValueView::refresh()
{
    m_failure.clear();
    if (m_pages->currentIndex() == TextPage)
        m_text->refresh();
    else if (m_model)
        m_model->refresh();
    else
        m_reader->ask(0, ValueModel::kPageRows);
    showNote();
}

void ValueView::take(const ValuePage &page)
{
    m_failure.clear();
    m_variable.type = page.type;
    if (page.kind != ValuePage::Kind::Text) {
        showTable(page);
    } else if (m_pages->currentIndex() == TextPage) {
        m_text->take(page);
    } else {
        m_table->setModel(nullptr);
        m_model.reset();
        m_pages->setCurrentIndex(TextPage);
        setFocusProxy(m_text);
        m_text->take(page);
    }
    showNote();
}

void ValueView::showTable(const ValuePage &page)
{
    if (m_pages->currentIndex() == TablePage)
        return; // the model takes its pages itself
    m_model = std::make_unique<ValueModel>(m_source, m_reader.get(), page);
    m_table->setModel(m_model.get());
    m_table->resizeColumnsToContents();
    for (int i = 0; i < m_model->columnCount(); ++i)
        m_table->setColumnWidth(i, std::clamp(m_table->columnWidth(i) + 12, kLeastColumnPx, kMaxColumnPx));
    connect(m_model.get(), &QAbstractItemModel::modelReset, this, &ValueView::showNote);
    m_pages->setCurrentIndex(TablePage);
    setFocusProxy(m_table);
    m_table->setCurrentIndex(m_model->index(0, 0));
}

void ValueView::showNote()
{
    QStringList facts{QString::fromStdString(m_variable.type)};
    if (m_model)
        facts.append(m_model->totalRows() == 1 ? tr("1 row") : tr("%L1 rows").arg(m_model->totalRows()));
    else if (m_pages->currentIndex() == TextPage)
        facts.append(tr("%L1 characters").arg(m_text->totalChars()));
    m_facts->setText(facts.join(u", "_s));

    QString words = m_failure;
    if (m_reader->state() == State::Busy)
        words = tr("A cell is running. The rest is read when it has ended.");
    else if (m_reader->state() == State::Paused)
        words = tr("The sandbox is paused. The rest is read after it is resumed.");
    else if (m_reader->state() == State::Gone)
        words = tr("The context of this variable is gone. What was read stays.");
    else if (words.isEmpty() && m_model && m_model->totalRows() > ValueModel::kMaxRows)
        words = tr("Showing the first %L1 of %L2 rows.").arg(ValueModel::kMaxRows).arg(m_model->totalRows());
    else if (words.isEmpty() && m_text->totalChars() > ValueText::kMaxChars)
        words = tr("Showing the first %L1 of %L2 characters.").arg(ValueText::kMaxChars).arg(m_text->totalChars());
    m_note->setText(words);
    m_note->setVisible(!words.isEmpty());
    m_empty->setWords(u"table"_s, words.isEmpty() ? tr("Reading the value") : tr("The value was not read"), words);
    if (m_pages->currentIndex() == EmptyPage)
        m_note->hide();
}

void ValueView::copyAsTsv() const
{
    if (m_model && m_pages->currentIndex() == TablePage)
        QGuiApplication::clipboard()->setText(m_model->asTsv(m_table->selectionModel()->selectedIndexes()));
    else
        copyValue();
}

void ValueView::copyValue() const
{
    if (m_pages->currentIndex() == TextPage)
        QGuiApplication::clipboard()->setText(m_text->copiedText());
    else if (m_model)
        QGuiApplication::clipboard()->setText(m_table->currentIndex().data().toString());
}

bool ValueView::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    auto *key = static_cast<QKeyEvent *>(event);
    if (key->key() == Qt::Key_F5) {
        refresh();
        return true;
    }
    if (watched == m_table && key->matches(QKeySequence::Copy)) {
        const bool isOne = m_table->selectionModel()->selectedIndexes().size() == 1;
        isOne ? copyValue() : copyAsTsv();
        return true;
    }
    return false;
}

void ValueView::showMenu(const QPoint &position)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Copy value"), this, &ValueView::copyValue);
    menu->addAction(tr("Copy as text with tabs"), this, &ValueView::copyAsTsv);
    menu->addSeparator();
    menu->addAction(tr("Read again"), this, &ValueView::refresh);
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

void ValueView::applyTheme()
{
    const Theme &theme = m_source->theme();
    QFont name = theme.codeFont();
    name.setWeight(QFont::DemiBold);
    m_name->setFont(name);
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.color(ColorToken::Text2));
    for (QLabel *label : {m_facts, m_note}) {
        label->setFont(theme.smallFont());
        label->setPalette(quiet);
    }
    m_table->setPalette(theme.palette());
    m_table->verticalHeader()->setDefaultSectionSize(qRound(theme.scaled(kRowPx)));
    for (QToolButton *button : std::as_const(m_buttons))
        button->setIcon(tintedIcon(button->property("sandfishIcon").toString(), theme.color(ColorToken::Text2),
            theme.color(ColorToken::Text3)));
    update();
}

void ValueView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_source->theme().color(ColorToken::Canvas));
}

} // namespace sandfish
