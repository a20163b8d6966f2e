#pragma once

#include <QByteArray>
#include <QString>
#include <QUrl>

#include <chrono>

namespace sandfish {

/// Where a Daytona control plane answers, with what key, and how patient the adapter is.
struct DaytonaConfig
{
    QUrl apiUrl;             ///< such as https://app.daytona.io/api
    QByteArray key;          ///< secret: an API key, or a JWT with an organization
    QByteArray organization; ///< empty: that of the key
    QString target;          ///< region of new sandboxes; empty: the service's choice

    std::chrono::milliseconds answerLimit{60000}; ///< for one call that changes a sandbox
    std::chrono::milliseconds openLimit{15000};   ///< until the socket of a run is open
    std::chrono::milliseconds firstPoll{100};     ///< grows by half each time
    std::chrono::milliseconds longestPoll{2000};
    std::chrono::milliseconds createLimit{300000}; ///< an image may have to be built
    std::chrono::milliseconds changeLimit{120000}; ///< start, stop and pause
    std::chrono::milliseconds firstBackOff{1000};  ///< after 429 without Retry-After; doubles
    std::chrono::milliseconds longestBackOff{30000};
    std::chrono::milliseconds pingInterval{20000};
    std::chrono::milliseconds endGrace{5000};        ///< for the close after the end of a run was told
    std::chrono::milliseconds setupLimit{10000};     ///< for the first look into a context, see DaytonaSetup
    std::chrono::milliseconds awakeInterval{300000}; ///< how often a running cell counts as activity
};

} // namespace sandfish
