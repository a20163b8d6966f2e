#pragma once

#include "core/protocol/lookinside.h"

#include <QWidget>

#include <memory>

class QLabel;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace sandfish {

class Context;
class EmptyState;
class NotebookSession;
class ThemeSource;
class ValueModel;
class ValueReader;
class ValueText;

/// One variable as a page of the window: rows of tables, arrays, lists, dicts and attributes, or a text. Reads what is
/// in sight and nothing while a cell runs. Thread: GUI.
class ValueView : public QWidget
{
    Q_OBJECT
public:
    /// \a source outlives the view; the session may die before it.
    ValueView(const ThemeSource *source, NotebookSession *session, const std::shared_ptr<Context> &context,
        const VariableInfo &variable, QWidget *parent = nullptr);
    ~ValueView() override;

    const std::string &variable() const;
    bool isOf(const std::shared_ptr<Context> &context) const { return m_context.lock() == context; }
    QTableView *table() const { return m_table; }
    ValueText *text() const { return m_text; }
    ValueModel *model() const { return m_model.get(); } ///< null before the first page, and for a text
    QString note() const;
    const EmptyState *emptyState() const; ///< null while there is a value
    void refresh();
    /// The selected cells with the names of their columns.
    void copyAsTsv() const;
    /// The cell at hand alone, or the selected text.
    void copyValue() const;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void buildHead();
    void buildTable();
    QToolButton *addButton(const QString &icon, const QString &tip);
    void take(const ValuePage &page);
    void showTable(const ValuePage &page);
    void showNote();
    void showMenu(const QPoint &position);
    void applyTheme();

    const ThemeSource *m_source;
    std::weak_ptr<Context> m_context;
    std::unique_ptr<ValueReader> m_reader;
    QWidget *m_head;
    QLabel *m_name;
    QLabel *m_facts;
    QLabel *m_note;
    QStackedLayout *m_pages;
    EmptyState *m_empty;
    QTableView *m_table;
    ValueText *m_text;
    std::unique_ptr<ValueModel> m_model;
    VariableInfo m_variable;
    QString m_failure;
    QList<QToolButton *> m_buttons;
};

} // namespace sandfish
