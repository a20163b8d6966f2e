#pragma once

#include "ui/outputs/outputrenderer.h"
#include "ui/outputs/textblock.h"

namespace sandfish {

/// The text of a stream, or text/plain: the painted lines, the mark of stderr, the line above late output and the bar
/// below long output (DESIGN.md §3.1).
class TextOutput : public OutputItem
{
public:
    /// For a stream.
    TextOutput(const Output &output, const RenderStyle &style);
    /// For any other text; \a serial is the output's.
    TextOutput(std::string text, std::uint64_t serial, const RenderStyle &style);
    ~TextOutput() override;

    qreal heightForWidth(qreal widthPx) override;
    void paint(QPainter &painter, const QRectF &clip) override;
    bool update(const Output &output) override;
    std::vector<OutputAction> actions() override;
    Selectable selectable() override { return {&m_block, QPointF(0, headPx())}; }
    QString plainText() const override;

private:
    struct Notice; // the bar
    Notice notice() const;
    bool isStderr() const { return m_isStream && m_channel == StreamText::Channel::Stderr; }
    qreal headPx() const;
    void paintLateHead(QPainter &painter) const;
    void paintStderrMark(QPainter &painter) const;
    void paintBar(QPainter &painter);

    const RenderStyle &m_style;
    std::uint64_t m_serial = 0;
    bool m_isStream = false;
    StreamText::Channel m_channel = StreamText::Channel::Stdout;
    bool m_isLate = false;
    std::chrono::milliseconds m_lateBy{0};
    std::shared_ptr<OutputText> m_text; ///< of a stream
    TextBlock m_block;
    qreal m_widthPx = 0;
    qreal m_textPx = 0;
};

} // namespace sandfish
