#pragma once

#include <QWidget>

class QLabel;

namespace sandfish {

class ThemeSource;

/// What a panel shows instead of nothing: a 20 px icon, one bold line, one line that tells what to do
/// (DESIGN.md §3.10). Thread: GUI.
class EmptyState : public QWidget
{
    Q_OBJECT
public:
    explicit EmptyState(const ThemeSource *source, QWidget *parent = nullptr);

    /// \a icon: of resources/icons.
    void setWords(const QString &icon, const QString &title, const QString &text);
    QString title() const;
    QString text() const;

private:
    void applyTheme();

    const ThemeSource *m_source;
    QString m_iconName;
    QLabel *m_icon;
    QLabel *m_title;
    QLabel *m_text;
};

} // namespace sandfish
