#include "tests/support/scriptedcontext.h"

#include <QTimer>

namespace sandfish::test {

Script Script::printing(std::string text)
{
    return {{{StreamText{StreamText::Channel::Stdout, std::move(text)}}}, {}, false};
}

Script Script::raising(std::string name, std::string message)
{
    ErrorOutput error{std::move(name), std::move(message), {}};
    error.traceback = {"Traceback (most recent call last):\n", error.name + ": " + error.message};
    return {{{std::move(error)}}, {Outcome::CodeError}, false};
}

Script Script::hanging()
{
    return {{}, {}, true};
}

class ScriptedExecution : public Execution
{
    Q_OBJECT
public:
    ScriptedExecution(Script script, ScriptedContext *context)
        : Execution(context)
        , m_script(std::move(script))
        , m_context(context)
    {
    }

    void start(int count)
    {
        m_script.summary.executionCount = count;
        setState(State::Running);
        if (m_context->m_checkpoints.areKept) {
            const auto &before = m_context->m_checkpoints.keep(count - 1, false, "run-" + std::to_string(count));
            emit received({ExecutionStarted{count, before.ref}});
        }
        playSoon();
    }
    void end(const ExecutionSummary &summary)
    {
        if (state() == State::Finished)
            return;
        ExecutionSummary counted = summary;
        counted.executionCount = m_script.summary.executionCount;
        finish(counted);
        deleteLater();
        if (m_context->m_running == this) {
            m_context->m_running.clear();
            m_context->startNext();
        }
    }
    void sendInput(const std::string &line) override { answer(line); }
    void endInput() override { answer("\4"); }

private:
    void playSoon() { QTimer::singleShot(0, this, &ScriptedExecution::play); }
    void play()
    {
        if (state() == State::Finished)
            return;
        if (m_next == m_script.turns.size()) {
            if (!m_script.staysOpen)
                end(m_script.summary);
            return;
        }
        const std::vector<ExecutionEvent> events = m_script.turns[m_next++];
        const bool asks = !events.empty() && std::holds_alternative<InputRequest>(events.back());
        if (asks)
            setState(State::AwaitingInput);
        emit received(events);
        if (!asks)
            playSoon();
    }
    void answer(const std::string &line)
    {
        if (state() != State::AwaitingInput)
            return;
        m_context->m_inputs.push_back(line);
        setState(State::Running);
        playSoon();
    }

    Script m_script;
    ScriptedContext *m_context;
    std::size_t m_next = 0;
};

ScriptedContext::ScriptedContext(std::string language, QObject *parent)
    : Context(parent)
{
    m_info.id.value = "scripted-" + language;
    m_info.language = std::move(language);
    m_info.state = ContextState::Idle;
}

ScriptedContext::~ScriptedContext() = default;

void ScriptedContext::setInfo(ContextInfo info, SandboxId sandbox)
{
    m_info = std::move(info);
    m_sandbox = std::move(sandbox);
}

Execution *ScriptedContext::execute(const ExecuteRequest &request)
{
    m_requests.push_back(request);
    const auto own = m_scripts.find(request.code);
    auto *execution = new ScriptedExecution(own == m_scripts.end() ? m_defaultScript : own->second, this);
    m_waiting.emplace_back(execution);
    QTimer::singleShot(0, this, &ScriptedContext::startNext);
    emit executed(request.code);
    return execution;
}

Request ScriptedContext::interrupt(QObject *receiver, Done<> done)
{
    ++m_interruptCount;
    const Completion<> completion(receiver, std::move(done));
    completion.finish({});
    if (m_obeysInterrupt)
        finishNow({Outcome::Interrupted});
    return completion.request();
}

Request ScriptedContext::restart(QObject *receiver, Done<> done)
{
    ++m_restartCount;
    m_executionCount = 0;
    m_checkpoints.kept.clear();
    const Completion<> completion(receiver, std::move(done));
    completion.finish({});
    finishNow({Outcome::Interrupted});
    setState(State::Idle);
    return completion.request();
}

Request ScriptedContext::variables(const VariablesQuery &, QObject *receiver, Done<VariableList> done)
{
    ++m_look.variablesAsked;
    return m_look.answer<VariableList>(m_running, receiver, std::move(done), [this] { return m_look.variables; });
}

Request ScriptedContext::value(const ValueQuery &query, QObject *receiver, Done<ValuePage> done)
{
    m_look.valuesAsked.push_back(query);
    return m_look.answer<ValuePage>(
        m_running, receiver, std::move(done), [this, query] { return m_look.value(query); });
}

Request ScriptedContext::complete(const CodePlace &place, QObject *receiver, Done<CompletionList> done)
{
    m_look.completionsAsked.push_back(place);
    return m_look.answer<CompletionList>(
        m_running, receiver, std::move(done), [this, place] { return m_look.completions(place); });
}

Request ScriptedContext::inspect(const CodePlace &place, QObject *receiver, Done<Inspection> done)
{
    m_look.inspectionsAsked.push_back(place);
    return m_look.answer<Inspection>(
        m_running, receiver, std::move(done), [this, place] { return m_look.inspection(place); });
}

void ScriptedContext::finishNow(const ExecutionSummary &summary)
{
    if (m_running)
        static_cast<ScriptedExecution *>(m_running.data())->end(summary);
}

void ScriptedContext::loseConnection()
{
    finishNow({Outcome::ConnectionLost});
    setState(State::Dead);
    emit connectionLost(Error{Error::Kind::ConnectionLost, "The connection to the sandbox was lost.", {}});
}

void ScriptedContext::startNext()
{
    if (m_running)
        return;
    if (m_waiting.empty()) {
        if (state() == State::Busy)
            setState(State::Idle);
        return;
    }
    m_running = m_waiting.front();
    m_waiting.erase(m_waiting.begin());
    setState(State::Busy);
    static_cast<ScriptedExecution *>(m_running.data())->start(++m_executionCount);
}

} // namespace sandfish::test

#include "scriptedcontext.moc"
