#include "ui/text/colorcontrast.h"
#include "ui/text/theme.h"

#include <QGuiApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;

/// The promises of DESIGN.md §2, computed from the colours.
class ThemeTest : public QObject
{
    Q_OBJECT
private slots:
    void color_ofToken_isTheTable_data();
    void color_ofToken_isTheTable();
    void contrast_ofTextOnItsSurfaces_isEnough_data();
    void contrast_ofTextOnItsSurfaces_isEnough();
    void ansi_onCanvas_reachesTextContrast();
    void series_beyondEight_repeats();
    void legibleOn_enoughContrast_keepsTheColour();
    void palette_highlight_differsWithoutFocus();
    void font_systemFontTwice_scalesAllSizes();
    void font_codeFontWithOwnSize_keepsIt();
    void font_ofApplicationInPixels_sizesCodeToo();
};

namespace {

Theme makeTheme(Theme::Mode mode, int sizePx = 13)
{
    QFont font;
    font.setPixelSize(sizePx);
    return Theme::make(mode, font, QFont(u"DejaVu Sans Mono"_s));
}

} // namespace

void ThemeTest::color_ofToken_isTheTable_data()
{
    QTest::addColumn<int>("token");
    QTest::addColumn<QString>("light");
    QTest::addColumn<QString>("dark");
    const auto row = [](const char *name, ColorToken token, const QString &light, const QString &dark) {
        QTest::newRow(name) << static_cast<int>(token) << light << dark;
    };
    row("window", ColorToken::Window, u"#f3f0ea"_s, u"#1f1d1b"_s);
    row("canvas", ColorToken::Canvas, u"#fefdfb"_s, u"#191816"_s);
    row("selectedidle", ColorToken::SelectedIdle, u"#e6e0d5"_s, u"#36322d"_s);
    row("control", ColorToken::Control, u"#8a8375"_s, u"#857d70"_s);
    row("onaccent", ColorToken::OnAccent, u"#ffffff"_s, u"#08222a"_s);
    row("sandmark", ColorToken::SandMark, u"#b07a22"_s, u"#c99644"_s);
    row("errortint", ColorToken::ErrorTint, u"#fbe7e4"_s, u"#3d211e"_s);
    row("kw", ColorToken::Keyword, u"#7a3e9d"_s, u"#cba6ec"_s);
    row("com", ColorToken::Comment, u"#686153"_s, u"#a39c8e"_s);
    row("findcur", ColorToken::FindCurrent, u"#ffc94d"_s, u"#6e520c"_s);
}

void ThemeTest::color_ofToken_isTheTable()
{
    QFETCH(int, token);
    QFETCH(QString, light);
    QFETCH(QString, dark);
    QCOMPARE(makeTheme(Theme::Mode::Light).color(static_cast<ColorToken>(token)).name(), light);
    QCOMPARE(makeTheme(Theme::Mode::Dark).color(static_cast<ColorToken>(token)).name(), dark);
}

void ThemeTest::contrast_ofTextOnItsSurfaces_isEnough_data()
{
    QTest::addColumn<bool>("isDark");
    QTest::addColumn<int>("ink");
    QTest::addColumn<int>("surface");
    QTest::addColumn<double>("wanted");
    using Tokens = std::initializer_list<ColorToken>;
    const auto rows = [](const char *name, Tokens inks, Tokens surfaces, double wanted) {
        for (const bool isDark : {false, true}) {
            for (const ColorToken ink : inks) {
                for (const ColorToken surface : surfaces) {
                    QTest::addRow("%s %d on %d %s", name, int(ink), int(surface), isDark ? "dark" : "light")
                        << isDark << int(ink) << int(surface) << wanted;
                }
            }
        }
    };
    using enum ColorToken;
    const Tokens surfaces{Window, Panel, Canvas, Code, Raised, Hover, SelectedIdle, AccentTint};
    rows("text", {Text, Text2, Text3, Accent, Run, Sand, Warn, Error, Unknown}, surfaces, 4.5);
    rows("selected", {Text, Text2, Accent, Run, Sand, Warn, Error, Unknown}, {Selected}, 4.5);
    rows("syntax", {Keyword, StringLiteral, Number, Function, Comment}, {Code}, 4.5);
    rows("button", {OnAccent}, {Accent, AccentHover}, 4.5);
    rows("tint", {Text}, {RunTint, SandTint, WarnTint, ErrorTint, UnknownTint, Find, FindCurrent}, 4.5);
    rows("edge", {Control}, {Window, Raised}, 3.0);
    rows("mark", {SandMark}, {SandTint}, 3.0);
}

