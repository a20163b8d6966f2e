#include "ui/window/notebooktab.h"

#include "core/document/notebookdocument.h"
#include "core/providers/provider.h"
#include "core/session/executionqueue.h"
#include "ui/panels/statewords.h"
#include "ui/window/appcontext.h"
#include "ui/window/sandboxmemory.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

using State = NotebookSession::State;

DocumentTabBar::Mark stateMark(const NotebookSession &session)
{
    switch (session.state()) {
    case State::Busy:
        return {u"running"_s, int(ColorToken::Accent)};
    case State::Pausing:
    case State::Paused:
    case State::Resuming:
    case State::Failed:
    case State::Reconnecting:
    case State::Gone: {
        const StateLook look = lookOf(session.state());
        return {look.icon, int(look.color)};
    }
    default:
        return {session.branchContext() ? u"fork"_s : u"code"_s, int(ColorToken::Text2)};
    }
}

} // namespace

DocumentTabBar::Mark NotebookTab::mark() const
{
    DocumentTabBar::Mark mark = stateMark(*m_session);
    if (const auto running = m_session->queue()->running()) {
        const Cell *cell = m_document->find(*running);
        if (cell && cell->run.state == CellRun::State::AwaitingInput)
            mark.icon = u"terminal"_s;
    }
    mark.isModified = hasUnsavedWork();
    return mark;
}

SessionStatus NotebookTab::status() const
{
    SessionStatus status = SessionStatus::of(*m_session);
    status.origin = isBranch() ? m_origin : QString();
    if (const auto running = m_session->queue()->running()) {
        const Cell *cell = m_document->find(*running);
        if (cell && cell->run.startedAt.isValid())
            status.runningFor = std::chrono::milliseconds(cell->run.startedAt.msecsTo(QDateTime::currentDateTime()));
    }
    return status;
}

void NotebookTab::setFolderAccess(NotebookSession::FolderAccess access)
{
    m_folderAccess = access;
    applyFolder();
}

void NotebookTab::applyFolder()
{
    const QString folder = m_filePath.isEmpty() ? QString() : QFileInfo(m_filePath).absolutePath();
    m_session->setFolder(folder, m_folderAccess);
    m_session->setSandboxName(m_filePath.isEmpty() ? m_untitledName : QFileInfo(m_filePath).completeBaseName());
    noteChange();
}

void NotebookTab::startAhead()
{
    const bool isHere =
        m_session->provider() && m_session->provider()->capabilities().testFlag(Provider::Capability::FolderBinds);
    if (!m_context.startsAhead || m_session->state() != State::NoSandbox || !m_session->provider())
        return;
    const auto last = SandboxMemory(m_context.settings).find(m_filePath);
    if (last && last->provider == m_session->provider()->id())
        m_session->reattach(last->sandbox, last->access);
    else if (isHere)
        m_session->start();
}

void NotebookTab::noteSandbox()
{
    noteChange();
    const SandboxId &id = m_session->sandbox().id;
    if (m_filePath.isEmpty() || !m_session->provider())
        return;
    SandboxMemory memory(m_context.settings);
    if (!id.isEmpty())
        memory.remember(m_filePath, {m_session->provider()->id(), id, m_session->effectiveFolderAccess()});
    else if (m_session->state() == State::Gone)
        memory.forget(m_filePath);
}

// Its memory as it is now; the answer comes by sandboxChanged().
void NotebookTab::measureSandbox()
{
    if (Provider *provider = m_session->provider(); provider && !m_session->sandbox().id.isEmpty())
        provider->info(m_session->sandbox().id, this, [](const Result<SandboxInfo> &) {});
}

} // namespace sandfish
