#pragma once

#include <QProxyStyle>

class QStyleOptionToolButton;

namespace sandfish {

class Theme;
class ThemeSource;

/// The look of the chrome in the tokens of DESIGN.md §2, on top of Fusion. Buttons with the dynamic property
/// "sandfishPrimary" are filled with accent, those with "sandfishDanger" have the error edge. Thread: GUI.
class SandfishStyle : public QProxyStyle
{
    Q_OBJECT
public:
    /// \a source outlives the style.
    explicit SandfishStyle(const ThemeSource *source);

    void polish(QWidget *widget) override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(
        StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *returnData) const override;
    QSize sizeFromContents(
        ContentsType type, const QStyleOption *option, const QSize &size, const QWidget *widget) const override;
    void drawPrimitive(
        PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
    void drawControl(
        ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
        const QWidget *widget) const override;

private:
    using QProxyStyle::polish;

    const Theme &theme() const;
    bool drawPanel(
        PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const;
    void drawButton(const QStyleOption *option, QPainter *painter, const QWidget *widget) const;
    void drawButtonLabel(const QStyleOption *option, QPainter *painter, const QWidget *widget) const;
    void drawToolButtonPanel(const QStyleOption *option, QPainter *painter) const;
    void drawToolButtonLabel(const QStyleOptionToolButton &option, QPainter *painter) const;
    void drawField(const QStyleOption *option, QPainter *painter) const;
    void drawRow(const QStyleOption *option, QPainter *painter) const;
    void drawBranch(const QStyleOption *option, QPainter *painter) const;
    void drawMenuBarItem(const QStyleOption *option, QPainter *painter, const QWidget *widget) const;
    void drawScrollBar(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const;

    const ThemeSource *m_source;
};

} // namespace sandfish
