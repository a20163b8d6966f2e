#include "tests/support/clifixture.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <csignal>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// `sandfish-cli run` with the real sandfishd: what runs, what is shown, what is written and what is refused.
class CliRunTest : public QObject
{
    Q_OBJECT
private slots:
    void run_notebook_isWrittenBackWithOutputs();
    void run_output_leavesTheFileAsItIs();
    void run_onTerminal_showsHeadingsAndWhatWasDone();
    void run_quiet_showsOutputsOnly();
    void run_noSave_writesNothing();
    void run_languages_eachHasItsInterpreter();
    void run_untrustedTour_isSuccess();
    void run_notebookMadeByMistake_isLeftAsItIs_data();
    void run_notebookMadeByMistake_isLeftAsItIs();
    void run_error_stopsAndSaves();
    void run_allowErrors_goesOn();
    void run_timeout_isOfEachCell();
    void run_json_everyLineIsAnObject();
    void run_interruptedOnce_savesWhatCame();
    void run_interruptedTwice_savesWhatCame();
    void run_terminated_savesWhatCame();
    void run_readerLeaves_savesWhatCame();
    void run_engineKilled_savesWhatCame();
    void run_unusable_isRefusedBeforeAnythingStarts_data();
    void run_unusable_isRefusedBeforeAnythingStarts();
    void run_untrusted_mayReadItsFolderOnly();
    void run_trust_mayWriteAndIsRemembered();
    void run_changedMeanwhile_isSavedBeside();
    void run_sandbox_keepsVariables();
    void run_notebookWithoutCode_isNoError();

private:
    QByteArray hangingCell() const { return "import time\nprint('ready')\nwhile True:\n  time.sleep(60)"; }

    CliFixture m_cli;
};

void CliRunTest::run_notebook_isWrittenBackWithOutputs()
{
    m_cli.writeNotebook(u"a.ipynb"_s, {u"x = 6\nprint('one')"_s, u"x * 7"_s});
    const CliResult result = m_cli.run({u"run"_s, u"a.ipynb"_s});
    QCOMPARE(result.output, QByteArray("one\n42\n"));
    QCOMPARE(result.errors, QByteArray("[1/2] python: x = 6\n[2/2] python: x * 7\n"));
    QCOMPARE(result.status, 0);
    QVERIFY2(m_cli.outputsOf(u"a.ipynb"_s, 0).contains("one"), m_cli.outputsOf(u"a.ipynb"_s, 0).constData());
    QVERIFY(m_cli.outputsOf(u"a.ipynb"_s, 1).contains("\"execution_count\":2"));
    QVERIFY(m_cli.outputsOf(u"a.ipynb"_s, 1).contains("\"text/plain\":[\"42\"]"));
}

void CliRunTest::run_output_leavesTheFileAsItIs()
{
    m_cli.writeNotebook(u"a.ipynb"_s, {u"print('one')"_s});
    const QByteArray before = m_cli.read(u"a.ipynb"_s);
    QCOMPARE(m_cli.run({u"run"_s, u"a.ipynb"_s, u"-o"_s, u"b.ipynb"_s}).status, 0);
    QCOMPARE(m_cli.read(u"a.ipynb"_s), before);
    QVERIFY(m_cli.outputsOf(u"b.ipynb"_s, 0).contains("one"));
}

void CliRunTest::run_onTerminal_showsHeadingsAndWhatWasDone()
{
    m_cli.writeNotebook(u"a.ipynb"_s, {u"print('one')"_s, u"2"_s});
    const QByteArray output = m_cli.runOnTerminal({u"run"_s, u"a.ipynb"_s}).output;
    QVERIFY2(output.contains("[2/2] python: 2"), output.constData());
    QVERIFY2(output.contains("Ran 2 cells in "), output.constData());
    QVERIFY2(output.contains("/a.ipynb."), output.constData());
}

