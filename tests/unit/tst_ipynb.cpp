#include "ipynbfiles.h"

#include "core/document/ipynbwriter.h"

#include <QDir>
#include <QJsonDocument>
#include <QTest>
#include <QUndoStack>

using namespace sandfish;
using namespace Qt::StringLiterals;

class IpynbTest : public QObject
{
    Q_OBJECT
private slots:
    void roundTrip_untouchedFile_isByteIdentical_data();
    void roundTrip_untouchedFile_isByteIdentical();
    void save_oneChangedWord_changesOneLine_data() { addFiles(); }
    void save_oneChangedWord_changesOneLine();
    void save_insertAndUndo_isByteIdentical_data() { addFiles(); }
    void save_insertAndUndo_isByteIdentical();
    void save_afterEveryOutputWasRead_isByteIdentical_data() { addFiles(); }
    void save_afterEveryOutputWasRead_isByteIdentical();
    void save_movedCells_staysJson_data() { addFiles(); }
    void save_movedCells_staysJson();
    void save_insertedCell_addsOnlyItsLines();
    void save_ensureAsciiFile_escapesNewTextToo();
    void save_oldMinor_addsNoIds();
    void save_outputsOfOneCell_keepsTheOthers();
    void save_progressBar_isCollapsed();
    void save_clearedLanguage_dropsTheGroup();
    void image_ofRunningCell_isOfItsMoment();

private:
    static void addFiles();
};

namespace {

int changedLines(const QByteArray &before, const QByteArray &after)
{
    const QList<QByteArray> a = before.split('\n'), b = after.split('\n');
    if (a.size() != b.size())
        return -1;
    int changed = 0;
    for (qsizetype i = 0; i < a.size(); ++i)
        changed += a[i] != b[i] ? 1 : 0;
    return changed;
}

bool isJson(QByteArray bytes)
{
    bytes.replace("\xef\xbb\xbf", "");
    return QJsonDocument::fromJson(bytes).isObject();
}

} // namespace

void IpynbTest::addFiles()
{
    QTest::addColumn<QString>("name");
    const QDir folder(QStringLiteral(SANDFISH_SOURCE_DIR "/tests/data/ipynb"));
    for (const QString &name : folder.entryList({u"*.ipynb"_s}))
        if (name != u"v3.ipynb")
            QTest::newRow(qPrintable(name)) << name;
}

void IpynbTest::roundTrip_untouchedFile_isByteIdentical_data()
{
    addFiles();
}

void IpynbTest::roundTrip_untouchedFile_isByteIdentical()
{
    QFETCH(QString, name);
    const QByteArray bytes = ipynbBytes(name);
    const auto document = openedNotebook(bytes);
    QVERIFY(document);
    QVERIFY(!document->isModified());
    QVERIFY(document->image().isSource());
    QCOMPARE(document->toJson(), bytes);
}

void IpynbTest::save_oneChangedWord_changesOneLine()
{
    QFETCH(QString, name);
    const QByteArray bytes = ipynbBytes(name);
    const auto document = openedNotebook(bytes);
    QString source = document->cellAt(0).source;
    QVERIFY(!source.isEmpty());
    source.insert(2, u"WORD");
    document->setSource(document->cellAt(0).id, source);
    const QByteArray saved = document->toJson();
    QCOMPARE(changedLines(bytes, saved), 1);
    QVERIFY(saved.contains("WORD"));
    QCOMPARE(openedNotebook(saved)->cellAt(0).source, source);
    document->undoStack()->undo();
    QCOMPARE(document->toJson(), bytes);
}

void IpynbTest::save_insertAndUndo_isByteIdentical()
{
    QFETCH(QString, name);
    const QByteArray bytes = ipynbBytes(name);
    const auto document = openedNotebook(bytes);
    document->insertCell(0, Cell::Type::Code, u"new"_s);
    document->moveCells(0, 1, document->cellCount());
    document->removeCells(0, 1);
    QVERIFY(document->toJson() != bytes);
    for (int i = 0; i < 3; ++i)
        document->undoStack()->undo();
    QCOMPARE(document->toJson(), bytes);
}

void IpynbTest::save_afterEveryOutputWasRead_isByteIdentical()
{
    QFETCH(QString, name);
    const QByteArray bytes = ipynbBytes(name);
    const auto document = openedNotebook(bytes);
    for (qsizetype i = 0; i < document->cellCount(); ++i)
        document->cellAt(i);
    QCOMPARE(document->toJson(), bytes);
}

