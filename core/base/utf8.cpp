#include "core/base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sandfish {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

enum class Verdict
{
    Good,
    Bad,
    Cut
};

struct Sequence
{
    Verdict verdict;
    std::size_t length; // bytes of the character, or of the bad or cut run
};

std::size_t asciiRun(std::string_view bytes, std::size_t from)
{
    std::size_t i = from;
    for (; i + 8 <= bytes.size(); i += 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes.data() + i, 8);
        if (word & 0x8080808080808080u)
            break;
    }
    while (i < bytes.size() && !(bytes[i] & 0x80))
        ++i;
    return i - from;
}

std::size_t expectedLength(unsigned char lead)
{
    if (lead >= 0xC2 && lead < 0xE0)
        return 2;
    if (lead >= 0xE0 && lead < 0xF0)
        return 3;
    if (lead >= 0xF0 && lead < 0xF5)
        return 4;
    return 0;
}

// The second byte decides on overlong forms, surrogates and values over U+10FFFF (Unicode 15, table 3-7).
bool isSecondByte(unsigned char lead, unsigned char byte)
{
    const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return byte >= low && byte <= high;
}

Sequence sequenceAt(std::string_view bytes, std::size_t at)
{
    const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const std::size_t length = expectedLength(byteAt(at));
    if (length == 0)
        return {Verdict::Bad, 1};
    for (std::size_t i = 1; i < length; ++i) {
        if (at + i >= bytes.size())
            return {Verdict::Cut, i};
        const unsigned char byte = byteAt(at + i);
        const bool good = i == 1 ? isSecondByte(byteAt(at), byte) : (byte & 0xC0) == 0x80;
        if (!good)
            return {Verdict::Bad, i};
    }
    return {Verdict::Good, length};
}

} // namespace

void Utf8Repair::append(std::string_view bytes, std::string &out)
{
    std::string joined;
    if (!m_pending.empty()) {
        joined = m_pending;
        joined.append(bytes);
        m_pending.clear();
        bytes = joined;
    }
    bool inBadRun = false;
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t ascii = asciiRun(bytes, i);
        if (ascii > 0) {
            out.append(bytes.substr(i, ascii));
            i += ascii;
            inBadRun = false;
            continue;
        }
        const Sequence sequence = sequenceAt(bytes, i);
        if (sequence.verdict == Verdict::Cut) {
            m_pending.assign(bytes.substr(i));
            return;
        }
        if (sequence.verdict == Verdict::Good)
            out.append(bytes.substr(i, sequence.length));
        else if (!inBadRun)
            out.append(kReplacement);
        inBadRun = sequence.verdict == Verdict::Bad;
        i += sequence.length;
    }
}

void Utf8Repair::finish(std::string &out)
{
    if (!m_pending.empty())
        out.append(kReplacement);
    m_pending.clear();
}

std::string repairedUtf8(std::string_view bytes)
{
    std::string out;
    out.reserve(bytes.size());
    Utf8Repair repair;
    repair.append(bytes, out);
    repair.finish(out);
    return out;
}

bool isValidUtf8(std::string_view bytes)
{
    for (std::size_t i = 0; i < bytes.size();) {
        i += asciiRun(bytes, i);
        if (i >= bytes.size())
            break;
        const Sequence sequence = sequenceAt(bytes, i);
        if (sequence.verdict != Verdict::Good)
            return false;
        i += sequence.length;
    }
    return true;
}

bool isAscii(std::string_view bytes)
{
    return asciiRun(bytes, 0) == bytes.size();
}

std::size_t utf8Boundary(std::string_view text, std::size_t position)
{
    position = std::min(position, text.size());
    while (position > 0 && position < text.size() && (text[position] & 0xC0) == 0x80)
        --position;
    return position;
}

} // namespace sandfish
