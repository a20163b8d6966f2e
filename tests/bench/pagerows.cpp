#include "core/document/notebookdocument.h"
#include "tests/bench/bench.h"
#include "tests/bench/benchwindow.h"
#include "tests/bench/processes.h"
#include "tests/bench/waiting.h"
#include "tests/support/eventloopwatch.h"
#include "ui/notebook/notebookview.h"

#include <QScrollBar>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace sandfish::bench {
namespace {

const Output *valueOf(const Cell &cell)
{
    const auto found = std::find_if(cell.outputs.begin(), cell.outputs.end(),
        [](const Output &output) { return output.kind == Output::Kind::Result; });
    return found == cell.outputs.end() ? nullptr : &*found;
}

/// Presses Shift+Enter on the first cell and waits until its new value has been painted; 0 if it never was.
double runAndPaint(BenchWindow &bench)
{
    NotebookDocument *document = bench.document();
    const Output *before = valueOf(bench.firstCell());
    const std::uint64_t oldSerial = before != nullptr ? before->serial : 0;
    bool isValueIn = false;
    double paintedAt = 0;
    QObject guard;
    QObject::connect(document, &NotebookDocument::outputsChanged, &guard, [&] {
        const Output *value = valueOf(bench.firstCell());
        isValueIn = value != nullptr && value->serial != oldSerial;
    });
    PaintProbe probe(bench.view()->viewport(), [&] {
        if (isValueIn && paintedAt == 0)
            paintedAt = nowMs();
    });
    const double start = nowMs();
    QTest::keyClick(bench.view(), Qt::Key_Return, Qt::ShiftModifier);
    return waitUntil([&] { return paintedAt > 0; }, 20s) ? paintedAt - start : 0;
}

void runShiftEnter(Report &report)
{
    BenchWindow bench(BenchWindow::Engine::Started);
    if (!bench.isReady())
        return report.fail("the window or its engine did not start");
    const CellId first = bench.firstCell().id;
    bench.document()->setSource(first, u"1+1"_s);
    constexpr int kWarmUps = 5;
    const int count = repetitions(200) + kWarmUps;
    for (int i = 0; i < count; ++i) {
        bench.view()->setCurrentCell(first);
        bench.view()->enterCommandMode();
        // Apart from the frames of the run before, and at no fixed phase to them.
        rest(40ms + std::chrono::milliseconds(i % 17));
        const double time = runAndPaint(bench);
        if (time == 0)
            return report.fail("the value was never painted");
        if (i >= kWarmUps)
            report.add("key to painted value", "ms", time);
    }
}

struct PageRun
{
    double shownMs = 0;    ///< the end of the output has been painted
    double finishedMs = 0; ///< the cell has ended
};

PageRun runOnPage(BenchWindow &bench, const std::function<bool(const OutputText &)> &isComplete)
{
    PageRun run;
    bool isIn = false;
    const double start = nowMs();
    QObject guard;
    QObject::connect(bench.document(), &NotebookDocument::outputsChanged, &guard, [&] {
        const Cell &cell = bench.firstCell();
        isIn = isIn || (!cell.outputs.empty() && cell.outputs.front().text && isComplete(*cell.outputs.front().text));
    });
    QObject::connect(bench.document(), &NotebookDocument::runChanged, &guard, [&] {
        if (bench.firstCell().run.state == CellRun::State::Finished && run.finishedMs == 0)
            run.finishedMs = nowMs() - start;
    });
    PaintProbe probe(bench.view()->viewport(), [&] {
        if (isIn && run.shownMs == 0)
            run.shownMs = nowMs() - start;
    });
    QTest::keyClick(bench.view(), Qt::Key_Return, Qt::ControlModifier);
    waitUntil([&] { return run.shownMs > 0 && run.finishedMs > 0; });
    return run;
}

void measureOnPage(Report &report, const QString &code, const std::function<bool(const OutputText &)> &isComplete)
{
    BenchWindow bench(BenchWindow::Engine::Started);
    if (!bench.isReady())
        return report.fail("the window or its engine did not start");
    bench.document()->setSource(bench.firstCell().id, code);
    bench.view()->enterCommandMode();
    rest(300ms);
    for (int i = 0; i < repetitions(5); ++i) {
        bench.document()->clearAllOutputs();
        rest(300ms);
        resetPeak();
        const double before = residentMib();
        test::EventLoopWatch watch;
        const PageRun run = runOnPage(bench, isComplete);
        const auto gap = watch.longestGap(), busy = watch.longestBusyGap();
        if (run.shownMs == 0 || run.finishedMs == 0)
            return report.fail("the output never came to its end");
        report.add("end painted", "s", std::max(run.shownMs, run.finishedMs) / 1e3);
        report.add("longest gap of a 5 ms heartbeat", "ms", double(gap.count()));
        report.add("of it computing", "ms", double(busy.count()));
        // Later runs find the freed memory of the first.
        if (i == 0) {
            report.add("memory kept", "MiB", residentMib() - before);
            report.add("memory at most", "MiB", peakResidentMib() - before);
        }
    }
    // Below the last line there are the cell's own edge and the page's.
    constexpr int kEdgesPx = 100;
    const QScrollBar *bar = bench.view()->verticalScrollBar();
    const int left = bar->maximum() - bar->value();
    report.note(
        left < kEdgesPx ? "the page shows its end" : "the page ends " + std::to_string(left) + " px above its end");
}

void runPrintsOnPage(Report &report)
{
    measureOnPage(report, u"for i in range(1_000_000): print(i)"_s,
        [](const OutputText &text) { return text.lineCount() >= 1'000'000 && text.droppedLines() == 0; });
}

void runLineOnPage(Report &report)
{
    measureOnPage(report, u"print('x' * 100_000_000)"_s,
        [](const OutputText &text) { return text.sizeBytes() >= 100'000'000 && text.droppedBytes() == 0; });
}

} // namespace

std::vector<Row> pageRows()
{
    return {{"run-paint", "Shift+Enter on 1+1 to its painted value, 200 times", runShiftEnter},
        {"prints-page", "one million print(i) until the end is painted", runPrintsOnPage},
        {"line-page", "100 MB in one line until the end is painted", runLineOnPage}};
}

} // namespace sandfish::bench
