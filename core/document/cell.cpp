#include "core/document/cell.h"

namespace sandfish {

// FNV-1a: qHash() is seeded anew in every process.
std::uint64_t sourceHash(QStringView source)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const QChar c : source) {
        hash ^= c.unicode();
        hash *= 0x100000001b3u;
    }
    return hash;
}

} // namespace sandfish
