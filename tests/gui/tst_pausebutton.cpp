#include "ui/panels/pausebutton.h"
#include "ui/text/themesource.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace sandfish {
namespace {

SessionStatus statusOf(NotebookSession::State state, std::chrono::milliseconds time = 0ms)
{
    SessionStatus status;
    status.hasSession = true;
    status.state = state;
    status.timeInState = time;
    status.sandboxName = u"sand-otter-41"_s;
    status.providerName = u"Lizard"_s;
    status.pauseKeeps = PauseKeeps::FilesAndMemory;
    status.canPause = true;
    return status;
}

} // namespace

class PauseButtonTest : public QObject
{
    Q_OBJECT
private slots:
    void status_ofSession_showsLabelAndState_data();
    void status_ofSession_showsLabelAndState();
    void width_inEveryState_isTheSame();
    void click_whileRunning_asksForPause();
    void click_whilePaused_asksForResume();
    void click_whilePausing_asksNothing();
    void tooltip_ofProviderWithoutPause_saysWhy();
    void tooltip_ofFilesOnlyPause_warns();

private:
    ThemeSource m_source{Theme::forApplication(Theme::Mode::Light)};
};

void PauseButtonTest::status_ofSession_showsLabelAndState_data()
{
    using Session = NotebookSession::State;
    QTest::addColumn<SessionStatus>("status");
    QTest::addColumn<QString>("label");
    QTest::addColumn<PauseButton::State>("state");
    QTest::newRow("no notebook") << SessionStatus() << u"Pause"_s << PauseButton::State::Cannot;
    QTest::newRow("no sandbox") << statusOf(Session::NoSandbox) << u"Pause"_s << PauseButton::State::Cannot;
    QTest::newRow("ready") << statusOf(Session::Ready) << u"Pause"_s << PauseButton::State::Running;
    QTest::newRow("busy") << statusOf(Session::Busy) << u"Pause"_s << PauseButton::State::Running;
    QTest::newRow("pausing") << statusOf(Session::Pausing, 6200ms) << u"Pausing 0:06"_s << PauseButton::State::Pausing;
    QTest::newRow("pausing long") << statusOf(Session::Pausing, 725s) << u"Pausing 12:05"_s
                                  << PauseButton::State::Pausing;
    QTest::newRow("paused") << statusOf(Session::Paused) << u"Resume"_s << PauseButton::State::Paused;
    QTest::newRow("resuming") << statusOf(Session::Resuming, 1s) << u"Resuming 0:01"_s << PauseButton::State::Resuming;
    QTest::newRow("gone") << statusOf(Session::Gone) << u"Pause"_s << PauseButton::State::Cannot;
}

void PauseButtonTest::status_ofSession_showsLabelAndState()
{
    QFETCH(SessionStatus, status);
    PauseButton button(&m_source);
    button.setStatus(status);
    QTEST(button.text(), "label");
    QTEST(button.state(), "state");
    const bool isPressable =
        button.state() == PauseButton::State::Running || button.state() == PauseButton::State::Paused;
    QCOMPARE(button.isEnabled(), isPressable);
}

void PauseButtonTest::width_inEveryState_isTheSame()
{
    using Session = NotebookSession::State;
    PauseButton button(&m_source);
    const int width = button.sizeHint().width();
    QVERIFY(width >= 124);
    for (const Session state : {Session::Ready, Session::Pausing, Session::Paused, Session::Resuming, Session::Gone}) {
        button.setStatus(statusOf(state, 725s));
        QCOMPARE(button.sizeHint().width(), width);
    }
}

void PauseButtonTest::click_whileRunning_asksForPause()
{
    PauseButton button(&m_source);
    button.setStatus(statusOf(NotebookSession::State::Ready));
    QSignalSpy pause(&button, &PauseButton::pauseRequested);
    button.click();
    QCOMPARE(pause.count(), 1);
}

void PauseButtonTest::click_whilePaused_asksForResume()
{
    PauseButton button(&m_source);
    button.setStatus(statusOf(NotebookSession::State::Paused));
    QSignalSpy resume(&button, &PauseButton::resumeRequested);
    button.click();
    QCOMPARE(resume.count(), 1);
}

void PauseButtonTest::click_whilePausing_asksNothing()
{
    PauseButton button(&m_source);
    button.setStatus(statusOf(NotebookSession::State::Pausing));
    QSignalSpy pause(&button, &PauseButton::pauseRequested);
    QSignalSpy resume(&button, &PauseButton::resumeRequested);
    button.click();
    QCOMPARE(pause.count() + resume.count(), 0);
}

void PauseButtonTest::tooltip_ofProviderWithoutPause_saysWhy()
{
    SessionStatus status = statusOf(NotebookSession::State::Ready);
    status.canPause = false;
    status.providerName = u"Jupyter Server"_s;
    PauseButton button(&m_source);
    button.setStatus(status);
    QCOMPARE(button.toolTip(), u"This Jupyter Server cannot pause."_s);
    button.setStatus(statusOf(NotebookSession::State::NoSandbox));
    QCOMPARE(button.toolTip(), u"Nothing is running to pause."_s);
}

void PauseButtonTest::tooltip_ofFilesOnlyPause_warns()
{
    SessionStatus status = statusOf(NotebookSession::State::Ready);
    status.pauseKeeps = PauseKeeps::FilesOnly;
    PauseButton button(&m_source);
    button.setStatus(status);
    QVERIFY(button.toolTip().startsWith(u"Pause sand-otter-41. Keeps files only; variables will be lost."_s));
}

} // namespace sandfish

Q_DECLARE_METATYPE(sandfish::SessionStatus)
QTEST_MAIN(sandfish::PauseButtonTest)
#include "tst_pausebutton.moc"
