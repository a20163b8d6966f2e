#include "core/session/runtree.h"

namespace sandfish {

int RunTree::add()
{
    m_parents[++m_last] = m_current;
    m_current = m_last;
    return m_current;
}

int RunTree::parentOf(int node) const
{
    const auto found = m_parents.find(node);
    return found == m_parents.end() ? 0 : found->second;
}

std::set<int> RunTree::path(int node) const
{
    std::set<int> nodes;
    for (; node > 0; node = parentOf(node))
        nodes.insert(node);
    return nodes;
}

void RunTree::keepOnly(std::set<int> nodes)
{
    nodes.insert(m_current);
    std::map<int, int> kept;
    for (const int node : nodes) {
        if (!m_parents.contains(node))
            continue;
        int parent = parentOf(node);
        while (parent > 0 && !nodes.contains(parent))
            parent = parentOf(parent);
        kept[node] = parent;
    }
    m_parents = std::move(kept);
}

} // namespace sandfish
