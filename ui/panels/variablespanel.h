#pragma once

#include "core/protocol/lookinside.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QModelIndex;
class QSortFilterProxyModel;
class QStackedLayout;
class QTreeView;

namespace sandfish {

class EmptyState;
class ThemeSource;
class VariableDetails;
class VariableWatch;
class VariablesModel;

/// The dock of the variables of the context at hand: what they are first, values as far as they are quickly had.
/// Reads only while it is seen. Thread: GUI.
class VariablesPanel : public QWidget
{
    Q_OBJECT
public:
    /// Both outlive the panel.
    VariablesPanel(const ThemeSource *source, VariableWatch *watch, QWidget *parent = nullptr);

    QTreeView *list() const { return m_list; }
    QLineEdit *filter() const { return m_filter; }
    QString note() const;
    /// What stands in place of the list; null while there is one.
    const EmptyState *emptyState() const;
    VariableDetails *details() const { return m_details; }
    /// False while the window is minimised.
    void setWindowActive(bool isActive);

signals:
    void openRequested(const sandfish::VariableInfo &variable);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void buildList();
    void showState();
    void showDetails();
    const VariableInfo *variableAt(const QModelIndex &index) const;
    void open(const QModelIndex &index);
    bool filterKey(QObject *watched, int key, Qt::KeyboardModifiers modifiers);
    void copy(bool withValues) const;
    void showMenu(const QPoint &position);
    bool canOpen() const;
    QString reasonNotToOpen() const;
    void applyTheme();

    const ThemeSource *m_source;
    VariableWatch *m_watch;
    VariablesModel *m_model;
    QSortFilterProxyModel *m_sorted;
    QStackedLayout *m_pages;
    EmptyState *m_empty;
    QLineEdit *m_filter;
    QTreeView *m_list;
    QLabel *m_note;
    VariableDetails *m_details;
};

} // namespace sandfish
