#pragma once

#include <map>
#include <set>

namespace sandfish {

/// Which runs the present state of one context is made of. A run grows from the state before it; a rewind goes back to
/// an older state, from which further runs grow beside those that were there. Node 0 is the fresh interpreter.
class RunTree
{
public:
    /// A run begins: it becomes the present state. Nodes grow along every way.
    int add();
    void goTo(int node) { m_current = node; }
    int current() const { return m_current; }
    int last() const { return m_last; } ///< the newest run
    int parentOf(int node) const;
    /// The runs that a state is made of, itself included.
    std::set<int> path(int node) const;
    /// Forgets all other runs; ways past them stay. The present state is always kept.
    void keepOnly(std::set<int> nodes);
    std::size_t size() const { return m_parents.size(); }

private:
    std::map<int, int> m_parents;
    int m_current = 0;
    int m_last = 0;
};

} // namespace sandfish
