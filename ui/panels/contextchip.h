#pragma once

#include "ui/panels/sessionstatus.h"

#include <QAbstractButton>

#include <vector>

namespace sandfish {

class ThemeSource;

/// Says where the document in front runs: language, provider, sandbox, state, cost (DESIGN.md §3.2). Segments drop as
/// the window gets narrower; name and state never do. A click emits clicked(); the owner shows the menu. Thread: GUI.
class ContextChip : public QAbstractButton
{
    Q_OBJECT
public:
    enum class Segment
    {
        LanguageName,
        Provider,
        Name,
        Origin,
        State,
        Cost
    };

    /// \a source outlives the chip.
    explicit ContextChip(const ThemeSource *source, QWidget *parent = nullptr);

    void setStatus(const SessionStatus &status);
    /// Logical width of the window, which decides the segments (DESIGN.md §4.1).
    void setWindowWidth(int widthPx);
    std::vector<Segment> segments() const;
    /// The text of a segment as shown; empty where there is nothing to say.
    QString segmentText(Segment segment) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Drawn
    {
        Segment segment;
        QString text;
        qreal widthPx;
    };

    void refresh();
    std::vector<Drawn> layoutFor(qreal widthPx) const;
    qreal contentWidth(const std::vector<Drawn> &parts) const;
    void paintParts(QPainter &painter, const std::vector<Drawn> &parts) const;

    const ThemeSource *m_source;
    SessionStatus m_status;
    int m_windowWidthPx = 1440;
};

} // namespace sandfish