void CliRunTest::run_quiet_showsOutputsOnly()
{
    m_cli.writeNotebook(u"a.ipynb"_s, {u"print('one', end='')"_s, u"2"_s});
    QCOMPARE(m_cli.runOnTerminal({u"run"_s, u"-q"_s, u"a.ipynb"_s}).output, QByteArray("one\r\n2\r\n"));
    const CliResult piped = m_cli.run({u"run"_s, u"--quiet"_s, u"a.ipynb"_s});
    QCOMPARE(piped.output, QByteArray("one\n2\n"));
    QCOMPARE(piped.errors, QByteArray());
}

void CliRunTest::run_noSave_writesNothing()
{
    m_cli.writeNotebook(u"a.ipynb"_s, {u"print('one')"_s});
    const QByteArray before = m_cli.read(u"a.ipynb"_s);
    QCOMPARE(m_cli.run({u"run"_s, u"a.ipynb"_s, u"--no-save"_s}).output, QByteArray("one\n"));
    QCOMPARE(m_cli.read(u"a.ipynb"_s), before);
}

void CliRunTest::run_languages_eachHasItsInterpreter()
{
    const QByteArray tour = [] {
        QFile file(QStringLiteral(SANDFISH_SOURCE_DIR "/resources/tour/tour.ipynb"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }();
    QVERIFY(!tour.isEmpty());
    m_cli.write(u"tour.ipynb"_s, tour);
    const CliResult result = m_cli.run({u"run"_s, u"tour.ipynb"_s, u"--json"_s, u"--allow-errors"_s, u"--trust"_s});
    QCOMPARE(result.status, 0);
    QStringList languages;
    for (const QJsonObject &line : result.lines()) {
        if (line.value("type"_L1) != "cell"_L1)
            continue;
        languages.append(line.value("language"_L1).toString());
        QCOMPARE(line.value("cell"_L1).toInt(), languages.size());
        QCOMPARE(line.value("of"_L1), result.lastLine().value("cells"_L1));
    }
    QVERIFY(languages.contains(u"python"_s));
    QVERIFY(languages.contains(u"javascript"_s));
    QVERIFY(languages.contains(u"bash"_s));
    QCOMPARE(result.lastLine().value("ran"_L1).toInt(), languages.size());
}

void CliRunTest::run_untrustedTour_isSuccess()
{
    const QString tour = QStringLiteral(SANDFISH_SOURCE_DIR "/resources/tour/tour.ipynb");
    const CliResult result = m_cli.run({u"run"_s, tour, u"-o"_s, u"executed.ipynb"_s});
    QVERIFY2(result.status == 0, result.errors.constData());
    QVERIFY2(result.output.contains("the file of the Bash cell says: hello from"), result.output.constData());
    QVERIFY(m_cli.read(u"executed.ipynb"_s).contains("JSONDecodeError"));
}

void CliRunTest::run_notebookMadeByMistake_isLeftAsItIs_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("words");
    const QByteArray noCells = "has no list of cells";
    QTest::newRow("empty") << u"empty.ipynb"_s << QByteArray() << noCells;
    QTest::newRow("blank") << u"blank.ipynb"_s << QByteArray(" \n") << noCells;
    QTest::newRow("no members") << u"none.ipynb"_s << QByteArray("{}") << noCells;
    QTest::newRow("old format, no cells") << u"old.ipynb"_s << QByteArray("{\"nbformat\": 3}") << noCells;
    QTest::newRow("other JSON") << u"package.json"_s << QByteArray("{\"name\": \"x\"}") << noCells;
    QTest::newRow("code") << u"clean.py"_s << QByteArray("print(1)\n")
                          << QByteArray("“clean.py” is no notebook. `sandfish-cli exec clean.py`");
}

void CliRunTest::run_notebookMadeByMistake_isLeftAsItIs()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, words);
    m_cli.write(name, bytes);
    const CliResult result = m_cli.run({u"run"_s, name});
    QCOMPARE(result.status, 3);
    QVERIFY2(result.errors.contains(words), result.errors.constData());
    QCOMPARE(result.errors.count('\n'), 1);
    QCOMPARE(m_cli.read(name), bytes);
}

