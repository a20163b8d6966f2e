#include "app/cli/cellsrun.h"

#include "app/cli/service.h"
#include "core/document/notebookdocument.h"
#include "core/session/executionqueue.h"

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;

constexpr std::chrono::seconds kCleanUpLimit{5};

Error notRunning(const SandboxInfo &sandbox)
{
    const QString text = u"The sandbox “%1” is %2. `sandfish-cli sandbox resume %3` lets it go on."_s;
    const std::string_view state = sandboxStateName(sandbox.state);
    return {Error::Kind::Conflict,
        text.arg(QString::fromStdString(sandbox.name),
                QString::fromUtf8(state.data(), static_cast<qsizetype>(state.size())),
                QString::fromStdString(sandbox.id.value))
            .toStdString(),
        {}};
}

} // namespace

CellsRun::CellsRun(NotebookDocument *document, Provider *provider, RunPrinter *printer, Options options)
    : m_document(document)
    , m_provider(provider)
    , m_printer(printer)
    , m_options(std::move(options))
    , m_session(std::make_unique<NotebookSession>(document, provider))
{
    m_session->setFolder(m_options.folder, m_options.access);
    m_session->setSandboxName(m_options.sandboxName);
    m_session->setNetworkEnabled(m_options.hasNetwork);
    ExecutionQueue *queue = m_session->queue();
    queue->setCellTimeout(m_options.cellTimeout);
    connect(document, &NotebookDocument::runChanged, this, &CellsRun::followRun);
    connect(queue, &ExecutionQueue::received, this, &CellsRun::take);
    connect(queue, &ExecutionQueue::cellFinished, this, &CellsRun::endCell);
    // The session tells of a lost sandbox after its queue is idle, in the same turn.
    connect(queue, &ExecutionQueue::idle, this, &CellsRun::end, Qt::QueuedConnection);
    connect(m_session.get(), &NotebookSession::failed, this, &CellsRun::noteFailure);
    connect(m_session.get(), &NotebookSession::noticed, this, &CellsRun::noticed);
    connect(&m_input, &InputReader::lineCame, this, [queue](const std::string &line) { queue->sendInput(line); });
    connect(&m_input, &InputReader::ended, this, [queue] { queue->endInput(); });
    m_cleanUpLimit.setSingleShot(true);
    connect(&m_cleanUpLimit, &QTimer::timeout, this, &CellsRun::endCleanUp);
}

CellsRun::~CellsRun() = default;

void CellsRun::start()
{
    if (m_options.sandbox.isEmpty()) {
        enqueue();
        return;
    }
    m_request =
        m_provider->list(this, [this](const Result<std::vector<SandboxInfo>> &sandboxes) { takeSandbox(sandboxes); });
}

void CellsRun::takeSandbox(const Result<std::vector<SandboxInfo>> &sandboxes)
{
    const Result<SandboxInfo> found =
        sandboxes ? findSandbox(*sandboxes, m_options.sandbox) : Result<SandboxInfo>(sandboxes.error());
    const bool isUsable = found && found->state != SandboxState::Paused && found->state != SandboxState::Stopped;
    if (!isUsable) {
        m_report.error = found ? notRunning(*found) : found.error();
        end();
        return;
    }
    m_session->attach(found->id);
    enqueue();
}

void CellsRun::enqueue()
{
    std::vector<CellId> cells;
    for (qsizetype i = 0; i < m_document->cellCount(); ++i) {
        const Cell &cell = m_document->peekAt(i);
        if (cell.type != Cell::Type::Code)
            continue;
        cells.push_back(cell.id);
        if (!cell.source.trimmed().isEmpty())
            m_numbers.insert(cell.id, ++m_report.cellCount);
    }
    m_session->runCells(cells, m_options.stopsAtError);
    if (m_session->queue()->isIdle())
        QMetaObject::invokeMethod(this, &CellsRun::end, Qt::QueuedConnection);
}

void CellsRun::interrupt()
{
    m_report.wasInterrupted = true;
    m_input.stop();
    m_request.cancel();
    const bool canInterrupt = m_provider->capabilities().testFlag(Provider::Capability::Interrupt);
    m_session->interrupt();
    if (!canInterrupt)
        abandon();
}

void CellsRun::abandon()
{
    m_report.wasInterrupted = true;
    m_request.cancel();
    m_session->queue()->cancelPending();
    m_session->queue()->abandonRunning({Outcome::Interrupted});
    QMetaObject::invokeMethod(this, &CellsRun::end, Qt::QueuedConnection);
}

CellPlace CellsRun::placeOf(const CellId &id) const
{
    const qsizetype index = m_document->indexOf(id);
    return {m_numbers.value(id), m_report.cellCount, id.value, m_document->effectiveLanguage(id),
        index < 0 ? QString() : m_document->peekAt(index).source};
}

void CellsRun::followRun(const CellId &id)
{
    const qsizetype index = m_document->indexOf(id);
    if (index < 0 || id == m_current || m_document->peekAt(index).run.state != CellRun::State::Running)
        return;
    m_current = id;
    m_place = placeOf(id);
    m_lastError = {};
    m_printer->cellStarted(m_place);
}

void CellsRun::take(const CellId &, const std::vector<ExecutionEvent> &events)
{
    m_printer->received(m_place, events);
    for (const ExecutionEvent &event : events) {
        if (const auto *error = std::get_if<ErrorOutput>(&event))
            m_lastError = *error;
        if (const auto *input = std::get_if<InputRequest>(&event))
            m_input.askLine(input->isPassword ? InputReader::Echo::Hidden : InputReader::Echo::Shown);
    }
}

void CellsRun::endCell(const CellId &id, const ExecutionSummary &summary)
{
    m_input.stop();
    ++m_report.runCount;
    m_printer->cellFinished(m_place, summary);
    if (summary.outcome == Outcome::Ok)
        return;
    const qsizetype index = m_document->indexOf(id);
    const bool isExpected = summary.outcome == Outcome::CodeError && index >= 0 && m_document->peekAt(index).mayFail;
    m_report.failedCells.push_back({m_place, summary, m_lastError, isExpected});
}

void CellsRun::noteFailure(const Error &error)
{
    const bool isUnderWay = m_session->queue()->running().has_value();
    if (isUnderWay)
        emit noticed(QString::fromStdString(error.message));
    else if (!m_report.error)
        m_report.error = error;
}

void CellsRun::end()
{
    if (m_isFinished || !m_session->queue()->isIdle())
        return;
    m_isFinished = true;
    m_report.sandbox = m_session->sandbox();
    emit finished(m_report);
}

void CellsRun::cleanUp(std::function<void()> done)
{
    m_cleanedUp = std::move(done);
    const bool isOurs = m_options.sandbox.isEmpty() && !m_options.keepsSandbox;
    if (!isOurs) {
        endCleanUp();
        return;
    }
    m_cleanUpLimit.start(kCleanUpLimit);
    killSandbox();
}

void CellsRun::killSandbox()
{
    const SandboxId id = m_session->sandbox().id;
    if (id.isEmpty() && m_session->state() == NotebookSession::State::Starting) {
        // It was interrupted while the sandbox is made; without its id it cannot be ended.
        connect(
            m_session.get(), &NotebookSession::stateChanged, this, &CellsRun::killSandbox, Qt::SingleShotConnection);
        return;
    }
    if (id.isEmpty()) {
        endCleanUp();
        return;
    }
    m_provider->kill(id, this, [this](const Result<> &) { endCleanUp(); });
}

void CellsRun::endCleanUp()
{
    if (const std::function<void()> done = std::exchange(m_cleanedUp, {}))
        done();
}

} // namespace sandfish
