#include "ui/panels/bannerstack.h"
#include "ui/panels/statewords.h"
#include "ui/panels/statusstrip.h"
#include "ui/panels/toast.h"
#include "ui/text/themesource.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace sandfish {
namespace {

BannerContent banner(const QString &id, BannerContent::Severity severity)
{
    BannerContent content;
    content.id = id;
    content.severity = severity;
    content.title = id;
    return content;
}

QPushButton *buttonNamed(const QWidget &widget, const QString &text)
{
    for (QPushButton *button : widget.findChildren<QPushButton *>()) {
        if (button->text() == text && !button->isHidden())
            return button;
    }
    return nullptr;
}

} // namespace

class PanelsTest : public QObject
{
    Q_OBJECT
private slots:
    void minutes_ofTime_areWritten_data();
    void minutes_ofTime_areWritten();
    void banners_ofSeveralWeights_showTheWorst();
    void banner_withSameId_isReplaced();
    void moreButton_clicked_showsTheNext();
    void bannerAction_clicked_runsOnce();
    void stack_withoutBanner_isHidden();
    void toast_withAction_runsItAndCloses();
    void statusStrip_inNarrowWindow_keepsKernelState_data();
    void statusStrip_inNarrowWindow_keepsKernelState();

private:
    ThemeSource m_source{Theme::forApplication(Theme::Mode::Light)};
};

void PanelsTest::minutes_ofTime_areWritten_data()
{
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("0") << 0LL << u"0:00"_s;
    QTest::newRow("6 s") << 6LL << u"0:06"_s;
    QTest::newRow("12 min") << 725LL << u"12:05"_s;
    QTest::newRow("1 h") << 3723LL << u"1:02:03"_s;
}

void PanelsTest::minutes_ofTime_areWritten()
{
    QFETCH(qint64, seconds);
    QTEST(minutesText(std::chrono::seconds(seconds)), "text");
}

void PanelsTest::banners_ofSeveralWeights_showTheWorst()
{
    BannerStack stack(&m_source);
    stack.put(banner(u"info"_s, BannerContent::Severity::Info));
    stack.put(banner(u"error"_s, BannerContent::Severity::Error));
    stack.put(banner(u"paused"_s, BannerContent::Severity::Paused));
    QCOMPARE(stack.shown().id, u"error"_s);
    QVERIFY(buttonNamed(stack, u"2 more"_s));
    stack.remove(u"error"_s);
    QCOMPARE(stack.shown().id, u"paused"_s);
}

void PanelsTest::banner_withSameId_isReplaced()
{
    BannerStack stack(&m_source);
    stack.put(banner(u"net"_s, BannerContent::Severity::Info));
    BannerContent second = banner(u"net"_s, BannerContent::Severity::Warning);
    second.title = u"Reconnecting, attempt 2."_s;
    stack.put(second);
    QCOMPARE(stack.count(), 1);
    QCOMPARE(stack.shown().title, second.title);
}

void PanelsTest::moreButton_clicked_showsTheNext()
{
    BannerStack stack(&m_source);
    stack.put(banner(u"a"_s, BannerContent::Severity::Error));
    stack.put(banner(u"b"_s, BannerContent::Severity::Info));
    buttonNamed(stack, u"1 more"_s)->click();
    QCOMPARE(stack.shown().id, u"b"_s);
}

void PanelsTest::bannerAction_clicked_runsOnce()
{
    BannerStack stack(&m_source);
    int runs = 0;
    BannerContent content = banner(u"a"_s, BannerContent::Severity::Info);
    // The act removes the banner that the button is on, as most acts do.
    content.actions = {{u"Try now"_s, [&] { ++runs, stack.remove(u"a"_s); }}};
    stack.put(content);
    buttonNamed(stack, u"Try now"_s)->click();
    QTRY_COMPARE(runs, 1);
    QCOMPARE(stack.count(), 0);
}

void PanelsTest::stack_withoutBanner_isHidden()
{
    BannerStack stack(&m_source);
    QVERIFY(stack.isHidden());
    stack.put(banner(u"a"_s, BannerContent::Severity::Info));
    QVERIFY(!stack.isHidden());
    stack.remove(u"a"_s);
    QVERIFY(stack.isHidden());
}

void PanelsTest::toast_withAction_runsItAndCloses()
{
    QWidget area;
    area.resize(600, 400);
    Toast toast(&m_source, &area);
    int runs = 0;
    toast.showText(u"3 cells deleted"_s, u"Undo"_s, [&] { ++runs; });
    QVERIFY(!toast.isHidden());
    QCOMPARE(toast.accessibleName(), u"3 cells deleted, Undo available"_s);
    buttonNamed(toast, u"Undo"_s)->click();
    QCOMPARE(runs, 1);
    QVERIFY(toast.isHidden());
}

void PanelsTest::statusStrip_inNarrowWindow_keepsKernelState_data()
{
    QTest::addColumn<int>("width");
    QTest::newRow("200") << 200;
    QTest::newRow("800") << 800;
    QTest::newRow("1440") << 1440;
}

void PanelsTest::statusStrip_inNarrowWindow_keepsKernelState()
{
    using Segment = StatusStrip::Segment;
    QFETCH(int, width);
    StatusStrip strip(&m_source);
    for (int i = 0; i < int(Segment::Count_); ++i)
        strip.setContent(Segment(i), {u"some words here"_s, {}, ColorToken::Text2, {}});
    strip.resize(width, 26);
    strip.show();
    QVERIFY(strip.isShown(Segment::Kernel));
    QCOMPARE(strip.isShown(Segment::Spaces), width == 1440);
    QCOMPARE(strip.isShown(Segment::Trust), width >= 800);
}

} // namespace sandfish

QTEST_MAIN(sandfish::PanelsTest)
#include "tst_panels.moc"
