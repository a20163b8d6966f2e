#pragma once

#include <QTabBar>

namespace sandfish {

class ThemeSource;

/// The tabs of the documents (DESIGN.md §2.3): 34 px, a 2 px accent line over the active one, the mark of the run at
/// the left, and at the right a dot while there are unsaved changes, which becomes the close button under the pointer.
/// Thread: GUI.
class DocumentTabBar : public QTabBar
{
    Q_OBJECT
public:
    /// What a tab shows beside its text; set as its data.
    struct Mark
    {
        QString icon; ///< of resources/icons, or "dot"
        int colorToken = 0;
        bool isModified = false;
        bool operator==(const Mark &) const = default;
    };

    explicit DocumentTabBar(const ThemeSource *source, QWidget *parent = nullptr);

    void setMark(int index, const Mark &mark);
    QRect closeRect(int index) const;

signals:
    void closeRequested(int index);

protected:
    QSize tabSizeHint(int index) const override;
    QSize minimumTabSizeHint(int index) const override;
    QSize minimumSizeHint() const override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    void paintTab(QPainter &painter, int index) const;
    void paintEnd(QPainter &painter, int index) const;

    const ThemeSource *m_source;
    int m_hovered = -1;
    int m_pressedClose = -1;
};

} // namespace sandfish

Q_DECLARE_METATYPE(sandfish::DocumentTabBar::Mark)
