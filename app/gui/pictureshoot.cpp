#include "app/gui/pictureshoot.h"

#include "core/document/notebookdocument.h"
#include "core/document/notebookfile.h"
#include "core/protocol/wirerecord.h"
#include "core/providers/provider.h"
#include "core/session/executionqueue.h"
#include "ui/window/filecontroller.h"
#include "ui/window/mainwindow.h"
#include "ui/window/notebooktab.h"

#include <QCoreApplication>
#include <QPixmap>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

/// A page that decodes pictures settles within some frames; the limit of the whole is for runs.
constexpr std::chrono::milliseconds kSettleTime{500};
constexpr std::chrono::minutes kRunLimit{10};
constexpr std::chrono::seconds kStepLimit{60};
constexpr std::chrono::seconds kLeaveLimit{10};

void say(const QString &line)
{
    std::fputs((line + u'\n').toUtf8().constData(), stdout);
    std::fflush(stdout);
}

QString firstLine(const QString &source)
{
    return source.trimmed().section(u'\n', 0, 0).left(60);
}

} // namespace

PictureShoot::PictureShoot(Options options, MainWindow *window)
    : QObject(window)
    , m_options(std::move(options))
    , m_window(window)
{
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [this] { fail(u"A step did not end in time."_s); });
    connect(window->files(), &FileController::opened, this, &PictureShoot::takeTab);
    connect(window->files(), &FileController::openFailed, this,
        [this](const QString &path) { fail(u"%1 could not be opened."_s.arg(path)); });
}

void PictureShoot::start()
{
    if (m_options.size.isValid())
        m_window->resize(m_options.size);
    m_window->show();
    enter(State::Opening);
}

void PictureShoot::enter(State state)
{
    m_state = state;
    m_limit.start(state == State::Running ? std::chrono::milliseconds(kRunLimit)
            : state == State::Leaving     ? std::chrono::milliseconds(kLeaveLimit)
                                          : std::chrono::milliseconds(kStepLimit));
    switch (state) {
    case State::Opening:
        m_window->files()->open(m_options.files.front());
        return;
    case State::Running:
        return run();
    case State::Pausing:
        m_tab->session()->pause();
        return;
    case State::Settling:
        showCell();
        QTimer::singleShot(kSettleTime, this, &PictureShoot::grab);
        return;
    case State::Saving:
        return save();
    case State::Leaving:
        return leave();
    }
}

void PictureShoot::takeTab(NotebookTab *tab)
{
    m_tab = tab;
    say(u"opened %1, %2 cells"_s.arg(m_options.files.front()).arg(tab->document()->cellCount()));
    connect(tab->session(), &NotebookSession::stateChanged, this, &PictureShoot::followSession);
    connect(tab->session(), &NotebookSession::failed, this,
        [this](const Error &error) { fail(QString::fromStdString(error.message)); });
    connect(tab->session()->queue(), &ExecutionQueue::idle, this, &PictureShoot::followSession);
    if (m_options.runsAll)
        enter(State::Running);
    else
        enter(m_options.pauses ? State::Pausing : State::Settling);
}

void PictureShoot::run()
{
    m_tab->run(NotebookTab::Range::All);
}

void PictureShoot::followSession()
{
    using Session = NotebookSession::State;
    const Session state = m_tab->session()->state();
    if (m_state == State::Running && state == Session::Ready && m_tab->session()->queue()->isIdle()) {
        reportCells();
        enter(m_options.pauses ? State::Pausing : State::Settling);
    } else if (m_state == State::Pausing && state == Session::Paused) {
        say(u"paused the sandbox"_s);
        enter(State::Settling);
    } else if (m_state == State::Leaving && (state == Session::Gone || state == Session::NoSandbox)) {
        QCoreApplication::exit(m_exitCode);
    }
}

void PictureShoot::reportCells() const
{
    for (qsizetype i = 0; i < m_tab->document()->cellCount(); ++i) {
        const Cell &cell = m_tab->document()->cellAt(i);
        if (cell.type != Cell::Type::Code || cell.run.state != CellRun::State::Finished)
            continue;
        const bool isOk = cell.run.outcome == Outcome::Ok;
        const QString end = isOk ? u"ok"_s : QString::fromUtf8(outcomeName(cell.run.outcome));
        say(u"ran cell %1 in %2 ms, %3: %4"_s.arg(i + 1)
                .arg(cell.run.duration.count())
                .arg(end, firstLine(cell.source)));
    }
}

void PictureShoot::showCell()
{
    const qsizetype index = m_options.cell - 1;
    if (index >= 0 && index < m_tab->document()->cellCount())
        m_tab->view()->setCurrentCell(m_tab->document()->peekAt(index).id);
}

void PictureShoot::grab()
{
    const QPixmap picture = m_window->grab();
    if (!picture.save(m_options.screenshotPath)) {
        fail(u"%1 could not be written. Check that the folder exists and is yours to write."_s.arg(
            m_options.screenshotPath));
        return;
    }
    say(u"wrote %1, %2 x %3"_s.arg(m_options.screenshotPath).arg(picture.width()).arg(picture.height()));
    enter(m_options.savePath.isEmpty() ? State::Leaving : State::Saving);
}

void PictureShoot::save()
{
    saveNotebookFile(m_options.savePath, m_tab->document()->image(), this, [this](const Result<FileStamp> &saved) {
        if (!saved) {
            fail(QString::fromStdString(saved.error().message));
            return;
        }
        say(u"wrote %1"_s.arg(m_options.savePath));
        enter(State::Leaving);
    });
}

void PictureShoot::leave()
{
    // What was made for the picture goes with it.
    if (m_tab && !m_tab->session()->sandbox().id.isEmpty())
        m_tab->session()->kill();
    else
        QCoreApplication::exit(m_exitCode);
}

void PictureShoot::fail(const QString &message)
{
    if (m_state == State::Leaving) {
        QCoreApplication::exit(m_exitCode);
        return;
    }
    std::fputs((u"sandfish: "_s + message + u'\n').toUtf8().constData(), stderr);
    m_exitCode = 1;
    enter(State::Leaving);
}

} // namespace sandfish
