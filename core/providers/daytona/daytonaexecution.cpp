#include "core/providers/daytona/daytonaexecution.h"

#include "core/net/weburl.h"
#include "core/providers/daytona/daytonacontext.h"
#include "core/providers/daytona/daytonalink.h"
#include "core/support/logging.h"

#include <QPointer>
#include <QtConcurrent>

#include <array>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// A longer message takes more than a frame to parse, so it leaves the GUI thread.
constexpr std::size_t kMaxInlineFrame = 256 << 10;
// Output that arrives as one message per line is merged again, up to this size.
constexpr std::size_t kMaxMergedText = 64 << 10;
constexpr std::array kOpenPauses{250ms, 1000ms, 3000ms};
// How much later than its limit a run may end before it counts as ended here: the service gives it 2 s to react.
constexpr std::chrono::milliseconds kLimitGrace{30000};
constexpr int kMaxFailedChecks = 3;

} // namespace

DaytonaExecution::DaytonaExecution(
    std::shared_ptr<DaytonaLink> link, ExecuteRequest request, Origin origin, DaytonaContext *context)
    : Execution(context)
    , m_link(std::move(link))
    , m_request(std::move(request))
    , m_origin(origin)
    , m_context(context)
{
    m_limit.setSingleShot(true);
}

DaytonaExecution::~DaytonaExecution() = default;

void DaytonaExecution::announce(std::string text)
{
    m_events.emplace_back(Notice{std::move(text)});
}

void DaytonaExecution::start()
{
    connect(&m_limit, &QTimer::timeout, this, [this] {
        end({Outcome::TimedOut, 0, {},
            tr("The time limit has passed and Daytona did not end the run. It may go on; restart the context.")
                .toStdString()});
    });
    if (m_origin == Origin::Adapter)
        m_limit.start(m_request.timeout);
    open();
}

void DaytonaExecution::open()
{
    if (state() == State::Finished)
        return;
    ++m_openTries;
    m_link->toolboxUrl(m_context->sandboxId(), this, [this](const Result<QUrl> &toolbox) {
        if (state() == State::Finished)
            return;
        if (toolbox)
            openSocket(*toolbox);
        else
            openAgainOr(toolbox.error());
    });
}

void DaytonaExecution::openSocket(const QUrl &toolbox)
{
    m_socket = std::make_unique<MessageSocket>([this](std::string_view message) { return take(message); });
    m_socket->setPingInterval(m_link->config().pingInterval);
    connect(m_socket.get(), &MessageSocket::opened, this, &DaytonaExecution::sendCode);
    connect(m_socket.get(), &MessageSocket::turnEnded, this, &DaytonaExecution::endTurn);
    connect(m_socket.get(), &MessageSocket::unanswered, this, &DaytonaExecution::checkSandbox);
    connect(m_socket.get(), &MessageSocket::finished, this, &DaytonaExecution::settle);
    HttpCall call;
    call.url = urlBelow(toolbox, u"/process/interpreter/execute"_s);
    call.headers = m_link->headers();
    call.timeout = m_link->config().openLimit;
    m_socket->open(call);
}

void DaytonaExecution::sendCode()
{
    m_link->noteReachability(nullptr);
    m_isSent = true;
    if (m_openTries > 1)
        m_context->setState(m_origin == Origin::User ? Context::State::Busy : Context::State::Starting);
    m_sinceSent.start();
    m_socket->send(Daytona::executeMessage(m_request, m_context->info().id));
    if (m_request.timeout > 0ms && m_origin == Origin::User)
        m_limit.start(m_request.timeout + kLimitGrace);
    setState(State::Running);
}

MessageSocket::Flow DaytonaExecution::take(std::string_view message)
{
    if (message.size() <= kMaxInlineFrame) {
        takeFrame(Daytona::decodeFrame(message));
        return MessageSocket::Flow::GoOn;
    }
    QtConcurrent::run([copy = std::string(message)] {
        return Daytona::decodeFrame(copy);
    }).then(this, [this](Result<Daytona::Frame> frame) {
        takeFrame(std::move(frame));
        const QPointer<DaytonaExecution> guard(this);
        endTurn();
        if (guard && m_socket)
            m_socket->proceed();
    });
    return MessageSocket::Flow::Wait;
}

