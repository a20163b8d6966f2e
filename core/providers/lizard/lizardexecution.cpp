#include "core/providers/lizard/lizardexecution.h"

#include "core/providers/lizard/lizardcontext.h"
#include "core/providers/lizard/lizardlink.h"
#include "core/support/logging.h"

#include <QtConcurrent>

#include <array>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// A longer record takes more than a frame to parse, so it leaves the GUI thread.
constexpr std::size_t kMaxInlineBytes = 256 << 10;
// Output that arrives as one record per line is merged again, up to this size.
constexpr std::size_t kMaxMergedBytes = 64 << 10;
constexpr std::array kReopenPauses{50ms, 250ms, 1000ms, 3000ms};

} // namespace

LizardExecution::LizardExecution(std::shared_ptr<LizardLink> link, ExecuteRequest request, LizardContext *context)
    : Execution(context)
    , m_link(std::move(link))
    , m_request(std::move(request))
    , m_context(context)
{
    m_timer.setSingleShot(true);
}

LizardExecution::~LizardExecution() = default;

void LizardExecution::announce(std::string text)
{
    m_events.emplace_back(Notice{std::move(text)});
}

void LizardExecution::start()
{
    const bool limitsItself = m_link->engine().has_value();
    if (m_request.timeout > 0ms && !limitsItself) {
        connect(&m_timer, &QTimer::timeout, this, &LizardExecution::expire);
        m_timer.start(m_request.timeout);
    }
    findAndPost();
}

void LizardExecution::findAndPost()
{
    if (const auto base = m_link->knownCodeUrl(m_context->sandboxId())) {
        post(*base);
        return;
    }
    m_link->codeUrl(m_context->sandboxId(), this, [this](const Result<QUrl> &base) {
        if (state() == State::Finished)
            return;
        if (base)
            post(*base);
        else
            settleFailure(base.error());
    });
}

void LizardExecution::post(const QUrl &base)
{
    m_base = base;
    HttpCall call;
    call.verb = HttpCall::Verb::Post;
    call.url = Lizard::urlFor(base, u"/execute"_s);
    call.body = Lizard::executeBody(m_request, m_context->info().id, m_link->engine().has_value());
    openStream(call);
}

void LizardExecution::openStream(const HttpCall &call)
{
    m_stream = std::make_unique<HttpStream>(m_link->streams(), [this](std::string_view line) { return take(line); });
    connect(m_stream.get(), &HttpStream::opened, this, [this] {
        m_link->noteReachability(nullptr);
        m_context->setState(Context::State::Busy);
        if (!m_link->engine())
            setState(State::Running);
    });
    connect(m_stream.get(), &HttpStream::turnEnded, this, &LizardExecution::endTurn);
    connect(m_stream.get(), &HttpStream::finished, this, &LizardExecution::settle);
    m_stream->open(call);
}

HttpStream::Flow LizardExecution::take(std::string_view line)
{
    if (m_done)
        return HttpStream::Flow::GoOn;
    if (line.size() <= kMaxInlineBytes) {
        Result<WireRecord> record = decodeWireRecord(line);
        if (record && std::holds_alternative<WireRecord::Ignored>(record->content))
            takeUnknown(line);
        else
            takeDecoded(std::move(record));
        return HttpStream::Flow::GoOn;
    }
    QtConcurrent::run([copy = std::string(line)] {
        return decodeWireRecord(copy);
    }).then(this, [this](Result<WireRecord> record) {
        takeDecoded(std::move(record));
        const QPointer<LizardExecution> guard(this);
        endTurn();
        if (guard && m_stream)
            m_stream->proceed();
    });
    return HttpStream::Flow::Wait;
}

void LizardExecution::takeUnknown(std::string_view line)
{
    const Result<Json> object = parseJsonObject(line);
    if (object && stringOr(*object, "type", "") == "accepted")
        m_executionId = stringOr(*object, "execution_id", "");
}

