#include "ui/panels/startcard.h"

#include "ui/panels/paintkit.h"
#include "ui/panels/startcardrow.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kWidthPx = 560;
constexpr int kLogoPx = 42;

} // namespace

StartCard::StartCard(const ThemeSource *source, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
{
    setObjectName(u"startCard"_s);
    setAccessibleName(tr("Start card"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 12, 8, 12);
    column->setSpacing(2);
    addHead(column);
    column->addSpacing(16);
    addRow(column, u"files"_s, tr("Open…"), tr("A notebook on this computer"), tr("Ctrl+O"), &StartCard::openRequested);
    addRow(column, u"clock"_s, tr("Recent"), tr("Files that were open before"), {}, &StartCard::recentRequested);
    addRow(column, u"table"_s, tr("Tour"), tr("Ten cells that show what Sandfish does, works offline"), {},
        &StartCard::tourRequested);
    column->addSpacing(10);
    auto *foot = new QLabel(tr("Typing in the cell closes this card. Help, Start card brings it back."), this);
    foot->setFont(source->theme().smallFont());
    foot->setContentsMargins(10, 6, 10, 0);
    foot->setWordWrap(true);
    column->addWidget(foot);
    setFixedWidth(qRound(source->theme().scaled(kWidthPx)));
    adjustSize();
    connect(source, &ThemeSource::changed, this, qOverload<>(&QWidget::update));
}

void StartCard::addHead(QVBoxLayout *column)
{
    auto *row = new QHBoxLayout;
    row->setContentsMargins(10, 4, 10, 4);
    row->setSpacing(14);
    auto *logo = new QLabel(this);
    logo->setPixmap(logoIcon().pixmap(QSize(kLogoPx, kLogoPx), devicePixelRatioF()));
    row->addWidget(logo);
    auto *texts = new QVBoxLayout;
    texts->setSpacing(0);
    auto *title = new QLabel(tr("Ready on this computer"), this);
    title->setFont(m_source->theme().titleFont());
    texts->addWidget(title);
    auto *text = new QLabel(tr("Python, JavaScript and Bash run here, in a local sandbox. No account."), this);
    text->setWordWrap(true);
    texts->addWidget(text);
    row->addLayout(texts, 1);
    auto *close = new QToolButton(this);
    close->setAutoRaise(true);
    close->setIcon(tintedIcon(u"close"_s, m_source->theme().color(ColorToken::Text2), {}));
    close->setIconSize({12, 12});
    close->setToolTip(tr("Close the start card"));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, this, &StartCard::closed);
    row->addWidget(close, 0, Qt::AlignTop);
    column->addLayout(row);
}

void StartCard::addRow(QVBoxLayout *column, const QString &icon, const QString &title, const QString &text,
    const QString &shortcut, void (StartCard::*signal)())
{
    auto *row = new StartCardRow(m_source, icon, title, text, shortcut, this);
    connect(row, &QAbstractButton::clicked, this, signal);
    column->addWidget(row);
}

void StartCard::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_source->theme();
    QPainter painter(this);
    paintBox(painter, rect(), theme.color(ColorToken::Panel), theme.color(ColorToken::Border), kCardRadiusPx);
}

} // namespace sandfish
