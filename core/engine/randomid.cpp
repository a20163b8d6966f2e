#include "core/engine/randomid.h"

#include <cstdlib>
#include <sys/random.h>
#include <vector>

namespace sandfish {
namespace {

std::vector<unsigned char> randomBytes(std::size_t byteCount)
{
    std::vector<unsigned char> bytes(byteCount);
    std::size_t have = 0;
    while (have < byteCount) {
        const ssize_t count = ::getrandom(bytes.data() + have, byteCount - have, 0);
        // A kernel without getrandom cannot run this program at all; secrets must never be guessable.
        if (count <= 0)
            std::abort();
        have += static_cast<std::size_t>(count);
    }
    return bytes;
}

std::string hex(const std::vector<unsigned char> &bytes)
{
    static constexpr char kHexDigits[] = "0123456789abcdef";
    std::string text;
    for (unsigned char byte : bytes)
        (text += kHexDigits[byte >> 4]) += kHexDigits[byte & 15];
    return text;
}

} // namespace

std::string randomHex(std::size_t byteCount)
{
    return hex(randomBytes(byteCount));
}

std::string randomUuid()
{
    std::vector<unsigned char> bytes = randomBytes(16);
    bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0F) | 0x40);
    bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3F) | 0x80);
    std::string text = hex(bytes);
    for (std::size_t at : {8u, 13u, 18u, 23u})
        text.insert(at, 1, '-');
    return text;
}

} // namespace sandfish
