#include "core/session/variablewatch.h"

#include "core/session/executionqueue.h"
#include "core/session/notebooksession.h"

#include <algorithm>

namespace sandfish {
namespace {

using namespace std::chrono_literals;

// Longer than the pause between two cells of a queue.
constexpr std::chrono::milliseconds kQuiet = 150ms;
// An interpreter that is still starting refuses, and nothing tells when it would not.
constexpr std::chrono::milliseconds kFirstRetry = 500ms;
constexpr int kMaxRefusals = 6;
constexpr std::size_t kMaxReadings = 8;

std::pair<SandboxId, ContextId> keyOf(const Context &context)
{
    return {context.sandboxId(), context.info().id};
}

} // namespace

VariableWatch::VariableWatch(QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &VariableWatch::read);
}

VariableWatch::~VariableWatch()
{
    m_request.cancel();
}

void VariableWatch::setSession(NotebookSession *session)
{
    if (session == m_session)
        return;
    if (m_session) {
        m_session->disconnect(this);
        m_session->queue()->disconnect(this);
    }
    m_session = session;
    if (session) {
        connect(session, &NotebookSession::stateChanged, this, &VariableWatch::update);
        connect(session, &NotebookSession::sandboxChanged, this, &VariableWatch::update);
        connect(session, &NotebookSession::contextsChanged, this, &VariableWatch::update);
        connect(session->queue(), &ExecutionQueue::queueChanged, this, &VariableWatch::update);
        connect(session, &QObject::destroyed, this, [this] {
            m_session.clear();
            update();
        });
    }
    update();
}

NotebookSession *VariableWatch::session() const
{
    return m_session;
}

void VariableWatch::setLanguage(const QString &language)
{
    if (language.toStdString() == m_language)
        return;
    m_language = language.toStdString();
    update();
}

void VariableWatch::setActive(bool isActive)
{
    m_isActive = isActive;
    update();
}

void VariableWatch::refresh()
{
    m_isOld = true;
    m_refusals = 0;
    update();
}

std::shared_ptr<Context> VariableWatch::pick() const
{
    if (!m_session)
        return nullptr;
    const auto contexts = m_session->contexts();
    const auto own = std::find_if(
        contexts.begin(), contexts.end(), [this](const auto &each) { return each->info().language == m_language; });
    if (own != contexts.end())
        return *own;
    return contexts.empty() ? nullptr : contexts.front();
}

void VariableWatch::follow(const std::shared_ptr<Context> &context)
{
    const std::shared_ptr<Context> before = m_context.lock();
    if (before == context)
        return;
    if (before)
        before->disconnect(this);
    m_request.cancel();
    m_context = context;
    m_isOld = true;
    m_refusals = 0;
    m_errorText.clear();
    if (context)
        connect(context.get(), &Context::stateChanged, this, &VariableWatch::update);
}

VariableWatch::State VariableWatch::stateNow(const Context *context) const
{
    using Session = NotebookSession::State;
    if (!m_session)
        return State::NoNotebook;
    const Session session = m_session->state();
    if (session == Session::Paused || session == Session::Pausing || session == Session::Resuming)
        return State::Paused;
    if (!context || context->state() == Context::State::Dead)
        return State::NoContext;
    if (!context->looks().testFlag(Context::Look::Variables))
        return State::Unsupported;
    if (session != Session::Ready || context->state() != Context::State::Idle)
        return State::Busy;
    if (!m_errorText.isEmpty())
        return State::Failed;
    return reading() ? State::Current : State::Reading;
}

void VariableWatch::update()
{
    const std::shared_ptr<Context> context = pick();
    const std::shared_ptr<Context> contextBefore = m_context.lock();
    const State stateBefore = m_state;
    // A pause keeps the context, but the session may forget it until the sandbox is back.
    if (context || !m_session || m_session->sandbox().id.isEmpty())
        follow(context);
    const std::shared_ptr<Context> followed = m_context.lock();
    m_state = stateNow(followed.get());
    if (m_state == State::Busy || m_state == State::Paused) {
        m_isOld = true;
        m_refusals = 0;
        m_errorText.clear();
    }
    schedule();
    // A queue of many cells tells of each step.
    if (m_state != stateBefore || followed != contextBefore)
        emit changed();
}

void VariableWatch::schedule()
{
    const bool isReadable = m_state == State::Current || m_state == State::Reading || m_state == State::Failed;
    if (!isReadable || !m_isActive || !m_isOld) {
        m_timer.stop();
        return;
    }
    if (!m_request.isPending() && m_refusals <= kMaxRefusals)
        m_timer.start(m_refusals == 0 ? kQuiet : kFirstRetry * (1 << (m_refusals - 1)));
}

void VariableWatch::read()
{
    const std::shared_ptr<Context> context = m_context.lock();
    if (!context || m_request.isPending())
        return;
    m_isOld = false;
    m_request = context->variables({}, this, [this, asked = context.get()](const Result<VariableList> &answer) {
        if (const std::shared_ptr<Context> now = m_context.lock(); now.get() == asked && now)
            take(*now, answer);
    });
}

void VariableWatch::take(const Context &context, const Result<VariableList> &answer)
{
    if (answer) {
        m_refusals = 0;
        m_errorText.clear();
        store(context, *answer);
    } else if (answer.error().kind == Error::Kind::Conflict) {
        ++m_refusals;
        m_isOld = true;
    } else if (answer.error().kind != Error::Kind::Cancelled) {
        m_errorText = QString::fromStdString(answer.error().message);
    }
    m_state = stateNow(&context);
    schedule();
    emit changed();
    if (answer)
        emit readAgain();
}

void VariableWatch::store(const Context &context, const VariableList &list)
{
    const auto key = keyOf(context);
    std::erase_if(m_readings, [&key](const Reading &each) { return each.of == key; });
    m_readings.push_front({key, list, QDateTime::currentDateTime()});
    if (m_readings.size() > kMaxReadings)
        m_readings.pop_back();
}

const VariableWatch::Reading *VariableWatch::reading() const
{
    const std::shared_ptr<Context> context = m_context.lock();
    if (!context)
        return nullptr;
    const auto found = std::find_if(
        m_readings.begin(), m_readings.end(), [key = keyOf(*context)](const Reading &each) { return each.of == key; });
    return found == m_readings.end() ? nullptr : &*found;
}

const VariableList &VariableWatch::variables() const
{
    static const VariableList kNone;
    const Reading *last = reading();
    return last ? last->list : kNone;
}

QDateTime VariableWatch::readAt() const
{
    const Reading *last = reading();
    return last ? last->at : QDateTime();
}

} // namespace sandfish
