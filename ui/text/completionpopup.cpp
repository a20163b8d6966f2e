#include "ui/text/completionpopup.h"

#include "ui/text/codedocview.h"
#include "ui/text/theme.h"

#include <QAccessible>
#include <QListView>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sandfish {
namespace {

constexpr qreal kListPanePx = 276;
constexpr qreal kDocsPanePx = 392;
constexpr qreal kFootPx = 24;
constexpr int kListEdgePx = 4;
constexpr int kMaxListRows = 8;
constexpr int kLeastRowsBesideDocs = 5;
constexpr int kFootMarginPx = 10;

} // namespace

CompletionPopup::CompletionPopup(QWidget *window)
    : PopupBox(window)
    , m_model(new CompletionModel(this))
    , m_delegate(new CompletionDelegate(this))
    , m_list(new QListView(this))
    , m_docs(new CodeDocView(this))
{
    setObjectName(QStringLiteral("completionPopup"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(m_delegate);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setAccessibleName(tr("Completions"));
    connect(m_list, &QListView::clicked, this, &CompletionPopup::chosen);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &now) {
        if (now.isValid())
            emit currentChanged();
    });
}

void CompletionPopup::setTheme(const Theme *theme)
{
    setBoxTheme(theme);
    m_delegate->setTheme(theme);
    m_docs->setTheme(theme);
    QPalette colours = theme->palette();
    colours.setColor(QPalette::Base, theme->color(ColorToken::Raised));
    m_list->setPalette(colours);
}

void CompletionPopup::open(
    std::vector<CompletionEntry> entries, const QString &prefix, const QString &foot, bool hasDocs)
{
    m_foot = foot;
    m_hasDocs = hasDocs;
    m_docs->clear();
    m_model->setEntries(std::move(entries), prefix);
    choose(0);
    show();
    raise();
}

bool CompletionPopup::setPrefix(const QString &prefix)
{
    const std::optional<CompletionEntry> before = current();
    m_model->setPrefix(prefix);
    int row = 0;
    for (int i = 0; before && i < m_model->rowCount(); ++i) {
        if (m_model->entry(i) == *before)
            row = i;
    }
    choose(row);
    return m_model->rowCount() > 0;
}

void CompletionPopup::choose(int row)
{
    const QModelIndex index = m_model->index(row);
    m_list->setCurrentIndex(index);
    if (!index.isValid() || !QAccessible::isActive())
        return;
    QAccessibleEvent event(m_list, QAccessible::Focus);
    event.setChild(row);
    QAccessible::updateAccessibility(&event);
}

std::optional<CompletionEntry> CompletionPopup::current() const
{
    const QModelIndex index = m_list->currentIndex();
    return index.isValid() ? std::optional(m_model->entry(index.row())) : std::nullopt;
}

void CompletionPopup::step(int by)
{
    const int count = m_model->rowCount();
    if (count > 0)
        choose((std::max(0, m_list->currentIndex().row()) + by + count) % count);
}

void CompletionPopup::stepPage(int direction)
{
    const int last = m_model->rowCount() - 1;
    choose(std::clamp(m_list->currentIndex().row() + direction * (kMaxListRows - 1), 0, std::max(0, last)));
}

int CompletionPopup::listHeightPx() const
{
    const int least = m_hasDocs ? kLeastRowsBesideDocs : 1;
    return std::clamp(m_model->rowCount(), least, kMaxListRows) * m_delegate->rowPx();
}

void CompletionPopup::place(const QRect &line)
{
    const Theme &theme = *boxTheme();
    const QRect bounds = parentWidget()->rect().adjusted(4, 4, -4, -4);
    m_listWidthPx = std::min(qRound(theme.scaled(kListPanePx)), bounds.width());
    // Help drops first in narrow windows.
    const int docsPx = qRound(theme.scaled(kDocsPanePx));
    const bool showsDocs = m_hasDocs && m_listWidthPx + docsPx <= bounds.width();
    m_docs->setVisible(showsDocs);
    const QSize size(
        m_listWidthPx + (showsDocs ? docsPx : 0), listHeightPx() + qRound(theme.scaled(kFootPx)) + 3 * kListEdgePx);
    setGeometry(placed(size, line, bounds));
    arrange();
}

void CompletionPopup::arrange()
{
    const int foot = qRound(boxTheme()->scaled(kFootPx));
    m_list->setGeometry(1, kListEdgePx, m_listWidthPx - 2, std::max(0, height() - foot - 3 * kListEdgePx));
    m_docs->setGeometry(m_listWidthPx, 2, std::max(0, width() - m_listWidthPx - 3), std::max(0, height() - 4));
    m_list->scrollTo(m_list->currentIndex());
    update();
}

void CompletionPopup::paintEvent(QPaintEvent *event)
{
    PopupBox::paintEvent(event);
    const Theme &theme = *boxTheme();
    QPainter painter(this);
    const QRectF foot(1, height() - theme.scaled(kFootPx) - 2, m_listWidthPx - 2, theme.scaled(kFootPx));
    painter.fillRect(QRectF(foot.left(), foot.top(), foot.width(), 1), theme.color(ColorToken::Border));
    if (m_docs->isVisible())
        painter.fillRect(m_listWidthPx - 1, 1, 1, height() - 2, theme.color(ColorToken::Border));
    const QRectF words = foot.adjusted(kFootMarginPx, 0, -kFootMarginPx, 0);
    const QFontMetricsF metrics(theme.smallFont());
    const QString keys = tr("Tab insert");
    const qreal keysPx = std::ceil(metrics.horizontalAdvance(keys));
    painter.setFont(theme.smallFont());
    painter.setPen(theme.color(ColorToken::Text3));
    const QRectF left = words.adjusted(0, 0, -keysPx - kFootMarginPx, 0);
    painter.drawText(left, Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(m_foot, Qt::ElideRight, left.width()));
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignRight, keys);
}

} // namespace sandfish
