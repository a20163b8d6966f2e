#pragma once

#include "ui/panels/statusstrip.h"

#include <QAbstractButton>

namespace sandfish {

/// One segment of the status strip.
class StatusSegment : public QAbstractButton
{
    Q_OBJECT
public:
    StatusSegment(const ThemeSource *source, QWidget *parent);

    void setContent(const StatusStrip::Content &content);
    void setDividerAtLeft(bool hasDivider);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, 0}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const ThemeSource *m_source;
    StatusStrip::Content m_content;
    bool m_hasDivider = false;
};

} // namespace sandfish
