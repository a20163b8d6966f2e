#pragma once

#include "core/document/cell.h"
#include "core/providers/context.h"

#include <QObject>
#include <QString>

#include <vector>

namespace sandfish {

class NotebookTab;
class Rewinder;
struct BranchPoint;
struct RewindReport;

/// Going back to the state from before a cell, and what else gets there: asks, acts and tells what was done.
/// Thread: GUI.
class RewindActs : public QObject
{
    Q_OBJECT
public:
    /// \a tab is the parent.
    explicit RewindActs(NotebookTab *tab);

    /// As Rewinder::whyNot(): why neither a rewind nor a branch is possible.
    QString whyNot(const CellId &id) const;
    /// Asks; a cell that runs is stopped.
    void rewind(const CellId &id);
    /// Without a question, for a place that has told what it means.
    void rewindNow(const CellId &id);
    void branch(const CellId &id);
    /// Asks; for what cannot be rewound.
    void restartAndRunAbove(const CellId &id);
    void undo();
    bool canUndo() const;

signals:
    void branchMade(const sandfish::BranchPoint &point);

private:
    Rewinder *rewinder() const;
    QString lossText(const CellId &id) const;
    void tell(const RewindReport &report);

    NotebookTab *m_tab;
};

} // namespace sandfish
