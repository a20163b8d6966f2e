#include "core/engine/daytonarun.h"

#include "core/engine/sandboxlimits.h"

#include <cmath>
#include <utility>

namespace sandfish {
namespace {

constexpr std::size_t kMaxCodeMessage = 64u << 20;
constexpr std::size_t kSocketQueueBytes = 1u << 20;
constexpr std::size_t kSocketBatchBytes = 128u << 10;
constexpr std::chrono::seconds kFirstMessageLimit(60);
constexpr std::chrono::seconds kDefaultLimit(600);
constexpr std::chrono::seconds kInterruptGrace(2);
constexpr char kVersionProtocol[] = "X-Daytona-SDK-Version~";

// RFC 6455 §7.4.1, and one of the service's own.
constexpr std::uint16_t kClosedNormally = 1000;
constexpr std::uint16_t kClosedAsItEnded = 1001;
constexpr std::uint16_t kClosedForProtocol = 1002;
constexpr std::uint16_t kClosedForPolicy = 1008;
constexpr std::uint16_t kClosedForFault = 1011;
constexpr std::uint16_t kClosedForTime = 4008;

/// The offered protocol that carries the SDK's version, which is taken back as it came; empty: none was offered.
std::string versionProtocol(const std::string &offered)
{
    const std::size_t start = offered.find(kVersionProtocol);
    if (start == std::string::npos)
        return {};
    return offered.substr(start, offered.find_first_of(", ", start) - start);
}

/// Kind::BadRequest for what is no number of seconds; nothing: no limit.
Result<std::optional<std::chrono::milliseconds>> daytonaLimit(const Json &value)
{
    using Limit = std::optional<std::chrono::milliseconds>;
    if (value.is_null())
        return Limit(kDefaultLimit);
    const double seconds = value.is_number() ? value.get<double>() : -1;
    if (!(seconds >= 0))
        return Error{Error::Kind::BadRequest, "timeout must be a number of seconds that is not negative"};
    if (seconds == 0)
        return Limit();
    return Limit(boundedTimeout(static_cast<std::int64_t>(std::ceil(std::min(seconds, 1e9) * 1000))));
}

bool hasMembersOfRightType(const Json &request)
{
    const auto isTextOrAbsent = [&](const char *name) {
        const Json &value = memberOrNull(request, name);
        return value.is_null() || value.is_string();
    };
    const Json &variables = memberOrNull(request, "envs");
    return isTextOrAbsent("code") && isTextOrAbsent("contextId")
        && (variables.is_null() || (variables.is_object() && stringMap(variables).size() == variables.size()));
}

std::string daytonaFrame(std::string_view type, std::string_view text, std::string_view name, std::string_view value,
    std::string_view traceback)
{
    std::string json = "{\"type\":";
    appendJsonString(type, json);
    for (const auto &[key, member] :
        {std::pair{",\"text\":", text}, {",\"name\":", name}, {",\"value\":", value}, {",\"traceback\":", traceback}}) {
        json += key;
        appendJsonString(member, json);
    }
    return json + "}";
}

} // namespace

void DaytonaRun::start(EventLoop &loop, const SandboxPtr &sandbox, const DaytonaCall &call)
{
    WebSocket::Options options;
    options.subprotocol = versionProtocol(call.request->header("sec-websocket-protocol"));
    options.maxMessageBytes = kMaxCodeMessage;
    const std::shared_ptr<WebSocket> socket = call.reply->upgrade(options);
    if (!socket) {
        sendDaytonaError(call, 400, "This address is for a WebSocket");
        return;
    }
    const std::shared_ptr<DaytonaRun> execution(new DaytonaRun(loop, sandbox));
    execution->begin(socket);
}

DaytonaRun::DaytonaRun(EventLoop &loop, SandboxPtr sandbox)
    : m_loop(loop)
    , m_sandbox(std::move(sandbox))
{
}

void DaytonaRun::begin(const std::shared_ptr<WebSocket> &socket)
{
    const auto self = shared_from_this();
    m_socket = socket;
    socket->setReceived([self](const std::string &message, bool isText) { self->receive(message, isText); });
    socket->setDrained([self] { self->pump(); });
    socket->setClosed([self] { self->release(); });
    m_timer = m_loop.startTimer(kFirstMessageLimit, [weak = weak_from_this()] {
        if (const auto strong = weak.lock())
            strong->close(kClosedForProtocol, "no request came");
    });
}

void DaytonaRun::receive(const std::string &message, bool isText)
{
    // What comes after the first message has no meaning.
    if (m_timer == 0 || m_isClosing)
        return;
    m_loop.cancelTimer(std::exchange(m_timer, 0));
    const Result<Json> request = parseJsonObject(message);
    if (!isText || !request || !hasMembersOfRightType(*request)) {
        close(kClosedForProtocol, "invalid request: a JSON object with code, contextId, timeout and envs is expected");
        return;
    }
    run(*request);
}

void DaytonaRun::run(const Json &request)
{
    ExecutionSpec spec;
    spec.code = stringOr(request, "code", "");
    spec.environment = stringMap(memberOrNull(request, "envs"));
    spec.interruptGrace = kInterruptGrace;
    const auto limit = daytonaLimit(memberOrNull(request, "timeout"));
    Result<> checked = checkEnvironment(spec.environment);
    if (spec.code.empty())
        checked = Error{Error::Kind::BadRequest, "code is required"};
    else if (!limit)
        checked = limit.error();
    else if (m_sandbox->state() != SandboxState::Running)
        checked = Error{Error::Kind::Conflict, "context is not active"};
    if (!checked) {
        close(kClosedForPolicy, checked.error().message);
        return;
    }
    spec.timeout = *limit;
    const Result<LocalSandbox::ContextPtr> context = contextFor(stringOr(request, "contextId", ""));
    auto execution =
        context ? (*context)->enqueue(std::move(spec)) : Result<KernelContext::ExecutionPtr>(context.error());
    if (!execution) {
        close(kClosedForPolicy, execution.error().message);
        return;
    }
    m_execution = execution.take();
    m_subscription = m_execution->log().subscribe([weak = weak_from_this()] {
        if (const auto strong = weak.lock())
            strong->pump();
    });
    pump();
}

Result<LocalSandbox::ContextPtr> DaytonaRun::contextFor(const std::string &id) const
{
    if (id.empty() || id == "default")
        return m_sandbox->defaultContext(Language::Python);
    const LocalSandbox::ContextPtr context = m_sandbox->findContext(id);
    if (!context || context->language() != Language::Python)
        return Error{Error::Kind::NotFound, "context not found: " + id};
    return context;
}

void DaytonaRun::pump()
{
    const std::shared_ptr<WebSocket> socket = m_socket.lock();
    while (socket && m_subscription != 0 && m_next <= m_execution->log().lastSequence()
        && socket->pendingBytes() < kSocketQueueBytes)
        m_next = m_execution->log().read(
            m_next, kSocketBatchBytes, [this](const ExecutionLog::Content *content) { take(content); });
}

void DaytonaRun::take(const ExecutionLog::Content *content)
{
    if (m_isClosing)
        return;
    // Output is kept for a slow reader as long as there is room for it, see ExecutionLog.
    if (!content) {
        close(kClosedForPolicy, "slow consumer");
        return;
    }
    if (const auto *done = std::get_if<WireDone>(content)) {
        finish(*done);
        return;
    }
    const auto &event = std::get<ExecutionEvent>(*content);
    if (const auto *text = std::get_if<StreamText>(&event))
        send(text->channel == StreamText::Channel::Stdout ? "stdout" : "stderr", text->text);
    else if (const auto *error = std::get_if<ErrorOutput>(&event))
        m_error = *error;
}

void DaytonaRun::sendFrame(std::string frame)
{
    if (const auto socket = m_socket.lock())
        socket->sendText(std::move(frame));
}

void DaytonaRun::send(std::string_view type, std::string_view text)
{
    sendFrame(daytonaFrame(type, text, "", "", ""));
}

void DaytonaRun::sendError(const ErrorOutput &error)
{
    std::string traceback;
    for (const std::string &part : error.traceback)
        traceback += part;
    sendFrame(daytonaFrame("error", "", error.name, error.message, traceback));
}

void DaytonaRun::finish(const WireDone &done)
{
    const bool isCutShort = done.outcome == Outcome::TimedOut || done.outcome == Outcome::Interrupted;
    // An interrupt shows as such, and not as the exception that carried it.
    if (m_error && !isCutShort && done.outcome != Outcome::Aborted)
        sendError(*m_error);
    if (isCutShort) {
        if (!m_execution->hasLostKernel())
            send("control", "interrupted");
        close(kClosedForTime, "execution timed out or was interrupted");
    } else if (done.outcome == Outcome::Crashed) {
        close(kClosedAsItEnded, "worker process ended");
    } else if (done.outcome == Outcome::Aborted && m_execution->hasLostKernel()) {
        close(kClosedForFault, "the interpreter could not be started: " + done.reason);
    } else if (done.outcome == Outcome::Aborted) {
        close(kClosedAsItEnded, "context shutdown");
    } else {
        send("control", "completed");
        close(kClosedNormally, "");
    }
}

void DaytonaRun::close(std::uint16_t code, std::string_view reason)
{
    m_isClosing = true;
    if (const auto socket = m_socket.lock())
        socket->close(code, reason);
}

void DaytonaRun::release()
{
    m_loop.cancelTimer(std::exchange(m_timer, 0));
    if (m_subscription != 0)
        m_execution->log().unsubscribe(std::exchange(m_subscription, 0));
}

} // namespace sandfish
