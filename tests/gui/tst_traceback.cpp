#include "core/document/cell.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/outputs/traceback.h"
#include "ui/text/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;

/// The texts are what CPython 3.11, IPython 8 and V8 11 print.
class TracebackTest : public QObject
{
    Q_OBJECT
private slots:
    void python_frames_haveSourceAndMarks();
    void python_syntaxError_hasItsCaret();
    void python_chain_keepsTheLastException();
    void ipython_frame_hasTheMarkedLine();
    void javascript_stack_isTurnedRound();
    void unknown_text_hasNoFrames();
    void isLibraryFile_path_data();
    void isLibraryFile_path();
    void item_libraryFrames_unfold();
    void item_copy_givesTheTraceback();
    void item_frameOfCell_asksForTheCell();
    void item_withoutTraceback_isOneLine();
    void item_longMessage_isBounded();

private:
    Output error(const std::string &name, const std::string &message, const std::string &traceback) const;
};

namespace {

const QString kPython = u"Traceback (most recent call last):\n"
                        "  File \"cell [9]\", line 1, in <module>\n"
                        "    profile = readings.pivot_table(index=\"depth_mm\", columns=\"day\")\n"
                        "              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
                        "  File \"/usr/lib/python3/dist-packages/pandas/core/frame.py\", line 8567, in pivot_table\n"
                        "    return pivot_table(\n"
                        "  File \"/srv/work/helpers.py\", line 4, in tidy\n"
                        "    return by[\"depth_mm\"]\n"
                        "           ~~^^^^^^^^^^^^\n"
                        "KeyError: 'depth_mm'\n"_s;

RenderStyle styleWith(const Theme &theme)
{
    RenderStyle style;
    style.theme = &theme;
    return style;
}

} // namespace

Output TracebackTest::error(const std::string &name, const std::string &message, const std::string &traceback) const
{
    Output output;
    output.kind = Output::Kind::Error;
    output.error = {name, message, traceback.empty() ? std::vector<std::string>() : std::vector{traceback}};
    return output;
}

void TracebackTest::python_frames_haveSourceAndMarks()
{
    const Traceback trace = parseTraceback(kPython);
    QCOMPARE(trace.frames.size(), std::size_t(3));
    const TraceFrame &cell = trace.frames[0];
    QCOMPARE(cell.file, u"cell [9]"_s);
    QCOMPARE(cell.executionCount, 9);
    QCOMPARE(cell.line, 1);
    QCOMPARE(cell.function, QString());
    QCOMPARE(cell.source.mid(cell.markStart, 8), u"readings"_s);
    QVERIFY(!cell.isLibrary);
    QVERIFY(trace.frames[1].isLibrary);
    QCOMPARE(trace.frames[1].markLength, 0);
    QVERIFY(!trace.frames[2].isLibrary);
    QCOMPARE(trace.frames[2].source.mid(trace.frames[2].markStart, trace.frames[2].markLength), u"by[\"depth_mm\"]"_s);
}

void TracebackTest::python_syntaxError_hasItsCaret()
{
    const Traceback trace =
        parseTraceback(u"  File \"cell [5]\", line 1\n    x = = 3\n        ^\nSyntaxError: invalid syntax\n"_s);
    QCOMPARE(trace.frames.size(), std::size_t(1));
    QCOMPARE(trace.frames[0].source, u"x = = 3"_s);
    QCOMPARE(trace.frames[0].markStart, 4);
    QCOMPARE(trace.frames[0].markLength, 1);
}

void TracebackTest::python_chain_keepsTheLastException()
{
    const Traceback trace = parseTraceback(
        u"Traceback (most recent call last):\n  File \"cell [4]\", line 2, in <module>\n    {}['a']\n    ~~^^^^^\n"
        "KeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\n"
        "Traceback (most recent call last):\n  File \"cell [4]\", line 4, in <module>\n    raise ValueError\n"
        "ValueError\n"_s);
    QCOMPARE(trace.causes, std::vector<QString>{u"KeyError: 'a'"_s});
    QCOMPARE(trace.frames.size(), std::size_t(1));
    QCOMPARE(trace.frames[0].line, 4);
}

void TracebackTest::ipython_frame_hasTheMarkedLine()
{
    const Traceback trace =
        parseTraceback(u"---------------------------------------------------------------------------\n"
                       "ZeroDivisionError                         Traceback (most recent call last)\n"
                       "Cell In[3], line 2\n      1 x = 0\n----> 2 1 / x\n\nZeroDivisionError: division by zero"_s);
    QCOMPARE(trace.frames.size(), std::size_t(1));
    QCOMPARE(trace.frames[0].executionCount, 3);
    QCOMPARE(trace.frames[0].line, 2);
    QCOMPARE(trace.frames[0].source, u"1 / x"_s);
}

