#include "ipynbfiles.h"

#include "core/document/ipynbreader.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStringEncoder>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

class IpynbReaderTest : public QObject
{
    Q_OBJECT
private slots:
    void read_sources_areJoinedAsTheyAre();
    void read_outputs_haveTheirKinds();
    void read_loneSurrogate_isKeptInAnEditedCell();
    void read_languages_ofNotebookAndCells();
    void read_v3_isUpgraded();
    void read_ids_areRepairedOnlyWhereNeeded_data();
    void read_ids_areRepairedOnlyWhereNeeded();
    void read_oddFile_opens_data();
    void read_oddFile_opens();
    void read_twoListsOfCells_takesTheLast();
    void read_brokenFile_isAnErrorWithAPlace_data();
    void read_brokenFile_isAnErrorWithAPlace();
    void read_cutAtEveryByte_neverCrashes();
    void read_changedAtEveryByte_neverCrashes();
    void read_utf16_opens();
    void read_metadataThousandDeep_isKept();
    void read_nestingBomb_isRefused();
};

namespace {

// A notebook of one cell, the object's text given.
QByteArray withCells(const QByteArray &cells, int minor = 5)
{
    return "{\"cells\": [" + cells
        + "], \"metadata\": {}, \"nbformat\": 4, \"nbformat_minor\": " + QByteArray::number(minor) + "}";
}

} // namespace

void IpynbReaderTest::read_sources_areJoinedAsTheyAre()
{
    const auto document = openedIpynb(u"jupyter_45.ipynb"_s);
    QCOMPARE(document->cellCount(), 6);
    QCOMPARE(document->cellAt(0).type, Cell::Type::Markdown);
    QCOMPARE(document->cellAt(0).source,
        u"# Analyse der Messwerte\n\nEin paar *Notizen* – mit Umlauten: äöü, 漢字, 🧑‍🚀."_s);
    QCOMPARE(document->cellAt(1).id.value, u"b2c3d4e5"_s);
    QCOMPARE(document->cellAt(1).executionCount, 1);
    QCOMPARE(document->cellAt(5).type, Cell::Type::Raw);
    QVERIFY(document->problems().empty());
}

void IpynbReaderTest::read_outputs_haveTheirKinds()
{
    const auto document = openedIpynb(u"jupyter_45.ipynb"_s);
    const Cell &first = document->cellAt(1);
    QCOMPARE(first.outputs.size(), std::size_t(2));
    QCOMPARE(first.outputs[0].kind, Output::Kind::Stream);
    QCOMPARE(QString::fromStdString(first.outputs[0].text->toUtf8()), u"é 3.141592653589793\n"_s);
    QCOMPARE(first.outputs[1].kind, Output::Kind::Result);
    QCOMPARE(first.outputs[1].executionCount, 1);
    const Output &figure = document->cellAt(2).outputs.at(1);
    QCOMPARE(figure.kind, Output::Kind::Display);
    QVERIFY(figure.data.text("image/png").starts_with("iVBOR"));
    QCOMPARE(figure.metadata["image/png"]["width"].get<int>(), 547);
    const ErrorOutput &error = document->cellAt(3).outputs.at(0).error;
    QCOMPARE(error.name, std::string("ZeroDivisionError"));
    QCOMPARE(error.traceback.size(), std::size_t(4));
    const auto odd = openedIpynb(u"widgets_colab.ipynb"_s);
    QCOMPARE(odd->cellAt(1).outputs.at(1).kind, Output::Kind::Unknown);
    QVERIFY(odd->cellAt(1).outputsCollapsed);
}

void IpynbReaderTest::read_loneSurrogate_isKeptInAnEditedCell()
{
    const auto document = openedIpynb(u"surrogates.ipynb"_s);
    QString source = document->cellAt(0).source;
    QVERIFY(source.contains(QChar(0xd800)));
    document->setSource(document->cellAt(0).id, source.replace(u"print"_s, u"echo"_s));
    QVERIFY(document->toJson().contains(R"("echo('\ud800')\n")"));
    const std::string shown = document->cellAt(0).outputs.at(0).text->toUtf8();
    QVERIFY(shown.starts_with("lone \ufffd end\n"));
}

