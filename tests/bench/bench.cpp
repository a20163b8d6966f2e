#include "tests/bench/bench.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>

namespace sandfish::bench {

double nowMs()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

void Report::add(const std::string &figure, const std::string &unit, double value)
{
    const auto known = std::find_if(
        m_figures.begin(), m_figures.end(), [&figure](const Figure &other) { return other.name == figure; });
    if (known != m_figures.end())
        known->values.push_back(value);
    else
        m_figures.push_back({figure, unit, {value}});
}

int repetitions(int full)
{
    return std::getenv("SANDFISH_BENCH_QUICK") != nullptr ? std::max(2, full / 10) : full;
}

} // namespace sandfish::bench
