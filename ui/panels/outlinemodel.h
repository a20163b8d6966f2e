#pragma once

#include "core/document/cell.h"

#include <QAbstractListModel>
#include <QTimer>

#include <vector>

namespace sandfish {

class NotebookDocument;

/// Headings and code cells of one notebook, in order. Read again, merged, shortly after a change.
/// Cost: O(cells) once per change burst, without touching outputs. Thread: GUI.
class OutlineModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role
    {
        LevelRole = Qt::UserRole, ///< indentation steps
        IsHeadingRole,
        StateIconRole,  ///< of the last run; empty: never run
        StateColorRole, ///< ColorToken as int
        CellIdRole      ///< QString
    };

    explicit OutlineModel(QObject *parent = nullptr);

    /// \a document may be null and outlives the model or is replaced before it dies.
    void setDocument(NotebookDocument *document);
    int rowOf(const CellId &id) const; ///< -1 if the cell has no row; the last heading of a Markdown cell's first row

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    struct Row
    {
        CellId cell;
        QString text;
        int level = 0;
        bool isHeading = false;
    };

    void read();
    void addHeadings(const Cell &cell, int &level);
    void updateRun(const CellId &id);
    void noteLateOutput(const std::vector<CellId> &ids);
    QVariant codeData(const Row &row, int role) const;

    NotebookDocument *m_document = nullptr;
    std::vector<Row> m_rows;
    QTimer m_timer;
};

} // namespace sandfish