void IpynbReaderTest::read_languages_ofNotebookAndCells()
{
    const auto document = openedIpynb(u"languages.ipynb"_s);
    QCOMPARE(document->cellAt(1).language, u"bash"_s);
    QCOMPARE(document->cellAt(2).language, u"python"_s);
    QCOMPARE(document->cellAt(2).run.duration, std::chrono::milliseconds(2500));
    QCOMPARE(openedIpynb(u"widgets_colab.ipynb"_s)->language(), u"python"_s);
}

// The table of notebooks.md §3.2.
void IpynbReaderTest::read_v3_isUpgraded()
{
    const auto document = openedIpynb(u"v3.ipynb"_s);
    QVERIFY(document);
    QVERIFY(document->isModified());
    QCOMPARE(document->problems().size(), std::size_t(1));
    QCOMPARE(document->cellAt(0).type, Cell::Type::Markdown);
    QCOMPARE(document->cellAt(0).source, u"## Old heading"_s);
    const Cell &code = document->cellAt(1);
    QCOMPARE(code.source, u"print 1\n2"_s);
    QCOMPARE(code.executionCount, 3);
    QVERIFY(code.outputsCollapsed);
    QCOMPARE(code.outputs.at(0).channel, StreamText::Channel::Stderr);
    QCOMPARE(code.outputs.at(1).kind, Output::Kind::Result);
    QCOMPARE(std::string(code.outputs.at(1).data.text("text/html")), std::string("<b>2</b>"));
    QVERIFY(code.outputs.at(2).data.contains("image/png"));
    QVERIFY(code.outputs.at(2).data.find("application/json")->is_object());
    QCOMPARE(code.outputs.at(3).kind, Output::Kind::Error);
    QCOMPARE(document->cellAt(2).type, Cell::Type::Markdown);
    const QJsonObject saved = QJsonDocument::fromJson(document->toJson()).object();
    QCOMPARE(saved["nbformat"_L1].toInt(), 4);
    QVERIFY(!saved["metadata"_L1].toObject().contains("signature"_L1));
}

void IpynbReaderTest::read_ids_areRepairedOnlyWhereNeeded_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("isRepaired");
    const QByteArray plain = R"({"cell_type": "raw", "metadata": {}, "source": ""})";
    const auto with = [](const QByteArray &id) {
        return QByteArray(R"({"cell_type": "raw", "id": ")" + id + R"(", "metadata": {}, "source": ""})");
    };
    QTest::newRow("4.5 without id") << withCells(plain) << true;
    QTest::newRow("4.4 without id") << withCells(plain, 4) << false;
    QTest::newRow("4.5 duplicate") << withCells(with("a") + "," + with("a")) << true;
    QTest::newRow("4.5 bad character") << withCells(with("a b")) << true;
    QTest::newRow("4.5 of 65 characters") << withCells(with(QByteArray(65, 'x'))) << true;
    QTest::newRow("4.5 of 64 characters") << withCells(with(QByteArray(64, 'x'))) << false;
    QTest::newRow("4.4 with id") << withCells(with("a"), 4) << false;
}

void IpynbReaderTest::read_ids_areRepairedOnlyWhereNeeded()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, isRepaired);
    const auto document = openedNotebook(bytes);
    QCOMPARE(document->isModified(), isRepaired);
    QCOMPARE(document->problems().size(), std::size_t(isRepaired ? 1 : 0));
    for (qsizetype i = 0; i < document->cellCount(); ++i)
        QVERIFY(isValidCellId(document->cellAt(i).id.value));
    if (!isRepaired)
        QCOMPARE(document->toJson(), bytes);
    else
        QVERIFY(!openedNotebook(document->toJson())->isModified());
}

