#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace sandfish {

class ThemeSource;

/// Where a search looks, and how.
struct FindQuery
{
    QString text;
    bool isCaseSensitive = false;
    bool inCode = true;
    bool inText = true;
    bool inOutput = false;
    bool operator==(const FindQuery &) const = default;
};

/// The strip at the foot of the document (DESIGN.md §3.10): nothing is covered or moved. It asks; the owner searches.
/// Thread: GUI.
class FindStrip : public QWidget
{
    Q_OBJECT
public:
    explicit FindStrip(const ThemeSource *source, QWidget *parent = nullptr);

    FindQuery query() const;
    /// Shows the strip with the focus in the field and its text selected.
    void open();
    /// \a current counts from 1; 0: none yet. 0 hits say that there is nothing.
    void setResult(int current, int count, int inOutputs = 0);
    QString resultText() const;
    QLineEdit *field() const { return m_field; }

signals:
    void queryChanged(const sandfish::FindQuery &query);
    void nextRequested();
    void previousRequested();
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QToolButton *addButton(const QString &icon, const QString &tip);
    QCheckBox *addScope(const QString &text, bool isChecked);
    void close();
    void applyTheme();

    const ThemeSource *m_source;
    QLineEdit *m_field;
    QLabel *m_result;
    QCheckBox *m_case = nullptr;
    QCheckBox *m_code = nullptr;
    QCheckBox *m_text = nullptr;
    QCheckBox *m_output = nullptr;
    QList<QToolButton *> m_buttons;
};

} // namespace sandfish
