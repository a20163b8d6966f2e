#include "app/gui/firsttabs.h"

#include "core/support/settings.h"
#include "ui/window/filecontroller.h"
#include "ui/window/mainwindow.h"

#include <QFileInfo>

namespace sandfish {

void openFirstTabs(MainWindow &window, Settings &settings, const QStringList &files)
{
    FileController *controller = window.files();
    int count = controller->restoreLeftovers();
    const bool isFirstStart = !settings.get<bool>(Settings::Key::TourShown);
    settings.set(Settings::Key::TourShown, true);
    QStringList paths = files;
    if (paths.isEmpty() && isFirstStart && count == 0) {
        controller->openTour();
        return;
    }
    if (paths.isEmpty()) {
        // A file that was moved since is no news at start.
        paths = settings.get<QStringList>(Settings::Key::OpenFiles);
        paths.removeIf([](const QString &path) { return !QFileInfo::exists(path); });
    }
    for (const QString &path : std::as_const(paths)) {
        controller->open(path);
        ++count;
    }
    if (count == 0)
        window.showStartCard();
}

} // namespace sandfish
