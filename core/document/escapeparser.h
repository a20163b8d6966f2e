#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sandfish {

/// Takes terminal escape sequences out of a text that may be cut at any byte. Memory: at most 256 bytes.
class EscapeParser
{
public:
    /// Between the ESC and the end of its sequence.
    bool isActive() const { return m_state != State::Ground; }
    /// The ESC itself has been read.
    void start();
    /// Reads on from \a position; returns the position after the last byte taken. Inactive afterwards means that the
    /// sequence is complete: then final() is the last byte of a plain CSI sequence, and 0 for all that is swallowed.
    std::size_t feed(std::string_view text, std::size_t position);
    char final() const { return m_final; }
    const std::string &parameters() const { return m_parameters; }
    /// The first parameter; \a fallback if it is absent or 0.
    std::size_t count(std::size_t fallback) const;

private:
    enum class State
    {
        Ground,
        Escape,
        Intermediate, ///< ESC ( and the like: ends with the next byte from 0x30
        Csi,
        String,      ///< OSC, DCS, APC, PM, SOS: ends with BEL or ST
        StringEscape ///< an ESC inside of it
    };

    bool take(unsigned char c);
    void takeAfterEscape(unsigned char c);
    void takeCsi(unsigned char c);
    bool takeString(unsigned char c);

    State m_state = State::Ground;
    std::string m_parameters;
    bool m_isPlain = true; ///< CSI: digits, ';' and ':' only
    char m_final = 0;
};

} // namespace sandfish
