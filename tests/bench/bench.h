#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

/// The benchmark program: rows of performance.md §8 by name, each in a process of its own.
namespace sandfish::bench {

/// CLOCK_MONOTONIC in milliseconds.
double nowMs();

/// One measured quantity of a row, with a value for each repetition.
struct Figure
{
    std::string name;
    std::string unit;
    std::vector<double> values;
};

/// What a row found. A row that could not measure says why instead of giving numbers.
class Report
{
public:
    void add(const std::string &figure, const std::string &unit, double value);
    void note(const std::string &text) { m_notes.push_back(text); }
    void fail(const std::string &reason) { m_failure = reason; }

    const std::vector<Figure> &figures() const { return m_figures; }
    const std::vector<std::string> &notes() const { return m_notes; }
    const std::string &failure() const { return m_failure; }

private:
    std::vector<Figure> m_figures;
    std::vector<std::string> m_notes;
    std::string m_failure;
};

struct Row
{
    std::string name;
    std::string what; ///< one line for --list
    std::function<void(Report &)> run;
};

// One family a file.
std::vector<Row> startRows();
std::vector<Row> engineRows();
std::vector<Row> checkpointRows();
std::vector<Row> outputRows();
std::vector<Row> pageRows();
std::vector<Row> openRows();

/// Repetitions: \a full, or a few when SANDFISH_BENCH_QUICK is set.
int repetitions(int full);

/// A part of the program that a row starts as a process of its own; returns its exit code.
int runChild(const std::string &name, int argc, char **argv);

} // namespace sandfish::bench
