#include "core/session/executionqueue.h"

#include "core/document/notebookdocument.h"
#include "core/session/cellrunner.h"

#include <QSet>

#include <algorithm>
#include <deque>

namespace sandfish {
namespace {

// Only the first places are told: a queue of thousands would change thousands of cells with every run that ends.
constexpr std::size_t kToldPositions = 20;

struct Waiting
{
    CellId cell;
    ExecutionQueue::OnError onError;
};

// After these there is no interpreter left, or the user wants to stop.
bool endsTheQueue(Outcome outcome, ExecutionQueue::OnError onError, bool mayFail)
{
    if (outcome == Outcome::Ok || (mayFail && outcome == Outcome::CodeError))
        return false;
    const bool isOfTheCode = outcome == Outcome::CodeError || outcome == Outcome::TimedOut;
    return !isOfTheCode || onError == ExecutionQueue::OnError::Stop;
}

} // namespace

struct ExecutionQueue::Private
{
    Private(ExecutionQueue *queue, NotebookDocument *notebook)
        : q(queue)
        , document(notebook)
    {
    }

    bool maySend() const { return holds == 0 && unansweredInterrupts == 0; }
    void interruptRunning();
    void advance();
    void askForContext();
    void contextCame(const Result<std::shared_ptr<Context>> &context);
    void start(std::shared_ptr<Context> context);
    void runEnded(const ExecutionSummary &summary);
    bool skipsFront();
    void setNotRun(const CellId &cell) const;
    void dropPending();
    void dropRemovedCells();
    void tellPositions() const;
    void changed();
    void tellIdle();

    ExecutionQueue *q;
    NotebookDocument *document;
    ContextSource *source = nullptr;
    std::deque<Waiting> waiting;
    QSet<CellId> isWaiting;
    Request contextRequest; ///< for the front of the queue
    bool isAsking = false;
    int askNumber = 0; ///< tells the answer of a request that was taken back from that of the next
    CellRunner *runner = nullptr;
    OnError runnerOnError = OnError::Stop;
    bool runnerMayFail = false;
    std::chrono::milliseconds cellTimeout{0};
    unsigned holds = 0; ///< of Hold
    int unansweredInterrupts = 0;
    bool isIdleTold = true;
};

void ExecutionQueue::Private::changed()
{
    tellPositions();
    emit q->queueChanged();
}

void ExecutionQueue::Private::tellIdle()
{
    if (!isIdleTold && !runner && waiting.empty()) {
        isIdleTold = true;
        emit q->idle();
    }
}

void ExecutionQueue::Private::tellPositions() const
{
    for (std::size_t i = 0; i < std::min(waiting.size(), kToldPositions); ++i) {
        const qsizetype index = document->indexOf(waiting[i].cell);
        const auto position = static_cast<int>(i + 1);
        if (index < 0)
            continue;
        const CellRun &before = document->peekAt(index).run;
        const bool isRunning = runner && runner->cell() == waiting[i].cell;
        if (isRunning || (before.state == CellRun::State::Queued && before.queuePosition == position))
            continue;
        CellRun run;
        run.state = CellRun::State::Queued;
        run.queuePosition = position;
        document->setRun(waiting[i].cell, run);
    }
}

void ExecutionQueue::Private::setNotRun(const CellId &cell) const
{
    const bool isRunning = runner && runner->cell() == cell;
    if (!isRunning && document->indexOf(cell) >= 0)
        document->setRun(cell, {});
}

void ExecutionQueue::Private::dropPending()
{
    contextRequest.cancel();
    isAsking = false;
    const std::deque<Waiting> dropped = std::exchange(waiting, {});
    isWaiting.clear();
    for (const Waiting &item : dropped)
        setNotRun(item.cell);
}

void ExecutionQueue::Private::dropRemovedCells()
{
    const auto isGone = [this](const Waiting &item) { return document->indexOf(item.cell) < 0; };
    if (std::none_of(waiting.begin(), waiting.end(), isGone))
        return;
    if (isGone(waiting.front()) && isAsking) {
        contextRequest.cancel();
        isAsking = false;
    }
    for (const Waiting &item : waiting)
        if (isGone(item))
            isWaiting.remove(item.cell);
    std::erase_if(waiting, isGone);
    changed();
    advance();
}

// An empty cell has nothing to run: Jupyter clears it and goes on.
bool ExecutionQueue::Private::skipsFront()
{
    const CellId cell = waiting.front().cell;
    const qsizetype index = document->indexOf(cell);
    const bool isCode = index >= 0 && document->peekAt(index).type == Cell::Type::Code;
    if (isCode && !document->peekAt(index).source.trimmed().isEmpty())
        return false;
    waiting.pop_front();
    isWaiting.remove(cell);
    setNotRun(cell);
    if (isCode)
        document->clearOutputs(cell);
    return true;
}

void ExecutionQueue::Private::advance()
{
    if (runner || isAsking || !maySend() || !source)
        return;
    const bool wasWaiting = !waiting.empty();
    while (!waiting.empty() && skipsFront()) { }
    if (waiting.empty()) {
        if (wasWaiting)
            changed();
        tellIdle();
        return;
    }
    askForContext();
}

void ExecutionQueue::Private::interruptRunning()
{
    ++unansweredInterrupts;
    runner->context()->interrupt(q, [this](const Result<> &result) {
        if (!result && result.error().kind != Error::Kind::Cancelled)
            emit q->failed(result.error());
        if (--unansweredInterrupts == 0)
            advance();
    });
}

void ExecutionQueue::Private::askForContext()
{
    isAsking = true;
    const int number = ++askNumber;
    const std::string language = document->effectiveLanguage(waiting.front().cell).toStdString();
    contextRequest = source->contextFor(language, q, [this, number](const Result<std::shared_ptr<Context>> &context) {
        if (isAsking && number == askNumber)
            contextCame(context);
    });
}

void ExecutionQueue::Private::contextCame(const Result<std::shared_ptr<Context>> &context)
{
    isAsking = false;
    if (waiting.empty() || runner)
        return;
    if (context && !maySend())
        return;
    if (context) {
        start(*context);
        return;
    }
    const CellId cell = waiting.front().cell;
    dropPending();
    CellRun run;
    run.state = CellRun::State::Finished;
    run.outcome = Outcome::Aborted;
    run.reason = context.error().message;
    document->setRun(cell, run);
    changed();
    emit q->failed(context.error());
    tellIdle();
}

void ExecutionQueue::Private::start(std::shared_ptr<Context> context)
{
    const Waiting item = waiting.front();
    waiting.pop_front();
    isWaiting.remove(item.cell);
    runnerOnError = item.onError;
    const qsizetype index = document->indexOf(item.cell);
    runnerMayFail = index >= 0 && document->peekAt(index).mayFail;
    runner = new CellRunner(document, item.cell, q);
    runner->setTimeout(cellTimeout);
    QObject::connect(runner, &CellRunner::received, q,
        [this, id = item.cell](const std::vector<ExecutionEvent> &events) { emit q->received(id, events); });
    QObject::connect(runner, &CellRunner::finished, q, [this](const ExecutionSummary &summary) { runEnded(summary); });
    runner->start(std::move(context));
    changed();
}

void ExecutionQueue::Private::runEnded(const ExecutionSummary &summary)
{
    CellRunner *ended = std::exchange(runner, nullptr);
    const CellId cell = ended->cell();
    ended->deleteLater();
    if (endsTheQueue(summary.outcome, runnerOnError, runnerMayFail))
        dropPending();
    emit q->cellFinished(cell, summary);
    changed();
    advance();
}

ExecutionQueue::ExecutionQueue(NotebookDocument *document, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, document))
{
    connect(document, &NotebookDocument::cellsRemoved, this, [this] { d->dropRemovedCells(); });
}

