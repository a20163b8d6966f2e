#include "core/document/notebookdocument.h"
#include "tests/bench/bench.h"
#include "tests/bench/benchwindow.h"
#include "tests/bench/notebooks.h"
#include "tests/bench/processes.h"
#include "tests/bench/waiting.h"
#include "tests/support/eventloopwatch.h"
#include "ui/notebook/notebookview.h"
#include "ui/window/filecontroller.h"
#include "ui/window/notebooktab.h"

#include <QFileInfo>
#include <QScrollBar>
#include <QWheelEvent>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace sandfish::bench {
namespace {

/// From the command to open a file to the first painted screen; 0 if it never came.
double openAndPaint(BenchWindow &bench, const QString &path)
{
    NotebookTab *tab = nullptr;
    std::unique_ptr<PaintProbe> probe;
    double paintedAt = 0;
    QObject guard;
    QObject::connect(bench.window().files(), &FileController::opened, &guard, [&](NotebookTab *opened) {
        tab = opened;
        probe = std::make_unique<PaintProbe>(tab->view()->viewport(), [&] {
            if (paintedAt == 0)
                paintedAt = nowMs();
        });
    });
    const double start = nowMs();
    bench.window().files()->open(path);
    return waitUntil([&] { return paintedAt > 0; }, 60s) ? paintedAt - start : 0;
}

void runOpen(Report &report, int cells, int pictureBytes)
{
    BenchWindow bench(BenchWindow::Engine::None);
    const QString path = bench.filePath(u"big.ipynb"_s);
    writeNotebook(path, cells, pictureBytes);
    if (!bench.isReady())
        return report.fail("the window did not start");
    rest(300ms);
    for (int i = 0; i < repetitions(10); ++i) {
        resetPeak();
        const double before = residentMib();
        test::EventLoopWatch watch;
        const double time = openAndPaint(bench, path);
        const auto gap = watch.longestGap(), busy = watch.longestBusyGap();
        if (time == 0 || bench.document()->cellCount() != cells)
            return report.fail("the notebook did not open");
        report.add("first screen painted", "ms", time);
        report.add("longest gap of a 5 ms heartbeat", "ms", double(gap.count()));
        report.add("of it computing", "ms", double(busy.count()));
        // Later ones find the freed memory of the first.
        if (i == 0) {
            report.add("memory kept", "MiB", residentMib() - before);
            report.add("memory at most", "MiB", peakResidentMib() - before);
        }
        bench.window().files()->close(bench.tab());
        rest(200ms);
    }
    report.note(std::to_string(QFileInfo(path).size()) + " bytes, " + std::to_string(cells) + " cells");
}

void turnWheel(QWidget *viewport)
{
    constexpr int kNotch = -120;
    const QPointF middle = viewport->rect().center();
    QWheelEvent event(
        middle, viewport->mapToGlobal(middle), {}, {0, kNotch}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(viewport, &event);
}

void runScroll(Report &report)
{
    constexpr int kCells = 5000;
    BenchWindow bench(BenchWindow::Engine::None);
    const QString path = bench.filePath(u"big.ipynb"_s);
    writeNotebook(path, kCells);
    if (!bench.isReady() || openAndPaint(bench, path) == 0)
        return report.fail("the notebook did not open");
    rest(300ms);
    QWidget *viewport = bench.view()->viewport();
    QScrollBar *bar = bench.view()->verticalScrollBar();
    const int guessed = bar->maximum();
    const auto frame = [&report, viewport](const char *figure, const auto &move) {
        const double start = nowMs();
        move();
        viewport->repaint();
        report.add(figure, "ms", nowMs() - start);
    };
    for (int i = 0; i < repetitions(1000); ++i)
        frame("a wheel notch and its frame", [viewport] { turnWheel(viewport); });
    constexpr int kJumps = 500;
    for (int i = 0; i < repetitions(kJumps); ++i)
        frame(
            "a jump of the scroll bar and its frame", [&] { bar->setValue(int(qint64(i) * bar->maximum() / kJumps)); });
    bar->setValue(bar->maximum());
    viewport->repaint();
    const bool isAtEnd = bar->value() == bar->maximum();
    report.note(std::string(isAtEnd ? "the bar's end is the page's end" : "the bar's end is NOT the page's end")
        + "; its range changed by " + std::to_string(std::abs(bar->maximum() - guessed)) + " of "
        + std::to_string(guessed) + " px while scrolling");
}

} // namespace

std::vector<Row> openRows()
{
    // As many cells and as large pictures as make a file of 97 MB.
    constexpr int kBigCells = 6931, kPictureBytes = 40'000;
    const auto with = [](int cells, int pictureBytes) {
        return [=](Report &report) { runOpen(report, cells, pictureBytes); };
    };
    return {{"open-1000", "1,000 cells from the command to the first screen", with(1000, 0)},
        {"open-5000", "5,000 cells", with(5000, 0)}, {"open-10000", "10,000 cells", with(10'000, 0)},
        {"open-100mb", "6,931 cells with pictures, 97 MB", with(kBigCells, kPictureBytes)},
        {"scroll-5000", "frames while 5,000 cells are scrolled", runScroll}};
}

} // namespace sandfish::bench
