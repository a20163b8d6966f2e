#include "tests/support/clifixture.h"
#include "tests/support/enginefixture.h"

#include <QFile>
#include <QTest>

#include <csignal>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The built sandfish-cli with the real sandfishd: exit statuses, what goes to which stream, what is saved.
class CliTest : public QObject
{
    Q_OBJECT
private slots:
    void usage_wrong_exitsWith2AndSaysWhere_data();
    void usage_wrong_exitsWith2AndSaysWhere();
    void usage_wordMissing_exitsWith2AndShowsHelp();
    void help_everyCommand_hasUsageAndExamples_data();
    void help_everyCommand_hasUsageAndExamples();
    void version_isPrinted();
    void exec_code_printsAndExits_data();
    void exec_code_printsAndExits();
    void exec_errorOnTerminal_isColoured();
    void exec_codeFromStandardInput_runs();
    void exec_endlessCode_isRefused();
    void exec_file_languageIsThatOfItsName();
    void exec_fileWithoutSuffix_languageIsThatOfItsShebang_data();
    void exec_fileWithoutSuffix_languageIsThatOfItsShebang();
    void exec_inputAskedFor_isReadFromStandardInput();
    void exec_timeout_exitsWith1();
    void exec_streams_comeBeforeTheEnd();
    void exec_json_everyLineIsAnObject();
    void exec_readerLeaves_endsQuietly();
    void exec_outputToFullDisk_saysSo();
    void exec_interruptedOnce_keepsOutput();
    void exec_interruptedTwice_leaves();
    void exec_folder_isTheWorkingFolder();
    void exec_unreachableService_saysSo();
    void exec_engineByUrl_isUsed();
    void exec_wrongKey_saysSo();
    void exec_engineKilled_saysSo();
    void exec_stateFolderUnwritable_saysSo();

private:
    CliFixture m_cli;
};

void CliTest::usage_wrong_exitsWith2AndSaysWhere_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("help");
    const QByteArray all = "`sandfish-cli --help`";
    QTest::newRow("no command") << QStringList{u"frob"_s} << all;
    QTest::newRow("no such in group") << QStringList{u"sandbox"_s, u"frob"_s} << QByteArray("sandbox --help");
    QTest::newRow("option") << QStringList{u"run"_s, u"--frob"_s, u"x.ipynb"_s}
                            << QByteArray("There is no option “--frob”. `sandfish-cli run --help`");
    QTest::newRow("short option") << QStringList{u"run"_s, u"-x"_s, u"x.ipynb"_s}
                                  << QByteArray("There is no option “-x”. `");
    QTest::newRow("option with value") << QStringList{u"run"_s, u"--f=1"_s, u"x.ipynb"_s}
                                       << QByteArray("There is no option “--f”. `");
    QTest::newRow("option without command") << QStringList{u"--frob"_s} << QByteArray("There is no option “--frob”. `");
    QTest::newRow("language of a name") << QStringList{u"exec"_s, u"x.rb"_s}
                                        << QByteArray("The language of “x.rb” is not known here");
    QTest::newRow("no sandbox name") << QStringList{u"sandbox"_s, u"create"_s, u"--name"_s, QString()}
                                     << QByteArray("--name wants a name");
    QTest::newRow("no value") << QStringList{u"run"_s, u"x.ipynb"_s, u"-o"_s}
                              << QByteArray("“-o”. `sandfish-cli run --help`");
    QTest::newRow("no file") << QStringList{u"run"_s} << QByteArray("FILE.ipynb is missing");
    QTest::newRow("two files") << QStringList{u"run"_s, u"a.ipynb"_s, u"b.ipynb"_s} << QByteArray("run --help");
    QTest::newRow("two targets") << QStringList{u"run"_s, u"a.ipynb"_s, u"-o"_s, u"b"_s, u"--no-save"_s}
                                 << QByteArray("--no-save");
    QTest::newRow("language") << QStringList{u"exec"_s, u"-l"_s, u"cobol"_s, u"-e"_s, u"1"_s} << QByteArray("cobol");
    QTest::newRow("code twice") << QStringList{u"exec"_s, u"-e"_s, u"1"_s, u"x.py"_s} << QByteArray("not both");
    QTest::newRow("timeout") << QStringList{u"exec"_s, u"-e"_s, u"1"_s, u"--timeout"_s, u"soon"_s}
                             << QByteArray("soon");
    QTest::newRow("url") << QStringList{u"exec"_s, u"-e"_s, u"1"_s, u"--url"_s, u"x"_s, u"--api-key"_s, u"k"_s}
                         << QByteArray("--url");
    QTest::newRow("no key") << QStringList{u"sandbox"_s, u"list"_s, u"--url"_s, u"http://127.0.0.1:1"_s}
                            << QByteArray("LIZARD_API_KEY");
    QTest::newRow("service") << QStringList{u"sandbox"_s, u"list"_s, u"--service"_s, u"frob"_s} << QByteArray("frob");
    QTest::newRow("no id") << QStringList{u"sandbox"_s, u"kill"_s} << QByteArray("is missing");
}

