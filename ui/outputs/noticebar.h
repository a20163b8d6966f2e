#pragma once

#include "ui/outputs/outputrenderer.h"

#include <QColor>
#include <QRectF>

#include <vector>

namespace sandfish {

/// A bar of 30 px below an output: a sentence at the left, acts as links at the right (DESIGN.md §3.1).
class NoticeBar
{
public:
    struct Act
    {
        QString text;
        std::function<void()> trigger;
    };

    NoticeBar(QString text, std::vector<Act> acts, bool isWarning, const RenderStyle &style);

    static qreal heightPx(const Theme &theme);
    void paint(QPainter &painter, const QRectF &rect) const;
    std::vector<OutputAction> actions(const QRectF &rect) const;

private:
    std::vector<QRectF> actRects(const QRectF &rect) const;

    QString m_text;
    std::vector<Act> m_acts;
    bool m_isWarning;
    const RenderStyle &m_style;
};

/// An act that sends \a request to the surroundings; nothing if nobody answers requests.
void addRequest(
    std::vector<NoticeBar::Act> &acts, const QString &text, const OutputRequest &request, const RenderStyle &style);

} // namespace sandfish
