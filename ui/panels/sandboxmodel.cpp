#include "ui/panels/sandboxmodel.h"

#include "core/providers/provider.h"
#include "ui/panels/sandboxnode.h"

#include <algorithm>

namespace sandfish {
namespace {

constexpr std::chrono::seconds kQuickInterval{1};
constexpr std::chrono::seconds kCalmInterval{10};

bool isChanging(SandboxState state)
{
    return state == SandboxState::Creating || state == SandboxState::Pausing || state == SandboxState::Resuming
        || state == SandboxState::Stopping || state == SandboxState::Busy;
}

// The engine makes contexts by itself: what nobody has used tells nothing.
bool isNoise(const ContextInfo &context)
{
    return context.executionCount == 0 && context.state != ContextState::Busy;
}

} // namespace

SandboxModel::SandboxModel(QObject *parent)
    : QAbstractItemModel(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &SandboxModel::refresh);
}

SandboxModel::~SandboxModel() = default;

void SandboxModel::setProviders(const std::vector<Provider *> &providers)
{
    beginResetModel();
    for (const auto &node : m_providers)
        node->provider->disconnect(this);
    m_providers.clear();
    for (Provider *provider : providers) {
        auto node = std::make_unique<Node>();
        node->provider = provider;
        m_providers.push_back(std::move(node));
        connect(provider, &Provider::sandboxChanged, this, [this, provider](const SandboxInfo &info) {
            Node *owner = nodeOf(provider);
            if (!owner)
                return;
            put(owner, info);
            // What runs in it has changed too, such as a context that was starting.
            const Node *sandbox = findSandbox(owner, info.id);
            if (m_isActive && sandbox && sandbox->hasAskedContexts)
                fetchMore(indexOf(sandbox));
        });
        connect(provider, &Provider::reachabilityChanged, this,
            [this, provider](const QString &problem) { setProblem(provider, problem); });
    }
    endResetModel();
    if (m_isActive)
        refresh();
}

void SandboxModel::setActive(bool isActive)
{
    if (m_isActive == isActive)
        return;
    m_isActive = isActive;
    if (isActive)
        refresh();
    else
        m_timer.stop();
}

void SandboxModel::refresh()
{
    for (const auto &node : m_providers)
        ask(node.get());
    schedule();
}

void SandboxModel::schedule()
{
    if (!m_isActive)
        return;
    bool isQuick = false;
    for (const auto &provider : m_providers) {
        for (const auto &sandbox : provider->children)
            isQuick = isQuick || isChanging(sandbox->sandbox.state);
    }
    m_timer.start(isQuick ? kQuickInterval : kCalmInterval);
}

void SandboxModel::ask(Node *node)
{
    if (node->isAsking)
        return;
    node->isAsking = true;
    Provider *provider = node->provider;
    provider->list(this, [this, provider](const Result<std::vector<SandboxInfo>> &result) {
        Node *owner = nodeOf(provider);
        if (!owner)
            return;
        owner->isAsking = false;
        if (!result) {
            setProblem(provider, QString::fromStdString(result.error().message));
            return;
        }
        setProblem(provider, {});
        takeList(provider, *result);
    });
}

void SandboxModel::takeList(Provider *provider, const std::vector<SandboxInfo> &list)
{
    Node *owner = nodeOf(provider);
    for (const SandboxInfo &info : list)
        put(owner, info);
    checkMissing(owner, list);
    for (const auto &sandbox : owner->children) {
        if (sandbox->hasAskedContexts)
            fetchMore(indexOf(sandbox.get()));
    }
    schedule();
}

void SandboxModel::checkMissing(Node *owner, const std::vector<SandboxInfo> &list)
{
    Provider *provider = owner->provider;
    for (const auto &node : owner->children) {
        const SandboxId id = node->sandbox.id;
        if (std::any_of(list.begin(), list.end(), [&](const SandboxInfo &info) { return info.id == id; }))
            continue;
        provider->info(id, this, [this, provider, id](const Result<SandboxInfo> &result) {
            Node *current = nodeOf(provider);
            Node *sandbox = current ? findSandbox(current, id) : nullptr;
            if (!sandbox)
                return;
            const bool isGone = result
                ? result->state == SandboxState::Gone
                : result.error().kind == Error::Kind::NotFound || result.error().kind == Error::Kind::Gone;
            if (isGone) {
                remove(sandbox);
                return;
            }
            SandboxInfo info = result ? *result : sandbox->sandbox;
            if (!result)
                info.state = SandboxState::Unknown;
            put(current, info);
        });
    }
}

