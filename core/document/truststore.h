#pragma once

#include <QByteArray>
#include <QSet>
#include <QString>

namespace sandfish {

/// The notebooks whose outputs may be shown in full: those saved here, and those the user trusted. Known by a digest
/// of their bytes, so that a changed file is asked for again. One line each in a file only the user can write.
/// Thread: GUI. Cost: the file is read at the first look-up.
class TrustStore
{
public:
    explicit TrustStore(QString filePath);
    /// The file that every program of this user shares.
    static QString userFilePath();

    bool contains(const QByteArray &digest);
    /// Failure to write is not an error: the next start asks again.
    void add(const QByteArray &digest);

private:
    void load();

    QString m_filePath;
    QSet<QByteArray> m_digests;
    bool m_isLoaded = false;
};

} // namespace sandfish