void CliRunTest::run_error_stopsAndSaves()
{
    m_cli.writeNotebook(u"a.ipynb"_s, {u"print('one')"_s, u"1/0"_s, u"print('three')"_s});
    const CliResult result = m_cli.run({u"run"_s, u"a.ipynb"_s});
    QCOMPARE(result.status, 1);
    QCOMPARE(result.output, QByteArray("one\n"));
    QVERIFY2(result.errors.contains("ZeroDivisionError: division by zero\n"), result.errors.constData());
    QVERIFY(result.errors.contains(
        "sandfish-cli: Code cell 2 failed with ZeroDivisionError. 1 cell behind it was not run."));
    QVERIFY(m_cli.outputsOf(u"a.ipynb"_s, 1).contains("ZeroDivisionError"));
    QCOMPARE(m_cli.outputsOf(u"a.ipynb"_s, 2), QByteArray("[]"));
}

void CliRunTest::run_allowErrors_goesOn()
{
    m_cli.writeNotebook(u"a.ipynb"_s, {u"1/0"_s, u"print('two')"_s});
    const CliResult result = m_cli.run({u"run"_s, u"a.ipynb"_s, u"--allow-errors"_s});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.output, QByteArray("two\n"));
}

void CliRunTest::run_timeout_isOfEachCell()
{
    m_cli.writeNotebook(u"a.ipynb"_s, {u"1"_s, QString::fromUtf8(hangingCell()), u"3"_s});
    const CliResult result = m_cli.run({u"run"_s, u"a.ipynb"_s, u"--timeout"_s, u"0.5"_s});
    QCOMPARE(result.status, 1);
    QCOMPARE(result.output, QByteArray("1\nready\n"));
    QVERIFY2(result.errors.contains("Code cell 2: "), result.errors.constData());
}

void CliRunTest::run_json_everyLineIsAnObject()
{
    m_cli.writeNotebook(u"a.ipynb"_s, {u"print('one')"_s, u"1/0"_s, u"3"_s});
    const CliResult result = m_cli.run({u"run"_s, u"a.ipynb"_s, u"--json"_s});
    for (const QJsonObject &line : result.lines())
        QVERIFY(!line.value("type"_L1).toString().isEmpty());
    QCOMPARE(result.lines().first().value("type"_L1).toString(), u"cell"_s);
    QCOMPARE(result.lines().first().value("id"_L1).toString(), u"cell0"_s);
    const QJsonObject end = result.lastLine();
    QCOMPARE(end.value("exitStatus"_L1).toInt(), 1);
    QCOMPARE(end.value("cells"_L1).toInt(), 3);
    QCOMPARE(end.value("ran"_L1).toInt(), 2);
    QCOMPARE(end.value("file"_L1).toString(), QDir(m_cli.path({})).canonicalPath() + u"/a.ipynb"_s);
    const QJsonObject failed = end.value("failed"_L1).toArray().first().toObject();
    QCOMPARE(failed.value("cell"_L1).toInt(), 2);
    QCOMPARE(failed.value("name"_L1).toString(), u"ZeroDivisionError"_s);
}

void CliRunTest::run_interruptedOnce_savesWhatCame()
{
    m_cli.writeNotebook(u"a.ipynb"_s, {QString::fromUtf8(hangingCell()), u"print('two')"_s});
    const auto process = m_cli.start({u"run"_s, u"a.ipynb"_s});
    QByteArray output;
    QVERIFY(CliFixture::waitForOutput(*process, "ready\n", output));
    QCOMPARE(::kill(pid_t(process->processId()), SIGINT), 0);
    const CliResult result = CliFixture::waitForEnd(*process, output);
    QCOMPARE(result.status, 130);
    QCOMPARE(result.output, QByteArray("ready\n"));
    QVERIFY2(result.errors.contains("What was received is saved in ") && result.errors.endsWith("/a.ipynb.\n"),
        result.errors.constData());
    QVERIFY(m_cli.outputsOf(u"a.ipynb"_s, 0).contains("ready"));
    QVERIFY(m_cli.outputsOf(u"a.ipynb"_s, 0).contains("KeyboardInterrupt"));
    QCOMPARE(m_cli.outputsOf(u"a.ipynb"_s, 1), QByteArray("[]"));
}

