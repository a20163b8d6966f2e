#include "core/document/outputtext.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/outputs/textblock.h"
#include "ui/text/linelayout.h"
#include "ui/text/theme.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QTest>

#include <ctime>

using namespace Qt::StringLiterals;
using namespace sandfish;

/// The text of a stream on the page (DESIGN.md §3.1; notebooks.md P02, P03, P06).
class TextOutputTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void stream_lines_takeOneGridLineEach();
    void stream_longLine_wrapsAfterWholeColumns();
    void stream_millionLines_areMeasuredQuickly();
    void stream_tenMegabytesInOneLine_areMeasuredQuickly();
    void stream_longText_offersViewerAndFile();
    void stream_grown_updatesInPlace();
    void stream_colours_areNotInPlainText();
    void stream_late_hasALineAbove();
    void wrappedRows_text_fitsColumns_data();
    void wrappedRows_text_fitsColumns();

private:
    Output stream(const std::string &text, StreamText::Channel channel = StreamText::Channel::Stdout);
    std::unique_ptr<OutputItem> item(const Output &output);

    Theme m_theme;
    LineLayoutCache m_lines;
    RenderStyle m_style;
    std::vector<OutputRequest> m_requests;
    std::unique_ptr<OutputRendererRegistry> m_registry = OutputRendererRegistry::withDefaults();
};

