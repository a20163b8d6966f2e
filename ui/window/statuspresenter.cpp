#include "ui/window/statuspresenter.h"

#include "core/document/notebookdocument.h"
#include "ui/panels/sessionstatus.h"
#include "ui/panels/statewords.h"
#include "ui/panels/statusstrip.h"
#include "ui/window/notebooktab.h"

#include <QLocale>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

using Segment = StatusStrip::Segment;
using State = NotebookSession::State;

QString kernelText(const SessionStatus &status)
{
    const QString word = lookOf(status.state).word;
    if (status.state == State::Busy && status.runningFor.count() >= 0) {
        const QString running = word + u' ' + minutesText(status.runningFor);
        return status.queuedRuns == 0 ? running
                                      : StatusPresenter::tr("%1, %n queued", nullptr, status.queuedRuns).arg(running);
    }
    if (status.counts())
        return word + u' ' + minutesText(status.timeInState);
    if (status.state == State::Paused && status.timeInState >= std::chrono::minutes(1))
        return StatusPresenter::tr("%1 %2 min").arg(word).arg(status.timeInState / std::chrono::minutes(1));
    if (status.state == State::NoSandbox)
        return StatusPresenter::tr("Not started");
    return word;
}

} // namespace

StatusPresenter::StatusPresenter(StatusStrip *strip, QObject *parent)
    : QObject(parent)
    , m_strip(strip)
{
}

void StatusPresenter::show(const NotebookTab *tab, const SessionStatus &status)
{
    if (!tab) {
        for (int i = 0; i < int(Segment::Count_); ++i)
            m_strip->setContent(Segment(i), {});
        return;
    }
    showPlace(*tab);
    showKernel(status);
    showMemory(status);
    showFile(*tab, status);
}

void StatusPresenter::showPlace(const NotebookTab &tab)
{
    const bool isEditing = tab.view()->mode() == NotebookView::Mode::Edit;
    m_strip->setContent(Segment::Mode,
        {isEditing ? tr("Edit") : tr("Command"), {}, isEditing ? ColorToken::Accent : ColorToken::Text2,
            isEditing ? tr("Keys write text. Esc leaves the cell") : tr("Keys act on cells. Enter edits the cell")});
    const QLocale locale;
    const qsizetype index = tab.document()->indexOf(tab.view()->currentCell());
    m_strip->setContent(Segment::CellNumber,
        {tr("Cell %1 of %2").arg(locale.toString(index + 1), locale.toString(tab.document()->cellCount())), {},
            ColorToken::Text2, tr("Go to the current cell")});
}

void StatusPresenter::showKernel(const SessionStatus &status)
{
    const StateLook look = lookOf(status.state);
    const QString icon = status.state == State::Busy ? u"running"_s : look.icon == "dot"_L1 ? u"ok"_s : look.icon;
    const ColorToken color = status.state == State::Busy ? ColorToken::Accent : look.color;
    m_strip->setContent(Segment::Kernel, {kernelText(status), icon, color, tr("Details of the sandbox")});
}

void StatusPresenter::showMemory(const SessionStatus &status)
{
    if (status.state == State::Paused) {
        m_strip->setContent(Segment::Memory,
            {tr("Memory: not sampled while paused"), {}, ColorToken::Text2, tr("Details of the sandbox")});
        return;
    }
    if (status.memoryBytes <= 0) {
        m_strip->setContent(Segment::Memory, {});
        return;
    }
    const QString used = sizeText(status.memoryBytes);
    const QString text =
        status.memoryLimitBytes > 0 ? tr("%1 of %2").arg(used, sizeText(status.memoryLimitBytes)) : used;
    m_strip->setContent(
        Segment::Memory, {text, u"memory"_s, ColorToken::Text2, tr("Memory of the sandbox. Shows its details")});
}

void StatusPresenter::showFile(const NotebookTab &tab, const SessionStatus &status)
{
    const bool isLost = status.state == State::Reconnecting;
    m_strip->setContent(Segment::Connection,
        status.isThisComputer && !isLost
            ? StatusStrip::Content{tr("Local engine"), u"connection"_s, ColorToken::Text2, tr("Runs on this computer")}
            : StatusStrip::Content{isLost ? tr("Reconnecting") : status.providerName, u"connection"_s,
                isLost ? ColorToken::Warn : ColorToken::Text2, tr("Connection to %1").arg(status.providerName)});
    const bool isTrusted = tab.document()->isTrusted();
    m_strip->setContent(Segment::Trust,
        {isTrusted ? tr("Trusted") : tr("Not trusted"), u"trust"_s, isTrusted ? ColorToken::Text2 : ColorToken::Warn,
            isTrusted ? tr("Made or trusted here: outputs are shown in full")
                      : tr("HTML, SVG and scripts stay hidden. Click to trust this notebook"),
            isTrusted ? ColorToken::Run : ColorToken::Warn});
    m_strip->setContent(Segment::Language,
        {languageName(status.language), {}, ColorToken::Text2, tr("Language of new code cells. Click to change it")});
    m_strip->setContent(Segment::Spaces, {tr("Spaces: 4"), {}, ColorToken::Text2, tr("The Tab key writes 4 spaces")});
    const QString saved = tab.filePath().isEmpty() ? tr("Not saved yet")
        : tab.hasUnsavedWork()                     ? tr("Unsaved changes")
                                                   : tr("Saved");
    m_strip->setContent(Segment::Saved, {saved, {}, ColorToken::Text2, tr("Save the notebook (Ctrl+S)")});
}

} // namespace sandfish