void ThemeTest::contrast_ofTextOnItsSurfaces_isEnough()
{
    QFETCH(bool, isDark);
    QFETCH(int, ink);
    QFETCH(int, surface);
    QFETCH(double, wanted);
    const Theme theme = makeTheme(isDark ? Theme::Mode::Dark : Theme::Mode::Light);
    const double ratio =
        contrastRatio(theme.color(static_cast<ColorToken>(ink)), theme.color(static_cast<ColorToken>(surface)));
    QVERIFY2(ratio >= wanted, qPrintable(QString::number(ratio)));
}

void ThemeTest::ansi_onCanvas_reachesTextContrast()
{
    for (const Theme::Mode mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
        const Theme theme = makeTheme(mode);
        for (int i = 0; i < 16; ++i)
            QVERIFY(contrastRatio(theme.ansi(i), theme.color(ColorToken::Canvas)) >= 4.5);
    }
}

void ThemeTest::series_beyondEight_repeats()
{
    const Theme theme = makeTheme(Theme::Mode::Light);
    QCOMPARE(theme.series(0).name(), u"#0a5ca8"_s);
    QCOMPARE(theme.series(8), theme.series(0));
}

void ThemeTest::legibleOn_enoughContrast_keepsTheColour()
{
    QCOMPARE(legibleOn(Qt::white, Qt::black), QColor(Qt::black));
    QVERIFY(contrastRatio(Qt::white, legibleOn(Qt::white, QColor(0, 255, 0))) >= 4.5);
    QCOMPARE(legibleOn(Qt::white, QColor(0, 255, 0)).hslHue(), 120);
}

void ThemeTest::palette_highlight_differsWithoutFocus()
{
    const QPalette palette = makeTheme(Theme::Mode::Dark).palette();
    QCOMPARE(palette.color(QPalette::Active, QPalette::Highlight).name(), u"#1e3f4a"_s);
    QCOMPARE(palette.color(QPalette::Inactive, QPalette::Highlight).name(), u"#36322d"_s);
    QCOMPARE(palette.color(QPalette::Active, QPalette::Base).name(), u"#191816"_s);
}

void ThemeTest::font_systemFontTwice_scalesAllSizes()
{
    const Theme theme = makeTheme(Theme::Mode::Light, 26);
    QCOMPARE(theme.smallFont().pixelSize(), 24);
    QCOMPARE(theme.codeFont().pixelSize(), 26);
    QCOMPARE(theme.linePx(TextStyle::Code), 38.0);
    QCOMPARE(theme.markdownFont(1).pixelSize(), 42);
}

void ThemeTest::font_codeFontWithOwnSize_keepsIt()
{
    QFont code(u"DejaVu Sans Mono"_s);
    code.setPixelSize(16);
    const Theme theme = Theme::make(Theme::Mode::Light, QFont(), code);
    QCOMPARE(theme.codeFont().pixelSize(), 16);
}

void ThemeTest::font_ofApplicationInPixels_sizesCodeToo()
{
    const QFont before = QGuiApplication::font();
    QFont font = before;
    font.setPixelSize(26);
    QGuiApplication::setFont(font);
    const Theme theme = Theme::forApplication(Theme::Mode::Light);
    QGuiApplication::setFont(before);
    QCOMPARE(theme.uiFont().pixelSize(), 26);
    QCOMPARE(theme.codeFont().pixelSize(), 26);
}

QTEST_MAIN(ThemeTest)
#include "tst_theme.moc"