void CliRunTest::run_interruptedTwice_savesWhatCame()
{
    m_cli.writeNotebook(u"a.ipynb"_s,
        {u"import time\nprint('ready')\nwhile True:\n  try: time.sleep(60)\n  except KeyboardInterrupt: print('no')"_s});
    const auto process = m_cli.start({u"run"_s, u"a.ipynb"_s});
    QByteArray output;
    QVERIFY(CliFixture::waitForOutput(*process, "ready\n", output));
    QCOMPARE(::kill(pid_t(process->processId()), SIGINT), 0);
    QVERIFY(CliFixture::waitForOutput(*process, "no\n", output));
    QCOMPARE(::kill(pid_t(process->processId()), SIGINT), 0);
    QCOMPARE(CliFixture::waitForEnd(*process, output).status, 130);
    QVERIFY(m_cli.outputsOf(u"a.ipynb"_s, 0).contains("no"));
}

void CliRunTest::run_terminated_savesWhatCame()
{
    m_cli.writeNotebook(u"a.ipynb"_s, {QString::fromUtf8(hangingCell())});
    const auto process = m_cli.start({u"run"_s, u"a.ipynb"_s});
    QByteArray output;
    QVERIFY(CliFixture::waitForOutput(*process, "ready\n", output));
    process->terminate();
    QCOMPARE(CliFixture::waitForEnd(*process, output).status, 143);
    QVERIFY(m_cli.outputsOf(u"a.ipynb"_s, 0).contains("ready"));
}

void CliRunTest::run_readerLeaves_savesWhatCame()
{
    m_cli.writeNotebook(u"a.ipynb"_s, {u"while True: print('line')"_s});
    const CliResult result = m_cli.runInShell(u"\"$CLI\" run a.ipynb | head -n 1; echo ${PIPESTATUS[0]}"_s);
    QCOMPARE(result.output, QByteArray("line\n141\n"));
    QVERIFY(m_cli.outputsOf(u"a.ipynb"_s, 0).contains("line"));
}

void CliRunTest::run_engineKilled_savesWhatCame()
{
    CliFixture cli;
    cli.writeNotebook(u"a.ipynb"_s, {QString::fromUtf8(hangingCell())});
    const auto process = cli.start({u"run"_s, u"a.ipynb"_s});
    QByteArray output;
    QVERIFY(CliFixture::waitForOutput(*process, "ready\n", output));
    QCOMPARE(::kill(pid_t(cli.enginePid()), SIGKILL), 0);
    const CliResult result = CliFixture::waitForEnd(*process, output);
    QCOMPARE(result.status, 3);
    QCOMPARE(result.errors.count("sandfish-cli: "), 1);
    QVERIFY(cli.outputsOf(u"a.ipynb"_s, 0).contains("ready"));
}

void CliRunTest::run_unusable_isRefusedBeforeAnythingStarts_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("missing") << QStringList{u"none.ipynb"_s} << QByteArray("does not exist");
    QTest::newRow("broken") << QStringList{u"broken.ipynb"_s} << QByteArray("not valid JSON");
    QTest::newRow("no notebook") << QStringList{u"list.ipynb"_s} << QByteArray("cannot be opened");
    QTest::newRow("a folder") << QStringList{u"."_s} << QByteArray("is no file");
    QTest::newRow("no such folder") << QStringList{u"good.ipynb"_s, u"-o"_s, u"none/b.ipynb"_s}
                                    << QByteArray("does not exist");
    QTest::newRow("target a folder") << QStringList{u"good.ipynb"_s, u"-o"_s, u"."_s} << QByteArray("is a folder");
    QTest::newRow("unwritable") << QStringList{u"good.ipynb"_s, u"-o"_s, u"/proc/b.ipynb"_s}
                                << QByteArray("cannot be written");
}

