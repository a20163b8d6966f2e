#include "core/engine/outputdemux.h"

#include <algorithm>
#include <limits>

namespace sandfish {
namespace {

constexpr std::size_t kDigits = 8;
constexpr char kEnd = '\x1E';

struct MarkMatch
{
    enum class Kind
    {
        None,
        Partial,
        Whole
    };
    Kind kind = Kind::None;
    std::uint32_t number = 0;
};

int hexValue(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// Does \a text, which starts with NUL, start with a mark?
MarkMatch matchMark(std::string_view text, std::string_view prefix)
{
    const std::size_t common = std::min(text.size(), prefix.size());
    if (text.substr(0, common) != prefix.substr(0, common))
        return {};
    MarkMatch match{MarkMatch::Kind::Partial, 0};
    for (std::size_t i = 0; i < kDigits; ++i) {
        if (prefix.size() + i >= text.size())
            return match;
        const int value = hexValue(text[prefix.size() + i]);
        if (value < 0)
            return {};
        match.number = match.number << 4 | static_cast<std::uint32_t>(value);
    }
    const std::size_t end = prefix.size() + kDigits;
    if (end >= text.size())
        return match;
    match.kind = text[end] == kEnd ? MarkMatch::Kind::Whole : MarkMatch::Kind::None;
    return match;
}

} // namespace

OutputDemux::OutputDemux(std::string_view nonce)
    : m_prefix(std::string("\0\x1EM", 3) + std::string(nonce))
{
}

void OutputDemux::appendPlain(Pipe &pipe, std::string_view bytes)
{
    if (bytes.empty())
        return;
    const bool continues = !pipe.segments.empty() && pipe.segments.back().epoch == pipe.epoch
        && pipe.segments.back().arrival == m_arrivals;
    if (continues)
        pipe.segments.back().bytes.append(bytes);
    else
        pipe.segments.push_back({++m_arrivals, pipe.epoch, std::string(bytes)});
}

void OutputDemux::appendText(Channel channel, std::string_view bytes)
{
    Pipe &pipe = m_pipes[channel == Channel::Stdout ? 0 : 1];
    std::string joined;
    if (!pipe.carry.empty()) {
        joined = std::exchange(pipe.carry, {});
        joined.append(bytes);
        bytes = joined;
    }
    std::size_t plainFrom = 0;
    for (std::size_t at = bytes.find('\0'); at != std::string_view::npos; at = bytes.find('\0', at)) {
        const MarkMatch match = matchMark(bytes.substr(at), m_prefix);
        if (match.kind == MarkMatch::Kind::None) {
            ++at;
            continue;
        }
        appendPlain(pipe, bytes.substr(plainFrom, at - plainFrom));
        if (match.kind == MarkMatch::Kind::Partial) {
            pipe.carry.assign(bytes.substr(at));
            return;
        }
        pipe.epoch = std::max(pipe.epoch, match.number);
        at += m_prefix.size() + kDigits + 1;
        plainFrom = at;
    }
    appendPlain(pipe, bytes.substr(plainFrom));
}

void OutputDemux::appendEvent(Json event)
{
    const std::int64_t mark = integerOr(event, "mark", 0);
    m_events.push_back({static_cast<std::uint32_t>(std::max<std::int64_t>(mark, 0)), std::move(event)});
}

void OutputDemux::finish(Channel channel)
{
    Pipe &pipe = m_pipes[channel == Channel::Stdout ? 0 : 1];
    appendPlain(pipe, std::exchange(pipe.carry, {}));
    pipe.isEnded = true;
}

void OutputDemux::giveUp()
{
    for (Pipe &pipe : m_pipes) {
        appendPlain(pipe, std::exchange(pipe.carry, {}));
        m_assumed = std::max(m_assumed, pipe.epoch);
    }
    for (const Event &event : m_events)
        m_assumed = std::max(m_assumed, event.mark);
}

std::uint32_t OutputDemux::epochOf(const Pipe &pipe) const
{
    return pipe.isEnded ? std::numeric_limits<std::uint32_t>::max() : std::max(pipe.epoch, m_assumed);
}

bool OutputDemux::isReached(std::uint32_t mark) const
{
    return epochOf(m_pipes[0]) >= mark && epochOf(m_pipes[1]) >= mark;
}

// The pipe whose first text is next: the lower epoch, within one epoch what came first.
OutputDemux::Pipe *OutputDemux::firstPipe()
{
    Pipe *first = nullptr;
    for (Pipe &pipe : m_pipes) {
        if (pipe.segments.empty())
            continue;
        const auto key = [](const Pipe &p) { return std::pair(p.segments.front().epoch, p.segments.front().arrival); };
        if (!first || key(pipe) < key(*first))
            first = &pipe;
    }
    return first;
}

bool OutputDemux::takeNext(Item &item)
{
    Pipe *pipe = firstPipe();
    if (!m_events.empty()) {
        Event &event = m_events.front();
        const bool isAfterText = pipe && pipe->segments.front().epoch < event.mark;
        if (!isAfterText) {
            if (!isReached(event.mark))
                return false;
            item = std::move(event.content);
            m_events.pop_front();
            return true;
        }
    }
    if (!pipe || !isReached(pipe->segments.front().epoch))
        return false;
    const Channel channel = pipe == m_pipes.data() ? Channel::Stdout : Channel::Stderr;
    item = Text{channel, std::move(pipe->segments.front().bytes)};
    pipe->segments.pop_front();
    return true;
}

bool OutputDemux::isWaiting() const
{
    return !m_events.empty() || !m_pipes[0].segments.empty() || !m_pipes[1].segments.empty();
}

} // namespace sandfish