void CliTest::usage_wrong_exitsWith2AndSaysWhere()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, help);
    const CliResult result = m_cli.run(arguments);
    QCOMPARE(result.status, 2);
    QCOMPARE(result.output, QByteArray());
    QVERIFY2(result.errors.startsWith("sandfish-cli: ") && result.errors.contains(help), result.errors.constData());
    QCOMPARE(result.errors.count('\n'), 1);
}

void CliTest::usage_wordMissing_exitsWith2AndShowsHelp()
{
    const CliResult nothing = m_cli.run({});
    QCOMPARE(nothing.status, 2);
    QCOMPARE(nothing.output, QByteArray());
    QCOMPARE(nothing.errors, "sandfish-cli: A command is missing.\n\n" + m_cli.run({u"--help"_s}).output);
    const CliResult group = m_cli.run({u"sandbox"_s});
    QCOMPARE(group.status, 2);
    QCOMPARE(group.output, QByteArray());
    QCOMPARE(group.errors,
        "sandfish-cli: `sandbox` needs one of its commands.\n\n" + m_cli.run({u"sandbox"_s, u"--help"_s}).output);
}

void CliTest::help_everyCommand_hasUsageAndExamples_data()
{
    QTest::addColumn<QStringList>("command");
    for (const QString &name : {u"run"_s, u"exec"_s, u"sandbox list"_s, u"sandbox create"_s, u"sandbox pause"_s,
             u"sandbox resume"_s, u"sandbox kill"_s, u"engine status"_s, u"engine start"_s, u"engine stop"_s})
        QTest::newRow(name.toLatin1().constData()) << name.split(u' ');
}

void CliTest::help_everyCommand_hasUsageAndExamples()
{
    QFETCH(QStringList, command);
    const CliResult result = m_cli.run(command + QStringList{u"--help"_s});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.errors, QByteArray());
    const QByteArray name = command.join(u' ').toUtf8();
    QVERIFY(result.output.contains(QByteArray("Usage: sandfish-cli " + name)));
    QVERIFY(result.output.contains("--json"));
    QVERIFY(result.output.contains("Examples:\n"));
    QCOMPARE(m_cli.run(QStringList{u"help"_s} + command).output, result.output);
    QVERIFY(m_cli.run({u"--help"_s}).output.contains(QByteArray("\n  " + name)));
}

void CliTest::version_isPrinted()
{
    const CliResult result = m_cli.run({u"--version"_s});
    QCOMPARE(result.status, 0);
    QVERIFY(result.output.startsWith("sandfish-cli 0."));
}

void CliTest::exec_code_printsAndExits_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QByteArray>("errors");
    const QByteArray none;
    QTest::newRow("print") << u"python"_s << u"print(6 * 7)"_s << 0 << QByteArray("42\n") << none;
    QTest::newRow("value") << u"python"_s << u"{'a': 1}"_s << 0 << QByteArray("{'a': 1}\n") << none;
    QTest::newRow("no newline") << u"py"_s << u"print('x', end='')"_s << 0 << QByteArray("x") << none;
    QTest::newRow("value after text") << u"python"_s << u"print('x', end='')\n3"_s << 0 << QByteArray("x\n3\n") << none;
    QTest::newRow("streams") << u"python"_s << u"import sys\nprint(1)\nprint(2, file=sys.stderr)"_s << 0
                             << QByteArray("1\n") << QByteArray("2\n");
    QTest::newRow("escapes are kept") << u"python"_s << u"print('\\x1b[31mred\\x1b[0m')"_s << 0
                                      << QByteArray("\x1b[31mred\x1b[0m\n") << none;
    QTest::newRow("error") << u"python"_s << u"1/0"_s << 1 << none
                           << QByteArray("ZeroDivisionError: division by zero\n");
    QTest::newRow("javascript") << u"js"_s << u"console.log([1, 2].map(x => x * 2))"_s << 0 << QByteArray("[ 2, 4 ]\n")
                                << none;
    QTest::newRow("bash") << u"bash"_s << u"echo $((6 * 7)); exit 3"_s << 1 << QByteArray("42\n")
                          << QByteArray("code 3");
    QTest::newRow("nothing to run") << u"python"_s << u"  "_s << 0 << none << none;
    QTest::newRow("html")
        << u"python"_s
        << u"class H:\n  def _repr_html_(self): return '<b>x</b>'\n  def __repr__(self): return 'plain'\nH()"_s << 0
        << QByteArray("plain\n") << none;
}

