#include "core/session/cellrunner.h"

#include "core/document/notebookdocument.h"

#include <algorithm>

namespace sandfish {
namespace {

// Most runs send something sooner, and then the page goes from the old output to the new one without an empty frame.
constexpr std::chrono::milliseconds kKeepOldOutputs{100};

bool isShown(const ExecutionEvent &event)
{
    return !std::holds_alternative<ExecutionStarted>(event) && !std::holds_alternative<InputRequest>(event);
}

QString reasonOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Ok:
    case Outcome::CodeError:
        return {};
    case Outcome::TimedOut:
        return CellRunner::tr("The time limit was reached.");
    case Outcome::Interrupted:
        return CellRunner::tr("Interrupted.");
    case Outcome::Aborted:
        return CellRunner::tr("Not run.");
    case Outcome::ConnectionLost:
        return CellRunner::tr("The connection to the sandbox was lost. The output up to here is kept; run the cell "
                              "again to get the rest.");
    case Outcome::Crashed:
        return CellRunner::tr("The interpreter ended. The output up to here is kept, the variables are gone.");
    case Outcome::Rejected:
        return CellRunner::tr("The sandbox refused to run the cell.");
    }
    return {};
}

} // namespace

CellRunner::CellRunner(NotebookDocument *document, const CellId &cell, QObject *parent)
    : QObject(parent)
    , m_document(document)
    , m_cell(cell)
    , m_startedAt(std::chrono::steady_clock::now())
{
    m_clearTimer.setSingleShot(true);
    m_clearTimer.setInterval(kKeepOldOutputs);
    connect(&m_clearTimer, &QTimer::timeout, this, &CellRunner::dropOldOutputs);
}

// Letting go of the context may destroy the execution, which would be heard here.
CellRunner::~CellRunner()
{
    if (m_execution)
        m_execution->disconnect(this);
}

void CellRunner::start(std::shared_ptr<Context> context)
{
    const Cell *cell = m_document->find(m_cell);
    if (!cell) {
        end({Outcome::Aborted});
        return;
    }
    m_context = std::move(context);
    m_run = {};
    m_run.state = CellRun::State::Running;
    m_run.startedAt = QDateTime::currentDateTime();
    m_run.sourceHash = sourceHash(cell->source);
    ExecuteRequest request;
    request.code = cell->source.toUtf8().toStdString();
    request.timeout = m_timeout;
    m_startedAt = std::chrono::steady_clock::now();
    m_execution = m_context->execute(request);
    connect(m_execution, &Execution::received, this, &CellRunner::take);
    connect(m_execution, &Execution::stateChanged, this, &CellRunner::follow);
    connect(m_execution, &Execution::finished, this, &CellRunner::end);
    connect(m_execution, &QObject::destroyed, this, [this] { end({Outcome::ConnectionLost}); });
    m_document->apply(m_cell, {ClearOutput{true}});
    m_document->setRun(m_cell, m_run);
    m_clearTimer.start();
}

void CellRunner::sendInput(const std::string &line)
{
    if (!m_execution || m_run.state != CellRun::State::AwaitingInput)
        return;
    echo(m_run.inputRequest.isPassword ? "········" : line);
    m_execution->sendInput(line);
}

void CellRunner::endInput()
{
    if (!m_execution || m_run.state != CellRun::State::AwaitingInput)
        return;
    echo({});
    m_execution->endInput();
}

// The question and its answer stay on the page, as on a terminal.
void CellRunner::echo(const std::string &answer)
{
    const std::string text = m_run.inputRequest.prompt + answer + "\n";
    m_run.state = CellRun::State::Running;
    m_run.inputRequest = {};
    m_hasOutput = true;
    m_document->apply(m_cell, {StreamText{StreamText::Channel::Stdout, text, false}});
    m_document->setRun(m_cell, m_run);
}

void CellRunner::abandon(const ExecutionSummary &summary)
{
    if (m_execution)
        m_execution->disconnect(this);
    end(summary);
}

std::chrono::milliseconds CellRunner::elapsed() const
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - m_startedAt);
}

void CellRunner::take(const std::vector<ExecutionEvent> &events)
{
    m_hasOutput = m_hasOutput || std::any_of(events.begin(), events.end(), isShown);
    for (const ExecutionEvent &event : events) {
        if (const auto *started = std::get_if<ExecutionStarted>(&event)) {
            if (started->executionCount > 0)
                m_document->setExecutionCount(m_cell, started->executionCount);
            m_run.before = started->checkpoint;
            m_document->setRunBefore(m_cell, m_run.before);
        }
        if (const auto *request = std::get_if<InputRequest>(&event)) {
            m_run.state = CellRun::State::AwaitingInput;
            m_run.inputRequest = *request;
            m_document->setRun(m_cell, m_run);
        }
    }
    m_document->apply(m_cell, events);
    emit received(events);
}

void CellRunner::follow(Execution::State state)
{
    const bool isAnswered = state == Execution::State::Running && m_run.state == CellRun::State::AwaitingInput;
    if (!isAnswered)
        return;
    m_run.state = CellRun::State::Running;
    m_run.inputRequest = {};
    m_document->setRun(m_cell, m_run);
}

void CellRunner::dropOldOutputs()
{
    if (!m_hasOutput)
        m_document->apply(m_cell, {ClearOutput{false}});
}

void CellRunner::end(ExecutionSummary summary)
{
    if (m_isFinished)
        return;
    m_isFinished = true;
    m_clearTimer.stop();
    if (m_execution)
        m_execution->disconnect(this);
    if (m_context)
        dropOldOutputs();
    if (summary.outcome == Outcome::ConnectionLost && m_expectedLoss) {
        summary.outcome = m_expectedLoss->outcome;
        summary.reason = m_expectedLoss->reason;
    }
    if (summary.reason.empty())
        summary.reason = reasonOf(summary.outcome).toStdString();
    if (summary.duration.count() == 0)
        summary.duration = elapsed();
    if (summary.executionCount > 0)
        m_document->setExecutionCount(m_cell, summary.executionCount);
    m_run.state = CellRun::State::Finished;
    m_run.inputRequest = {};
    m_run.outcome = summary.outcome;
    m_run.reason = summary.reason;
    m_run.duration = summary.duration;
    m_document->setRun(m_cell, m_run);
    emit finished(summary);
}

} // namespace sandfish