void SandboxModel::put(Node *owner, const SandboxInfo &info)
{
    Node *node = findSandbox(owner, info.id);
    if (node && info.state == SandboxState::Gone) {
        remove(node);
        return;
    }
    if (node) {
        node->readAt = QDateTime::currentDateTime();
        if (node->sandbox == info)
            return;
        node->sandbox = info;
        emit dataChanged(indexOf(node), indexOf(node));
    } else if (info.state != SandboxState::Gone) {
        const int row = int(owner->children.size());
        beginInsertRows(indexOf(owner), row, row);
        auto added = std::make_unique<Node>();
        added->kind = Kind::Sandbox;
        added->parent = owner;
        added->sandbox = info;
        added->readAt = QDateTime::currentDateTime();
        owner->children.push_back(std::move(added));
        endInsertRows();
        emit dataChanged(indexOf(owner), indexOf(owner));
    }
    emit sandboxesChanged();
}

void SandboxModel::remove(Node *sandbox)
{
    Node *owner = sandbox->parent;
    const int row = sandbox->row();
    beginRemoveRows(indexOf(owner), row, row);
    owner->children.erase(owner->children.begin() + row);
    endRemoveRows();
    emit dataChanged(indexOf(owner), indexOf(owner));
    emit sandboxesChanged();
}

void SandboxModel::setProblem(Provider *provider, const QString &problem)
{
    Node *node = nodeOf(provider);
    if (!node || node->problem == problem)
        return;
    node->problem = problem;
    emit dataChanged(indexOf(node), indexOf(node));
}

void SandboxModel::takeContexts(Provider *provider, const SandboxId &id, std::vector<ContextInfo> contexts)
{
    Node *owner = nodeOf(provider);
    Node *sandbox = owner ? findSandbox(owner, id) : nullptr;
    if (!sandbox)
        return;
    std::erase_if(contexts, isNoise);
    const auto &nodes = sandbox->children;
    const bool areSame = std::equal(contexts.begin(), contexts.end(), nodes.begin(), nodes.end(),
        [](const ContextInfo &info, const auto &node) { return node->context.id == info.id; });
    if (!areSame) {
        replaceContexts(sandbox, contexts);
        return;
    }
    for (std::size_t i = 0; i < contexts.size(); ++i) {
        if (nodes[i]->context == contexts[i])
            continue;
        nodes[i]->context = contexts[i];
        const QModelIndex changed = indexOf(nodes[i].get());
        emit dataChanged(changed, changed);
    }
}

void SandboxModel::replaceContexts(Node *sandbox, const std::vector<ContextInfo> &contexts)
{
    const QModelIndex parentIndex = indexOf(sandbox);
    if (!sandbox->children.empty()) {
        beginRemoveRows(parentIndex, 0, int(sandbox->children.size()) - 1);
        sandbox->children.clear();
        endRemoveRows();
    }
    if (contexts.empty())
        return;
    beginInsertRows(parentIndex, 0, int(contexts.size()) - 1);
    for (const ContextInfo &context : contexts) {
        auto node = std::make_unique<Node>();
        node->kind = Kind::Context;
        node->parent = sandbox;
        node->context = context;
        sandbox->children.push_back(std::move(node));
    }
    endInsertRows();
}

SandboxModel::Node *SandboxModel::nodeOf(const Provider *provider) const
{
    const auto it = std::find_if(
        m_providers.begin(), m_providers.end(), [provider](const auto &node) { return node->provider == provider; });
    return it == m_providers.end() ? nullptr : it->get();
}

