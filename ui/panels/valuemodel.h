#pragma once

#include "core/protocol/lookinside.h"

#include <QAbstractTableModel>

#include <list>
#include <map>
#include <set>

namespace sandfish {

class ThemeSource;
class ValueReader;

/// The rows of one value: those that a view asks for are read by pages, and only the latest pages are kept, so that
/// the size of the value does not matter. Thread: GUI.
class ValueModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    static constexpr int kPageRows = 100;
    static constexpr std::size_t kMaxPages = 64;
    /// A view keeps some bytes for each row of its table.
    static constexpr std::int64_t kMaxRows = 1'000'000;

    /// Both outlive the model. \a first is the first page.
    ValueModel(const ThemeSource *source, ValueReader *reader, const ValuePage &first, QObject *parent = nullptr);

    /// A page that was read; the first one may also change the shape of the table.
    void take(const ValuePage &page);
    /// Forgets all pages: what a view looks at is read again.
    void refresh();
    std::int64_t totalRows() const { return m_total; }
    std::size_t pageCount() const { return m_pages.size(); }
    /// Tab-separated, with the names of the columns first; cells that were not read are empty.
    QString asTsv(const QModelIndexList &cells) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    using Rows = std::vector<std::vector<std::string>>;
    struct Page
    {
        std::int64_t number;
        Rows rows;
    };

    void setHead(const ValuePage &page);
    const std::vector<std::string> *row(int index) const;
    void want(std::int64_t page) const;
    bool isNumber(int column) const;
    QString textAt(int line, int column) const;
    QString columnName(int column) const;

    const ThemeSource *m_source;
    ValueReader *m_reader;
    ValuePage::Kind m_kind;
    std::vector<ValuePage::Column> m_columns;
    std::int64_t m_total = 0;
    mutable std::list<Page> m_pages; ///< the last used first
    mutable std::set<std::int64_t> m_wanted;
    std::set<std::int64_t> m_failed; ///< not asked for again before a refresh
};

} // namespace sandfish
