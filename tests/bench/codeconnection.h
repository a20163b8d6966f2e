#pragma once

#include "core/base/lineframer.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sandfish::bench {

/// One kept HTTP connection to the engine, as thin as a client can be: it blocks, and it hands the lines of an answer
/// over as they come. Ends the program with a message when the connection fails: there is nothing left to measure.
class CodeConnection
{
public:
    explicit CodeConnection(std::uint16_t port);
    ~CodeConnection();
    CodeConnection(const CodeConnection &) = delete;
    CodeConnection &operator=(const CodeConnection &) = delete;

    /// Sends a request; its answer is to be read to the end before the next one.
    void send(std::string_view method, std::string_view path, std::string_view body, std::string_view headers = {});
    /// The next line of the body, valid until the next call; false at its end.
    bool nextLine(std::string_view &line);
    /// Reads the answer to its end.
    std::string rest();
    int status() const { return m_status; }

private:
    void readHead();
    bool readMore();
    void takeBody();
    bool takeChunk();

    int m_socket;
    std::string m_raw;       ///< as it came
    std::size_t m_rawAt = 0; ///< what was taken of it
    LineFramer m_lines;
    int m_status = 0;
    bool m_isChunked = false;
    bool m_isEnded = true;
    std::size_t m_left = 0; ///< bytes of the chunk or of the body
};

} // namespace sandfish::bench
