#pragma once

#include <QWidget>

class QVBoxLayout;

namespace sandfish {

class ThemeSource;

/// The card below the ready first cell of an empty notebook (notebooks.md §4.4): what can be done first.
/// The owner hides it when the user types. Thread: GUI.
class StartCard : public QWidget
{
    Q_OBJECT
public:
    explicit StartCard(const ThemeSource *source, QWidget *parent = nullptr);

signals:
    void openRequested();
    void recentRequested();
    void tourRequested();
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void addHead(QVBoxLayout *column);
    void addRow(QVBoxLayout *column, const QString &icon, const QString &title, const QString &text,
        const QString &shortcut, void (StartCard::*signal)());

    const ThemeSource *m_source;
};

} // namespace sandfish