namespace {

constexpr qreal kWidthPx = 700;

/// Work, not time: other programs do not count.
double cpuMilliseconds(std::clock_t start)
{
    return 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

QImage painted(OutputItem &item, qreal heightPx)
{
    QImage image(int(kWidthPx), std::max(1, int(heightPx)), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    item.paint(painter, QRectF(0, 0, kWidthPx, std::min(heightPx, 2000.0)));
    return image;
}

} // namespace

void TextOutputTest::init()
{
    QFont font;
    font.setPixelSize(13);
    m_theme = Theme::make(Theme::Mode::Light, font, QFont(u"DejaVu Sans Mono"_s));
    m_style = RenderStyle();
    m_style.theme = &m_theme;
    m_style.lines = &m_lines;
    m_requests.clear();
    m_style.request = [this](const OutputRequest &request) { m_requests.push_back(request); };
}

Output TextOutputTest::stream(const std::string &text, StreamText::Channel channel)
{
    Output output;
    output.serial = 7;
    output.channel = channel;
    output.text = std::make_shared<OutputText>();
    output.text->append(text);
    return output;
}

std::unique_ptr<OutputItem> TextOutputTest::item(const Output &output)
{
    return m_registry->createItem(output, m_style, true);
}

void TextOutputTest::stream_lines_takeOneGridLineEach()
{
    const auto text = item(stream("one\ntwo\n\nfour\n"));
    QCOMPARE(text->heightForWidth(kWidthPx), 4 * m_theme.linePx(TextStyle::Code));
    QCOMPARE(text->plainText(), u"one\ntwo\n\nfour\n"_s);
}

void TextOutputTest::stream_longLine_wrapsAfterWholeColumns()
{
    const auto text = item(stream(std::string(1000, 'x') + "\n"));
    const qreal columnPx = QFontMetricsF(m_theme.codeFont()).horizontalAdvance(u'0');
    const int columns = int(kWidthPx / columnPx);
    const int rows = (1000 + columns - 1) / columns;
    QCOMPARE(text->heightForWidth(kWidthPx), rows * m_theme.linePx(TextStyle::Code));
}

void TextOutputTest::stream_millionLines_areMeasuredQuickly()
{
    std::string lines;
    for (int i = 0; i < 1'000'000; ++i)
        lines += std::to_string(i) + "\n";
    const auto text = item(stream(lines));
    const std::clock_t start = std::clock();
    const qreal heightPx = text->heightForWidth(kWidthPx);
    painted(*text, heightPx);
    QVERIFY2(cpuMilliseconds(start) < 300, qPrintable(QString::number(cpuMilliseconds(start))));
    QVERIFY(heightPx >= 1000 * m_theme.linePx(TextStyle::Code));
    QVERIFY(heightPx < 1010 * m_theme.linePx(TextStyle::Code));
}

void TextOutputTest::stream_tenMegabytesInOneLine_areMeasuredQuickly()
{
    const auto text = item(stream(std::string(10'000'000, 'x') + "\n"));
    const std::clock_t start = std::clock();
    const qreal heightPx = text->heightForWidth(kWidthPx);
    painted(*text, heightPx);
    QVERIFY2(cpuMilliseconds(start) < 300, qPrintable(QString::number(cpuMilliseconds(start))));
    QVERIFY(heightPx < 60 * m_theme.linePx(TextStyle::Code));
    QCOMPARE(text->plainText().size(), 10'000'001);
}

void TextOutputTest::stream_longText_offersViewerAndFile()
{
    std::string lines;
    for (int i = 0; i < 1500; ++i)
        lines += "line\n";
    const auto text = item(stream(lines));
    text->heightForWidth(kWidthPx);
    const auto actions = text->actions();
    QCOMPARE(actions.size(), std::size_t(2));
    actions[0].trigger();
    actions[1].trigger();
    QCOMPARE(m_requests.size(), std::size_t(2));
    QCOMPARE(m_requests[0].kind, OutputRequest::Kind::OpenInViewer);
    QCOMPARE(m_requests[1].kind, OutputRequest::Kind::SaveToFile);
    QCOMPARE(m_requests[1].serial, std::uint64_t(7));
}

void TextOutputTest::stream_grown_updatesInPlace()
{
    Output output = stream("one\n");
    const auto text = item(output);
    text->heightForWidth(kWidthPx);
    output.text->append("two\n");
    ++output.revision;
    QVERIFY(text->update(output));
    QCOMPARE(text->heightForWidth(kWidthPx), 2 * m_theme.linePx(TextStyle::Code));
}

void TextOutputTest::stream_colours_areNotInPlainText()
{
    const auto text = item(stream("| \x1b[31m <b>foof</b> &amp; \x1b[0m |\n"));
    QCOMPARE(text->plainText(), u"|  <b>foof</b> &amp;  |\n"_s);
    QCOMPARE(text->heightForWidth(kWidthPx), m_theme.linePx(TextStyle::Code));
}

void TextOutputTest::stream_late_hasALineAbove()
{
    Output output = stream("x\n");
    output.isLate = true;
    output.lateBy = std::chrono::seconds(42);
    QCOMPARE(item(output)->heightForWidth(kWidthPx), 2 * m_theme.linePx(TextStyle::Code));
}

void TextOutputTest::wrappedRows_text_fitsColumns_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("columns");
    QTest::addColumn<QStringList>("rows");
    QTest::newRow("empty") << QString() << 5 << QStringList{QString()};
    QTest::newRow("fits") << u"abcde"_s << 5 << QStringList{u"abcde"_s};
    QTest::newRow("one more") << u"abcdef"_s << 5 << QStringList{u"abcde"_s, u"f"_s};
    QTest::newRow("wide") << u"漢字漢"_s << 5 << QStringList{u"漢字"_s, u"漢"_s};
    QTest::newRow("combining") << u"e\u0301e\u0301e"_s << 2 << QStringList{u"e\u0301e\u0301"_s, u"e"_s};
    QTest::newRow("surrogates") << u"😀😀"_s << 2 << QStringList{u"😀"_s, u"😀"_s};
    QTest::newRow("tab") << u"a\tb"_s << 8 << QStringList{u"a\t"_s, u"b"_s};
    QTest::newRow("narrow") << u"漢漢"_s << 1 << QStringList{u"漢"_s, u"漢"_s};
}

void TextOutputTest::wrappedRows_text_fitsColumns()
{
    QFETCH(QString, text);
    QFETCH(int, columns);
    QFETCH(QStringList, rows);
    QStringList actual;
    for (const TextRow &row : wrappedRows(text, columns))
        actual.append(text.mid(row.start, row.length));
    QCOMPARE(actual, rows);
}

QTEST_MAIN(TextOutputTest)
#include "tst_textoutput.moc"
