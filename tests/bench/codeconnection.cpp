#include "tests/bench/codeconnection.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sandfish::bench {
namespace {

constexpr std::size_t kReadBytes = 256 << 10;
constexpr timeval kPatience{120, 0};

[[noreturn]] void give(const char *what)
{
    std::fprintf(stderr, "sandfish-bench: %s: %s\n", what, std::strerror(errno));
    std::exit(1);
}

} // namespace

CodeConnection::CodeConnection(std::uint16_t port)
    : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    ::setsockopt(m_socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(m_socket, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
    if (::connect(m_socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
        give("the engine cannot be reached");
}

CodeConnection::~CodeConnection()
{
    ::close(m_socket);
}

void CodeConnection::send(
    std::string_view method, std::string_view path, std::string_view body, std::string_view headers)
{
    std::string request(method);
    request.append(" ").append(path).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n");
    request.append(headers).append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
    request.append(body);
    for (std::size_t at = 0; at < request.size();) {
        const ssize_t sent = ::send(m_socket, request.data() + at, request.size() - at, MSG_NOSIGNAL);
        if (sent <= 0)
            give("a request could not be sent");
        at += std::size_t(sent);
    }
    m_lines = LineFramer();
    m_isEnded = false;
    m_status = 0;
}

bool CodeConnection::nextLine(std::string_view &line)
{
    while (!m_lines.next(line)) {
        if (m_isEnded)
            return false;
        if (m_status == 0)
            readHead();
        else if (!readMore())
            give("the answer ended too early");
        takeBody();
    }
    return true;
}

std::string CodeConnection::rest()
{
    std::string text;
    for (std::string_view line; nextLine(line);)
        text.append(line).append("\n");
    return text + m_lines.takeRest();
}

bool CodeConnection::readMore()
{
    m_raw.erase(0, m_rawAt);
    m_rawAt = 0;
    const std::size_t before = m_raw.size();
    m_raw.resize(before + kReadBytes);
    const ssize_t got = ::recv(m_socket, m_raw.data() + before, kReadBytes, 0);
    m_raw.resize(before + std::size_t(std::max<ssize_t>(got, 0)));
    return got > 0;
}

void CodeConnection::readHead()
{
    std::size_t end = m_raw.find("\r\n\r\n", m_rawAt);
    while (end == std::string::npos) {
        if (!readMore())
            give("no answer came");
        end = m_raw.find("\r\n\r\n", m_rawAt);
    }
    std::string head = m_raw.substr(m_rawAt, end - m_rawAt);
    std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    m_rawAt = end + 4;
    m_status = std::atoi(head.c_str() + head.find(' '));
    m_isChunked = head.find("transfer-encoding: chunked") != std::string::npos;
    constexpr std::string_view kLength = "content-length:";
    const std::size_t length = head.find(kLength);
    m_left = m_isChunked || length == std::string::npos ? 0 : std::stoul(head.substr(length + kLength.size()));
    m_isEnded = !m_isChunked && m_left == 0;
}

void CodeConnection::takeBody()
{
    if (m_isChunked) {
        while (!m_isEnded && takeChunk()) { }
        return;
    }
    const std::size_t size = std::min(m_left, m_raw.size() - m_rawAt);
    m_lines.append(std::string_view(m_raw).substr(m_rawAt, size));
    m_rawAt += size;
    m_left -= size;
    m_isEnded = m_left == 0;
}

// False when more bytes are needed.
bool CodeConnection::takeChunk()
{
    constexpr std::size_t kLineEnd = 2;
    if (m_left == 0) {
        const std::size_t end = m_raw.find("\r\n", m_rawAt);
        if (end == std::string::npos)
            return false;
        const std::size_t size = std::stoul(m_raw.substr(m_rawAt, end - m_rawAt), nullptr, 16);
        if (size == 0 && m_raw.size() < end + 2 * kLineEnd)
            return false;
        m_rawAt = end + kLineEnd + (size == 0 ? kLineEnd : 0);
        m_isEnded = size == 0;
        m_left = size == 0 ? 0 : size + kLineEnd;
        return true;
    }
    const std::size_t text = m_left > kLineEnd ? m_left - kLineEnd : 0;
    const std::size_t size = std::min(text, m_raw.size() - m_rawAt);
    m_lines.append(std::string_view(m_raw).substr(m_rawAt, size));
    m_rawAt += size;
    m_left -= size;
    if (m_left > kLineEnd || m_raw.size() - m_rawAt < m_left)
        return false;
    m_rawAt += m_left;
    m_left = 0;
    return true;
}

} // namespace sandfish::bench
