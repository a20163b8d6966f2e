#pragma once

#include "core/base/json.h"
#include "core/engine/uniquefd.h"

#include <sys/types.h>
#include <vector>

namespace sandfish {

/// One message between the daemon and a supervisor: a JSON object, and descriptors that ride along (SCM_RIGHTS).
struct Packet
{
    Json message;
    std::vector<UniqueFd> descriptors;
    pid_t senderPid = 0; ///< in the receiver's pid namespace; 0 without SO_PASSCRED
};

/// The two ends of a sequenced-packet socket, both close-on-exec.
struct PacketSocketPair
{
    UniqueFd daemon;
    UniqueFd supervisor;
};

/// The largest encoded message; a socket buffer of Linux' default size holds one of it.
inline constexpr std::size_t kMaxPacketBytes = 160u << 10;
inline constexpr std::size_t kMaxPacketDescriptors = 16;

Result<PacketSocketPair> makePacketSocketPair();

/// Sends one packet; Kind::Unavailable when the socket is full, Kind::TooLarge beyond kMaxPacketBytes.
Result<> sendPacket(int socket, const Json &message, const std::vector<int> &descriptors = {});

/// The next packet without waiting. Kind::Unavailable: nothing there; Kind::ConnectionLost: the peer is gone;
/// Kind::Protocol: the packet cannot be understood and was dropped.
Result<Packet> receivePacket(int socket);

} // namespace sandfish
