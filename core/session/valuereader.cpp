#include "core/session/valuereader.h"

#include "core/session/notebooksession.h"

#include <algorithm>
#include <utility>

namespace sandfish {
namespace {

constexpr std::size_t kMaxWaiting = 4;
constexpr std::chrono::milliseconds kRetry{500};
constexpr int kMaxRefusals = 5;

} // namespace

ValueReader::ValueReader(
    NotebookSession *session, const std::shared_ptr<Context> &context, std::string name, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_context(context)
    , m_name(std::move(name))
{
    m_retry.setSingleShot(true);
    m_retry.setInterval(kRetry);
    connect(&m_retry, &QTimer::timeout, this, &ValueReader::askNext);
    connect(context.get(), &Context::stateChanged, this, &ValueReader::update);
    connect(context.get(), &QObject::destroyed, this, &ValueReader::update);
    connect(session, &NotebookSession::stateChanged, this, &ValueReader::update);
    connect(session, &NotebookSession::contextsChanged, this, &ValueReader::update);
    connect(session, &QObject::destroyed, this, [this] {
        m_session.clear();
        update();
    });
    m_state = stateNow();
}

ValueReader::~ValueReader()
{
    m_request.cancel();
}

ValueReader::State ValueReader::stateNow() const
{
    using Session = NotebookSession::State;
    const std::shared_ptr<Context> context = m_context.lock();
    if (!m_session || !context)
        return State::Gone;
    const Session session = m_session->state();
    if (session == Session::Paused || session == Session::Pausing || session == Session::Resuming)
        return State::Paused;
    const auto all = m_session->contexts();
    const bool isThere = std::find(all.begin(), all.end(), context) != all.end();
    if (!isThere || context->state() == Context::State::Dead)
        return State::Gone;
    return session == Session::Ready && context->state() == Context::State::Idle ? State::Ready : State::Busy;
}

void ValueReader::update()
{
    const State next = stateNow();
    m_hasRun = m_hasRun || next == State::Busy;
    if (next == m_state)
        return;
    m_state = next;
    emit stateChanged();
    if (m_state != State::Ready)
        return;
    m_refusals = 0;
    if (std::exchange(m_hasRun, false))
        emit outdated();
    askNext();
}

void ValueReader::ask(std::int64_t offset, int limit)
{
    std::erase_if(m_waiting, [offset](const Question &each) { return each.offset == offset; });
    m_waiting.push_back({offset, limit});
    if (m_waiting.size() > kMaxWaiting) {
        const Question oldest = m_waiting.front();
        m_waiting.pop_front();
        emit dropped(oldest.offset);
    }
    askNext();
}

void ValueReader::cancel()
{
    m_waiting.clear();
    m_request.cancel();
}

void ValueReader::askNext()
{
    const std::shared_ptr<Context> context = m_context.lock();
    if (!context || m_state != State::Ready || m_request.isPending() || m_retry.isActive() || m_waiting.empty())
        return;
    const Question question = m_waiting.back();
    m_waiting.pop_back();
    ValueQuery query;
    query.name = m_name;
    query.offset = question.offset;
    query.limit = question.limit;
    m_request =
        context->value(query, this, [this, question](const Result<ValuePage> &answer) { take(question, answer); });
}

void ValueReader::take(const Question &question, const Result<ValuePage> &answer)
{
    if (answer) {
        m_refusals = 0;
        emit pageRead(*answer);
    } else if (answer.error().kind == Error::Kind::Conflict && m_refusals++ < kMaxRefusals) {
        // Something else runs in the context, or its interpreter starts: no signal tells when it is over.
        m_waiting.push_back(question);
        m_retry.start();
    } else if (answer.error().kind != Error::Kind::Cancelled) {
        emit failed(question.offset, QString::fromStdString(answer.error().message));
    }
    askNext();
}

} // namespace sandfish
