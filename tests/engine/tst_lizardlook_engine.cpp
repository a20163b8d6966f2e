#include "core/providers/lizard/lizardprovider.h"
#include "tests/support/awaited.h"
#include "tests/support/enginefixture.h"

#include <QElapsedTimer>
#include <QTest>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

/// Looking inside real interpreters through the adapter and the real sandfishd.
class LizardLookEngineTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void variables_eachLanguage_areListed_data();
    void variables_eachLanguage_areListed();
    void variables_slowRepr_isLeftOutInTime();
    void variables_cellRuns_isConflict();
    void value_pages_areTheRowsAskedFor();
    void complete_eachLanguage_knowsTheVariable_data();
    void complete_eachLanguage_knowsTheVariable();
    void complete_behindEmoji_countsCodePoints();
    void inspect_function_hasSignatureAndDoc();

private:
    std::shared_ptr<Context> open(const std::string &language = "python");
    Result<VariableList> variables(Context &context);
    bool run(Context &context, const std::string &code);

    std::unique_ptr<EngineFixture> m_engine;
    std::unique_ptr<LizardProvider> m_provider;
    SandboxId m_sandbox;
};

void LizardLookEngineTest::initTestCase()
{
    m_engine = std::make_unique<EngineFixture>();
    QVERIFY(m_engine->start());
    m_provider = std::make_unique<LizardProvider>(LizardProvider::Config{u"lizard"_s, u"Lizard"_s}, m_engine->url({}),
        m_engine->readyLine().value("apiKey"_L1).toString().toUtf8(), u"tests"_s);
    const auto sandbox = awaited<SandboxInfo>(
        [&](QObject *receiver, auto done) { m_provider->create({}, receiver, std::move(done)); }, 60000);
    QVERIFY2(sandbox, sandbox ? "" : sandbox.error().message.c_str());
    m_sandbox = sandbox->id;
}

void LizardLookEngineTest::cleanupTestCase()
{
    m_provider.reset();
    m_engine.reset();
}

std::shared_ptr<Context> LizardLookEngineTest::open(const std::string &language)
{
    const auto context = awaited<std::shared_ptr<Context>>(
        [&](QObject *receiver, auto done) {
            m_provider->openContext(m_sandbox, {language, {}}, receiver, std::move(done));
        },
        60000);
    return context ? *context : nullptr;
}

bool LizardLookEngineTest::run(Context &context, const std::string &code)
{
    const Recorder recorder(context.execute({code}));
    return recorder.waitForEnd(60000) && recorder.summary.outcome == Outcome::Ok;
}

Result<VariableList> LizardLookEngineTest::variables(Context &context)
{
    return awaited<VariableList>(
        [&](QObject *receiver, auto done) { context.variables({}, receiver, std::move(done)); });
}

void LizardLookEngineTest::variables_eachLanguage_areListed_data()
{
    QTest::addColumn<QByteArray>("language");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("python") << QByteArray("python") << QByteArray("listed = [1, 2]") << QByteArray("list")
                            << QByteArray("[1, 2]");
    QTest::newRow("javascript") << QByteArray("javascript") << QByteArray("let listed = [1, 2]") << QByteArray("Array")
                                << QByteArray("[ 1, 2 ]");
    QTest::newRow("bash") << QByteArray("bash") << QByteArray("listed='a b'") << QByteArray("string")
                          << QByteArray("a b");
}

void LizardLookEngineTest::variables_eachLanguage_areListed()
{
    QFETCH(QByteArray, language);
    QFETCH(QByteArray, code);
    const auto context = open(language.toStdString());
    QVERIFY(context);
    QVERIFY(run(*context, code.toStdString()));
    const auto list = variables(*context);
    QVERIFY2(list, list ? "" : list.error().message.c_str());
    QCOMPARE(list->total, 1);
    QCOMPARE(list->variables[0].name, std::string("listed"));
    QTEST(QByteArray::fromStdString(list->variables[0].type), "type");
    QTEST(QByteArray::fromStdString(list->variables[0].value.value_or("none")), "value");
}

