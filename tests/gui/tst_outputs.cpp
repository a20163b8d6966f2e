#include "ui/outputs/outputrenderer.h"
#include "ui/text/linelayout.h"
#include "ui/text/theme.h"

#include <QBuffer>
#include <QElapsedTimer>
#include <QImage>
#include <QPainter>
#include <QTest>
#include <QtEndian>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace sandfish;

/// Each renderer: height, plain text, acts, and data that is broken or hostile.
class OutputsTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void image_metadata_setsTheSize_data();
    void image_metadata_setsTheSize();
    void image_decoded_asksForRelayout();
    void image_broken_saysSo_data();
    void image_broken_saysSo();
    void image_bombHeader_isRefused();
    void image_huge_isScaledInThePool();
    void svg_drawing_hasItsSize();
    void html_dataFrame_isATable();
    void html_deep_isFlatBeforeLayout();
    void html_links_onlyWebAddresses();
    void html_onlyScript_fallsBackToText();
    void registry_bundle_choosesType_data();
    void registry_bundle_choosesType();
    void registry_unknownType_getsAChip();
    void json_value_isIndented();
    void json_deep_isBounded();

private:
    Output display(std::initializer_list<std::pair<const char *, Json>> data, const Json &metadata = Json::object());
    std::unique_ptr<OutputItem> item(const Output &output, bool isTrusted = true);

    Theme m_theme;
    LineLayoutCache m_lines;
    RenderStyle m_style;
    int m_relayouts = 0;
    std::vector<OutputRequest> m_requests;
    std::unique_ptr<OutputRendererRegistry> m_registry = OutputRendererRegistry::withDefaults();
};

