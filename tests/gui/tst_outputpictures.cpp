#include "core/document/outputtext.h"
#include "ui/outputs/markdownrender.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/text/codehighlighter.h"
#include "ui/text/linelayout.h"
#include "ui/text/syntaxrepository.h"
#include "ui/text/theme.h"

#include <QBuffer>
#include <QDir>
#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;

/// Paints one of everything in both themes and two scales, for eyes; the files are in output-pictures/ of the build
/// folder. Checked by the test: everything that is decoded in the pool arrives, and nothing is painted blank.
class OutputPicturesTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { SyntaxRepository::instance().loadNow(); }
    void gallery_ofTheme_isWritten_data();
    void gallery_ofTheme_isWritten();
};

namespace {

constexpr int kWidthPx = 780;
constexpr int kLeftPx = 24;

Output streamOf(const std::string &text, StreamText::Channel channel = StreamText::Channel::Stdout)
{
    Output output;
    output.channel = channel;
    output.text = std::make_shared<OutputText>();
    output.text->append(text);
    return output;
}

Output displayOf(const char *type, const Json &value)
{
    Output output;
    output.kind = Output::Kind::Display;
    output.data.set(type, value);
    return output;
}

Output errorOf(const char *name, const char *message, const char *traceback)
{
    Output output;
    output.kind = Output::Kind::Error;
    output.error = {name, message, {traceback}};
    return output;
}

std::string figure()
{
    QImage image(240, 90, QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Qt::black, 2));
    painter.drawPolyline(QPolygonF{{10, 80}, {60, 20}, {120, 60}, {180, 10}, {230, 70}});
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes.toBase64().toStdString();
}

const char *const kFrame =
    "<table border=\"1\" class=\"dataframe\"><thead><tr style=\"text-align: right;\"><th></th><th>min</th><th>mean</th>"
    "<th>max</th><th>count</th><th>site</th></tr><tr><th>depth_cm</th><th></th><th></th><th></th><th></th><th></th>"
    "</tr></thead><tbody><tr><th>0</th><td>14.2</td><td>36.8</td><td>63.8</td><td>120,960</td><td>dune</td></tr>"
    "<tr><th>5</th><td>19.6</td><td>34.1</td><td>NaN</td><td>120,953</td><td>dune</td></tr><tr><th>10</th>"
    "<td>23.8</td><td>32.2</td><td>43.9</td><td>120,960</td><td>slope</td></tr></tbody></table>"
    "<p>3 rows × 5 columns</p>";

const char *const kRich =
    "<h3>Estimator</h3><p>A <b>bold</b> word, <code>code</code>, a <a href='https://example.org'>link</a>.</p>"
    "<table><tr><th>name</th><th>value</th></tr><tr><td style='color:#b3261e'>alpha</td><td>0.1</td></tr>"
    "<tr><td>beta</td><td>2</td></tr></table><ul><li>one</li><li>two</li></ul>";

const char *const kTrace = "Traceback (most recent call last):\n  File \"cell [9]\", line 1, in <module>\n"
                           "    profile = readings.pivot_table(index=\"depth_mm\", columns=\"day\")\n"
                           "                                   ^^^^^^^^^^^^^^^^\n"
                           "  File \"/usr/lib/python3/dist-packages/pandas/core/frame.py\", line 8567, in pivot_table\n"
                           "    return pivot_table(\nKeyError: 'depth_mm'\n";

const char *const kChained =
    "Traceback (most recent call last):\n  File \"cell [4]\", line 2, in <module>\n    {}['a']\n    ~~^^^^^\n"
    "KeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\n"
    "Traceback (most recent call last):\n  File \"cell [4]\", line 4, in <module>\n    raise ValueError('two')\n"
    "  File \"/srv/work/helpers.py\", line 12, in tidy\n    return rows[0]\nValueError: two\nlines\n";

std::string ansiSample()
{
    std::string text = "plain \x1b[1mbold\x1b[0m \x1b[3mitalic\x1b[0m \x1b[4munder\x1b[0m \x1b[7minverse\x1b[0m ";
    for (int i = 0; i < 16; ++i)
        text += "\x1b[" + std::to_string(i < 8 ? 30 + i : 82 + i) + "mc" + std::to_string(i) + "\x1b[0m ";
    text += "\n\x1b[38;2;0;255;0mgreen\x1b[0m \x1b[38;5;208morange\x1b[0m \x1b[41m on red \x1b[0m "
            "\x1b[30;47m black on white \x1b[0m 漢字 ∑ ✓ │ box ─┼─\n";
    return text;
}

