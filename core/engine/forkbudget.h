#pragma once

namespace sandfish {

/// Whether the forks of one interpreter are quick enough to be made before each cell. After two slow ones a few cells
/// go without; then one more is tried, for the memory may have been given back.
class ForkBudget
{
public:
    /// Asked before each cell.
    bool allows();
    /// Of processor time.
    void add(double milliseconds);
    void reset();

private:
    int m_slow = 0; // in a row
    int m_skipped = 0;
};

} // namespace sandfish
