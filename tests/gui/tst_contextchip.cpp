#include "ui/panels/contextchip.h"
#include "ui/text/themesource.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace sandfish {
namespace {

using Segment = ContextChip::Segment;
using Segments = std::vector<Segment>;

SessionStatus runningStatus()
{
    SessionStatus status;
    status.hasSession = true;
    status.state = NotebookSession::State::Busy;
    status.sandboxName = u"sand-otter-41"_s;
    status.providerName = u"Local engine"_s;
    status.language = u"python"_s;
    status.version = u"3.12"_s;
    status.isThisComputer = true;
    return status;
}

} // namespace

class ContextChipTest : public QObject
{
    Q_OBJECT
private slots:
    void segments_byWindowWidth_dropInOrder_data();
    void segments_byWindowWidth_dropInOrder();
    void text_ofSegments_saysWhereItRuns();
    void text_whilePausing_countsTheTime();
    void text_withoutNotebook_saysSo();
    void minimumWidth_withLongName_staysSmall();

private:
    ThemeSource m_source{Theme::forApplication(Theme::Mode::Light)};
};

void ContextChipTest::segments_byWindowWidth_dropInOrder_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<Segments>("segments");
    const Segments all{Segment::LanguageName, Segment::Provider, Segment::Name, Segment::State, Segment::Cost};
    QTest::newRow("800") << 800 << Segments{Segment::Name, Segment::State};
    QTest::newRow("899") << 899 << Segments{Segment::Name, Segment::State};
    QTest::newRow("900") << 900 << Segments{Segment::Provider, Segment::Name, Segment::State};
    QTest::newRow("1100") << 1100 << Segments{Segment::Provider, Segment::Name, Segment::State, Segment::Cost};
    QTest::newRow("1360") << 1360 << all;
    QTest::newRow("3840") << 3840 << all;
}

void ContextChipTest::segments_byWindowWidth_dropInOrder()
{
    QFETCH(int, width);
    ContextChip chip(&m_source);
    chip.setStatus(runningStatus());
    chip.setWindowWidth(width);
    QTEST(chip.segments(), "segments");
}

void ContextChipTest::text_ofSegments_saysWhereItRuns()
{
    ContextChip chip(&m_source);
    chip.setStatus(runningStatus());
    QCOMPARE(chip.segmentText(Segment::LanguageName), u"Python 3.12"_s);
    QCOMPARE(chip.segmentText(Segment::Name), u"sand-otter-41"_s);
    QCOMPARE(chip.segmentText(Segment::State), u"Running"_s);
    QCOMPARE(chip.segmentText(Segment::Cost), u"no charge"_s);
    QCOMPARE(chip.accessibleName(), u"Context: Python 3.12, Local engine, sand-otter-41, Running, no charge"_s);
}

void ContextChipTest::text_whilePausing_countsTheTime()
{
    SessionStatus status = runningStatus();
    status.state = NotebookSession::State::Pausing;
    status.timeInState = 6s;
    ContextChip chip(&m_source);
    chip.setStatus(status);
    QCOMPARE(chip.segmentText(Segment::State), u"Pausing 0:06"_s);
}

void ContextChipTest::text_withoutNotebook_saysSo()
{
    ContextChip chip(&m_source);
    chip.setStatus({});
    QCOMPARE(chip.segments(), Segments{Segment::Name});
    QVERIFY(!chip.isEnabled());
    QVERIFY(!chip.segmentText(Segment::Name).isEmpty());
}

void ContextChipTest::minimumWidth_withLongName_staysSmall()
{
    SessionStatus status = runningStatus();
    status.sandboxName = u"a-very-long-name-of-a-sandbox-"_s.repeated(5);
    ContextChip chip(&m_source);
    chip.setStatus(status);
    QVERIFY(chip.minimumSizeHint().width() < 260);
    chip.resize(260, 30);
    QCOMPARE(chip.grab().size(), QSize(260, 30));
}

} // namespace sandfish

QTEST_MAIN(sandfish::ContextChipTest)
#include "tst_contextchip.moc"
