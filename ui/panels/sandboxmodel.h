#pragma once

#include "core/base/error.h"
#include "core/protocol/sandboxinfo.h"

#include <QAbstractItemModel>
#include <QDateTime>
#include <QTimer>

#include <memory>
#include <vector>

namespace sandfish {

class Provider;

/// The sandboxes of all providers as a tree: provider, sandbox, context. Contexts that have run nothing are left out.
///
/// Asks the providers by itself while it is switched on: every second while something changes, else every ten; a
/// sandbox that is missing from a list is asked for by id before it is taken away, since lists lag. Thread: GUI.
class SandboxModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum class Kind
    {
        Provider,
        Sandbox,
        Context
    };
    enum Role
    {
        KindRole = Qt::UserRole, ///< Kind as int
        DetailRole,              ///< second line, may be empty
        StateWordRole,           ///< at the right: "Running", "idle", "Not connected"
        StateIconRole,           ///< for paintStateMark(); empty: none
        StateColorRole           ///< ColorToken as int
    };

    explicit SandboxModel(QObject *parent = nullptr);
    ~SandboxModel() override;

    /// \a providers outlive the model. Replaces the ones it had.
    void setProviders(const std::vector<Provider *> &providers);
    /// Off: no request is sent (a hidden or minimised window).
    void setActive(bool isActive);
    void refresh();
    bool isActive() const { return m_isActive; }

    Provider *providerAt(const QModelIndex &index) const;
    /// nullptr unless \a index is a sandbox or a context in one; valid until the next change.
    const SandboxInfo *sandboxAt(const QModelIndex &index) const;
    QModelIndex indexOf(const SandboxId &id) const;
    std::vector<SandboxInfo> sandboxes(const Provider *provider) const;
    int runningCount() const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool hasChildren(const QModelIndex &parent = {}) const override;
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;

signals:
    void sandboxesChanged();

private:
    struct Node;

    Node *nodeAt(const QModelIndex &index) const;
    QModelIndex indexOf(const Node *node) const;
    Node *findSandbox(const Node *provider, const SandboxId &id) const;
    void ask(Node *provider);
    void takeList(Provider *provider, const std::vector<SandboxInfo> &list);
    void checkMissing(Node *provider, const std::vector<SandboxInfo> &list);
    void put(Node *provider, const SandboxInfo &info);
    void remove(Node *sandbox);
    void setProblem(Provider *provider, const QString &problem);
    void takeContexts(Provider *provider, const SandboxId &id, std::vector<ContextInfo> contexts);
    void replaceContexts(Node *sandbox, const std::vector<ContextInfo> &contexts);
    Node *nodeOf(const Provider *provider) const;
    void schedule();

    std::vector<std::unique_ptr<Node>> m_providers;
    QTimer m_timer;
    bool m_isActive = false;
};

} // namespace sandfish