void LizardExecution::takeDecoded(Result<WireRecord> record)
{
    if (!record) {
        qCWarning(lcExec) << "a record cannot be read:" << record.error().message.c_str();
        m_hasBadRecord = true;
        return;
    }
    // Said only once more has come: a record cut by the loss of the connection is told by that loss.
    if (m_hasBadRecord && !std::exchange(m_hasShownBadRecord, true))
        announce(tr("A part of the output could not be read and was left out.").toStdString());
    if (record->sequence > 0) {
        if (record->sequence <= m_lastSequence)
            return;
        m_lastSequence = record->sequence;
    }
    m_reopenCount = 0;
    if (auto *event = std::get_if<ExecutionEvent>(&record->content))
        takeEvent(std::move(*event));
    else if (auto *done = std::get_if<WireRecord::Done>(&record->content))
        m_done = std::move(*done);
}

void LizardExecution::takeEvent(ExecutionEvent event)
{
    m_hasError |= std::holds_alternative<ErrorOutput>(event);
    auto *text = std::get_if<StreamText>(&event);
    auto *last = m_events.empty() ? nullptr : std::get_if<StreamText>(&m_events.back());
    const bool continues = text && last && text->channel == last->channel && text->isLate == last->isLate
        && last->text.size() < kMaxMergedBytes;
    if (continues)
        last->text += text->text;
    else
        m_events.push_back(std::move(event));
}

// Whoever hears of output or of the end may let go of the context, and so of this object.
void LizardExecution::endTurn()
{
    const QPointer<LizardExecution> guard(this);
    if (!m_events.empty()) {
        const auto events = std::exchange(m_events, {});
        const bool asks = std::holds_alternative<InputRequest>(events.back());
        setState(asks ? State::AwaitingInput : State::Running);
        if (guard)
            emit received(events);
    }
    if (guard && m_done)
        endDone(*m_done);
}

void LizardExecution::settle(const Result<> &result)
{
    if (m_done || state() == State::Finished)
        return;
    if (!m_brokenOff.empty()) {
        end({Outcome::Interrupted, 0, {}, m_brokenOff});
        return;
    }
    settleFailure(result ? Error{Error::Kind::ConnectionLost,
                      tr("The output ended before the run did. What came until then is kept.").toStdString(), {}}
                         : result.error());
}

bool LizardExecution::mayFindAgain(const Error &error) const
{
    const bool isUnsent = m_stream && !m_stream->mayHaveArrived() && error.kind == Error::Kind::Unreachable;
    const bool isMissing = m_stream && error.httpStatus == 404;
    return m_executionId.empty() && !m_hasFoundAgain && (isUnsent || isMissing);
}

void LizardExecution::settleFailure(const Error &error)
{
    if (m_executionId.empty() ? mayFindAgain(error) : resumeStream(error)) {
        if (!m_executionId.empty())
            return;
        m_hasFoundAgain = true;
        const QUrl failed = m_base;
        m_link->forgetCodeUrl(m_context->sandboxId());
        m_link->codeUrl(m_context->sandboxId(), this, [this, failed, error](const Result<QUrl> &base) {
            if (base && *base != failed)
                post(*base);
            else
                settleFailure(base ? error : base.error());
        });
        return;
    }
    const bool isRefusal = error.httpStatus != 0 && error.kind != Error::Kind::ConnectionLost;
    if (!isRefusal) {
        lose(error);
        return;
    }
    if (error.kind == Error::Kind::NotFound || error.kind == Error::Kind::Gone)
        m_context->setState(Context::State::Dead);
    end({Outcome::Rejected, 0, {}, error.message});
}

