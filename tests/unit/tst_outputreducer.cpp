#include "core/document/outputreducer.h"

#include <QTest>

using namespace sandfish;

Q_DECLARE_METATYPE(std::vector<sandfish::ExecutionEvent>)

class OutputReducerTest : public QObject
{
    Q_OBJECT
private slots:
    void reduce_events_giveOutputs_data();
    void reduce_events_giveOutputs();
    void late_afterFinishedRun_saysByHowMuch();
    void late_withoutKnownEnd_saysNothing();
    void limit_ofNewText_isTheGivenOne();
    void reduce_result_carriesTheCellsCount();
    void reduce_moreText_growsRevisionAndKeepsSerial();
    void reduce_newOutput_hasAnotherSerial();
};

namespace {

using Events = std::vector<ExecutionEvent>;

StreamText out(const char *text)
{
    return {StreamText::Channel::Stdout, text, false};
}

StreamText err(const char *text)
{
    return {StreamText::Channel::Stderr, text, false};
}

StreamText late(const char *text)
{
    return {StreamText::Channel::Stdout, text, true};
}

DisplayData display(const char *text)
{
    DisplayData data;
    data.data.set("text/plain", text);
    return data;
}

DisplayData update(const char *text)
{
    DisplayData data = display(text);
    data.displayId = "id";
    data.isUpdate = true;
    return data;
}

ExecuteResult result(const char *text)
{
    ExecuteResult value;
    value.data.set("text/plain", text);
    return value;
}

QString described(const Output &output)
{
    switch (output.kind) {
    case Output::Kind::Stream:
        return QLatin1String(output.channel == StreamText::Channel::Stdout ? "out" : "err")
            + QLatin1String(output.isLate ? " late:" : ":") + QString::fromStdString(output.text->toUtf8());
    case Output::Kind::Display:
        return QLatin1String("display:") + QString::fromStdString(std::string(output.data.text("text/plain")));
    case Output::Kind::Result:
        return QLatin1String("result:") + QString::fromStdString(std::string(output.data.text("text/plain")));
    case Output::Kind::Error:
        return QLatin1String("error:") + QString::fromStdString(output.error.name);
    case Output::Kind::Unknown:
        break;
    }
    return QLatin1String("unknown");
}

CellRecord reduced(const Events &events)
{
    CellRecord record;
    for (const ExecutionEvent &event : events)
        reduceOutputs(record, event);
    return record;
}

} // namespace

// The merge rule of notebooks.md §2, P08 and P10, and what Jupyter's clients do with clear_output.
void OutputReducerTest::reduce_events_giveOutputs_data()
{
    QTest::addColumn<Events>("events");
    QTest::addColumn<QString>("outputs");
    const auto row = [](const char *name, const Events &events, const char *outputs) {
        QTest::newRow(name) << events << QString::fromUtf8(outputs);
    };
    row("one stream joins", {out("a"), out("b\n"), out("c")}, "out:ab\nc");
    row("the other stream between starts a new block", {out("o1"), err("e1"), out("o2")}, "out:o1|err:e1|out:o2");
    row("a display between starts a new block", {out("a"), display("d"), out("b")}, "out:a|display:d|out:b");
    row("result and error", {result("42"), ErrorOutput{"ValueError", "bad", {}}}, "result:42|error:ValueError");
    row("empty text adds nothing", {out(""), err("")}, "");
    row("clear empties at once", {out("a"), ClearOutput{false}}, "");
    row("clear that waits keeps what is there", {out("a"), ClearOutput{true}}, "out:a");
    row("clear that waits clears at the next output", {out("a"), ClearOutput{true}, out("b")}, "out:b");
    row("clear that waits and a display", {out("a"), ClearOutput{true}, display("b")}, "display:b");
    row("sequence of P10", {out("a"), ClearOutput{true}, out("b"), ClearOutput{false}, out("c")}, "out:c");
    row("clear takes a waiting clear back", {out("a"), ClearOutput{true}, ClearOutput{false}, out("b"), out("c")},
        "out:bc");
    row("late text has its own block", {out("a"), late("b"), late("c")}, "out:a|out late:bc");
    row("text after late text has its own block", {late("b"), out("a")}, "out late:b|out:a");
    row("updates add nothing", {update("x")}, "");
    row("a notice is shown as stderr", {Notice{"cut"}}, "err:cut\n");
    row("started and input add nothing", {ExecutionStarted{1}, InputRequest{"Name: ", false}}, "");
}

void OutputReducerTest::reduce_events_giveOutputs()
{
    QFETCH(Events, events);
    QFETCH(QString, outputs);
    QStringList list;
    for (const Output &output : reduced(events).cell.outputs)
        list += described(output);
    QCOMPARE(list.join(u'|'), outputs);
}

void OutputReducerTest::reduce_result_carriesTheCellsCount()
{
    CellRecord record;
    record.cell.executionCount = 5;
    reduceOutputs(record, result("1"));
    QCOMPARE(record.cell.outputs.at(0).executionCount, 5);
}

void OutputReducerTest::reduce_moreText_growsRevisionAndKeepsSerial()
{
    CellRecord record = reduced({out("a")});
    const auto serial = record.cell.outputs[0].serial;
    const auto revision = record.cell.outputs[0].revision;
    reduceOutputs(record, out("b"));
    QCOMPARE(record.cell.outputs[0].serial, serial);
    QVERIFY(record.cell.outputs[0].revision > revision);
}

void OutputReducerTest::reduce_newOutput_hasAnotherSerial()
{
    const CellRecord record = reduced({out("a"), err("b")});
    QVERIFY(record.cell.outputs[0].serial != record.cell.outputs[1].serial);
}

void OutputReducerTest::late_afterFinishedRun_saysByHowMuch()
{
    CellRecord record;
    record.cell.run.state = CellRun::State::Finished;
    record.cell.run.startedAt = QDateTime::currentDateTime().addSecs(-60);
    record.cell.run.duration = std::chrono::seconds(18);
    reduceOutputs(record, late("x"));
    const Output &output = record.cell.outputs.front();
    QVERIFY(output.lateBy >= std::chrono::seconds(42));
    QVERIFY(output.lateBy < std::chrono::seconds(60));
}

void OutputReducerTest::late_withoutKnownEnd_saysNothing()
{
    const CellRecord record = reduced({late("x")});
    QCOMPARE(record.cell.outputs.front().lateBy, std::chrono::milliseconds(0));
}

void OutputReducerTest::limit_ofNewText_isTheGivenOne()
{
    CellRecord record;
    reduceOutputs(record, out("x"), 1u << 20);
    QCOMPARE(record.cell.outputs.front().text->limitBytes(), std::size_t(1u << 20));
}

QTEST_APPLESS_MAIN(OutputReducerTest)
#include "tst_outputreducer.moc"