// Case P40 of notebooks.md.
void LizardLookEngineTest::variables_slowRepr_isLeftOutInTime()
{
    const auto context = open();
    QVERIFY(context);
    QVERIFY(run(*context,
        "d = {i: list(range(100)) for i in range(40_000)}\nclass Evil:\n    def __repr__(self):\n"
        "        import time; time.sleep(60)\ne = Evil()\nlast = 1"));
    QElapsedTimer timer;
    timer.start();
    const auto list = variables(*context);
    QVERIFY2(list, list ? "" : list.error().message.c_str());
    QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
    std::map<std::string, VariableInfo> byName;
    for (const VariableInfo &info : list->variables)
        byName[info.name] = info;
    QVERIFY((byName["d"].shape == std::vector<std::int64_t>{40'000}));
    QCOMPARE(byName["e"].type, std::string("Evil"));
    QVERIFY(!byName["e"].value);
    QCOMPARE(byName["last"].value.value_or("none"), std::string("1"));
    QVERIFY(run(*context, "1 + 1"));
}

void LizardLookEngineTest::variables_cellRuns_isConflict()
{
    const auto context = open();
    QVERIFY(context);
    QVERIFY(run(*context, "x = 1"));
    const Recorder recorder(context->execute({"input()"}));
    QTRY_VERIFY_WITH_TIMEOUT(!recorder.all<InputRequest>().empty(), 60000);
    const auto list = variables(*context);
    QVERIFY(!list);
    QCOMPARE(list.error().kind, Error::Kind::Conflict);
    QVERIFY(
        awaited<std::monostate>([&](QObject *receiver, auto done) { context->interrupt(receiver, std::move(done)); }));
    QVERIFY(recorder.waitForEnd(60000));
    QVERIFY(variables(*context));
}

void LizardLookEngineTest::value_pages_areTheRowsAskedFor()
{
    const auto context = open();
    QVERIFY(context);
    QVERIFY(run(*context, "seq = list(range(1000))"));
    const auto page = awaited<ValuePage>([&](QObject *receiver, auto done) {
        context->value({"seq", 900, 3}, receiver, std::move(done));
    });
    QVERIFY2(page, page ? "" : page.error().message.c_str());
    QCOMPARE(page->kind, ValuePage::Kind::List);
    QCOMPARE(page->total, 1000);
    QVERIFY((page->rows
        == std::vector<std::vector<std::string>>{{"900", "int", "900"}, {"901", "int", "901"}, {"902", "int", "902"}}));
}

void LizardLookEngineTest::complete_eachLanguage_knowsTheVariable_data()
{
    QTest::addColumn<QByteArray>("language");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("typed");
    QTest::addColumn<int>("start");
    QTest::newRow("python") << QByteArray("python") << QByteArray("depth_first = 1") << QByteArray("x = depth_f") << 4;
    QTest::newRow("javascript") << QByteArray("javascript") << QByteArray("let depth_first = 1")
                                << QByteArray("x = depth_f") << 4;
    QTest::newRow("bash") << QByteArray("bash") << QByteArray("depth_first=1") << QByteArray("echo $depth_f") << 6;
}

void LizardLookEngineTest::complete_eachLanguage_knowsTheVariable()
{
    QFETCH(QByteArray, language);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, typed);
    QFETCH(int, start);
    const auto context = open(language.toStdString());
    QVERIFY(context);
    QVERIFY(run(*context, code.toStdString()));
    const auto list = awaited<CompletionList>([&](QObject *receiver, auto done) {
        context->complete({typed.toStdString(), typed.size()}, receiver, std::move(done));
    });
    QVERIFY2(list, list ? "" : list.error().message.c_str());
    QCOMPARE(list->matches.size(), std::size_t(1));
    QCOMPARE(list->matches[0].text, std::string("depth_first"));
    QCOMPARE(list->start, start);
    QCOMPARE(list->end, typed.size());
}

void LizardLookEngineTest::complete_behindEmoji_countsCodePoints()
{
    const auto context = open();
    QVERIFY(context);
    QVERIFY(run(*context, "value_one = 1"));
    const auto list = awaited<CompletionList>([&](QObject *receiver, auto done) {
        context->complete({"'😀'; value_o", 12}, receiver, std::move(done));
    });
    QVERIFY2(list, list ? "" : list.error().message.c_str());
    QCOMPARE(list->start, 5);
    QCOMPARE(list->end, 12);
    QCOMPARE(list->matches.at(0).text, std::string("value_one"));
}

void LizardLookEngineTest::inspect_function_hasSignatureAndDoc()
{
    const auto context = open();
    QVERIFY(context);
    QVERIFY(run(*context, "def call(first, second=2):\n    'Does it.'"));
    const auto found = awaited<Inspection>([&](QObject *receiver, auto done) {
        context->inspect({"call(1, ", 8}, receiver, std::move(done));
    });
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QVERIFY(found->isFound);
    QCOMPARE(found->signature, std::string("call(first, second=2)"));
    QCOMPARE(found->doc, std::string("Does it."));
}

QTEST_GUILESS_MAIN(LizardLookEngineTest)
#include "tst_lizardlook_engine.moc"
