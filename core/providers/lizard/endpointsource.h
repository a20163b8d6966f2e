#pragma once

#include "core/support/request.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QUrl>

namespace sandfish {

/// Where a control plane answers, and with what key.
struct LizardEndpoint
{
    QUrl url;          ///< without a path
    QByteArray apiKey; ///< secret
    QString projectId;
};

/// Finds the control plane; for the local engine that may mean to start it. Thread: GUI.
class EndpointSource : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    virtual Request find(QObject *receiver, Done<LizardEndpoint> done) = 0;
    /// True if a find() after a refused connection may give another endpoint.
    virtual bool canRecover() const { return false; }
    /// The endpoint found last does not answer.
    virtual void forget() { }
};

/// An endpoint from the configuration.
class FixedEndpoint : public EndpointSource
{
    Q_OBJECT
public:
    explicit FixedEndpoint(LizardEndpoint endpoint, QObject *parent = nullptr)
        : EndpointSource(parent)
        , m_endpoint(std::move(endpoint))
    {
    }
    Request find(QObject *receiver, Done<LizardEndpoint> done) override
    {
        const Completion<LizardEndpoint> completion(receiver, std::move(done));
        completion.finish(m_endpoint);
        return completion.request();
    }

private:
    LizardEndpoint m_endpoint;
};

} // namespace sandfish