ExecutionQueue::~ExecutionQueue() = default;

void ExecutionQueue::setContextSource(ContextSource *source)
{
    d->source = source;
    d->advance();
}

void ExecutionQueue::enqueue(const std::vector<CellId> &ids, OnError onError)
{
    bool hasChanged = false;
    for (const CellId &id : ids) {
        const qsizetype index = d->document->indexOf(id);
        if (index < 0 || d->document->peekAt(index).type != Cell::Type::Code || d->isWaiting.contains(id))
            continue;
        d->waiting.push_back({id, onError});
        d->isWaiting.insert(id);
        hasChanged = true;
        const bool isRunning = d->runner && d->runner->cell() == id;
        if (!isRunning && d->waiting.size() > kToldPositions) {
            CellRun run;
            run.state = CellRun::State::Queued;
            d->document->setRun(id, run);
        }
    }
    if (!hasChanged)
        return;
    d->isIdleTold = false;
    d->changed();
    d->advance();
}

void ExecutionQueue::cancelPending()
{
    if (d->waiting.empty())
        return;
    d->dropPending();
    d->changed();
    d->tellIdle();
}

void ExecutionQueue::cancel(const CellId &id)
{
    if (!d->isWaiting.contains(id))
        return;
    if (d->waiting.front().cell == id && d->isAsking) {
        d->contextRequest.cancel();
        d->isAsking = false;
    }
    std::erase_if(d->waiting, [&](const Waiting &item) { return item.cell == id; });
    d->isWaiting.remove(id);
    d->setNotRun(id);
    d->changed();
    d->advance();
}

void ExecutionQueue::interrupt()
{
    cancelPending();
    if (d->runner)
        d->interruptRunning();
}

void ExecutionQueue::setCellTimeout(std::chrono::milliseconds timeout)
{
    d->cellTimeout = timeout;
}

void ExecutionQueue::setHeld(Hold reason, bool isHeld)
{
    const unsigned before = d->holds;
    const auto bit = static_cast<unsigned>(reason);
    d->holds = isHeld ? before | bit : before & ~bit;
    if (d->holds != before && d->holds == 0)
        d->advance();
}

bool ExecutionQueue::isHeld(Hold reason) const
{
    return (d->holds & static_cast<unsigned>(reason)) != 0;
}

bool ExecutionQueue::isHeld() const
{
    return d->holds != 0;
}

void ExecutionQueue::sendInput(const std::string &line)
{
    if (d->runner)
        d->runner->sendInput(line);
}

void ExecutionQueue::endInput()
{
    if (d->runner)
        d->runner->endInput();
}

void ExecutionQueue::abandonRunning(const ExecutionSummary &summary)
{
    if (d->runner)
        d->runner->abandon(summary);
}

void ExecutionQueue::expectLoss(const std::optional<ExecutionSummary> &summary)
{
    if (d->runner)
        d->runner->expectLoss(summary);
}

std::chrono::milliseconds ExecutionQueue::runningFor() const
{
    return d->runner ? d->runner->elapsed() : std::chrono::milliseconds(0);
}

std::optional<CellId> ExecutionQueue::running() const
{
    return d->runner ? std::optional(d->runner->cell()) : std::nullopt;
}

std::shared_ptr<Context> ExecutionQueue::runningContext() const
{
    return d->runner ? d->runner->context() : nullptr;
}

std::vector<CellId> ExecutionQueue::pending() const
{
    std::vector<CellId> ids;
    for (const Waiting &item : d->waiting)
        ids.push_back(item.cell);
    return ids;
}

bool ExecutionQueue::isIdle() const
{
    return !d->runner && d->waiting.empty();
}

} // namespace sandfish
