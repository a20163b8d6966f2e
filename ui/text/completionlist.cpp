#include "ui/text/completionlist.h"

#include "ui/text/icons.h"
#include "ui/text/theme.h"

#include <QPainter>

#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qreal kEntryRowPx = 26;
constexpr int kEntryPaddingPx = 10;
constexpr int kEntryIconPx = 14;
constexpr int kEntryGapPx = 8;

QString iconOfKind(const QString &kind)
{
    struct Row
    {
        QLatin1StringView kind;
        QLatin1StringView icon;
    };
    static constexpr std::array kRows{
        Row{"instance"_L1, "variables"_L1},
        Row{"variable"_L1, "variables"_L1},
        Row{"param"_L1, "variables"_L1},
        Row{"property"_L1, "variables"_L1},
        Row{"key"_L1, "table"_L1},
        Row{"module"_L1, "files"_L1},
        Row{"folder"_L1, "files"_L1},
        Row{"file"_L1, "file"_L1},
        Row{"word"_L1, "search"_L1},
        Row{"command"_L1, "terminal"_L1},
        Row{"alias"_L1, "terminal"_L1},
    };
    for (const Row &row : kRows) {
        if (kind == row.kind)
            return row.icon;
    }
    return u"code"_s;
}

} // namespace

QString completionKindText(const QString &kind)
{
    if (kind == "instance"_L1)
        return CompletionModel::tr("variable");
    if (kind == "param"_L1)
        return CompletionModel::tr("parameter");
    return kind;
}

void CompletionModel::setEntries(std::vector<CompletionEntry> entries, const QString &prefix)
{
    beginResetModel();
    m_entries = std::move(entries);
    m_prefix = prefix;
    filter();
    endResetModel();
}

void CompletionModel::setPrefix(const QString &prefix)
{
    beginResetModel();
    m_prefix = prefix;
    filter();
    endResetModel();
}

void CompletionModel::filter()
{
    m_shown.clear();
    std::vector<int> others;
    for (int i = 0; i < int(m_entries.size()); ++i) {
        const QString &text = m_entries[std::size_t(i)].text;
        if (text.startsWith(m_prefix))
            m_shown.push_back(i);
        else if (text.startsWith(m_prefix, Qt::CaseInsensitive))
            others.push_back(i);
    }
    m_shown.insert(m_shown.end(), others.begin(), others.end());
}

int CompletionModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_shown.size());
}

QVariant CompletionModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    if (role == Qt::DisplayRole)
        return entry(index.row()).text;
    if (role == Qt::AccessibleTextRole)
        return tr("%1, %2").arg(entry(index.row()).text, completionKindText(entry(index.row()).kind));
    return {};
}

int CompletionDelegate::rowPx() const
{
    return m_theme ? qRound(m_theme->scaled(kEntryRowPx)) : qRound(kEntryRowPx);
}

QSize CompletionDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const
{
    return {100, rowPx()};
}

void CompletionDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *model = static_cast<const CompletionModel *>(index.model());
    const CompletionEntry &entry = model->entry(index.row());
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    if (isSelected)
        painter->fillRect(option.rect, m_theme->color(ColorToken::Selected));
    QRectF rest = QRectF(option.rect).adjusted(kEntryPaddingPx, 0, -kEntryPaddingPx, 0);
    paintIcon(*painter, QRectF(rest.left(), rest.top(), kEntryIconPx, rest.height()), iconOfKind(entry.kind),
        m_theme->color(ColorToken::Accent), kEntryIconPx);
    rest.setLeft(rest.left() + kEntryIconPx + kEntryGapPx);

    const QString kind = completionKindText(entry.kind);
    const QFontMetricsF small(m_theme->smallFont());
    painter->setFont(m_theme->smallFont());
    painter->setPen(m_theme->color(isSelected ? ColorToken::Text2 : ColorToken::Text3));
    painter->drawText(rest, Qt::AlignVCenter | Qt::AlignRight, kind);
    rest.setRight(rest.right() - std::ceil(small.horizontalAdvance(kind)) - kEntryGapPx);

    QFont bold = m_theme->codeSmallFont();
    bold.setBold(true);
    const qsizetype typed = std::min(model->prefix().size(), entry.text.size());
    const QString head = QFontMetricsF(bold).elidedText(entry.text.left(typed), Qt::ElideRight, rest.width());
    painter->setPen(m_theme->color(ColorToken::Text));
    painter->setFont(bold);
    painter->drawText(rest, Qt::AlignVCenter | Qt::AlignLeft, head);
    rest.setLeft(rest.left() + QFontMetricsF(bold).horizontalAdvance(head));
    painter->setFont(m_theme->codeSmallFont());
    painter->drawText(rest, Qt::AlignVCenter | Qt::AlignLeft,
        QFontMetricsF(m_theme->codeSmallFont()).elidedText(entry.text.mid(typed), Qt::ElideRight, rest.width()));
}

} // namespace sandfish