void CliTest::exec_code_printsAndExits()
{
    QFETCH(QString, language);
    QFETCH(QString, code);
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    QFETCH(QByteArray, errors);
    const CliResult result = m_cli.run({u"exec"_s, u"-l"_s, language, u"-e"_s, code});
    QCOMPARE(result.output, output);
    QVERIFY2(errors.isEmpty() ? result.errors.isEmpty() : result.errors.contains(errors), result.errors.constData());
    QVERIFY(!result.errors.contains('\x1b'));
    QCOMPARE(result.status, status);
}

void CliTest::exec_errorOnTerminal_isColoured()
{
    const CliResult result = m_cli.runOnTerminal({u"exec"_s, u"-e"_s, u"print('x', end='')\n1/0"_s});
    QVERIFY2(result.output.startsWith("x\r\nTraceback"), result.output.constData());
    QVERIFY2(
        result.output.contains("\x1b[1;31mZeroDivisionError: division by zero\x1b[0m\r\n"), result.output.constData());
    m_cli.setEnvironment(u"NO_COLOR"_s, u"1"_s);
    QVERIFY(!m_cli.runOnTerminal({u"exec"_s, u"-e"_s, u"1/0"_s}).output.contains('\x1b'));
    m_cli.setEnvironment(u"NO_COLOR"_s, {});
}

void CliTest::exec_codeFromStandardInput_runs()
{
    const CliResult result = m_cli.run({u"exec"_s, u"-l"_s, u"bash"_s}, "echo a\necho b\n");
    QCOMPARE(result.output, QByteArray("a\nb\n"));
    QCOMPARE(result.status, 0);
}

void CliTest::exec_endlessCode_isRefused()
{
    for (const QString &source : {u"/dev/zero"_s, u"< /dev/zero"_s}) {
        const CliResult result = m_cli.runInShell(u"\"$CLI\" exec "_s + source);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.errors.contains("more than 32 MiB"), result.errors.constData());
    }
}

void CliTest::exec_file_languageIsThatOfItsName()
{
    m_cli.write(u"hello.mjs"_s, "console.log(typeof process)\n");
    QCOMPARE(m_cli.run({u"exec"_s, u"hello.mjs"_s}).output, QByteArray("object\n"));
}

void CliTest::exec_fileWithoutSuffix_languageIsThatOfItsShebang_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("output");
    QTest::newRow("none") << QByteArray("print(6 * 7)") << 0 << QByteArray("42\n");
    QTest::newRow("bash") << QByteArray("#!/bin/bash -e\necho $((6 * 7))") << 0 << QByteArray("42\n");
    QTest::newRow("env") << QByteArray("#!/usr/bin/env -S node\nconsole.log(typeof process)") << 0
                         << QByteArray("object\n");
    QTest::newRow("version") << QByteArray("#! /usr/bin/python3.11\nprint(6 * 7)") << 0 << QByteArray("42\n");
    QTest::newRow("another") << QByteArray("#!/usr/bin/ruby\nputs 1") << 2 << QByteArray();
}

void CliTest::exec_fileWithoutSuffix_languageIsThatOfItsShebang()
{
    QFETCH(QByteArray, text);
    m_cli.write(u"script"_s, text);
    const CliResult result = m_cli.run({u"exec"_s, u"script"_s});
    QTEST(result.output, "output");
    QTEST(result.status, "status");
}