void DaytonaExecution::takeFrame(Result<Daytona::Frame> frame)
{
    m_failedChecks = 0;
    if (!frame) {
        qCWarning(lcExec) << "a message cannot be read:" << frame.error().message.c_str();
        if (!std::exchange(m_hasBadFrame, true))
            announce(tr("A part of the output could not be read and was left out.").toStdString());
        return;
    }
    if (frame->event) {
        m_trace.hasFrames = true;
        takeEvent(std::move(*frame->event));
    } else if (frame->control == "completed") {
        m_trace.hasCompleted = true;
    } else if (frame->control == "interrupted") {
        m_trace.hasInterrupted = true;
    }
    // The close comes at once; without it the end that was told still holds.
    const bool isEndTold = m_trace.hasCompleted || m_trace.hasInterrupted;
    if (isEndTold)
        QTimer::singleShot(m_link->config().endGrace, this, [this] {
            if (state() != State::Finished)
                settle(Error{Error::Kind::ConnectionLost, {}, {}});
        });
}

void DaytonaExecution::takeEvent(ExecutionEvent event)
{
    m_trace.hasError |= std::holds_alternative<ErrorOutput>(event);
    auto *text = std::get_if<StreamText>(&event);
    auto *last = m_events.empty() ? nullptr : std::get_if<StreamText>(&m_events.back());
    if (text && last && text->channel == last->channel && last->text.size() < kMaxMergedText)
        last->text += text->text;
    else
        m_events.push_back(std::move(event));
}

// Whoever hears of output may let go of the context, and so of this object.
void DaytonaExecution::endTurn()
{
    if (!m_events.empty())
        emit received(std::exchange(m_events, {}));
}

void DaytonaExecution::settle(const Result<SocketClose> &close)
{
    if (state() == State::Finished)
        return;
    if (m_wasRestarted) {
        endSoonAsInterrupted(0ms);
        return;
    }
    if (!m_isSent && !close) {
        diagnose(close.error());
        return;
    }
    Daytona::RunEnd ended = Daytona::runEnd(m_trace, close);
    if (m_context->m_isRestarting && ended.fate == Daytona::ContextFate::Gone) {
        endSoonAsInterrupted(0ms);
        return;
    }
    const bool isSudden = m_trace.hasCompleted && !m_trace.hasFrames && !m_sinceSent.hasExpired(100);
    if (isSudden && m_context->m_mayEndEarly && m_request.code.find("print") != std::string::npos)
        announce(tr("Daytona ended this run at once, maybe by the end of the run before it. Run the cell again if its "
                    "output is missing.")
                     .toStdString());
    m_context->noteFate(ended.fate);
    if (ended.summary.outcome == Outcome::ConnectionLost)
        lose(Error{Error::Kind::ConnectionLost, ended.summary.reason, close ? std::string() : close.error().detail});
    else
        end(ended.summary);
}

// The socket was not opened, and tells little of why: the control plane knows whether the sandbox runs.
void DaytonaExecution::diagnose(const Error &failure)
{
    m_link->control(HttpCall::Verb::Get, Daytona::sandboxPath(m_context->sandboxId()), {}, this,
        [this, failure](const Result<Json> &answer) {
            if (state() == State::Finished)
                return;
            if (!answer) {
                const bool isRefusal = answer.error().httpStatus != 0 && !answer.error().isRetryable();
                if (isRefusal)
                    lose(answer.error());
                else
                    openAgainOr(answer.error());
                return;
            }
            const SandboxInfo info = Daytona::parseSandbox(*answer);
            if (info.state == SandboxState::Running || info.state == SandboxState::Unknown) {
                diagnoseToolbox(failure);
                return;
            }
            const QString text = tr("The sandbox is \"%1\", so nothing can run in it. Resume it in the list of "
                                    "sandboxes, or start a new one.");
            lose(Error{Error::Kind::ConnectionLost, text.arg(QString::fromStdString(info.rawState)).toStdString(), {}});
        });
}