// notebooks.md §3.4.
void IpynbReaderTest::read_oddFile_opens_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("cells");
    const auto code = [](const QByteArray &members) {
        return withCells("{\"cell_type\": \"code\", \"id\": \"a\", " + members + "}");
    };
    QTest::newRow("empty file") << QByteArray() << 0;
    QTest::newRow("blanks") << QByteArray(" \n\t\r\n") << 0;
    QTest::newRow("cells missing") << QByteArray(R"({"metadata": {}, "nbformat": 4, "nbformat_minor": 5})") << 0;
    QTest::newRow("metadata a list") << QByteArray(
        R"({"cells": [], "metadata": [], "nbformat": 4, "nbformat_minor": 5})")
                                     << 0;
    QTest::newRow("minor missing") << QByteArray(R"({"cells": [], "metadata": {}, "nbformat": 4})") << 0;
    QTest::newRow("empty object") << QByteArray("{}") << 0;
    QTest::newRow("count absent") << code(R"("metadata": {}, "outputs": [], "source": "x")") << 1;
    QTest::newRow("count a string") << code(R"("execution_count": "3", "metadata": {}, "outputs": [], "source": "x")")
                                    << 1;
    QTest::newRow("outputs null") << code(R"("metadata": {}, "outputs": null, "source": "x")") << 1;
    QTest::newRow("source null") << code(R"("metadata": {}, "outputs": [], "source": null)") << 1;
    QTest::newRow("source with numbers") << code(R"("metadata": {}, "outputs": [], "source": ["a", 1, null])") << 1;
    QTest::newRow("metadata null") << code(R"("metadata": null, "outputs": [], "source": "x")") << 1;
    QTest::newRow("plain text a number") << code(
        R"("outputs": [{"output_type": "display_data", "data": {"text/plain": 5}}], "source": "x")")
                                         << 1;
    QTest::newRow("stream without name") << code(R"("outputs": [{"output_type": "stream", "text": "t"}], "source": "")")
                                         << 1;
    QTest::newRow("traceback a string") << code(
        R"("outputs": [{"output_type": "error", "traceback": "t"}], "source": "")")
                                        << 1;
    QTest::newRow("outputs of other kinds") << code(R"("outputs": [null, 1, [], {}, "x"], "source": "")") << 1;
    QTest::newRow("NaN") << code(R"("metadata": {"a": NaN, "b": -Infinity}, "outputs": [], "source": "")") << 1;
    QTest::newRow("duplicate keys") << code(R"("source": "a", "source": "b", "outputs": [])") << 1;
    QTest::newRow("cells of other kinds") << withCells("null, 5, \"text\", []") << 4;
    QTest::newRow("higher minor") << withCells("", 9) << 0;
}

void IpynbReaderTest::read_oddFile_opens()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, cells);
    const auto document = openedNotebook(bytes);
    QVERIFY(document);
    QCOMPARE(document->cellCount(), cells);
    for (qsizetype i = 0; i < document->cellCount(); ++i) {
        document->cellAt(i);
        document->setSource(document->cellAt(i).id, u"changed"_s);
    }
    document->apply(
        cells > 0 ? document->cellAt(0).id : CellId{}, {StreamText{StreamText::Channel::Stdout, "out", false}});
    const auto again = openedNotebook(document->toJson());
    QVERIFY(again);
    for (qsizetype i = 0; i < document->cellCount(); ++i)
        QCOMPARE(again->cellAt(i).source, u"changed"_s);
}

void IpynbReaderTest::read_twoListsOfCells_takesTheLast()
{
    const QByteArray bytes = R"({"cells": [{"cell_type": "raw", "source": "a", "cells": [{"source": "c"}]}],
        "cells": [{"cell_type": "raw", "source": "b"}, 7], "metadata": {"cells": [{"source": "d"}]},
        "nbformat": 4, "nbformat_minor": 4})";
    const auto document = openedNotebook(bytes);
    QVERIFY(document);
    QCOMPARE(document->cellCount(), 2);
    QCOMPARE(document->cellAt(0).source, u"b"_s);
    document->setSource(document->cellAt(0).id, u"new"_s);
    QCOMPARE(document->toJson(), QByteArray(bytes).replace("\"b\"", "\"new\""));
}

void IpynbReaderTest::read_brokenFile_isAnErrorWithAPlace_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    const QByteArray conflict = R"({ "cells": [
<<<<<<< HEAD
 {"cell_type":"code"}
=======
 {"cell_type":"raw"}
