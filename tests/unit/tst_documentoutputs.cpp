#include "tests/unit/documentsamples.h"

#include <QSignalSpy>
#include <QTest>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(std::vector<sandfish::CellId>)

/// Outputs in a notebook: how events change them and when that is told.
class DocumentOutputsTest : public QObject
{
    Q_OBJECT
private slots:
    void apply_manyEvents_signalsOncePerFrame();
    void apply_displayUpdate_changesEveryCell();
    void apply_clearAndPrintInOneTurn_signalsOnce();
    void clearOutputs_resetsCountAndRun();
    void peekAt_beforeCellAt_doesNotParse();
};

namespace {

DisplayData display(const char *html, const char *id, bool isUpdate)
{
    DisplayData data;
    data.data.set("text/html", html);
    data.displayId = id;
    data.isUpdate = isUpdate;
    return data;
}

std::string html(const Cell &cell, std::size_t index)
{
    return std::string(cell.outputs.at(index).data.text("text/html"));
}

} // namespace

void DocumentOutputsTest::apply_manyEvents_signalsOncePerFrame()
{
    const auto document = letters(u"ab"_s);
    QSignalSpy changed(document.get(), &NotebookDocument::outputsChanged);
    for (int i = 0; i < 1000; ++i) {
        document->apply(document->cellAt(0).id, {out("x\n")});
        document->apply(document->cellAt(1).id, {out("y\n")});
    }
    QCOMPARE(changed.count(), 0);
    QTRY_COMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].value<std::vector<CellId>>().size(), std::size_t(2));
    QCOMPARE(document->cellAt(0).outputs.size(), std::size_t(1));
}

// P11 of notebooks.md: showing an id again refreshes the earlier one, and an update reaches every place.
void DocumentOutputsTest::apply_displayUpdate_changesEveryCell()
{
    const auto document = letters(u"ab"_s);
    const CellId a = document->cellAt(0).id;
    const CellId b = document->cellAt(1).id;
    document->apply(a, {display("Hello", "a", false), display("World", "b", false), display("copy", "a", false)});
    QCOMPARE(html(*document->find(a), 0), std::string("copy"));
    document->apply(b, {display("I love", "a", true), display("Pizza", "b", true)});
    QCOMPARE(html(*document->find(a), 0), std::string("I love"));
    QCOMPARE(html(*document->find(a), 1), std::string("Pizza"));
    QCOMPARE(html(*document->find(a), 2), std::string("I love"));
    QVERIFY(document->find(b)->outputs.empty());
    QVERIFY(!document->toJson().contains("display_id"));
    QVERIFY(!document->toJson().contains("transient"));
}

void DocumentOutputsTest::apply_clearAndPrintInOneTurn_signalsOnce()
{
    const auto document = letters(u"a"_s);
    const CellId id = document->cellAt(0).id;
    document->apply(id, {out("old")});
    QSignalSpy changed(document.get(), &NotebookDocument::outputsChanged);
    document->apply(id, {ClearOutput{true}});
    QCOMPARE(streamText(*document->find(id), 0), QByteArray("old"));
    document->apply(id, {out("new")});
    QCOMPARE(streamText(*document->find(id), 0), QByteArray("new"));
    QTRY_COMPARE(changed.count(), 1);
}

void DocumentOutputsTest::clearOutputs_resetsCountAndRun()
{
    const auto document = letters(u"a"_s);
    const CellId id = document->cellAt(0).id;
    document->apply(id, {out("x")});
    document->setExecutionCount(id, 3);
    CellRun run;
    run.state = CellRun::State::Finished;
    document->setRun(id, run);
    document->clearAllOutputs();
    QVERIFY(document->cellAt(0).outputs.empty());
    QCOMPARE(document->cellAt(0).executionCount, 0);
    QCOMPARE(document->cellAt(0).run.state, CellRun::State::None);
}

void DocumentOutputsTest::peekAt_beforeCellAt_doesNotParse()
{
    const auto made = letters(u"a"_s);
    made->apply(made->cellAt(0).id, {out("x")});
    const auto document = NotebookDocument::fromJson(made->toJson());
    QVERIFY((*document)->pendingOutputBytes(0) > 0);
    QVERIFY((*document)->peekAt(0).outputs.empty());
    QCOMPARE((*document)->cellAt(0).outputs.size(), std::size_t(1));
    QCOMPARE((*document)->pendingOutputBytes(0), 0);
}

QTEST_GUILESS_MAIN(DocumentOutputsTest)
#include "tst_documentoutputs.moc"