void DaytonaExecution::diagnoseToolbox(const Error &failure)
{
    m_link->toolbox(m_context->sandboxId(), HttpCall::Verb::Get, u"/process/interpreter/context"_s, {}, this,
        [this, failure](const Result<Json> &answer) {
            if (state() != State::Finished)
                openAgainOr(answer ? failure : answer.error());
        });
}

void DaytonaExecution::openAgainOr(const Error &error)
{
    const bool mayPass = error.isRetryable() || error.kind == Error::Kind::ConnectionLost;
    const auto tries = static_cast<std::size_t>(m_openTries);
    if (mayPass && tries <= kOpenPauses.size()) {
        m_context->setState(Context::State::Reconnecting);
        auto pause = kOpenPauses[tries - 1];
        if (error.retryAfter)
            pause = std::max<std::chrono::milliseconds>(pause, *error.retryAfter);
        if (pause <= m_link->config().longestBackOff) {
            QTimer::singleShot(pause, this, &DaytonaExecution::open);
            return;
        }
    }
    if (error.httpStatus != 0)
        refuse(error);
    else
        lose(error);
}

// Pings of a run that waits for its turn are not answered, so silence alone is no loss (protocols.md §3.6).
void DaytonaExecution::checkSandbox()
{
    if (std::exchange(m_isChecking, true))
        return;
    m_link->control(HttpCall::Verb::Get, Daytona::sandboxPath(m_context->sandboxId()), {}, this,
        [this](const Result<Json> &answer) {
            m_isChecking = false;
            if (state() == State::Finished)
                return;
            const SandboxState now = answer ? Daytona::parseSandbox(*answer).state : SandboxState::Unknown;
            const bool isEnded = now == SandboxState::Stopped || now == SandboxState::Stopping
                || now == SandboxState::Failed || now == SandboxState::Gone;
            const bool isMissing = !answer && answer.error().kind == Error::Kind::NotFound;
            m_failedChecks = answer ? 0 : m_failedChecks + 1;
            if (isEnded || isMissing || m_failedChecks >= kMaxFailedChecks)
                lose(Error{Error::Kind::ConnectionLost,
                    tr("The sandbox does not answer any more. What came until then is kept.").toStdString(),
                    answer ? std::string() : answer.error().detail});
        });
}

void DaytonaExecution::refuse(const Error &error)
{
    if (error.kind == Error::Kind::NotFound || error.kind == Error::Kind::Gone)
        m_context->noteFate(Daytona::ContextFate::Gone);
    end({Outcome::Rejected, 0, {}, error.message});
}

void DaytonaExecution::lose(const Error &error)
{
    if (error.httpStatus == 0)
        m_link->noteReachability(&error);
    const QPointer<DaytonaContext> context(m_context);
    end({Outcome::ConnectionLost, 0, {}, error.message});
    if (context && m_origin == Origin::User)
        emit context->connectionLost(error);
}

void DaytonaExecution::end(const ExecutionSummary &summary)
{
    if (state() == State::Finished)
        return;
    m_limit.stop();
    // The socket calls us: it goes in a later turn.
    if (m_socket) {
        m_socket->disconnect(this);
        m_socket->abort();
    }
    QTimer::singleShot(0ms, this, &QObject::deleteLater);
    const QPointer<DaytonaExecution> guard(this);
    if (!m_events.empty())
        emit received(std::exchange(m_events, {}));
    if (guard)
        finish(summary);
    if (guard)
        m_context->executionEnded(this);
}

void DaytonaExecution::endSoonAsInterrupted(std::chrono::milliseconds grace)
{
    m_wasRestarted = true;
    QTimer::singleShot(grace, this, [this] {
        end({Outcome::Interrupted, 0, {}, tr("The context was restarted.").toStdString()});
    });
}

} // namespace sandfish
