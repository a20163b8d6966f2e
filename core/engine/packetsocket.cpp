#include "core/engine/packetsocket.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/socket.h>

namespace sandfish {
namespace {

Error socketError(Error::Kind kind, int number)
{
    return Error{kind, "The channel to the sandbox's supervisor failed.", std::strerror(number)};
}

void takeAncillary(msghdr &header, Packet &packet)
{
    for (cmsghdr *part = CMSG_FIRSTHDR(&header); part; part = CMSG_NXTHDR(&header, part)) {
        if (part->cmsg_level != SOL_SOCKET)
            continue;
        if (part->cmsg_type == SCM_RIGHTS) {
            const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            for (std::size_t i = 0; i < count; ++i) {
                int fd = -1;
                std::memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
                packet.descriptors.emplace_back(fd);
            }
        } else if (part->cmsg_type == SCM_CREDENTIALS) {
            ucred credentials{};
            std::memcpy(&credentials, CMSG_DATA(part), sizeof(credentials));
            packet.senderPid = credentials.pid;
        }
    }
}

} // namespace

Result<PacketSocketPair> makePacketSocketPair()
{
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return socketError(Error::Kind::Io, errno);
    PacketSocketPair pair{UniqueFd(ends[0]), UniqueFd(ends[1])};
    const int on = 1;
    const int bytes = static_cast<int>(2 * kMaxPacketBytes);
    ::setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
    for (int fd : ends)
        ::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
    return pair;
}

Result<> sendPacket(int socket, const Json &message, const std::vector<int> &descriptors)
{
    const std::string text = dumpJson(message);
    if (text.size() > kMaxPacketBytes || descriptors.size() > kMaxPacketDescriptors)
        return Error{Error::Kind::TooLarge, "The command or its environment is too long for the sandbox."};
    iovec part{const_cast<char *>(text.data()), text.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxPacketDescriptors)] = {};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    if (!descriptors.empty()) {
        header.msg_control = control;
        header.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors.size());
        cmsghdr *rights = CMSG_FIRSTHDR(&header);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof(int) * descriptors.size());
        std::memcpy(CMSG_DATA(rights), descriptors.data(), sizeof(int) * descriptors.size());
    }
    ssize_t sent = -1;
    do {
        sent = ::sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    if (sent >= 0)
        return {};
    const bool isFull = errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS;
    return socketError(isFull ? Error::Kind::Unavailable : Error::Kind::ConnectionLost, errno);
}

Result<Packet> receivePacket(int socket)
{
    static thread_local std::vector<char> buffer(kMaxPacketBytes);
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxPacketDescriptors) + CMSG_SPACE(sizeof(ucred))];
    iovec part{buffer.data(), buffer.size()};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof(control);
    ssize_t count = -1;
    do {
        count = ::recvmsg(socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return socketError(Error::Kind::Unavailable, errno);
    if (count <= 0)
        return socketError(Error::Kind::ConnectionLost, count == 0 ? 0 : errno);
    Packet packet;
    takeAncillary(header, packet);
    Result<Json> message = parseJsonObject(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    if (!message)
        return message.error();
    packet.message = message.take();
    return packet;
}

} // namespace sandfish
