#pragma once

#include "ui/outputs/outputrenderer.h"

namespace sandfish {

/// Stands for an output that cannot be shown, and says which types are kept.
class ChipOutput : public OutputItem
{
public:
    ChipOutput(QString text, const RenderStyle &style);

    qreal heightForWidth(qreal widthPx) override;
    void paint(QPainter &painter, const QRectF &clip) override;
    bool update(const Output &output) override;
    QString plainText() const override { return m_text; }

private:
    const RenderStyle &m_style;
    QString m_text;
    qreal m_widthPx = 0;
};

/// The chip for an output whose types nothing may show.
std::unique_ptr<OutputItem> makeChip(const Output &output, const RenderStyle &style, bool isTrusted);

} // namespace sandfish
