#pragma once

#include "core/protocol/sandboxinfo.h"
#include "core/session/notebooksession.h"
#include "ui/text/durationtext.h"
#include "ui/text/languagename.h"
#include "ui/text/theme.h"

#include <QString>

#include <chrono>

namespace sandfish {

/// How a state is shown: mark, word and colour, in that order of importance (DESIGN.md §3.3).
struct StateLook
{
    QString icon; ///< name for iconPixmap(); "dot" means a filled circle of 8 px
    QString word;
    ColorToken color = ColorToken::Text2;
};

StateLook lookOf(SandboxState state);
/// The words of the chip and the tabs; Busy is "Running", Ready with an idle kernel is "Ready".
StateLook lookOf(NotebookSession::State state);

/// "0:06", "12:05", "1:02:03".
QString minutesText(std::chrono::milliseconds time);
/// "38 MB", "1.4 GB": decimal units, the locale's separators.
QString sizeText(std::int64_t sizeBytes);
/// "memory kept", "files only", "kept: unknown".
QString keptText(PauseKeeps keeps);
/// Of resources/icons: "python", "javascript", "bash", "code".
QString languageIcon(const QString &language);

} // namespace sandfish
