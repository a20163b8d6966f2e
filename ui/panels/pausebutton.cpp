#include "ui/panels/pausebutton.h"

#include "ui/panels/paintkit.h"
#include "ui/panels/statewords.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QPainter>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kWidthPx = 124;
constexpr int kHeightPx = 30;
constexpr int kIconPx = 16;

PauseButton::State stateFor(const SessionStatus &status)
{
    using Session = NotebookSession::State;
    if (!status.hasSession)
        return PauseButton::State::Cannot;
    switch (status.state) {
    case Session::Pausing:
        return PauseButton::State::Pausing;
    case Session::Paused:
        return PauseButton::State::Paused;
    case Session::Resuming:
        return PauseButton::State::Resuming;
    case Session::Ready:
    case Session::Busy:
        return status.canPause ? PauseButton::State::Running : PauseButton::State::Cannot;
    default:
        return PauseButton::State::Cannot;
    }
}

bool isUnderWay(PauseButton::State state)
{
    return state == PauseButton::State::Pausing || state == PauseButton::State::Resuming;
}

QString iconFor(PauseButton::State state)
{
    switch (state) {
    case PauseButton::State::Pausing:
        return u"pausing"_s;
    case PauseButton::State::Paused:
        return u"resume"_s;
    case PauseButton::State::Resuming:
        return u"resuming"_s;
    default:
        return u"pause"_s;
    }
}

} // namespace

PauseButton::PauseButton(const ThemeSource *source, QWidget *parent)
    : QAbstractButton(parent)
    , m_source(source)
{
    setObjectName(u"pauseButton"_s);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    connect(this, &QAbstractButton::clicked, this, &PauseButton::emitRequest);
    connect(source, &ThemeSource::changed, this, [this] { updateGeometry(), update(); });
    setStatus({});
}

void PauseButton::setStatus(const SessionStatus &status)
{
    m_status = status;
    m_state = stateFor(status);
    setEnabled(m_state == State::Running || m_state == State::Paused);
    refreshTexts();
    update();
}

QSize PauseButton::sizeHint() const
{
    // Room for the longest label, so that nothing moves under the pointer when the state changes.
    const QFontMetricsF metrics(m_source->theme().strongFont());
    const QStringList labels{
        tr("Pause"), tr("Pausing %1").arg("00:00"_L1), tr("Resume"), tr("Resuming %1").arg("00:00"_L1)};
    qreal widest = 0;
    for (const QString &label : labels)
        widest = std::max(widest, metrics.horizontalAdvance(label));
    const int needed = int(std::ceil(widest)) + kIconPx + 6 + 16;
    return {std::max(qRound(m_source->theme().scaled(kWidthPx)), needed), qRound(m_source->theme().scaled(kHeightPx))};
}

void PauseButton::refreshTexts()
{
    const QString sandbox = m_status.sandboxName;
    const QString elapsed = minutesText(m_status.timeInState);
    switch (m_state) {
    case State::Running: {
        const QString tip = m_status.pauseKeeps == PauseKeeps::FilesOnly
            ? tr("Pause %1. Keeps files only; variables will be lost.").arg(sandbox)
            : tr("Pause %1. Keeps files and memory, as %2 reports.").arg(sandbox, m_status.providerName);
        setTexts(tr("Pause"), tip + u" (F7)"_s, tr("Pause sandbox %1").arg(sandbox));
        break;
    }
    case State::Pausing:
        setTexts(tr("Pausing %1").arg(elapsed), tr("%1 is being paused.").arg(sandbox),
            tr("Pausing, %1, unavailable").arg(elapsed));
        break;
    case State::Paused:
        setTexts(tr("Resume"), tr("Resume %1 (F7)").arg(sandbox), tr("Resume sandbox %1").arg(sandbox));
        break;
    case State::Resuming:
        setTexts(tr("Resuming %1").arg(elapsed), tr("%1 is being resumed.").arg(sandbox),
            tr("Resuming, %1, unavailable").arg(elapsed));
        break;
    case State::Cannot: {
        const bool isRunning =
            m_status.state == NotebookSession::State::Ready || m_status.state == NotebookSession::State::Busy;
        const QString tip = m_status.hasSession && isRunning ? tr("This %1 cannot pause.").arg(m_status.providerName)
                                                             : tr("Nothing is running to pause.");
        setTexts(tr("Pause"), tip, tr("Pause, unavailable"));
        break;
    }
    }
}

void PauseButton::setTexts(const QString &label, const QString &tip, const QString &spoken)
{
    setText(label);
    setToolTip(tip);
    setStatusTip(tip);
    setAccessibleName(spoken);
}

void PauseButton::emitRequest()
{
    if (m_state == State::Running)
        emit pauseRequested();
    else if (m_state == State::Paused)
        emit resumeRequested();
}

void PauseButton::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_source->theme();
    ColorToken fill = ColorToken::Raised;
    ColorToken edge = ColorToken::Border;
    ColorToken ink = ColorToken::Text;
    if (isUnderWay(m_state))
        fill = ColorToken::SandTint, edge = ColorToken::SandMark, ink = ColorToken::Sand;
    else if (m_state == State::Paused)
        fill = edge = underMouse() ? ColorToken::AccentHover : ColorToken::Accent, ink = ColorToken::OnAccent;
    else if (m_state == State::Cannot)
        ink = ColorToken::Text3;
    else if (isDown() || underMouse())
        fill = isDown() ? ColorToken::SelectedIdle : ColorToken::Hover;

    QPainter painter(this);
    paintBox(painter, rect(), theme.color(fill), theme.color(edge), kButtonRadiusPx);
    const QFont font = m_state == State::Paused ? theme.strongFont() : theme.uiFont();
    painter.setFont(font);
    const qreal textWidth = QFontMetricsF(font).horizontalAdvance(text());
    const qreal left = (width() - textWidth - kIconPx - 6) / 2;
    paintIcon(painter, QRectF(left, 0, kIconPx, height()), iconFor(m_state), theme.color(ink), kIconPx);
    painter.setPen(theme.color(ink));
    painter.drawText(QRectF(left + kIconPx + 6, 0, textWidth + 1, height()), Qt::AlignVCenter | Qt::AlignLeft, text());
    if (hasFocus())
        paintFocusRing(painter, rect(), theme, m_state == State::Paused);
}

} // namespace sandfish
