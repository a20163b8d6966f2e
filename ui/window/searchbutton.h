#pragma once

#include <QAbstractButton>

namespace sandfish {

class ThemeSource;

/// Looks like a search field and opens the find strip; a plain icon in narrow windows (DESIGN.md §4.1).
class SearchButton : public QAbstractButton
{
    Q_OBJECT
public:
    explicit SearchButton(const ThemeSource *source, QWidget *parent = nullptr);

    void setCompact(bool isCompact);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const ThemeSource *m_source;
    bool m_isCompact = false;
};

} // namespace sandfish