SandboxModel::Node *SandboxModel::findSandbox(const Node *provider, const SandboxId &id) const
{
    const auto &nodes = provider->children;
    const auto it = std::find_if(nodes.begin(), nodes.end(), [&](const auto &node) { return node->sandbox.id == id; });
    return it == nodes.end() ? nullptr : it->get();
}

SandboxModel::Node *SandboxModel::nodeAt(const QModelIndex &index) const
{
    return index.isValid() ? static_cast<Node *>(index.internalPointer()) : nullptr;
}

QModelIndex SandboxModel::indexOf(const Node *node) const
{
    if (node->parent)
        return createIndex(node->row(), 0, node);
    const auto it =
        std::find_if(m_providers.begin(), m_providers.end(), [node](const auto &other) { return other.get() == node; });
    return createIndex(int(it - m_providers.begin()), 0, node);
}

QModelIndex SandboxModel::indexOf(const SandboxId &id) const
{
    for (const auto &provider : m_providers) {
        if (const Node *node = findSandbox(provider.get(), id))
            return indexOf(node);
    }
    return {};
}

Provider *SandboxModel::providerAt(const QModelIndex &index) const
{
    Node *node = nodeAt(index);
    while (node && node->parent)
        node = node->parent;
    return node ? node->provider : nullptr;
}

const SandboxInfo *SandboxModel::sandboxAt(const QModelIndex &index) const
{
    const Node *node = nodeAt(index);
    if (node && node->kind == Kind::Context)
        node = node->parent;
    return node && node->kind == Kind::Sandbox ? &node->sandbox : nullptr;
}

std::vector<SandboxInfo> SandboxModel::sandboxes(const Provider *provider) const
{
    std::vector<SandboxInfo> result;
    if (const Node *node = nodeOf(provider)) {
        for (const auto &child : node->children)
            result.push_back(child->sandbox);
    }
    return result;
}

int SandboxModel::runningCount() const
{
    int count = 0;
    for (const auto &provider : m_providers) {
        for (const auto &sandbox : provider->children)
            count += sandbox->sandbox.state == SandboxState::Running ? 1 : 0;
    }
    return count;
}

QModelIndex SandboxModel::index(int row, int column, const QModelIndex &parent) const
{
    if (column != 0 || row < 0 || row >= rowCount(parent))
        return {};
    const Node *node = nodeAt(parent);
    return createIndex(row, 0, node ? node->children[std::size_t(row)].get() : m_providers[std::size_t(row)].get());
}

QModelIndex SandboxModel::parent(const QModelIndex &child) const
{
    const Node *node = nodeAt(child);
    return node && node->parent ? indexOf(node->parent) : QModelIndex();
}

int SandboxModel::rowCount(const QModelIndex &parent) const
{
    const Node *node = nodeAt(parent);
    return int(node ? node->children.size() : m_providers.size());
}

int SandboxModel::columnCount(const QModelIndex &) const
{
    return 1;
}

QVariant SandboxModel::data(const QModelIndex &index, int role) const
{
    const Node *node = nodeAt(index);
    return node ? node->data(role) : QVariant();
}

bool SandboxModel::hasChildren(const QModelIndex &parent) const
{
    const Node *node = nodeAt(parent);
    if (node && node->kind == Kind::Sandbox && node->sandbox.state == SandboxState::Running)
        return !node->hasAskedContexts || !node->children.empty();
    return rowCount(parent) > 0;
}

bool SandboxModel::canFetchMore(const QModelIndex &parent) const
{
    const Node *node = nodeAt(parent);
    return node && node->kind == Kind::Sandbox && !node->hasAskedContexts
        && node->sandbox.state == SandboxState::Running;
}

void SandboxModel::fetchMore(const QModelIndex &parent)
{
    Node *node = nodeAt(parent);
    // A paused sandbox is never asked: some services would wake it.
    if (!node || node->kind != Kind::Sandbox || node->sandbox.state != SandboxState::Running)
        return;
    node->hasAskedContexts = true;
    Provider *provider = node->parent->provider;
    provider->listContexts(node->sandbox.id, this,
        [this, provider, id = node->sandbox.id](const Result<std::vector<ContextInfo>> &result) {
            if (result)
                takeContexts(provider, id, *result);
        });
}

} // namespace sandfish
