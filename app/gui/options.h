#pragma once

#include "core/base/result.h"

#include <QSize>
#include <QString>
#include <QStringList>

namespace sandfish {

/// What the command line asks for.
struct Options
{
    QStringList files;
    QString theme;          ///< "light", "dark", or empty: the setting
    QString screenshotPath; ///< not empty: work off-screen, write this picture and leave
    QString savePath;       ///< where the executed notebook goes; empty: nowhere
    QSize size;             ///< of the window, logical px; invalid: the default
    double scale = 1;
    int cell = 0; ///< the cell that is chosen and brought into view, from 1; 0: as the notebook opens
    bool runsAll = false;
    bool pauses = false;
    bool showsHelp = false;
    bool showsVersion = false;
    QString helpText;
};

/// Needs no application object, since the scale must be known before there is one.
Result<Options> parseOptions(const QStringList &arguments);

} // namespace sandfish
