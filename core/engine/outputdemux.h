#pragma once

#include "core/base/json.h"
#include "core/protocol/executionevent.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <variant>

namespace sandfish {

/// Puts the two output pipes and the control channel of a runner into one order by the runner's marks
/// (resources/runners/README.md §2).
///
/// Feed it whatever was read, in pieces of any size; take items until there is none. It never holds back more than the
/// text of the epochs whose marks are still on their way. Pure: no clock, no descriptors.
class OutputDemux
{
public:
    using Channel = StreamText::Channel;
    struct Text
    {
        Channel channel = Channel::Stdout;
        std::string bytes; ///< as the program wrote them, marks taken out
    };
    using Item = std::variant<Text, Json>;

    explicit OutputDemux(std::string_view nonce);

    void appendText(Channel channel, std::string_view bytes);
    void appendEvent(Json event);
    /// The pipe has ended: no mark is to be expected from it.
    void finish(Channel channel);
    /// Takes every mark that is waited for as seen: the runner is dead, or has closed a pipe.
    void giveUp();

    /// Moves the next item in order to \a item; false if there is none, or if it must wait for a mark.
    bool takeNext(Item &item);
    /// True if something is held back for a mark; after takeNext() gave false.
    bool isWaiting() const;

private:
    struct Segment
    {
        std::uint64_t arrival;
        std::uint32_t epoch;
        std::string bytes;
    };
    struct Pipe
    {
        std::string carry; // what may become a mark
        std::uint32_t epoch = 0;
        bool isEnded = false;
        std::deque<Segment> segments;
    };
    struct Event
    {
        std::uint32_t mark;
        Json content;
    };

    void appendPlain(Pipe &pipe, std::string_view bytes);
    std::uint32_t epochOf(const Pipe &pipe) const;
    bool isReached(std::uint32_t mark) const;
    Pipe *firstPipe();

    std::string m_prefix;
    std::array<Pipe, 2> m_pipes;
    std::deque<Event> m_events;
    std::uint64_t m_arrivals = 0;
    std::uint32_t m_assumed = 0;
};

} // namespace sandfish