// The engine keeps the run and its output; only the connection is gone.
bool LizardExecution::resumeStream(const Error &error)
{
    const bool isHopeless = error.httpStatus == 404
        || (error.kind == Error::Kind::Unreachable && Lizard::isLoopback(m_base) && m_reopenCount > 1);
    if (isHopeless || m_reopenCount >= kReopenPauses.size() || !m_link->engine() || !m_link->engine()->has("events"))
        return false;
    m_context->setState(Context::State::Reconnecting);
    QTimer::singleShot(kReopenPauses[m_reopenCount++], this, &LizardExecution::reopen);
    return true;
}

void LizardExecution::reopen()
{
    if (state() == State::Finished)
        return;
    HttpCall call;
    call.url = Lizard::urlFor(m_base,
        u"/executions/"_s + QString::fromStdString(m_executionId) + u"/events?from="_s
            + QString::number(m_lastSequence + 1));
    openStream(call);
}

void LizardExecution::lose(const Error &error)
{
    m_link->noteReachability(&error);
    std::string reason = error.message;
    // A broken JavaScript stream of a seed service leaves its rest to the next run (protocols.md §1.6-5).
    if (!m_link->engine() && m_context->info().language == "javascript")
        reason += ' ' + tr("Restart the context before the next run.").toStdString();
    const QPointer<LizardContext> context(m_context);
    Error lost = error;
    lost.message = reason;
    end({Outcome::ConnectionLost, 0, {}, reason});
    if (context)
        emit context->connectionLost(lost);
}

void LizardExecution::endDone(const WireDone &done)
{
    ExecutionSummary summary{done.outcome, done.executionCount, done.duration, done.reason};
    if (summary.outcome == Outcome::Ok && m_hasError)
        summary.outcome = Outcome::CodeError;
    // The engine may tell of the end before it answers the restart or the rewind.
    const bool isBreakingOff = m_context->m_isRestarting || m_context->m_isRewinding;
    if (!m_brokenOff.empty() || (isBreakingOff && summary.outcome == Outcome::Aborted))
        summary.outcome = Outcome::Interrupted;
    end(summary);
}

void LizardExecution::end(const ExecutionSummary &summary)
{
    if (state() == State::Finished)
        return;
    m_timer.stop();
    // The stream calls us: it goes in a later turn, and after a `done` it ends by itself and keeps its connection.
    if (m_stream) {
        m_stream->disconnect(this);
        if (!m_done)
            m_stream->abort();
    }
    QTimer::singleShot(m_done ? 1000ms : 0ms, this, &QObject::deleteLater);
    const QPointer<LizardExecution> guard(this);
    if (!m_events.empty())
        emit received(std::exchange(m_events, {}));
    if (guard)
        finish(summary);
    if (guard)
        m_context->executionEnded(this, summary);
}

void LizardExecution::endSoonAsInterrupted(std::chrono::milliseconds grace, const std::string &reason)
{
    m_brokenOff = reason;
    QTimer::singleShot(grace, this, [this] { end({Outcome::Interrupted, 0, {}, m_brokenOff}); });
}

void LizardExecution::sendInput(const std::string &line)
{
    answerInput(dumpJson({{"text", line}}));
}

void LizardExecution::endInput()
{
    answerInput(dumpJson({{"eof", true}}));
}

void LizardExecution::answerInput(std::string body)
{
    if (state() != State::AwaitingInput)
        return;
    setState(State::Running);
    m_link->code(m_context->sandboxId(), HttpCall::Verb::Post, Lizard::contextPath(m_context->info().id, u"/input"_s),
        std::move(body), this, [this](const Result<Json> &answer) {
            if (answer || state() != State::Running)
                return;
            setState(State::AwaitingInput);
            emit received({Notice{tr("The input was not sent.").toStdString() + ' ' + answer.error().message}});
        });
}

// A seed service has no limit of its own and no interrupt, so only the waiting ends.
void LizardExecution::expire()
{
    end({Outcome::TimedOut, 0, {},
        tr("The time limit has passed. The service cannot interrupt, so the run may still go on; restart the context.")
            .toStdString()});
}

} // namespace sandfish
