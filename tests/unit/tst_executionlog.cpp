#include "core/engine/executionlog.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// Output that waits for its reader: in memory, on disk, dropped.
class ExecutionLogTest : public QObject
{
    Q_OBJECT
private slots:
    void spooledRecords_readLikeThoseInMemory_data();
    void spooledRecords_readLikeThoseInMemory();
    void spooledRecords_readInSmallBudgets_areWhole();
    void beyondTheSpool_isDroppedWithOneNotice();
    void noSpoolFolder_keepsHeadAndTail();
    void read_givesRecordsOfEveryPlace();
    void read_beyondTheSpool_givesOneGap();

private:
    static LogLimits limits(std::size_t memory, std::size_t spool, const QString &folder);
    static void fill(ExecutionLog &log);
    static QByteArray read(const ExecutionLog &log, WireDialect dialect, std::size_t budget = 1u << 20);
};

LogLimits ExecutionLogTest::limits(std::size_t memory, std::size_t spool, const QString &folder)
{
    return {memory, memory, spool, folder.toStdString()};
}

void ExecutionLogTest::fill(ExecutionLog &log)
{
    using Channel = StreamText::Channel;
    log.append(ExecutionEvent(ExecutionStarted{3}));
    for (int i = 0; i < 40; ++i) {
        const std::string text = "line " + std::to_string(i) + " \"é\x1b\\\n";
        log.append(ExecutionEvent(StreamText{i % 3 ? Channel::Stdout : Channel::Stderr, text}));
    }
    ExecuteResult result;
    result.data.set("text/plain", "42");
    log.append(ExecutionEvent(std::move(result)));
    log.append(ExecutionEvent(ErrorOutput{"E", "m", {"trace"}}));
    log.append(WireDone{3, Outcome::CodeError, {}, {}});
    for (int i = 0; i < 40; ++i)
        log.append(ExecutionEvent(StreamText{Channel::Stdout, "late " + std::to_string(i) + "\n", true}));
}

// All lines, without the times at which they were written.
QByteArray ExecutionLogTest::read(const ExecutionLog &log, WireDialect dialect, std::size_t budget)
{
    std::string all;
    std::uint64_t next = 1;
    bool isDone = false;
    while (next <= log.lastSequence()) {
        std::string part;
        next = log.encode(next, dialect, budget, part, isDone);
        all += part;
    }
    static const QRegularExpression times(u"\"ts\":[0-9]+"_s);
    return QString::fromStdString(all).remove(times).toUtf8();
}

void ExecutionLogTest::spooledRecords_readLikeThoseInMemory_data()
{
    QTest::addColumn<int>("dialect");
    QTest::newRow("seed") << int(WireDialect::Seed);
    QTest::newRow("full") << int(WireDialect::Full);
}

void ExecutionLogTest::spooledRecords_readLikeThoseInMemory()
{
    QFETCH(int, dialect);
    const QTemporaryDir folder;
    ExecutionLog memory(limits(1u << 20, 0, {}));
    ExecutionLog disk(limits(400, 1u << 20, folder.path()));
    fill(memory);
    fill(disk);
    QVERIFY(disk.memoryBytes() < 1000);
    const QByteArray expected = read(memory, WireDialect(dialect));
    QVERIFY(expected.contains("late 39") && expected.contains("\"done\""));
    QCOMPARE(read(disk, WireDialect(dialect)), expected);
}

void ExecutionLogTest::spooledRecords_readInSmallBudgets_areWhole()
{
    const QTemporaryDir folder;
    ExecutionLog log(limits(400, 1u << 20, folder.path()));
    fill(log);
    QCOMPARE(read(log, WireDialect::Full, 1), read(log, WireDialect::Full));
}

void ExecutionLogTest::beyondTheSpool_isDroppedWithOneNotice()
{
    const QTemporaryDir folder;
    ExecutionLog log(limits(400, 500, folder.path()));
    fill(log);
    const QByteArray text = read(log, WireDialect::Full);
    QCOMPARE(text.count("\"notice\""), 1);
    QVERIFY(text.contains("late 39") && !text.contains("line 39"));
}

void ExecutionLogTest::noSpoolFolder_keepsHeadAndTail()
{
    ExecutionLog log(limits(400, 1u << 20, u"/no/such/folder"_s));
    fill(log);
    const QByteArray text = read(log, WireDialect::Full);
    QVERIFY(text.contains("\"started\"") && text.contains("late 39"));
    QCOMPARE(text.count("\"notice\""), 1);
}

namespace {

struct Seen
{
    std::string text;
    int errors = 0;
    int results = 0;
    int ends = 0;
    int gaps = 0;
};

// Reads all, a few records at a time.
Seen readAll(const ExecutionLog &log)
{
    Seen seen;
    std::uint64_t next = 1;
    while (next <= log.lastSequence()) {
        next = log.read(next, 300, [&](const ExecutionLog::Content *content) {
            if (!content) {
                ++seen.gaps;
            } else if (const auto *event = std::get_if<ExecutionEvent>(content)) {
                if (const auto *text = std::get_if<StreamText>(event))
                    seen.text += text->text;
                seen.errors += std::holds_alternative<ErrorOutput>(*event) ? 1 : 0;
                seen.results += std::holds_alternative<ExecuteResult>(*event) ? 1 : 0;
            } else {
                ++seen.ends;
            }
        });
    }
    return seen;
}

} // namespace

void ExecutionLogTest::read_givesRecordsOfEveryPlace()
{
    const QTemporaryDir folder;
    ExecutionLog memory(limits(1u << 20, 0, {}));
    ExecutionLog disk(limits(400, 1u << 20, folder.path()));
    fill(memory);
    fill(disk);
    const Seen expected = readAll(memory);
    const Seen seen = readAll(disk);
    QVERIFY(expected.text.find("line 39") != std::string::npos);
    QCOMPARE(seen.text, expected.text);
    for (const Seen &all : {expected, seen}) {
        QCOMPARE(all.errors, 1);
        QCOMPARE(all.results, 1);
        QCOMPARE(all.ends, 1);
        QCOMPARE(all.gaps, 0);
    }
}

void ExecutionLogTest::read_beyondTheSpool_givesOneGap()
{
    ExecutionLog log(limits(400, 0, {}));
    fill(log);
    const Seen seen = readAll(log);
    QCOMPARE(seen.gaps, 1);
    QVERIFY(seen.text.starts_with("line 0"));
    QVERIFY(seen.text.ends_with("late 39\n"));
}

QTEST_GUILESS_MAIN(ExecutionLogTest)
#include "tst_executionlog.moc"
