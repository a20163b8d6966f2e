#pragma once

#include <QStringList>

namespace sandfish {

class MainWindow;
class Settings;

/// What the window shows first: work that a crash left, the named files, else the tour at the first start, else the
/// files of the last time, else an empty notebook.
void openFirstTabs(MainWindow &window, Settings &settings, const QStringList &files);

} // namespace sandfish
