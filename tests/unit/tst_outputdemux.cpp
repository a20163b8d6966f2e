#include "core/engine/outputdemux.h"

#include <QTest>

using namespace sandfish;
using Channel = OutputDemux::Channel;

/// The order of resources/runners/README.md §2.
class OutputDemuxTest : public QObject
{
    Q_OBJECT
private slots:
    void take_marksCutAtEveryByte_giveTheSameOrder();
    void take_eventBeforeItsMark_waits();
    void take_eventAfterTextOfItsEpoch_comesFirst();
    void take_textOfHigherEpoch_waitsForTheOtherPipe();
    void take_foreignMark_isText();
    void take_eventWithoutMark_comesAtOnce();
    void giveUp_lostMark_releasesEverything();
    void finish_endedPipe_isNotWaitedFor();
};

namespace {

const std::string kNonce = "0123456789abcdef";

std::string mark(unsigned number)
{
    char digits[9];
    std::snprintf(digits, sizeof(digits), "%08x", number);
    return std::string("\0\x1EM", 3) + kNonce + digits + "\x1E";
}

// What comes out, as one text: "o:" and "e:" for the streams, "!" for events; neighbours of one stream are joined.
class Collector
{
public:
    void drain(OutputDemux &demux)
    {
        for (OutputDemux::Item item; demux.takeNext(item);) {
            const auto *text = std::get_if<OutputDemux::Text>(&item);
            const char kind = !text ? '!' : text->channel == Channel::Stdout ? 'o' : 'e';
            if (text && kind != m_last)
                (m_all += kind) += ':';
            m_all += text ? text->bytes : "!" + stringOr(std::get<Json>(item), "ev", "") + " ";
            m_last = kind;
        }
    }
    const std::string &all() const { return m_all; }

private:
    std::string m_all;
    char m_last = 0;
};

std::string drained(OutputDemux &demux)
{
    Collector collector;
    collector.drain(demux);
    return collector.all();
}

Json eventWithMark(const char *name, unsigned number)
{
    return {{"ev", name}, {"mark", number}};
}

} // namespace

void OutputDemuxTest::take_marksCutAtEveryByte_giveTheSameOrder()
{
    const std::string out = mark(1) + "a" + mark(2) + mark(3) + "c\n" + mark(4) + "late";
    const std::string err = mark(1) + mark(2) + "b" + mark(3) + mark(4);
    for (std::size_t outCut = 0; outCut <= out.size(); ++outCut) {
        for (std::size_t errCut = 0; errCut <= err.size(); ++errCut) {
            OutputDemux demux(kNonce);
            for (const auto &[name, number] : {std::pair{"started", 1u}, {"display", 3u}, {"done", 4u}})
                demux.appendEvent(eventWithMark(name, number));
            Collector collector;
            for (bool isFirst : {true, false}) {
                const auto part = [isFirst](std::string_view whole, std::size_t cut) {
                    return isFirst ? whole.substr(0, cut) : whole.substr(cut);
                };
                demux.appendText(Channel::Stdout, part(out, outCut));
                collector.drain(demux);
                demux.appendText(Channel::Stderr, part(err, errCut));
                collector.drain(demux);
            }
            QCOMPARE(collector.all(), std::string("!started o:ae:b!display o:c\n!done o:late"));
            QVERIFY(!demux.isWaiting());
        }
    }
}

void OutputDemuxTest::take_eventBeforeItsMark_waits()
{
    OutputDemux demux(kNonce);
    demux.appendEvent(eventWithMark("display", 1));
    demux.appendText(Channel::Stdout, "before");
    QCOMPARE(drained(demux), std::string("o:before"));
    QVERIFY(demux.isWaiting());
    demux.appendText(Channel::Stdout, mark(1));
    QCOMPARE(drained(demux), std::string());
    demux.appendText(Channel::Stderr, mark(1));
    QCOMPARE(drained(demux), std::string("!display "));
}

void OutputDemuxTest::take_eventAfterTextOfItsEpoch_comesFirst()
{
    OutputDemux demux(kNonce);
    demux.appendText(Channel::Stdout, "a" + mark(1) + "b");
    demux.appendText(Channel::Stderr, mark(1));
    demux.appendEvent(eventWithMark("display", 1));
    QCOMPARE(drained(demux), std::string("o:a!display o:b"));
}

void OutputDemuxTest::take_textOfHigherEpoch_waitsForTheOtherPipe()
{
    OutputDemux demux(kNonce);
    demux.appendText(Channel::Stderr, mark(1) + "second");
    QCOMPARE(drained(demux), std::string());
    demux.appendText(Channel::Stdout, "first" + mark(1));
    QCOMPARE(drained(demux), std::string("o:firste:second"));
}

void OutputDemuxTest::take_foreignMark_isText()
{
    OutputDemux demux(kNonce);
    const std::string forged = std::string("\0\x1EM", 3) + "fedcba9876543210" + "00000001\x1E";
    demux.appendText(Channel::Stdout, forged);
    QCOMPARE(drained(demux), "o:" + forged);
}

void OutputDemuxTest::take_eventWithoutMark_comesAtOnce()
{
    OutputDemux demux(kNonce);
    demux.appendEvent({{"ev", "reply"}});
    QCOMPARE(drained(demux), std::string("!reply "));
}

void OutputDemuxTest::giveUp_lostMark_releasesEverything()
{
    OutputDemux demux(kNonce);
    demux.appendText(Channel::Stdout, "x" + mark(1).substr(0, 7));
    demux.appendEvent(eventWithMark("done", 1));
    QCOMPARE(drained(demux), std::string("o:x"));
    demux.giveUp();
    QCOMPARE(drained(demux), "o:" + mark(1).substr(0, 7) + "!done ");
}

void OutputDemuxTest::finish_endedPipe_isNotWaitedFor()
{
    OutputDemux demux(kNonce);
    demux.finish(Channel::Stderr);
    demux.appendText(Channel::Stdout, mark(1) + "y");
    demux.appendEvent(eventWithMark("started", 1));
    QCOMPARE(drained(demux), std::string("!started o:y"));
}

QTEST_APPLESS_MAIN(OutputDemuxTest)
#include "tst_outputdemux.moc"