void CliRunTest::run_unusable_isRefusedBeforeAnythingStarts()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, words);
    CliFixture cli;
    cli.writeNotebook(u"good.ipynb"_s, {u"1"_s});
    cli.write(u"broken.ipynb"_s, "{\"cells\": [");
    cli.write(u"list.ipynb"_s, "[]");
    const CliResult result = cli.run(QStringList{u"run"_s} + arguments);
    QCOMPARE(result.status, 3);
    QCOMPARE(result.output, QByteArray());
    QVERIFY2(result.errors.contains(words), result.errors.constData());
    QCOMPARE(result.errors.count('\n'), 1);
    QVERIFY(!cli.hasEngine());
    const CliResult json = cli.run(QStringList{u"run"_s, u"--json"_s} + arguments);
    QVERIFY(!json.lastLine().value("error"_L1).toObject().value("message"_L1).toString().isEmpty());
}

void CliRunTest::run_untrusted_mayReadItsFolderOnly()
{
    m_cli.write(u"data.txt"_s, "from disk");
    m_cli.writeNotebook(u"untrusted.ipynb"_s, {u"print(open('data.txt').read())"_s, u"open('new.txt', 'w')"_s});
    const CliResult result = m_cli.run({u"run"_s, u"untrusted.ipynb"_s});
    QCOMPARE(result.output, QByteArray("from disk\n"));
    QCOMPARE(result.status, 1);
    QVERIFY2(result.errors.contains("--trust lets it"), result.errors.constData());
    QVERIFY(!QFile::exists(m_cli.path(u"new.txt"_s)));
}

void CliRunTest::run_trust_mayWriteAndIsRemembered()
{
    m_cli.writeNotebook(u"trusted.ipynb"_s, {u"open('new.txt', 'a').write('x')"_s});
    QCOMPARE(m_cli.run({u"run"_s, u"trusted.ipynb"_s, u"--trust"_s}).status, 0);
    QCOMPARE(m_cli.run({u"run"_s, u"trusted.ipynb"_s}).status, 0);
    QCOMPARE(m_cli.read(u"new.txt"_s), QByteArray("xx"));
    QCOMPARE(m_cli.run({u"run"_s, u"trusted.ipynb"_s, u"--access"_s, u"none"_s, u"--no-save"_s}).status, 0);
    QCOMPARE(m_cli.read(u"new.txt"_s), QByteArray("xx"));
}

void CliRunTest::run_changedMeanwhile_isSavedBeside()
{
    m_cli.writeNotebook(u"a.ipynb"_s, {u"print(input())"_s});
    const auto process = m_cli.start({u"run"_s, u"a.ipynb"_s, u"--json"_s});
    QByteArray output;
    QVERIFY(CliFixture::waitForOutput(*process, "input_request", output));
    m_cli.writeNotebook(u"a.ipynb"_s, {u"'changed elsewhere'"_s});
    const QByteArray changed = m_cli.read(u"a.ipynb"_s);
    process->write("kept\n");
    const CliResult result = CliFixture::waitForEnd(*process, output);
    QCOMPARE(result.status, 0);
    QCOMPARE(m_cli.read(u"a.ipynb"_s), changed);
    QVERIFY(m_cli.outputsOf(u"a-executed.ipynb"_s, 0).contains("kept"));
    QVERIFY(result.lastLine().value("file"_L1).toString().endsWith("/a-executed.ipynb"_L1));
}

void CliRunTest::run_sandbox_keepsVariables()
{
    QCOMPARE(m_cli.run({u"sandbox"_s, u"create"_s, u"--name"_s, u"shared"_s}).status, 0);
    m_cli.writeNotebook(u"a.ipynb"_s, {u"shared = 21"_s});
    QCOMPARE(m_cli.run({u"run"_s, u"a.ipynb"_s, u"--sandbox"_s, u"shared"_s}).status, 0);
    QCOMPARE(m_cli.run({u"exec"_s, u"--sandbox"_s, u"shared"_s, u"-e"_s, u"shared * 2"_s}).output, QByteArray("42\n"));
    QCOMPARE(m_cli.run({u"sandbox"_s, u"kill"_s, u"shared"_s}).status, 0);
}

void CliRunTest::run_notebookWithoutCode_isNoError()
{
    m_cli.writeNotebook(u"empty.ipynb"_s, {});
    const CliResult result = m_cli.run({u"run"_s, u"empty.ipynb"_s});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.errors, QByteArray());
}

QTEST_GUILESS_MAIN(CliRunTest)
#include "tst_cli_run.moc"
