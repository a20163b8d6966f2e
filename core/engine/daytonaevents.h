#pragma once

#include "core/engine/daytonareply.h"

#include <map>
#include <memory>
#include <string>

namespace sandfish {

/// What the SDK listens to while it waits for a state: Socket.IO 5 over Engine.IO 4, by WebSocket alone, the default
/// namespace alone, in one direction. The key comes in the first packet. Thread: the loop's.
class DaytonaEvents
{
public:
    DaytonaEvents(EventLoop &loop, std::string apiKey);
    ~DaytonaEvents();

    /// Accepts the upgrade, or answers 400 where the request does not ask for one.
    void accept(const DaytonaCall &call);
    bool hasListeners() const { return !m_clients.empty(); }
    /// Tells every listener; \a sandbox as the control plane describes it.
    void sandboxChanged(const Json &sandbox);

private:
    struct Client
    {
        std::weak_ptr<WebSocket> socket;
        bool hasKey = false;
        EventLoop::TimerId patience = 0;
    };

    void receive(int id, const std::string &packet);
    void connectClient(Client &client, std::string_view credentials);
    void forget(int id);
    void beat();

    EventLoop &m_loop;
    std::string m_apiKey;
    std::map<int, Client> m_clients;
    int m_nextClient = 1;
    EventLoop::TimerId m_heart = 0;
};

} // namespace sandfish
