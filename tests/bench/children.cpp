#include "app/gui/desktop.h"
#include "app/gui/firsttabs.h"
#include "app/gui/options.h"
#include "core/document/notebookdocument.h"
#include "core/support/settings.h"
#include "tests/bench/bench.h"
#include "tests/bench/waiting.h"
#include "ui/notebook/notebookview.h"
#include "ui/window/mainwindow.h"
#include "ui/window/notebooktab.h"

#include <QApplication>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace sandfish::bench {
namespace {

/// As the program starts; what a user would type at once is typed at the first frame.
int runFirstResult(int argc, char **argv)
{
    QApplication application(argc, argv);
    Desktop desktop((Options()));
    desktop.settings()->set(Settings::Key::TourShown, true);
    MainWindow window(desktop.context());
    openFirstTabs(window, *desktop.settings(), {});
    window.show();
    std::unique_ptr<PaintProbe> probe;
    QObject::connect(&window, &MainWindow::firstPainted, &window, [&] {
        NotebookDocument *document = window.currentTab()->document();
        document->setSource(document->cellAt(0).id, u"1+1"_s);
        probe = std::make_unique<PaintProbe>(window.currentTab()->view()->viewport(), [document] {
            const std::vector<Output> &outputs = document->cellAt(0).outputs;
            if (outputs.empty() || outputs.front().kind != Output::Kind::Result)
                return;
            std::puts("first result");
            std::fflush(stdout);
        });
        window.currentTab()->view()->runSelected(NotebookView::Advance::Stay);
    });
    return application.exec();
}

} // namespace

int runChild(const std::string &name, int argc, char **argv)
{
    if (name == "first-result")
        return runFirstResult(argc, argv);
    std::fputs("sandfish-bench: there is no such child\n", stderr);
    return 2;
}

} // namespace sandfish::bench
