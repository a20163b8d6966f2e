#pragma once

#include "core/providers/context.h"
#include "core/support/request.h"

#include <QObject>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sandfish {

class Provider;

/// The contexts of one sandbox, one per language, opened when first wanted. While there is no sandbox, calls wait.
/// Thread: GUI.
class ContextPool : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    /// \a existing contexts are attached to; of one language the one that has run the most wins, then the first.
    void setSandbox(
        Provider *provider, const SandboxId &sandbox, const std::string &cwd, std::vector<ContextInfo> existing = {});
    /// Forgets the contexts and fails the calls that wait. Runs that go on keep their own context alive.
    void reset(const Error &reason);
    /// Drops what is dead. When it is wanted again it is attached to if it still exists, else opened anew.
    void dropDead();
    void drop(const std::string &language);

    Request contextFor(const std::string &language, QObject *receiver, Done<std::shared_ptr<Context>> done);
    const std::map<std::string, std::shared_ptr<Context>> &contexts() const { return m_contexts; }
    bool isReconnecting() const;

signals:
    void changed();
    void infoChanged(); ///< of a context
    void lost(const sandfish::Error &error);

private:
    struct Waiting
    {
        std::string language;
        Completion<std::shared_ptr<Context>> completion;
    };

    void attach(const ContextInfo &context);
    void open(const std::string &language);
    void create(const std::string &language);
    void opened(const std::string &language, const Result<std::shared_ptr<Context>> &context);
    void add(const std::string &language, const std::shared_ptr<Context> &context);
    std::vector<Waiting> takeWaiting(const std::string &language);

    Provider *m_provider = nullptr;
    SandboxId m_sandbox;
    std::string m_cwd;
    std::map<std::string, std::shared_ptr<Context>> m_contexts;
    std::map<std::string, ContextInfo> m_dead;
    std::map<std::string, Request> m_opening;
    std::vector<Waiting> m_waiting;
};

} // namespace sandfish
