#include "ui/outputs/htmlsanitizer.h"
#include "ui/outputs/imagedecoder.h"
#include "ui/outputs/markdownrender.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/outputs/svgsanitizer.h"
#include "ui/outputs/tabledata.h"
#include "ui/text/theme.h"

#include <QElapsedTimer>
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;

/// The rows on HTML, SVG and Markdown of agents-and-sandboxes.md §5: nothing active is left, and what costs too much is
/// refused or cut.
class HostileOutputsTest : public QObject
{
    Q_OBJECT
private slots:
    void svg_active_isLeftOut_data();
    void svg_active_isLeftOut();
    void svg_drawing_isKept();
    void svg_bomb_isRefused_data();
    void svg_bomb_isRefused();
    void html_active_isLeftOut_data();
    void html_active_isLeftOut();
    void html_cutAnywhere_isRead();
    void markdown_hostile_isLaidOutInTime_data();
    void markdown_hostile_isLaidOutInTime();
    void table_spans_stayInTheGrid();
    void table_huge_isCut();
    void image_randomBytes_areRefused();
};

void HostileOutputsTest::svg_active_isLeftOut_data()
{
    QTest::addColumn<QByteArray>("inner");
    QTest::addColumn<QByteArray>("absent");
    QTest::newRow("script") << QByteArray("<script>alert(1)</script>") << QByteArray("alert");
    QTest::newRow("handler") << QByteArray("<rect onclick='alert(1)'/>") << QByteArray("alert");
    QTest::newRow("foreign object") << QByteArray("<foreignObject><b>html</b></foreignObject>") << QByteArray("html");
    QTest::newRow("remote image") << QByteArray("<image href='http://127.0.0.1:9/a.png'/>") << QByteArray("127.0.0.1");
    QTest::newRow("local image") << QByteArray("<image xlink:href='file:///etc/passwd'/>") << QByteArray("passwd");
    QTest::newRow("svg image") << QByteArray("<image href='data:image/svg+xml;base64,PHN2Zz4='/>")
                               << QByteArray("PHN2");
    QTest::newRow("outer use") << QByteArray("<use href='other.svg#a'/>") << QByteArray("other");
    QTest::newRow("css url") << QByteArray("<rect style='fill:url(http://127.0.0.1:9/)'/>") << QByteArray("127.0.0.1");
    QTest::newRow("css import") << QByteArray("<style>@import 'http://127.0.0.1:9/';</style>")
                                << QByteArray("127.0.0.1");
    QTest::newRow("font") << QByteArray("<font><font-face units-per-em='0'/></font>") << QByteArray("font-face");
    QTest::newRow("animation") << QByteArray("<animate attributeName='x' dur='1ms'/>") << QByteArray("animate");
    QTest::newRow("fine dashes") << QByteArray("<path d='M0 0h1e9' stroke-dasharray='0.00001'/>")
                                 << QByteArray("dasharray");
    QTest::newRow("fine dashes in css") << QByteArray("<path style='stroke-dasharray: 0.00001'/>")
                                        << QByteArray("dasharray");
}

void HostileOutputsTest::svg_active_isLeftOut()
{
    QFETCH(QByteArray, inner);
    QFETCH(QByteArray, absent);
    const Result<SanitizedSvg> svg =
        sanitizeSvg("<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'>" + inner
            + "<circle r='5'/></svg>");
    QVERIFY(svg);
    QVERIFY2(!svg->source.contains(absent), svg->source.constData());
    QVERIFY(svg->source.contains("circle"));
}

void HostileOutputsTest::svg_drawing_isKept()
{
    const Result<SanitizedSvg> svg = sanitizeSvg(
        "<svg xmlns='http://www.w3.org/2000/svg' width='72pt' height='36pt' viewBox='0 0 72 36'><defs>"
        "<linearGradient id='g'><stop offset='0' stop-color='red'/></linearGradient><style>*{stroke-linejoin: round}"
        "</style></defs><g transform='translate(1 2)'><path d='M0 0L1 1' style='fill:url(#g)'/></g></svg>");
    QVERIFY(svg);
    QCOMPARE(svg->sizePx, QSizeF(96, 48));
    for (const char *part : {"linearGradient", "stroke-linejoin", "translate(1 2)", "url(#g)"})
        QVERIFY2(svg->source.contains(part), svg->source.constData());
}

