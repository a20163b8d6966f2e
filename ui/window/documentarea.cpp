#include "ui/window/documentarea.h"

#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace sandfish {

DocumentArea::DocumentArea(const ThemeSource *source, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
    , m_bar(new DocumentTabBar(source, this))
    , m_stack(new QStackedWidget(this))
    , m_plus(new QToolButton(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(m_bar);
    row->addWidget(m_plus);
    row->addStretch(1);
    column->addLayout(row);
    column->addWidget(m_stack, 1);
    m_plus->setAutoRaise(true);
    m_plus->setToolTip(tr("New notebook (Ctrl+N)"));
    m_plus->setAccessibleName(tr("New notebook"));
    connect(m_plus, &QToolButton::clicked, this, &DocumentArea::newRequested);
    connect(m_bar, &QTabBar::currentChanged, this, [this](int index) {
        m_stack->setCurrentIndex(index);
        emit currentChanged(pageAt(index));
    });
    connect(m_bar, &QTabBar::tabMoved, this, &DocumentArea::movePage);
    connect(m_bar, &DocumentTabBar::closeRequested, this, [this](int index) { emit closeRequested(pageAt(index)); });
    connect(source, &ThemeSource::changed, this, &DocumentArea::applyTheme);
    applyTheme();
}

int DocumentArea::addPage(QWidget *page, const QString &title)
{
    m_stack->addWidget(page);
    const int index = m_bar->addTab(title);
    m_bar->setCurrentIndex(index);
    return index;
}

void DocumentArea::removePage(QWidget *page)
{
    const int index = m_stack->indexOf(page);
    if (index < 0)
        return;
    m_stack->removeWidget(page);
    m_bar->removeTab(index);
    page->hide();
    page->deleteLater();
}

QWidget *DocumentArea::currentPage() const
{
    return m_stack->currentWidget();
}

QWidget *DocumentArea::pageAt(int index) const
{
    return m_stack->widget(index);
}

int DocumentArea::pageCount() const
{
    return m_stack->count();
}

void DocumentArea::setCurrentPage(QWidget *page)
{
    setCurrentIndex(m_stack->indexOf(page));
}

void DocumentArea::setCurrentIndex(int index)
{
    if (index >= 0)
        m_bar->setCurrentIndex(index);
}

int DocumentArea::currentIndex() const
{
    return m_bar->currentIndex();
}

void DocumentArea::setTitle(QWidget *page, const QString &title, const QString &tip)
{
    const int index = m_stack->indexOf(page);
    if (index < 0)
        return;
    if (m_bar->tabText(index) != title)
        m_bar->setTabText(index, title);
    m_bar->setTabToolTip(index, tip);
}

void DocumentArea::setMark(QWidget *page, const DocumentTabBar::Mark &mark)
{
    const int index = m_stack->indexOf(page);
    if (index >= 0)
        m_bar->setMark(index, mark);
}

void DocumentArea::movePage(int from, int to)
{
    const QSignalBlocker blocker(m_stack);
    QWidget *page = m_stack->widget(from);
    m_stack->removeWidget(page);
    m_stack->insertWidget(to, page);
    m_stack->setCurrentIndex(m_bar->currentIndex());
}

void DocumentArea::applyTheme()
{
    const Theme &theme = m_source->theme();
    m_plus->setIcon(tintedIcon(u"add-cell"_s, theme.color(ColorToken::Text), theme.color(ColorToken::Text3)));
    update();
}

void DocumentArea::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_source->theme();
    QPainter painter(this);
    const int barHeight = m_bar->height();
    painter.fillRect(0, 0, width(), barHeight, theme.color(ColorToken::Window));
    painter.fillRect(0, barHeight - 1, width(), 1, theme.color(ColorToken::Border));
    painter.fillRect(0, barHeight, width(), height() - barHeight, theme.color(ColorToken::Canvas));
}

} // namespace sandfish
