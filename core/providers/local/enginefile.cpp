#include "core/providers/local/enginefile.h"

#include "core/base/json.h"
#include "core/providers/lizard/lizardcodec.h"
#include "core/support/statefolder.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

namespace sandfish {

using namespace Qt::StringLiterals;

QString defaultEngineStateDir()
{
    return userStateFolder() + u"/engine"_s;
}

std::optional<EngineFile> parseEngineFile(const QByteArray &text)
{
    const Result<Json> object = parseJsonObject({text.constData(), static_cast<std::size_t>(text.size())});
    if (!object)
        return std::nullopt;
    EngineFile file;
    file.url = QUrl(QString::fromStdString(stringOr(*object, "url", "")), QUrl::StrictMode);
    file.apiKey = QByteArray::fromStdString(stringOr(*object, "apiKey", ""));
    file.version = stringOr(*object, "version", "");
    file.pid = integerOr(*object, "pid", 0);
    const bool isUsable = file.url.isValid() && Lizard::isLoopback(file.url) && !file.apiKey.isEmpty();
    return isUsable ? std::optional(file) : std::nullopt;
}

Result<std::optional<EngineFile>> readEngineFile(const QString &stateDir)
{
    QFile file(stateDir + u"/engine.json"_s);
    if (!file.exists())
        return std::optional<EngineFile>();
    // Whoever can write this file chooses the server that runs the user's code.
    const bool isOthers = file.permissions() & (QFileDevice::WriteGroup | QFileDevice::WriteOther);
    if (isOthers || !file.open(QIODevice::ReadOnly)) {
        const QString text = QCoreApplication::translate("sandfish::EngineLauncher",
            "The file %1 of the local engine cannot be used: it is not readable, or others may write it. Delete it and "
            "try again.");
        return Error{Error::Kind::Io, text.arg(file.fileName()).toStdString(), file.errorString().toStdString()};
    }
    return parseEngineFile(file.read(64 << 10));
}

} // namespace sandfish