void HostileOutputsTest::svg_bomb_isRefused_data()
{
    QTest::addColumn<QByteArray>("svg");
    const QByteArray open = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'>";
    QByteArray uses = open + "<g id='a0'><circle r='1'/></g>";
    for (int level = 1; level < 12; ++level) {
        uses += "<g id='a" + QByteArray::number(level) + "'>";
        for (int i = 0; i < 10; ++i)
            uses += "<use x:href='#a" + QByteArray::number(level - 1) + "'/>";
        uses += "</g>";
    }
    QTest::newRow("use of use") << uses + "</svg>";
    QTest::newRow("shows itself") << open + "<g id='a'><use x:href='#a'/></g></svg>";
    QTest::newRow("deep") << open + QByteArray("<g>").repeated(50'000) + QByteArray("</g>").repeated(50'000) + "</svg>";
    QTest::newRow("many") << open + QByteArray("<rect/>").repeated(200'000) + "</svg>";
    QTest::newRow("large") << open + QByteArray(9 << 20, ' ') + "</svg>";
    QTest::newRow("entities") << QByteArray("<!DOCTYPE svg [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>") + open
            + "<text>&b;</text></svg>";
    QTest::newRow("cut") << open + "<g><circle";
    QTest::newRow("no svg") << QByteArray("<html/>");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("bytes") << QByteArray("\x00\xff\xfe\x01", 4);
}

void HostileOutputsTest::svg_bomb_isRefused()
{
    QFETCH(QByteArray, svg);
    QElapsedTimer timer;
    timer.start();
    const Result<SanitizedSvg> clean = sanitizeSvg(svg);
    QVERIFY(!clean);
    QVERIFY(!clean.error().message.empty());
    QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
}

void HostileOutputsTest::html_active_isLeftOut_data()
{
    QTest::addColumn<QString>("html");
    QTest::addColumn<QString>("clean");
    QTest::newRow("script") << u"a<script>x</script>b"_s << u"ab"_s;
    QTest::newRow("script in capitals") << u"a<ScRiPt src=x>x</sCrIpT>b"_s << u"ab"_s;
    QTest::newRow("unclosed script") << u"a<script>x"_s << u"a"_s;
    QTest::newRow("handler") << u"<b onclick=\"x()\">a</b>"_s << u"<b>a</b>"_s;
    QTest::newRow("iframe") << u"<iframe src=\"http://x\"></iframe>a"_s << u"a"_s;
    QTest::newRow("form") << u"<form><input value=a><button>b</button></form>"_s << u"b"_s;
    QTest::newRow("remote image") << u"<img src=\"http://127.0.0.1:9/a.png\">a"_s << u"a"_s;
    QTest::newRow("file link") << u"<a href=\"file:///etc/passwd\">a</a>"_s << u"<a>a</a>"_s;
    QTest::newRow("hidden scheme") << u"<a href=\"&#106;avascript:x\">a</a>"_s << u"<a>a</a>"_s;
    QTest::newRow("web link") << u"<a href='https://a.b/?c=1&amp;d'>a</a>"_s
                              << u"<a href=\"https://a.b/?c=1&amp;d\">a</a>"_s;
    QTest::newRow("style") << u"<p style=\"color:red;background:url(http://x);position:fixed\">a</p>"_s
                           << u"<p style=\"color:red;\">a</p>"_s;
    QTest::newRow("comment") << u"a<!-- <b>x</b> -->b"_s << u"ab"_s;
    QTest::newRow("lonely bracket") << u"1 < 2 > 0"_s << u"1 &lt; 2 &gt; 0"_s;
    QTest::newRow("wrong order") << u"<b><i>a</b></i>"_s << u"<b><i>a</i></b>"_s;
    QTest::newRow("quote in value") << u"<p title='\"><script>'>a</p>"_s
                                    << u"<p title=\"&quot;&gt;&lt;script&gt;\">a</p>"_s;
}

void HostileOutputsTest::html_active_isLeftOut()
{
    QFETCH(QString, html);
    QFETCH(QString, clean);
    QCOMPARE(sanitizedHtml(htmlTokens(html)), clean);
}

void HostileOutputsTest::html_cutAnywhere_isRead()
{
    const QString html =
        u"<div a='1' b=\"2\" c=3 d><!-- x --><table><tr><td>&amp;&#x41;</td></tr></table><br/>é</div>"_s;
    for (qsizetype cut = 0; cut <= html.size(); ++cut) {
        const std::vector<HtmlToken> tokens = htmlTokens(html.left(cut));
        sanitizedHtml(tokens);
        tableFromHtml(tokens);
    }
    QCOMPARE(decodedEntities(u"&amp;&#x41;&nosuch;&#1114112;&"_s), u"&A&nosuch;&#1114112;&"_s);
}

void HostileOutputsTest::markdown_hostile_isLaidOutInTime_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("quotes") << QString(50'000, u'>') + u" a"_s;
    QTest::newRow("brackets") << QString(50'000, u'[') + u"a"_s;
    QTest::newRow("stars") << QString(u"*a **a "_s).repeated(10'000);
    QTest::newRow("lists") << QString(u"- "_s).repeated(20'000) + u"a"_s;
    QTest::newRow("nested html") << QString(u"<div><table><tr><td>"_s).repeated(5'000);
    QTest::newRow("images") << QString(u"![a](file:///etc/passwd) ![b](http://127.0.0.1:9/x) "_s).repeated(500);
    QTest::newRow("backticks") << QString(u"`a ``b "_s).repeated(10'000);
    QTest::newRow("front matter") << u"---\na: b\n"_s + QString(10'000, u'-');
}

void HostileOutputsTest::markdown_hostile_isLaidOutInTime()
{
    QFETCH(QString, text);
    const Theme theme = Theme::make(Theme::Mode::Light, QFont(), QFont());
    QElapsedTimer timer;
    timer.start();
    MarkdownRender render(text, theme);
    const qreal heightPx = render.heightForWidth(700);
    QImage image(700, 400, QImage::Format_RGB32);
    QPainter painter(&image);
    render.paint(painter, QRectF(0, 0, 700, 400));
    QVERIFY(heightPx >= 0);
    QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
}

void HostileOutputsTest::table_spans_stayInTheGrid()
{
    const auto table = tableFromHtml(
        htmlTokens(u"<table><tr><th rowspan=2>a</th><th colspan=2>b</th></tr><tr><th>c</th><th>d</th></tr>"
                   "<tr><td rowspan=99999999 colspan=-1>1</td><td>2</td></tr><tr><td>3</td></tr></table>"_s));
    QVERIFY(table);
    QCOMPARE(table->columns, std::size_t(3));
    QCOMPARE(table->headerRows.size(), std::size_t(2));
    QVERIFY(table->headerRows[1][0].isCovered);
    QCOMPARE(table->headerRows[1][1].text, u"c"_s);
    QVERIFY(table->rows[1][0].isCovered);
    QCOMPARE(table->rows[1][1].text, u"3"_s);
}

void HostileOutputsTest::table_huge_isCut()
{
    const QString html = u"<table>"_s + QString(u"<tr><td>1</td></tr>"_s).repeated(20'000) + u"</table>"_s;
    const auto table = tableFromHtml(htmlTokens(html));
    QVERIFY(table);
    QCOMPARE(table->rows.size(), std::size_t(10'000));
    const auto wide = tableFromHtml(htmlTokens(u"<table><tr><td colspan=1000000>x</td><td>y</td></tr></table>"_s));
    QVERIFY(wide);
    QVERIFY(wide->columns <= 1000);
}

void HostileOutputsTest::image_randomBytes_areRefused()
{
    for (const QByteArray &magic : {QByteArray("\x89PNG\r\n\x1a\n", 8), QByteArray("\xff\xd8\xff", 3),
             QByteArray("GIF89a"), QByteArray("RIFF1234WEBP"), QByteArray("BM")}) {
        QByteArray bytes = magic;
        for (int i = 0; i < 2000; ++i)
            bytes += char(i * 7919 % 251);
        const QByteArray base64 = bytes.toBase64();
        readImageSize({base64.data(), size_t(base64.size())});
        auto future = decodeImage(base64, QSize(100, 100));
        QTRY_VERIFY(future.isFinished());
        QVERIFY(!future.result());
    }
}

QTEST_MAIN(HostileOutputsTest)
#include "tst_hostileoutputs.moc"