void TracebackTest::javascript_stack_isTurnedRound()
{
    const Traceback trace =
        parseTraceback(u"TypeError: Cannot read properties of undefined (reading 'c')\n    at f (cell [1]:2:14)\n"
                       "    at cell [2]:1:1\nCaused by: Error: first\n    at cell [1]:1:1\n"_s);
    QCOMPARE(trace.frames.size(), std::size_t(2));
    QCOMPARE(trace.frames[0].executionCount, 2);
    QCOMPARE(trace.frames[1].function, u"f"_s);
    QCOMPARE(trace.frames[1].line, 2);
    QCOMPARE(trace.causes, std::vector<QString>{u"Error: first"_s});
}

void TracebackTest::unknown_text_hasNoFrames()
{
    QVERIFY(parseTraceback(u"Error in f(1): could not find function\nCalls: a -> b"_s).frames.empty());
    QVERIFY(parseTraceback(QString()).frames.empty());
}

void TracebackTest::isLibraryFile_path_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("isLibrary");
    QTest::newRow("standard library") << u"/usr/lib/python3.11/json/decoder.py"_s << true;
    QTest::newRow("package") << u"/x/site-packages/pandas/core/frame.py"_s << true;
    QTest::newRow("frozen") << u"<frozen importlib._bootstrap>"_s << true;
    QTest::newRow("node") << u"node:internal/fs"_s << true;
    QTest::newRow("node module") << u"/work/node_modules/a/b.js"_s << true;
    QTest::newRow("own file") << u"/srv/work/helpers.py"_s << false;
    QTest::newRow("cell") << u"cell [1]"_s << false;
}

void TracebackTest::isLibraryFile_path()
{
    QFETCH(QString, path);
    QFETCH(bool, isLibrary);
    QCOMPARE(isLibraryFile(path), isLibrary);
}

void TracebackTest::item_libraryFrames_unfold()
{
    const Theme theme = Theme::make(Theme::Mode::Light, QFont(), QFont());
    const RenderStyle style = styleWith(theme);
    const auto item = OutputRendererRegistry::withDefaults()->createItem(
        error("KeyError", "'depth_mm'", kPython.toStdString()), style, true);
    const qreal folded = item->heightForWidth(700);
    const auto actions = item->actions();
    QCOMPARE(actions.at(0).text, u"Show 1 library frame"_s);
    actions[0].trigger();
    QCOMPARE(item->heightForWidth(700), folded + theme.linePx(TextStyle::Code) + 3);
}

void TracebackTest::item_copy_givesTheTraceback()
{
    const Theme theme = Theme::make(Theme::Mode::Light, QFont(), QFont());
    const RenderStyle style = styleWith(theme);
    const auto item = OutputRendererRegistry::withDefaults()->createItem(
        error("KeyError", "'depth_mm'", "\x1b[31m" + kPython.toStdString() + "\x1b[0m"), style, true);
    item->heightForWidth(700);
    item->actions().at(1).trigger();
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(kPython));
}

void TracebackTest::item_frameOfCell_asksForTheCell()
{
    const Theme theme = Theme::make(Theme::Mode::Light, QFont(), QFont());
    RenderStyle style = styleWith(theme);
    OutputRequest asked;
    style.request = [&](const OutputRequest &request) { asked = request; };
    const auto item = OutputRendererRegistry::withDefaults()->createItem(
        error("KeyError", "'depth_mm'", kPython.toStdString()), style, true);
    item->heightForWidth(700);
    item->actions().at(2).trigger();
    QCOMPARE(asked.kind, OutputRequest::Kind::GoToCell);
    QCOMPARE(asked.executionCount, 9);
    QCOMPARE(asked.line, 1);
}

void TracebackTest::item_withoutTraceback_isOneLine()
{
    const Theme theme = Theme::make(Theme::Mode::Light, QFont(), QFont());
    const RenderStyle style = styleWith(theme);
    const auto item = OutputRendererRegistry::withDefaults()->createItem(
        error("ExitError", "Process exited with code 2", ""), style, true);
    QVERIFY(item->heightForWidth(700) < 40 * theme.scaled(1));
    QCOMPARE(item->plainText(), u"ExitError: Process exited with code 2"_s);
}

void TracebackTest::item_longMessage_isBounded()
{
    const Theme theme = Theme::make(Theme::Mode::Light, QFont(), QFont());
    const RenderStyle style = styleWith(theme);
    std::string message;
    for (int i = 0; i < 100'000; ++i)
        message += "Error\n";
    const auto item =
        OutputRendererRegistry::withDefaults()->createItem(error("RuntimeError", message, ""), style, true);
    QVERIFY(item->heightForWidth(700) < 1100 * theme.linePx(TextStyle::Code));
}

QTEST_MAIN(TracebackTest)
#include "tst_traceback.moc"