>>>>>>> topic
], "metadata":{}, "nbformat":4, "nbformat_minor":5 })";
    QTest::newRow("merge conflict") << conflict << u"merge-conflict markers"_s;
    QTest::newRow("cut short") << QByteArray("{\n \"cells\": [\n") << u"ends too early, in line 3"_s;
    QTest::newRow("trailing comma") << QByteArray("{\n \"cells\": [],\n}") << u"line 3, column 1"_s;
    QTest::newRow("comment") << QByteArray("// x\n{}") << u"line 1, column 1"_s;
    QTest::newRow("open text") << QByteArray("{\"a\": \"b}") << u"closing quote, in line 1, column 7"_s;
    QTest::newRow("missing comma") << QByteArray("{\"a\": 1 \"b\": 2}") << u"a comma or } is missing"_s;
    QTest::newRow("more text") << QByteArray("{} x") << u"more text after its end"_s;
    QTest::newRow("no object") << QByteArray("[1, 2]") << u"no notebook"_s;
    QTest::newRow("newer format") << QByteArray(R"({"cells": [], "nbformat": 5})") << u"format 5"_s;
    QTest::newRow("picture") << QByteArray("\x89PNG\r\n\x1a\n\0\0", 10) << u"line 1, column 1"_s;
}

void IpynbReaderTest::read_brokenFile_isAnErrorWithAPlace()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    const auto document = NotebookDocument::fromJson(bytes);
    QVERIFY(!document);
    const QString message = QString::fromStdString(document.error().message);
    QVERIFY2(message.contains(said), qPrintable(message));
}

void IpynbReaderTest::read_cutAtEveryByte_neverCrashes()
{
    const QByteArray bytes = ipynbBytes(u"widgets_colab.ipynb"_s);
    for (qsizetype size = 0; size < bytes.size(); ++size)
        if (const auto document = NotebookDocument::fromJson(bytes.first(size)))
            QVERIFY(bytes.first(size).trimmed().isEmpty() || bytes.sliced(size).trimmed().isEmpty());
}

void IpynbReaderTest::read_changedAtEveryByte_neverCrashes()
{
    const QByteArray bytes = ipynbBytes(u"surrogates.ipynb"_s);
    for (const char replacement : {'"', '\\', '{', ']', '\0', '\xff'})
        for (qsizetype i = 0; i < bytes.size(); ++i) {
            QByteArray changed = bytes;
            changed[i] = replacement;
            const auto document = NotebookDocument::fromJson(changed);
            for (qsizetype k = 0; document && k < (*document)->cellCount(); ++k)
                (*document)->cellAt(k);
            if (document)
                (*document)->toJson();
        }
}

void IpynbReaderTest::read_utf16_opens()
{
    const QString text = QString::fromUtf8(ipynbBytes(u"one_line.ipynb"_s));
    QStringEncoder encoder(QStringConverter::Utf16, QStringConverter::Flag::WriteBom);
    const auto document = openedNotebook(QByteArray(encoder(text)));
    QVERIFY(document);
    QCOMPARE(document->cellAt(0).source, u"print(1)\nprint(2)"_s);
    QVERIFY(document->isModified());
    QCOMPARE(document->problems().size(), std::size_t(1));
}

void IpynbReaderTest::read_metadataThousandDeep_isKept()
{
    const QByteArray deep = QByteArray("[").repeated(1000) + QByteArray("]").repeated(1000);
    const QByteArray bytes =
        withCells(R"({"cell_type": "raw", "id": "a", "metadata": {"deep": )" + deep + R"(}, "source": "x"})");
    const auto document = openedNotebook(bytes);
    QVERIFY(document);
    document->setSource(document->cellAt(0).id, u"y"_s);
    QVERIFY(document->toJson().contains(deep));
}

void IpynbReaderTest::read_nestingBomb_isRefused()
{
    const auto document = NotebookDocument::fromJson(withCells(QByteArray("[").repeated(10'000'000)));
    QVERIFY(!document);
    QVERIFY(document.error().message.find("nested too deeply") != std::string::npos);
}

QTEST_GUILESS_MAIN(IpynbReaderTest)
#include "tst_ipynbreader.moc"
