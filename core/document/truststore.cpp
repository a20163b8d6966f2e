#include "core/document/truststore.h"

#include "core/support/statefolder.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace sandfish {
namespace {

constexpr qint64 kLargestFileBytes = 4 * 1024 * 1024;

} // namespace

TrustStore::TrustStore(QString filePath)
    : m_filePath(std::move(filePath))
{
}

QString TrustStore::userFilePath()
{
    return userStateFolder() + QStringLiteral("/window/trusted");
}

void TrustStore::load()
{
    if (std::exchange(m_isLoaded, true))
        return;
    QFile file(m_filePath);
    // Grown beyond its bound the store starts anew; the cost is a question per old notebook.
    if (file.size() > kLargestFileBytes || !file.open(QIODevice::ReadOnly))
        return;
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (const QByteArray &line : lines) {
        if (!line.isEmpty())
            m_digests.insert(line);
    }
}

bool TrustStore::contains(const QByteArray &digest)
{
    load();
    return m_digests.contains(digest);
}

void TrustStore::add(const QByteArray &digest)
{
    load();
    if (digest.isEmpty() || m_digests.contains(digest))
        return;
    m_digests.insert(digest);
    QDir().mkpath(QFileInfo(m_filePath).path());
    QFile file(m_filePath);
    const bool isTooLarge = file.size() > kLargestFileBytes;
    if (!file.open(isTooLarge ? QIODevice::WriteOnly | QIODevice::Truncate : QIODevice::Append))
        return;
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    file.write(digest + '\n');
}

} // namespace sandfish