std::vector<Output> gallery()
{
    std::string many;
    for (int i = 998'000; i < 999'216; ++i)
        many += "row " + std::to_string(i) + " ok\n";
    Output late = streamOf("upload finished: 18.5 MB\n");
    late.isLate = true;
    late.lateBy = std::chrono::seconds(42);
    Output small = displayOf("image/png", figure());
    small.metadata = Json{{"image/png", {{"width", 120}, {"height", 45}}}};
    return {streamOf("2031-07-28 rmse 0.412\n"),
        streamOf("probe 07, 5 cm: 7 readings missing, filled by interpolation\n", StreamText::Channel::Stderr),
        streamOf(ansiSample()), streamOf("x = " + std::string(150, '1') + " end\n"), late,
        displayOf("text/html", kFrame), displayOf("text/html", kRich), errorOf("KeyError", "'depth_mm'", kTrace),
        errorOf("ValueError", "two\nlines", kChained), errorOf("ExitError", "Process exited with code 2", ""),
        displayOf("image/png", figure()), small,
        displayOf("image/svg+xml",
            "<svg xmlns='http://www.w3.org/2000/svg' width='120' height='60'><rect width='120' height='60' rx='8' "
            "fill='#0a5ca8'/><text x='12' y='36' fill='white'>SVG text</text></svg>"),
        displayOf("image/png", "bm90IGEgcGljdHVyZQ=="), displayOf("application/x-thing", "x"),
        displayOf("application/json", Json{{"name", "otter"}, {"sizes", {1, 2, 3}}}), streamOf(many)};
}

const QString kMarkdown =
    u"# Dune temperature, week 31\n\nTwelve probes, *five depths*, **one reading** a minute. "
    "How deep must a `sandfish` dig to stay below 40 °C? See [the notes](https://example.org).\n\n"
    "## Method\n\n1. read\n2. fit\n   - nested\n\n### Code\n\n```python\nfor x in y:\n    print(x)\n"
    "```\n\n> A quotation.\n\n| depth | mean |\n|---|---:|\n| 0 | 36.8 |\n| 5 | 34.1 |\n"_s;

// Everything below each other; of the last, which is long, only its end.
QImage paintedGallery(
    MarkdownRender &markdown, const std::vector<std::unique_ptr<OutputItem>> &items, const Theme &theme, qreal ratio)
{
    const qreal textPx = kWidthPx - 2 * kLeftPx;
    qreal heightPx = markdown.heightForWidth(textPx) + 30;
    for (const auto &item : items)
        heightPx += item->heightForWidth(textPx) + 14;
    heightPx -= items.back()->heightForWidth(textPx) - 120;
    QImage image(int(kWidthPx * ratio), int(heightPx * ratio), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(theme.color(ColorToken::Canvas));
    QPainter painter(&image);
    painter.translate(kLeftPx, 12);
    markdown.paint(painter, QRectF(0, 0, textPx, 4000));
    painter.translate(0, markdown.heightForWidth(textPx) + 14);
    for (const auto &item : items) {
        const qreal itemPx = item->heightForWidth(textPx);
        const qreal top = item == items.back() ? itemPx - 100 : 0;
        painter.translate(0, -top);
        item->paint(painter, QRectF(-12, top, textPx + 12, itemPx - top));
        painter.translate(0, itemPx + 14);
    }
    return image;
}

} // namespace

void OutputPicturesTest::gallery_ofTheme_isWritten_data()
{
    QTest::addColumn<bool>("isDark");
    QTest::addColumn<qreal>("ratio");
    QTest::newRow("light") << false << 1.0;
    QTest::newRow("dark") << true << 1.0;
    QTest::newRow("light-200") << false << 2.0;
    QTest::newRow("dark-150") << true << 1.5;
}

void OutputPicturesTest::gallery_ofTheme_isWritten()
{
    QFETCH(bool, isDark);
    QFETCH(qreal, ratio);
    QFont font;
    font.setPixelSize(13);
    const Theme theme =
        Theme::make(isDark ? Theme::Mode::Dark : Theme::Mode::Light, font, QFont(u"DejaVu Sans Mono"_s));
    LineLayoutCache lines;
    RenderStyle style{.theme = &theme, .devicePixelRatio = ratio, .lines = &lines};
    int relayouts = 0;
    style.requestRelayout = [&] { ++relayouts; };
    style.request = [](const OutputRequest &) {};
    const auto registry = OutputRendererRegistry::withDefaults();
    MarkdownRender markdown(kMarkdown, theme);

    std::vector<std::unique_ptr<OutputItem>> items;
    for (const Output &output : gallery())
        items.push_back(registry->createItem(output, style, true));
    const auto paint = [&] { return paintedGallery(markdown, items, theme, ratio); };
    paint();
    QTRY_COMPARE(relayouts, 4); // three pictures and one that is none
    const QImage image = paint();
    QDir folder(QStringLiteral(SANDFISH_BINARY_DIR));
    QVERIFY(folder.mkpath(u"output-pictures"_s));
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    QVERIFY(image.save(folder.filePath(u"output-pictures/outputs-%1.png"_s.arg(name))));
}

QTEST_MAIN(OutputPicturesTest)
#include "tst_outputpictures.moc"
