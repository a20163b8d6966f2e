#pragma once

#include "ui/panels/sandboxmodel.h"

#include <QDateTime>

#include <memory>
#include <vector>

namespace sandfish {

/// One row of the sandbox tree. Private to the model and to what words it.
struct SandboxModel::Node
{
    Kind kind = Kind::Provider;
    Node *parent = nullptr;
    std::vector<std::unique_ptr<Node>> children;

    sandfish::Provider *provider = nullptr; ///< Provider
    QString problem;                        ///< Provider: why it cannot be reached; empty if it can
    bool isAsking = false;                  ///< Provider
    SandboxInfo sandbox;                    ///< Sandbox
    QDateTime readAt;                       ///< Sandbox
    bool hasAskedContexts = false;          ///< Sandbox
    ContextInfo context;                    ///< Context

    int row() const;
    QVariant data(int role) const;
};

} // namespace sandfish
