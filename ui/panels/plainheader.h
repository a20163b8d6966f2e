#pragma once

#include "ui/text/theme.h"

#include <QHeaderView>

namespace sandfish {

class ThemeSource;

/// The head of a table as the design has it: 12 px semi-bold names, one line below, a chevron where it sorts
/// (DESIGN.md §3.6). Thread: GUI.
class PlainHeader : public QHeaderView
{
    Q_OBJECT
public:
    enum class Line
    {
        None,
        Below
    };
    static constexpr int kPaddingPx = 6; ///< at both sides of a cell

    /// \a source outlives the header; \a fill is the surface of its table.
    PlainHeader(const ThemeSource *source, ColorToken fill, Line line, QWidget *parent = nullptr);
    void setFirstPadding(int px) { m_firstPaddingPx = px; }

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void paintSection(QPainter *painter, const QRect &rect, int logicalIndex) const override;

private:
    void applyTheme();

    const ThemeSource *m_source;
    ColorToken m_fill;
    Line m_line;
    int m_firstPaddingPx = kPaddingPx;
};

} // namespace sandfish
