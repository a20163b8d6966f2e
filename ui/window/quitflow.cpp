#include "ui/window/quitflow.h"

#include "core/providers/provider.h"
#include "core/session/unusedsandbox.h"
#include "core/support/settings.h"
#include "ui/panels/sandboxmodel.h"
#include "ui/window/appcontext.h"
#include "ui/window/filecontroller.h"
#include "ui/window/notebooktab.h"
#include "ui/window/question.h"

#include <QTimer>

#include <memory>
#include <set>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr std::chrono::seconds kPatience{2};

bool isRunning(const SandboxInfo &info)
{
    return info.state == SandboxState::Running;
}

// What is not asked about: these end with the window.
std::set<SandboxId> unusedSandboxes(const FileController &files)
{
    std::set<SandboxId> ids;
    for (const NotebookTab *tab : files.unusedTabs())
        ids.insert(tab->session()->sandbox().id);
    return ids;
}

} // namespace

QuitFlow::QuitFlow(const AppContext &context, FileController *files, SandboxModel *model, QWidget *window)
    : QObject(window)
    , m_context(context)
    , m_files(files)
    , m_model(model)
    , m_window(window)
{
}

void QuitFlow::start(std::function<void()> done)
{
    if (m_state != State::Idle)
        return;
    m_done = std::move(done);
    advance();
}

bool QuitFlow::hasWork() const
{
    return m_state != State::Idle || nextQuestion() != State::Idle || !m_files->unusedTabs().empty();
}

QuitFlow::State QuitFlow::nextQuestion() const
{
    if (!m_context.asksAtQuit)
        return State::Idle;
    if (m_state == State::Idle && !m_files->unsavedTabs().empty())
        return State::UnsavedWork;
    const bool leaves = m_context.settings->get<bool>(Settings::Key::QuitLeavesRunning);
    return m_state != State::Sandboxes && !leaves && runningSandboxes() > 0 ? State::Sandboxes : State::Idle;
}

void QuitFlow::advance()
{
    switch (nextQuestion()) {
    case State::UnsavedWork:
        m_state = State::UnsavedWork;
        return askAboutWork();
    case State::Sandboxes:
        m_state = State::Sandboxes;
        return askAboutSandboxes();
    case State::Idle:
        return finish();
    case State::Ending:
        return;
    }
}

void QuitFlow::askAboutWork()
{
    const auto unsaved = m_files->unsavedTabs();
    QStringList names;
    for (const NotebookTab *tab : unsaved)
        names.append(tab->title());
    ask(m_window,
        {u"unsavedQuestion"_s,
            unsaved.size() == 1 ? tr("Save 1 notebook before quitting?")
                                : tr("Save %n notebooks before quitting?", nullptr, int(unsaved.size())),
            tr("Unsaved changes: %1").arg(names.join(u", "_s)),
            {{tr("Quit without saving"), Choice::Kind::Danger,
                 [this] {
                     for (NotebookTab *tab : m_files->unsavedTabs())
                         m_files->recovery()->forget(tab);
                     advance();
                 }},
                {tr("Cancel"), Choice::Kind::Safe, [this] { m_state = State::Idle; }},
                {tr("Save and quit"), Choice::Kind::Primary, [this] { saveNext(); }}}});
}

void QuitFlow::saveNext()
{
    const auto unsaved = m_files->unsavedTabs();
    if (unsaved.empty()) {
        advance();
        return;
    }
    m_files->save(unsaved.front(), [this](bool isSaved) {
        if (isSaved)
            saveNext();
        else
            m_state = State::Idle;
    });
}

int QuitFlow::runningSandboxes() const
{
    std::set<SandboxId> ids;
    for (Provider *provider : m_context.providers) {
        for (const SandboxInfo &info : m_model->sandboxes(provider)) {
            if (isRunning(info))
                ids.insert(info.id);
        }
    }
    for (const NotebookTab *tab : m_files->tabs()) {
        if (isRunning(tab->session()->sandbox()))
            ids.insert(tab->session()->sandbox().id);
    }
    for (const SandboxId &id : unusedSandboxes(*m_files))
        ids.erase(id);
    return int(ids.size());
}

void QuitFlow::askAboutSandboxes()
{
    const int count = runningSandboxes();
    ask(m_window,
        {u"sandboxQuestion"_s, count == 1 ? tr("1 sandbox runs") : tr("%n sandboxes run", nullptr, count),
            count == 1 ? tr("It goes on without the window. Paused, it keeps its memory and uses no processor time.")
                       : tr("They go on without the window. Paused, they keep their memory and use no processor time."),
            {{tr("Kill all"), Choice::Kind::Danger, [this] { actOnSandboxes(true); }},
                {tr("Cancel"), Choice::Kind::Safe, [this] { m_state = State::Idle; }},
                {tr("Pause all"), Choice::Kind::Normal, [this] { actOnSandboxes(false); }},
                {tr("Leave running"), Choice::Kind::Primary, [this] { finish(); }}}});
}

void QuitFlow::actOnSandboxes(bool kills)
{
    // Every Request ends, at the latest by its own timeout, so the window closes in any case.
    auto pending = std::make_shared<int>(0);
    const auto settle = [this, pending] {
        if (--*pending == 0)
            finish();
    };
    const std::set<SandboxId> unused = unusedSandboxes(*m_files);
    for (Provider *provider : m_context.providers) {
        for (const SandboxInfo &info : m_model->sandboxes(provider)) {
            if (!isRunning(info) || unused.contains(info.id))
                continue;
            ++*pending;
            if (kills)
                provider->kill(info.id, this, [settle](const Result<> &) { settle(); });
            else
                provider->pause(info.id, this, [settle](const Result<SandboxInfo> &) { settle(); });
        }
    }
    if (*pending == 0)
        finish();
}

// Sandboxes that were made ahead of a run that never came end with the window, which does not wait long for them.
void QuitFlow::finish()
{
    m_state = State::Ending;
    const auto leave = [this] {
        m_state = State::Idle;
        if (const auto done = std::exchange(m_done, {}))
            done();
    };
    auto pending = std::make_shared<int>(1);
    const auto settle = [leave, pending] {
        if (--*pending == 0)
            leave();
    };
    for (const NotebookTab *tab : m_files->unusedTabs()) {
        const NotebookSession &session = *tab->session();
        ++*pending;
        endUnusedSandbox(*session.provider(), session.sandbox().id, this, settle);
    }
    settle();
    if (*pending > 0)
        QTimer::singleShot(kPatience, this, leave);
}

} // namespace sandfish
