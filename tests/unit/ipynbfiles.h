#pragma once

#include "core/document/notebookdocument.h"

#include <QByteArray>
#include <QFile>
#include <QString>

#include <memory>

/// The notebooks of tests/data/ipynb.
namespace sandfish {

inline QByteArray ipynbBytes(const QString &name)
{
    QFile file(QStringLiteral(SANDFISH_SOURCE_DIR "/tests/data/ipynb/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Null, and a warning, if it cannot be read.
inline std::unique_ptr<NotebookDocument> openedNotebook(const QByteArray &bytes)
{
    Result<std::unique_ptr<NotebookDocument>> document = NotebookDocument::fromJson(bytes);
    if (!document)
        qWarning("%s", document.error().message.c_str());
    return document ? document.take() : nullptr;
}

inline std::unique_ptr<NotebookDocument> openedIpynb(const QString &name)
{
    return openedNotebook(ipynbBytes(name));
}

} // namespace sandfish