namespace {

constexpr qreal kWidthPx = 700;

QImage painted(OutputItem &item, qreal heightPx)
{
    QImage image(int(kWidthPx), std::max(1, int(heightPx)), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    item.paint(painter, QRectF(0, 0, kWidthPx, std::min(heightPx, 2000.0)));
    return image;
}

std::string pngBase64(int width, int height, const QColor &color)
{
    QImage image(width, height, QImage::Format_ARGB32);
    image.fill(color);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes.toBase64().toStdString();
}

quint32 crcOf(const QByteArray &bytes)
{
    quint32 crc = 0xffffffffu;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc & 1 ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

QByteArray chunk(const QByteArray &type, const QByteArray &data)
{
    QByteArray out(4, Qt::Uninitialized);
    qToBigEndian<quint32>(static_cast<quint32>(data.size()), out.data());
    QByteArray crc(4, Qt::Uninitialized);
    qToBigEndian<quint32>(crcOf(type + data), crc.data());
    return out + type + data + crc;
}

/// A PNG of a few bytes that claims to be as large as it may be.
std::string bombBase64(quint32 width, quint32 height)
{
    QByteArray header(13, '\0');
    qToBigEndian<quint32>(width, header.data());
    qToBigEndian<quint32>(height, header.data() + 4);
    header[8] = 8;
    header[9] = 6;
    const QByteArray png = QByteArray("\x89PNG\r\n\x1a\n") + chunk("IHDR", header)
        + chunk("IDAT", qCompress(QByteArray(64, '\0')).mid(4)) + chunk("IEND", {});
    return png.toBase64().toStdString();
}

} // namespace

void OutputsTest::init()
{
    QFont font;
    font.setPixelSize(13);
    m_theme = Theme::make(Theme::Mode::Light, font, QFont(u"DejaVu Sans Mono"_s));
    m_style = RenderStyle();
    m_style.theme = &m_theme;
    m_style.lines = &m_lines;
    m_relayouts = 0;
    m_requests.clear();
    m_style.requestRelayout = [this] { ++m_relayouts; };
    m_style.request = [this](const OutputRequest &request) { m_requests.push_back(request); };
}

Output OutputsTest::display(std::initializer_list<std::pair<const char *, Json>> data, const Json &metadata)
{
    Output output;
    output.kind = Output::Kind::Display;
    for (const auto &[type, value] : data)
        output.data.set(type, value);
    output.metadata = metadata;
    return output;
}

std::unique_ptr<OutputItem> OutputsTest::item(const Output &output, bool isTrusted)
{
    return m_registry->createItem(output, m_style, isTrusted);
}

void OutputsTest::image_metadata_setsTheSize_data()
{
    QTest::addColumn<QByteArray>("metadata");
    QTest::addColumn<qreal>("heightPx");
    // 200 x 100 pixels; the height without the hairlines above and below it.
    QTest::newRow("none") << QByteArray("{}") << 100.0;
    QTest::newRow("both") << QByteArray(R"({"image/png":{"width":100,"height":50}})") << 50.0;
    QTest::newRow("width only") << QByteArray(R"({"image/png":{"width":100}})") << 50.0;
    QTest::newRow("height only") << QByteArray(R"({"image/png":{"height":20}})") << 20.0;
    QTest::newRow("flat") << QByteArray(R"({"width":100,"height":50})") << 50.0;
    QTest::newRow("wrong types") << QByteArray(R"({"image/png":{"width":"wide","height":[]}})") << 100.0;
    QTest::newRow("negative") << QByteArray(R"({"image/png":{"width":-5,"height":-5}})") << 100.0;
    QTest::newRow("wider than the page") << QByteArray(R"({"image/png":{"width":1396,"height":698}})") << 349.0;
}

void OutputsTest::image_metadata_setsTheSize()
{
    QFETCH(QByteArray, metadata);
    QFETCH(qreal, heightPx);
    const Output output = display({{"image/png", pngBase64(200, 100, Qt::red)}}, *parseJson(metadata.toStdString()));
    QCOMPARE(item(output)->heightForWidth(kWidthPx), heightPx + 2);
}

void OutputsTest::image_decoded_asksForRelayout()
{
    const auto image = item(display({{"image/png", pngBase64(200, 100, Qt::red)}, {"text/plain", "fig"}}));
    const qreal heightPx = image->heightForWidth(kWidthPx);
    painted(*image, heightPx);
    QTRY_VERIFY(m_relayouts > 0);
    QCOMPARE(painted(*image, heightPx).pixelColor(100, 50), QColor(Qt::red));
    QCOMPARE(image->plainText(), u"fig"_s);
}

void OutputsTest::image_broken_saysSo_data()
{
    QTest::addColumn<QByteArray>("base64");
    const std::string whole = pngBase64(50, 50, Qt::blue);
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no base64") << QByteArray("<svg onload='x'/>");
    QTest::newRow("svg in disguise") << QByteArray("<svg xmlns='http://www.w3.org/2000/svg'/>").toBase64();
    QTest::newRow("cut") << QByteArray::fromStdString(whole.substr(0, 60));
}

void OutputsTest::image_broken_saysSo()
{
    QFETCH(QByteArray, base64);
    const auto image = item(display({{"image/png", base64.toStdString()}}));
    const qreal before = image->heightForWidth(kWidthPx);
    painted(*image, before);
    QTRY_VERIFY(m_relayouts > 0);
    QVERIFY(image->heightForWidth(kWidthPx) <= 28);
}

void OutputsTest::image_bombHeader_isRefused()
{
    const auto image = item(display({{"image/png", bombBase64(100'000, 100'000)}}));
    painted(*image, image->heightForWidth(kWidthPx));
    QTRY_VERIFY(m_relayouts > 0);
    QCOMPARE(image->heightForWidth(kWidthPx), 28.0);
}

void OutputsTest::image_huge_isScaledInThePool()
{
    QByteArray bytes;
    {
        QImage large(12'000, 16'000, QImage::Format_Grayscale8);
        large.fill(120);
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        large.save(&buffer, "PNG");
    }
    const Output output = display({{"image/png", bytes.toBase64().toStdString()}});
    QElapsedTimer timer;
    timer.start();
    const auto image = item(output);
    const qreal heightPx = image->heightForWidth(kWidthPx);
    painted(*image, heightPx);
    QVERIFY2(timer.elapsed() < 500, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(heightPx, std::round((kWidthPx - 2) * 16 / 12) + 2);
    QTRY_VERIFY_WITH_TIMEOUT(m_relayouts > 0, 60'000);
    QCOMPARE(painted(*image, heightPx).pixelColor(300, 300), QColor(120, 120, 120));
}

void OutputsTest::svg_drawing_hasItsSize()
{
    const char *svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"40\">"
                      "<circle cx=\"20\" cy=\"20\" r=\"18\" fill=\"#008080\"/></svg>";
    const auto drawing = item(display({{"image/svg+xml", svg}}));
    QCOMPARE(drawing->heightForWidth(kWidthPx), 42.0);
    painted(*drawing, 42);
    QTRY_VERIFY(m_relayouts > 0);
    QCOMPARE(painted(*drawing, 42).pixelColor(20, 20), QColor(0, 128, 128));
}

void OutputsTest::html_dataFrame_isATable()
{
    const char *html = "<div><style scoped>.dataframe tbody tr th { vertical-align: top; }</style>"
                       "<table border=\"1\" class=\"dataframe\"><thead><tr style=\"text-align: right;\"><th></th>"
                       "<th>a</th><th>b</th></tr><tr><th>depth</th><th></th><th></th></tr></thead><tbody>"
                       "<tr><th>0</th><td>1.5</td><td>x &lt; y</td></tr><tr><th>5</th><td>NaN</td><td>z</td></tr>"
                       "</tbody></table><p>2 rows × 2 columns</p></div>";
    const auto table = item(display({{"text/html", html}, {"text/plain", "plain"}}));
    QCOMPARE(table->plainText(), u"depth\ta\tb\n0\t1.5\tx < y\n5\tNaN\tz"_s);
    // Header 23, two rows of 20, the last line, 5, note 16.
    QCOMPARE(table->heightForWidth(kWidthPx), 23.0 + 40 + 1 + 5 + 16);
}

void OutputsTest::html_deep_isFlatBeforeLayout()
{

    std::string deep;
    for (int i = 0; i < 30'000; ++i)
        deep += "<div><table><tr><td>";
    QElapsedTimer timer;
    timer.start();
    const auto rich = item(display({{"text/html", deep + "end"}}));
    rich->heightForWidth(kWidthPx);
    QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
}

void OutputsTest::html_links_onlyWebAddresses()
{
    const auto rich = item(display({{"text/html",
        "<p><a href=\"https://example.org/a\">web</a> <a href=\"file:///etc/passwd\">file</a> "
        "<a href=\"javascript:x()\">js</a> <img src=\"http://127.0.0.1:9/x.png\"></p>"}}));
    rich->heightForWidth(kWidthPx);
    const auto actions = rich->actions();
    QCOMPARE(actions.size(), std::size_t(1));
    actions[0].trigger();
    QCOMPARE(m_requests.at(0).link, u"https://example.org/a"_s);
}

void OutputsTest::html_onlyScript_fallsBackToText()
{
    const auto shown = item(display({{"text/html", "<script>alert(1)</script>"}, {"text/plain", "Figure()"}}));
    QCOMPARE(shown->plainText(), u"Figure()"_s);
}

void OutputsTest::registry_bundle_choosesType_data()
{
    QTest::addColumn<QStringList>("types");
    QTest::addColumn<bool>("isTrusted");
    QTest::addColumn<QString>("best");
    const QStringList rich{u"text/plain"_s, u"text/html"_s, u"image/png"_s};
    QTest::newRow("html first") << rich << true << u"text/html"_s;
    QTest::newRow("untrusted") << rich << false << u"image/png"_s;
    QTest::newRow("png before svg") << QStringList{u"image/svg+xml"_s, u"image/png"_s} << true << u"image/png"_s;
    QTest::newRow("svg untrusted") << QStringList{u"image/svg+xml"_s, u"text/plain"_s} << false << u"text/plain"_s;
    QTest::newRow("text before json") << QStringList{u"application/json"_s, u"text/plain"_s} << true << u"text/plain"_s;
    QTest::newRow("script never") << QStringList{u"application/javascript"_s} << true << QString();
    QTest::newRow("none") << QStringList{} << true << QString();
}

void OutputsTest::registry_bundle_choosesType()
{
    QFETCH(QStringList, types);
    QFETCH(bool, isTrusted);
    QFETCH(QString, best);
    MimeBundle bundle;
    for (const QString &type : types)
        bundle.set(type.toStdString(), Json("x"));
    QCOMPARE(QString::fromStdString(m_registry->bestMimeType(bundle, isTrusted)), best);
}

void OutputsTest::registry_unknownType_getsAChip()
{
    const auto chip = item(display({{"application/x-thing+json", Json::object()}}));
    QVERIFY(chip->plainText().contains(u"application/x-thing+json"_s));
    QCOMPARE(chip->heightForWidth(kWidthPx), 28.0);
}

void OutputsTest::json_value_isIndented()
{
    const auto json = item(display({{"application/json", Json{{"a", 1}, {"b", Json::array({1, "x"})}}}}));
    QCOMPARE(json->plainText(), u"{\n  \"a\": 1,\n  \"b\": [\n    1,\n    \"x\"\n  ]\n}"_s);
}

void OutputsTest::json_deep_isBounded()
{
    Json deep = 1;
    for (int i = 0; i < 400; ++i)
        deep = Json::array({std::move(deep)});
    const auto json = item(display({{"application/json", std::move(deep)}}));
    QVERIFY(json->plainText().count(u'\n') < 100);
}

QTEST_MAIN(OutputsTest)
#include "tst_outputs.moc"