void IpynbTest::save_movedCells_staysJson()
{
    QFETCH(QString, name);
    const auto document = openedIpynb(name);
    const qsizetype count = document->cellCount();
    document->moveCells(0, 1, count - 1);
    document->insertCell(1, Cell::Type::Code, u"new"_s);
    document->insertCell(count + 1, Cell::Type::Raw, u"last"_s);
    const QByteArray saved = document->toJson();
    QVERIFY(isJson(saved) || name == u"surrogates.ipynb");
    const auto again = openedNotebook(saved);
    QCOMPARE(again->cellCount(), count + 2);
    QCOMPARE(again->cellAt(1).source, u"new"_s);
    QCOMPARE(again->cellAt(count + 1).source, u"last"_s);
    document->removeCells(0, count + 2);
    QCOMPARE(openedNotebook(document->toJson())->cellCount(), 0);
}

void IpynbTest::save_insertedCell_addsOnlyItsLines()
{
    const QByteArray bytes = ipynbBytes(u"indent4_unsorted.ipynb"_s);
    const auto document = openedNotebook(bytes);
    document->insertCell(1, Cell::Type::Code, u"z = 3"_s);
    const QByteArray added = R"(        {
            "cell_type": "code",
            "execution_count": null,
            "metadata": {},
            "outputs": [],
            "source": [
                "z = 3"
            ]
        },
)";
    QByteArray saved = document->toJson();
    QCOMPARE(saved.count(added), 1);
    QCOMPARE(saved.replace(added, ""), bytes);
}

void IpynbTest::save_ensureAsciiFile_escapesNewTextToo()
{
    const auto document = openedIpynb(u"compact_escaped.ipynb"_s);
    document->setSource(document->cellAt(1).id, u"Größe ü🧑"_s);
    const QByteArray saved = document->toJson();
    QVERIFY(saved.contains(R"("Gr\u00f6\u00dfe \u00fc\ud83e\uddd1")"));
    QCOMPARE(openedNotebook(saved)->cellAt(1).source, u"Größe ü🧑"_s);
}

void IpynbTest::save_oldMinor_addsNoIds()
{
    const auto document = openedIpynb(u"nbformat_40.ipynb"_s);
    document->insertCell(0, Cell::Type::Code, u"x"_s);
    document->setSource(document->cellAt(1).id, u"# y"_s);
    QVERIFY(!document->toJson().contains("\"id\""));
}

void IpynbTest::save_outputsOfOneCell_keepsTheOthers()
{
    const QByteArray bytes = ipynbBytes(u"widgets_colab.ipynb"_s);
    const auto document = openedNotebook(bytes);
    document->apply(document->cellAt(1).id, {StreamText{StreamText::Channel::Stdout, "more\n", false}});
    const QByteArray saved = document->toJson();
    // The output that is not understood, and the numbers as they were written.
    QVERIFY(saved.contains("\"output_type\": \"future_output\""));
    QVERIFY(saved.contains("9223372036854775808"));
    QVERIFY(saved.contains("\"more\\n\""));
    QVERIFY(saved.startsWith(bytes.first(bytes.indexOf("wid00001"))));
}

// P04 of notebooks.md: the saved text is what is shown, not every update.
void IpynbTest::save_progressBar_isCollapsed()
{
    NotebookDocument document;
    std::string text;
    for (int i = 0; i <= 100'000; ++i)
        text += "\r" + std::string(6 - std::to_string(i).size(), ' ') + std::to_string(i) + "/100000";
    document.apply(document.cellAt(0).id, {StreamText{StreamText::Channel::Stdout, text + "\n", false}});
    QVERIFY(document.toJson().contains("\"100000/100000\\n\"\n"));
    QVERIFY(document.toJson().size() < 1000);
}

void IpynbTest::save_clearedLanguage_dropsTheGroup()
{
    const auto document = openedIpynb(u"languages.ipynb"_s);
    document->setCellLanguage(document->cellAt(1).id, {});
    QVERIFY(!document->toJson().contains("sandfish"));
    QCOMPARE(openedNotebook(document->toJson())->cellAt(1).language, QString());
}

// The image is written in another thread while the cell goes on printing.
void IpynbTest::image_ofRunningCell_isOfItsMoment()
{
    NotebookDocument document;
    const CellId id = document.cellAt(0).id;
    document.apply(id, {StreamText{StreamText::Channel::Stdout, "first\nsecond", false}});
    const NotebookImage image = document.image();
    document.apply(id, {StreamText{StreamText::Channel::Stdout, "\rthird\nfourth\n", false}});
    const QByteArray bytes = image.toBytes();
    QVERIFY(bytes.contains("\"second\""));
    QVERIFY(!bytes.contains("third"));
    QVERIFY(document.toJson().contains("\"third"));
    QCOMPARE(image.sizeBytes(), bytes.size());
}

QTEST_GUILESS_MAIN(IpynbTest)
#include "tst_ipynb.moc"
