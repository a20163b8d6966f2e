#pragma once

#include "ui/text/theme.h"

#include <QString>
#include <QWidget>

#include <array>
#include <optional>

class QAbstractButton;

namespace sandfish {

class StatusSegment;
class ThemeSource;

/// The status bar's segments (notebooks.md §4.2): each a button with a tooltip. Drops them from the least important on
/// when there is no room; the kernel state never drops (DESIGN.md §4.1). Thread: GUI.
class StatusStrip : public QWidget
{
    Q_OBJECT
public:
    enum class Segment
    {
        Mode,
        CellNumber,
        Kernel,
        Memory,
        Connection,
        Trust,
        Language,
        Spaces,
        Saved,
        Count_
    };
    Q_ENUM(Segment)

    struct Content
    {
        QString text; ///< empty: the segment is left out
        QString icon; ///< of resources/icons; empty: none
        ColorToken color = ColorToken::Text2;
        QString tip;
        std::optional<ColorToken> iconColor = std::nullopt; ///< where it differs from that of the text
    };

    explicit StatusStrip(const ThemeSource *source, QWidget *parent = nullptr);

    void setContent(Segment segment, const Content &content);
    QString text(Segment segment) const;
    bool isShown(Segment segment) const;
    QWidget *segmentWidget(Segment segment) const;

signals:
    void clicked(sandfish::StatusStrip::Segment segment);

protected:
    void resizeEvent(QResizeEvent *event) override;
    QSize minimumSizeHint() const override { return {0, 0}; }

private:
    void fit();

    const ThemeSource *m_source;
    std::array<StatusSegment *, std::size_t(Segment::Count_)> m_segments{};
};

} // namespace sandfish
