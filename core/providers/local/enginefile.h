#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>
#include <QUrl>

#include <optional>
#include <string>

namespace sandfish {

/// What a running `sandfishd` tells its clients: in engine.json of its state directory, and in its ready line.
struct EngineFile
{
    QUrl url;
    QByteArray apiKey; ///< secret
    std::string version;
    qint64 pid = 0; ///< 0 in the ready line
};

/// The folder "engine" in userStateFolder().
QString defaultEngineStateDir();
/// Nothing if \a text is no JSON object with a loopback url and a key.
std::optional<EngineFile> parseEngineFile(const QByteArray &text);
/// Nothing if there is no daemon's file. Error::Kind::Io if it is there and cannot be read, or others may write it.
Result<std::optional<EngineFile>> readEngineFile(const QString &stateDir);

} // namespace sandfish
