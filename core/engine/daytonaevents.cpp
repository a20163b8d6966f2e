#include "core/engine/daytonaevents.h"

#include "core/engine/randomid.h"
#include "core/engine/sandboxregistry.h"

#include <utility>
#include <vector>

namespace sandfish {
namespace {

constexpr std::chrono::seconds kHeartBeat(25);
constexpr std::chrono::seconds kKeyPatience(10);
constexpr std::size_t kListenerQueueBytes = 1u << 20;
constexpr std::size_t kSessionBytes = 10;
constexpr std::uint16_t kPolicyViolation = 1008;

// Engine.IO: 0 open, 1 close, 2 ping, 3 pong, 4 message. Within a message, Socket.IO: 0 connect, 1 disconnect, 2 event,
// 4 refused.
constexpr char kPingPacket[] = "2";

std::string openPacket()
{
    const std::int64_t beatMs = std::chrono::milliseconds(kHeartBeat).count();
    return "0"
        + dumpJson({{"sid", randomHex(kSessionBytes)}, {"upgrades", Json::array()}, {"pingInterval", beatMs},
            {"pingTimeout", beatMs}, {"maxPayload", 65536}});
}

} // namespace

DaytonaEvents::DaytonaEvents(EventLoop &loop, std::string apiKey)
    : m_loop(loop)
    , m_apiKey(std::move(apiKey))
{
}

DaytonaEvents::~DaytonaEvents()
{
    m_loop.cancelTimer(m_heart);
}

void DaytonaEvents::accept(const DaytonaCall &call)
{
    const std::shared_ptr<WebSocket> socket = call.reply->upgrade({});
    if (!socket) {
        sendDaytonaError(call, 400, "This address is for a WebSocket");
        return;
    }
    const int id = m_nextClient++;
    socket->setReceived([this, id](const std::string &packet, bool) { receive(id, packet); });
    socket->setClosed([this, id] { forget(id); });
    socket->sendText(openPacket());
    m_clients[id] = {socket, false, m_loop.startTimer(kKeyPatience, [weak = std::weak_ptr(socket)] {
                         if (const auto silent = weak.lock())
                             silent->close(kPolicyViolation, "no key came");
                     })};
    if (m_heart == 0)
        m_heart = m_loop.startTimer(kHeartBeat, [this] { beat(); });
}

void DaytonaEvents::receive(int id, const std::string &packet)
{
    const auto found = m_clients.find(id);
    if (found == m_clients.end())
        return;
    if (packet.starts_with("40"))
        connectClient(found->second, std::string_view(packet).substr(2));
    else if (packet == "1" || packet.starts_with("41")) {
        if (const auto socket = found->second.socket.lock())
            socket->close(1000, "");
    }
}

void DaytonaEvents::connectClient(Client &client, std::string_view credentials)
{
    const Result<Json> shown = parseJsonObject(credentials);
    const std::shared_ptr<WebSocket> socket = client.socket.lock();
    if (!socket)
        return;
    m_loop.cancelTimer(std::exchange(client.patience, 0));
    client.hasKey = shown && equalsInConstantTime(stringOr(*shown, "token", ""), m_apiKey);
    if (client.hasKey) {
        socket->sendText("40" + dumpJson({{"sid", randomHex(kSessionBytes)}}));
    } else {
        socket->sendText("44" + dumpJson({{"message", "The API key is missing or not valid"}}));
        socket->close(kPolicyViolation, "no key");
    }
}

void DaytonaEvents::sandboxChanged(const Json &sandbox)
{
    const std::string packet = "42"
        + dumpJson(Json::array({"sandbox.state.updated",
            Json::object({{"sandbox", sandbox}, {"newState", stringOr(sandbox, "state", "")}})}));
    for (const auto &[id, client] : m_clients) {
        const std::shared_ptr<WebSocket> socket = client.hasKey ? client.socket.lock() : nullptr;
        if (!socket)
            continue;
        if (socket->pendingBytes() > kListenerQueueBytes)
            socket->close(kPolicyViolation, "slow consumer");
        else
            socket->sendText(packet);
    }
}

void DaytonaEvents::forget(int id)
{
    const auto client = m_clients.extract(id);
    if (client)
        m_loop.cancelTimer(client.mapped().patience);
}

void DaytonaEvents::beat()
{
    for (const auto &[id, client] : m_clients) {
        if (const auto socket = client.socket.lock())
            socket->sendText(kPingPacket);
    }
    m_heart = m_clients.empty() ? 0 : m_loop.startTimer(kHeartBeat, [this] { beat(); });
}

} // namespace sandfish
