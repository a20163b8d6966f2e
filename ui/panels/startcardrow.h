#pragma once

#include <QAbstractButton>

namespace sandfish {

class ThemeSource;

/// One offer of the start card: icon, bold line, quiet line, key.
class StartCardRow : public QAbstractButton
{
    Q_OBJECT
public:
    StartCardRow(const ThemeSource *source, const QString &icon, const QString &title, const QString &text,
        const QString &shortcut, QWidget *parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const ThemeSource *m_source;
    QString m_icon;
    QString m_detail;
    QString m_shortcut;
};

} // namespace sandfish