void CliTest::exec_inputAskedFor_isReadFromStandardInput()
{
    const CliResult result =
        m_cli.run({u"exec"_s, u"-e"_s, u"a = input('a? ')\nb = input()\nprint(a + b)"_s}, "one\ntwo\n");
    QCOMPARE(result.output, QByteArray("a? onetwo\n"));
    const CliResult ended = m_cli.run({u"exec"_s, u"-e"_s, u"input()"_s});
    QCOMPARE(ended.status, 1);
    QVERIFY2(ended.errors.contains("EOFError"), ended.errors.constData());
}

void CliTest::exec_timeout_exitsWith1()
{
    const CliResult result =
        m_cli.run({u"exec"_s, u"--timeout"_s, u"0.3"_s, u"-e"_s, u"import time\nprint('kept')\ntime.sleep(60)"_s});
    QCOMPARE(result.status, 1);
    QCOMPARE(result.output, QByteArray("kept\n"));
    QVERIFY2(result.errors.contains("TimeoutError"), result.errors.constData());
}

void CliTest::exec_streams_comeBeforeTheEnd()
{
    const auto process = m_cli.start({u"exec"_s, u"-e"_s, u"print('first')\nprint(input())"_s});
    QByteArray output;
    QVERIFY(CliFixture::waitForOutput(*process, "first\n", output));
    QCOMPARE(process->state(), QProcess::Running);
    process->write("second\n");
    QCOMPARE(CliFixture::waitForEnd(*process, output).output, QByteArray("first\nsecond\n"));
}

void CliTest::exec_json_everyLineIsAnObject()
{
    const CliResult result = m_cli.run({u"exec"_s, u"--json"_s, u"-e"_s, u"print('a\\n' * 3)\n1/0"_s});
    QStringList types;
    QString text;
    for (const QJsonObject &line : result.lines()) {
        types.append(line.value("type"_L1).toString());
        text += types.last() == "stdout"_L1 ? line.value("data"_L1).toString() : QString();
    }
    types.removeDuplicates(); // text comes in one piece or in several
    QCOMPARE(types, (QStringList{u"cell"_s, u"started"_s, u"stdout"_s, u"error"_s, u"done"_s, u"end"_s}));
    QCOMPARE(text, u"a\na\na\n\n"_s);
    QCOMPARE(result.lastLine().value("exitStatus"_L1).toInt(), 1);
    QCOMPARE(result.lastLine().value("status"_L1).toString(), u"error"_s);
    QCOMPARE(result.status, 1);
    QCOMPARE(result.errors, QByteArray());
}

void CliTest::exec_readerLeaves_endsQuietly()
{
    const CliResult result =
        m_cli.runInShell(u"\"$CLI\" exec -e \"while True: print('line')\" | head -n 1; echo ${PIPESTATUS[0]}"_s);
    QCOMPARE(result.output, QByteArray("line\n141\n"));
    QCOMPARE(result.errors, QByteArray());
}

void CliTest::exec_outputToFullDisk_saysSo()
{
    if (!QFile::exists(u"/dev/full"_s))
        QSKIP("there is no /dev/full here");
    const CliResult result = m_cli.runInShell(u"\"$CLI\" exec -e 'print(1)' > /dev/full"_s);
    QCOMPARE(result.status, 3);
    QVERIFY2(result.errors.contains("No space left"), result.errors.constData());
    QCOMPARE(result.errors.count('\n'), 1);
}

void CliTest::exec_interruptedOnce_keepsOutput()
{
    const auto process = m_cli.start(
        {u"exec"_s, u"-e"_s, u"import time\nprint('ready')\ntry: time.sleep(60)\nfinally: print('cleaned up')"_s});
    QByteArray output;
    QVERIFY(CliFixture::waitForOutput(*process, "ready\n", output));
    QCOMPARE(::kill(pid_t(process->processId()), SIGINT), 0);
    const CliResult result = CliFixture::waitForEnd(*process, output);
    QCOMPARE(result.status, 130);
    QCOMPARE(result.output, QByteArray("ready\ncleaned up\n"));
}

