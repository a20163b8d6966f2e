#include "ui/panels/statusstrip.h"

#include "ui/panels/statussegment.h"
#include "ui/text/themesource.h"

#include <QHBoxLayout>
#include <QMetaEnum>

namespace sandfish {
namespace {

using Segment = StatusStrip::Segment;

/// Least important first (DESIGN.md §4.1); what is missing here never drops.
constexpr std::array kDropOrder{Segment::Spaces, Segment::Language, Segment::Saved, Segment::Memory,
    Segment::CellNumber, Segment::Trust, Segment::Connection, Segment::Mode};
constexpr int kNarrowWindowPx = 900;

bool isInNarrowWindow(Segment segment)
{
    return segment == Segment::Mode || segment == Segment::Kernel || segment == Segment::Connection
        || segment == Segment::Trust;
}

} // namespace

StatusStrip::StatusStrip(const ThemeSource *source, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(6, 0, 6, 0);
    row->setSpacing(0);
    for (std::size_t i = 0; i < m_segments.size(); ++i) {
        const auto segment = Segment(i);
        auto *widget = new StatusSegment(source, this);
        widget->setObjectName(QString::fromLatin1(QMetaEnum::fromType<Segment>().valueToKey(int(i))));
        widget->setDividerAtLeft(segment != Segment::Mode && segment != Segment::Connection);
        connect(widget, &QAbstractButton::clicked, this, [this, segment] { emit clicked(segment); });
        if (segment == Segment::Connection)
            row->addStretch(1);
        row->addWidget(widget);
        widget->hide();
        m_segments[i] = widget;
    }
    connect(source, &ThemeSource::changed, this, &StatusStrip::fit);
}

void StatusStrip::setContent(Segment segment, const Content &content)
{
    m_segments[std::size_t(segment)]->setContent(content);
    fit();
}

QString StatusStrip::text(Segment segment) const
{
    return m_segments[std::size_t(segment)]->text();
}

bool StatusStrip::isShown(Segment segment) const
{
    return !m_segments[std::size_t(segment)]->isHidden();
}

QWidget *StatusStrip::segmentWidget(Segment segment) const
{
    return m_segments[std::size_t(segment)];
}

void StatusStrip::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

void StatusStrip::fit()
{
    std::array<bool, std::size_t(Segment::Count_)> isShown{};
    int needed = 24;
    for (std::size_t i = 0; i < m_segments.size(); ++i) {
        const bool hasRoom = width() >= kNarrowWindowPx - 24 || isInNarrowWindow(Segment(i));
        isShown[i] = hasRoom && !m_segments[i]->text().isEmpty();
        needed += isShown[i] ? m_segments[i]->sizeHint().width() : 0;
    }
    for (const Segment segment : kDropOrder) {
        if (needed <= width())
            break;
        bool &shown = isShown[std::size_t(segment)];
        needed -= shown ? m_segments[std::size_t(segment)]->sizeHint().width() : 0;
        shown = false;
    }
    for (std::size_t i = 0; i < m_segments.size(); ++i)
        m_segments[i]->setVisible(isShown[i]);
}

} // namespace sandfish
