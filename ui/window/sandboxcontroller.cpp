#include "ui/window/sandboxcontroller.h"

#include "core/document/notebookdocument.h"
#include "core/providers/provider.h"
#include "core/session/executionqueue.h"
#include "ui/panels/sandboxmodel.h"
#include "ui/panels/statewords.h"
#include "ui/window/appcontext.h"
#include "ui/window/notebooktab.h"
#include "ui/window/question.h"

#include <QLocale>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

using State = NotebookSession::State;

QString nameOf(const SandboxInfo &info)
{
    return QString::fromStdString(info.name.empty() ? info.id.value : info.name);
}

QString pauseKeepsText(PauseKeeps keeps)
{
    switch (keeps) {
    case PauseKeeps::FilesAndMemory:
        return SandboxController::tr("variables and files");
    case PauseKeeps::FilesOnly:
        return SandboxController::tr("files");
    case PauseKeeps::Unknown:
        break;
    }
    return SandboxController::tr("unknown");
}

QString lossText(std::optional<std::int64_t> variables)
{
    if (!variables)
        return SandboxController::tr("Its variables will be lost. Files and outputs stay.");
    return *variables == 1
        ? SandboxController::tr("1 variable will be lost. Files and outputs stay.")
        : SandboxController::tr("%n variables will be lost. Files and outputs stay.", nullptr, int(*variables));
}

} // namespace

SandboxController::SandboxController(const AppContext &context, SandboxModel *model,
    std::function<NotebookTab *(const SandboxId &)> tabOf, QWidget *window)
    : QObject(window)
    , m_context(context)
    , m_model(model)
    , m_tabOf(std::move(tabOf))
    , m_window(window)
{
}

void SandboxController::togglePause(NotebookTab *tab)
{
    const State state = tab->session()->state();
    if (state == State::Paused)
        tab->session()->resume();
    else if (state == State::Ready || state == State::Busy)
        tab->session()->pause();
}

void SandboxController::restart(NotebookTab *tab, bool runsAllAfterwards)
{
    const auto act = [tab, runsAllAfterwards] {
        tab->session()->restart();
        if (runsAllAfterwards)
            tab->run(NotebookTab::Range::All);
    };
    if (tab->session()->contexts().empty()) {
        if (runsAllAfterwards)
            tab->run(NotebookTab::Range::All);
        return;
    }
    const QString language = languageName(tab->document()->language());
    ask(m_window,
        {u"restartQuestion"_s, tr("Restart %1?").arg(language), lossText(tab->session()->variableCount()),
            {{tr("Keep"), Choice::Kind::Safe, {}}, {tr("Restart"), Choice::Kind::Danger, act}}});
}

void SandboxController::kill(NotebookTab *tab)
{
    const SandboxInfo &info = tab->session()->sandbox();
    if (!info.id.isEmpty())
        killSandbox(tab->session()->provider(), info);
}

void SandboxController::startNew(NotebookTab *tab)
{
    tab->session()->setProvider(tab->session()->provider());
    tab->session()->start();
}

void SandboxController::pauseSandbox(Provider *provider, const SandboxInfo &info)
{
    if (NotebookTab *tab = m_tabOf(info.id)) {
        tab->session()->pause();
        return;
    }
    provider->pause(info.id, this, [this](const Result<SandboxInfo> &result) {
        if (!result)
            emit failed(result.error());
        m_model->refresh();
    });
}

void SandboxController::resumeSandbox(Provider *provider, const SandboxInfo &info)
{
    if (NotebookTab *tab = m_tabOf(info.id)) {
        tab->session()->resume();
        return;
    }
    provider->resume(info.id, this, [this](const Result<SandboxInfo> &result) {
        if (!result)
            emit failed(result.error());
        m_model->refresh();
    });
}

void SandboxController::killSandbox(Provider *provider, const SandboxInfo &info)
{
    const auto act = [this, provider, id = info.id] {
        if (NotebookTab *tab = m_tabOf(id)) {
            tab->session()->kill();
            return;
        }
        provider->kill(id, this, [this](const Result<> &result) {
            if (!result)
                emit failed(result.error());
            m_model->refresh();
        });
    };
    const QString text = tr("%1, %2. Disk and memory cannot be brought back. Notebooks on this computer stay.")
                             .arg(nameOf(info), lookOf(info.state).word.toLower());
    ask(m_window,
        {u"killQuestion"_s, tr("Kill 1 sandbox?"), text,
            {{tr("Keep it"), Choice::Kind::Safe, {}}, {tr("Kill 1 sandbox"), Choice::Kind::Danger, act}}});
}

void SandboxController::attach(NotebookTab *tab, Provider *provider, const SandboxInfo &info)
{
    if (tab->session()->provider() != provider)
        tab->session()->setProvider(provider);
    tab->session()->attach(info.id);
}

void SandboxController::showDetails(NotebookTab *tab)
{
    const QString name = nameOf(tab->session()->sandbox());
    ask(m_window,
        {u"details"_s, name.isEmpty() ? tr("No sandbox yet") : name, detailsText(tab),
            {{tr("Close"), Choice::Kind::Safe, {}}}});
}

QString SandboxController::detailsText(NotebookTab *tab) const
{
    const NotebookSession &session = *tab->session();
    const SandboxInfo &info = session.sandbox();
    QStringList lines;
    const auto add = [&lines](const QString &label, const QString &value) {
        if (!value.isEmpty())
            lines.append(u"%1: %2"_s.arg(label, value));
    };
    add(tr("Provider"), session.provider() ? session.provider()->displayName() : QString());
    add(tr("State"), lookOf(session.state()).word);
    if (info.id.isEmpty()) {
        lines.append(tr("The first run makes a sandbox for this notebook."));
        return lines.join(u'\n');
    }
    add(tr("Id"), QString::fromStdString(info.id.value));
    add(tr("Isolation"), QString::fromStdString(info.isolation));
    add(tr("Template"), info.isolation.empty() ? QString::fromStdString(info.templateName) : QString());
    if (info.memoryBytes.value_or(0) > 0)
        add(tr("Memory"), sizeText(*info.memoryBytes));
    add(tr("A pause keeps"), pauseKeepsText(info.pauseKeeps));
    add(tr("Network"), session.isNetworkEnabled() ? tr("on") : tr("off"));
    for (const auto &context : session.contexts()) {
        const ContextInfo about = context->info();
        add(tr("Context"),
            languageName(QString::fromStdString(about.language)) + u' ' + QString::fromStdString(about.version)
                + u", "_s + QString::fromStdString(about.cwd));
    }
    return lines.join(u'\n');
}

} // namespace sandfish