void CliTest::exec_interruptedTwice_leaves()
{
    const auto process = m_cli.start({u"exec"_s, u"-e"_s,
        u"import time\nprint('ready')\nwhile True:\n  try: time.sleep(60)\n  except KeyboardInterrupt: print('no')"_s});
    QByteArray output;
    QVERIFY(CliFixture::waitForOutput(*process, "ready\n", output));
    QCOMPARE(::kill(pid_t(process->processId()), SIGINT), 0);
    QVERIFY(CliFixture::waitForOutput(*process, "no\n", output));
    QCOMPARE(::kill(pid_t(process->processId()), SIGINT), 0);
    QCOMPARE(CliFixture::waitForEnd(*process, output).status, 130);
    QCOMPARE(m_cli.run({u"sandbox"_s, u"list"_s, u"--json"_s}).output, QByteArray("{\"sandboxes\":[]}\n"));
}

void CliTest::exec_folder_isTheWorkingFolder()
{
    m_cli.write(u"seen.txt"_s, "seen");
    const CliResult result = m_cli.run(
        {u"exec"_s, u"--folder"_s, u"."_s, u"-l"_s, u"bash"_s, u"-e"_s, u"cat seen.txt; echo new > made.txt"_s});
    QCOMPARE(result.output, QByteArray("seen"));
    QCOMPARE(m_cli.read(u"made.txt"_s), QByteArray("new\n"));
    QCOMPARE(m_cli.run({u"exec"_s, u"-e"_s, u"1"_s, u"--folder"_s, u"nowhere"_s}).status, 3);
}

void CliTest::exec_unreachableService_saysSo()
{
    const CliResult result = m_cli.run({u"exec"_s, u"--json"_s, u"-e"_s, u"1"_s, u"--url"_s, u"http://127.0.0.1:1"_s,
        u"--api-key"_s, u"secret-key"_s});
    QCOMPARE(result.status, 3);
    QVERIFY2(result.errors.contains("Cannot reach 127.0.0.1:1"), result.errors.constData());
    QCOMPARE(result.errors.count('\n'), 1);
    QVERIFY(!result.errors.contains("secret-key"));
    const QJsonObject error = result.lastLine().value("error"_L1).toObject();
    QCOMPARE(error.value("kind"_L1).toString(), u"unreachable"_s);
}

void CliTest::exec_engineByUrl_isUsed()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const QString url = engine.readyLine().value("url"_L1).toString();
    m_cli.setEnvironment(u"LIZARD_API_KEY"_s, engine.readyLine().value("apiKey"_L1).toString());
    const CliResult result = m_cli.run({u"exec"_s, u"--url"_s, url, u"--keep"_s, u"-e"_s, u"6 * 7"_s});
    QCOMPARE(result.output, QByteArray("42\n"));
    QCOMPARE(engine.get(u"/api/sandboxes"_s).array().size(), 1);
}

void CliTest::exec_wrongKey_saysSo()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const CliResult result = m_cli.run({u"exec"_s, u"--url"_s, engine.readyLine().value("url"_L1).toString(),
        u"--api-key"_s, u"wrong"_s, u"-e"_s, u"1"_s});
    QCOMPARE(result.status, 3);
    QVERIFY2(result.errors.contains("key"), result.errors.constData());
}

void CliTest::exec_engineKilled_saysSo()
{
    CliFixture cli;
    const auto process = cli.start({u"exec"_s, u"-e"_s, u"import time\nprint('ready')\ntime.sleep(60)"_s});
    QByteArray output;
    QVERIFY(CliFixture::waitForOutput(*process, "ready\n", output));
    QCOMPARE(::kill(pid_t(cli.enginePid()), SIGKILL), 0);
    const CliResult result = CliFixture::waitForEnd(*process, output);
    QCOMPARE(result.status, 3);
    QCOMPARE(result.output, QByteArray("ready\n"));
    QCOMPARE(result.errors.count('\n'), 1);
}

void CliTest::exec_stateFolderUnwritable_saysSo()
{
    CliFixture cli;
    cli.setEnvironment(u"XDG_STATE_HOME"_s, u"/proc/none"_s);
    const CliResult result = cli.run({u"exec"_s, u"-e"_s, u"1"_s});
    QCOMPARE(result.status, 3);
    QVERIFY2(result.errors.contains("/proc/none/sandfish/engine"), result.errors.constData());
    QCOMPARE(result.errors.count('\n'), 1);
}

QTEST_GUILESS_MAIN(CliTest)
#include "tst_cli.moc"
