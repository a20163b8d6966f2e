#pragma once

#include "core/protocol/lookinside.h"

#include <QWidget>

#include <array>

class QLabel;
class QPushButton;

namespace sandfish {

class ThemeSource;

/// What is known of the selected variable, below the list, and the way to the whole of it. Thread: GUI.
class VariableDetails : public QWidget
{
    Q_OBJECT
public:
    explicit VariableDetails(const ThemeSource *source, QWidget *parent = nullptr);

    /// Null hides it. \a canOpen: the whole value can be asked for now; else the button says why not.
    void showVariable(const VariableInfo *info, bool canOpen, const QString &reason);
    QPushButton *openButton() const { return m_open; }

signals:
    void openRequested();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Fact
    {
        QLabel *name;
        QLabel *value;
    };
    void setFact(std::size_t row, const QString &value);
    void applyTheme();

    const ThemeSource *m_source;
    QLabel *m_name;
    QPushButton *m_open;
    std::array<Fact, 4> m_facts{};
};

} // namespace sandfish
