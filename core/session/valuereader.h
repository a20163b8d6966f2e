#pragma once

#include "core/protocol/lookinside.h"
#include "core/providers/context.h"
#include "core/support/request.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <deque>
#include <memory>
#include <string>

namespace sandfish {

class NotebookSession;

/// Reads one variable of a context by pages, one question at a time and none while anything runs in the notebook: what
/// is asked meanwhile waits. Thread: GUI.
class ValueReader : public QObject
{
    Q_OBJECT
public:
    enum class State
    {
        Ready,
        Busy,   ///< something runs
        Paused, ///< the sandbox sleeps
        Gone    ///< the context has ended: nothing more can be read
    };
    Q_ENUM(State)

    /// The session may die first.
    ValueReader(
        NotebookSession *session, const std::shared_ptr<Context> &context, std::string name, QObject *parent = nullptr);
    ~ValueReader() override;

    const std::string &name() const { return m_name; }
    State state() const { return m_state; }
    /// Of a text \a limit counts characters. The newest questions are answered first; of many that wait the oldest are
    /// dropped, and dropped() tells.
    void ask(std::int64_t offset, int limit);
    /// Forgets what waits.
    void cancel();
    bool isAsking() const { return m_request.isPending() || !m_waiting.empty(); }

signals:
    void pageRead(const sandfish::ValuePage &page);
    void dropped(std::int64_t offset);
    void failed(std::int64_t offset, const QString &message);
    void stateChanged();
    /// Something has run since the last page was read, so that pages may be old.
    void outdated();

private:
    struct Question
    {
        std::int64_t offset;
        int limit;
    };

    void update();
    State stateNow() const;
    void askNext();
    void take(const Question &question, const Result<ValuePage> &answer);

    QPointer<NotebookSession> m_session;
    std::weak_ptr<Context> m_context;
    std::string m_name;
    State m_state = State::Ready;
    std::deque<Question> m_waiting; ///< the newest last
    Request m_request;
    QTimer m_retry;
    int m_refusals = 0;
    bool m_hasRun = false;
};

} // namespace sandfish
