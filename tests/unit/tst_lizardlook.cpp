#include "core/providers/lizard/lizardlook.h"

#include "core/providers/lizard/lizardprovider.h"
#include "tests/support/awaited.h"
#include "tests/support/fakelizard.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::test;
using Mode = FakeHttpServer::Mode;
using Reply = FakeHttpServer::Reply;

/// Looking inside a context through the adapter. Expected values: resources/runners/README.md §3 and §6.
class LizardLookTest : public QObject
{
    Q_OBJECT
private slots:
    void looks_seed_areNone();
    void looks_engine_areAll();
    void looks_bash_haveNoInspection();
    void looks_engineWithoutQueries_areNone();
    void variables_answer_isUnderstood();
    void variables_oddEntries_areLeftOut();
    void variables_otherShape_isProtocolError();
    void variables_cellRuns_isConflict();
    void variables_connectionCut_isAnError();
    void variables_seed_isUnsupportedAndSendsNothing();
    void value_everyKind_isUnderstood();
    void value_unknownKind_isProtocolError();
    void value_query_asksForThePage();
    void complete_answer_isUnderstood();
    void complete_positions_areCodePoints();
    void inspect_answer_isUnderstood();
    void inspect_nothingThere_isNotFound();

private:
    std::shared_ptr<Context> contextOf(FakeLizard &server, const std::string &language = "python");
    std::unique_ptr<LizardProvider> m_provider;
};

namespace {

Json json(const char *text)
{
    return *parseJson(text);
}

Result<VariableList> variables(Context &context)
{
    return awaited<VariableList>(
        [&](QObject *receiver, auto done) { context.variables({}, receiver, std::move(done)); });
}

} // namespace

std::shared_ptr<Context> LizardLookTest::contextOf(FakeLizard &server, const std::string &language)
{
    m_provider = std::make_unique<LizardProvider>(
        LizardProvider::Config{u"lizard"_s, u"Lizard"_s}, server.url(), "key", u"project"_s);
    if (language != "python")
        server.route("POST", "/cap-1/contexts",
            Reply::json(R"({"id":"c1","language":")" + QByteArray::fromStdString(language) + R"(","cwd":"/"})"));
    const auto context = awaited<std::shared_ptr<Context>>([&](QObject *receiver, auto done) {
        m_provider->openContext({"s1"}, {language, {}}, receiver, std::move(done));
    });
    return context ? *context : nullptr;
}

void LizardLookTest::looks_seed_areNone()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    const auto context = contextOf(server);
    QVERIFY(context);
    QCOMPARE(context->looks(), Context::Looks());
    QVERIFY(!m_provider->capabilities().testFlag(Provider::Capability::Complete));
}

void LizardLookTest::looks_engine_areAll()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    const auto context = contextOf(server);
    QVERIFY(context);
    using Look = Context::Look;
    QCOMPARE(context->looks(), Look::Variables | Look::Value | Look::Complete | Look::Inspect);
    QVERIFY(m_provider->capabilities().testFlag(Provider::Capability::Complete));
}

void LizardLookTest::looks_bash_haveNoInspection()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    const auto context = contextOf(server, "bash");
    QVERIFY(context);
    using Look = Context::Look;
    QCOMPARE(context->looks(), Look::Variables | Look::Value | Look::Complete);
    const auto answer = awaited<Inspection>([&](QObject *receiver, auto done) {
        context->inspect({"ls", 2}, receiver, std::move(done));
    });
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Unsupported);
}

void LizardLookTest::looks_engineWithoutQueries_areNone()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    server.route("GET", "/v1/engine", Reply::json(R"({"version":"0","isolation":"full","features":["interrupt"]})"));
    const auto context = contextOf(server);
    QVERIFY(context);
    QCOMPARE(context->looks(), Context::Looks());
}

void LizardLookTest::variables_answer_isUnderstood()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    server.route("POST", "/cap-1/contexts/c1/vars",
        Reply::json(R"({"vars":[{"name":"a","type":"int","size":28,"value":"5","shape":null},)"
                    R"({"name":"d","type":"pandas.DataFrame","size":160,"value":null,"shape":[4,2]}],)"
                    R"("total":9,"truncated":true})"));
    const auto context = contextOf(server);
    QVERIFY(context);
    const auto list = variables(*context);
    QVERIFY(list);
    QCOMPARE(list->total, 9);
    QCOMPARE(list->variables.size(), std::size_t(2));
    QVERIFY((list->variables[0] == VariableInfo{"a", "int", 28, "5", std::nullopt}));
    QVERIFY((list->variables[1]
        == VariableInfo{"d", "pandas.DataFrame", 160, std::nullopt, std::vector<std::int64_t>{4, 2}}));
    const Json body = *parseJson(server.requests().last().body.toStdString());
    QCOMPARE(integerOr(body, "budget_ms", 0), VariablesQuery().budgetMs);
}

void LizardLookTest::variables_oddEntries_areLeftOut()
{
    const auto list = Lizard::parseVariables(json(
        R"({"vars":[5,{"type":"int"},{"name":"a","type":7,"size":-1,"value":3,"shape":["x",2]}],"total":"many"})"));
    QVERIFY(list);
    QCOMPARE(list->total, 1);
    QCOMPARE(list->variables.size(), std::size_t(1));
    QVERIFY((list->variables[0] == VariableInfo{"a", "", std::nullopt, std::nullopt, std::vector<std::int64_t>{2}}));
}

void LizardLookTest::variables_otherShape_isProtocolError()
{
    for (const char *text : {"[]", "{}", R"({"vars":{}})", "null"}) {
        const auto list = Lizard::parseVariables(json(text));
        QVERIFY(!list);
        QCOMPARE(list.error().kind, Error::Kind::Protocol);
    }
}

void LizardLookTest::variables_cellRuns_isConflict()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    server.route("POST", "/cap-1/contexts/c1/vars", Reply::json(R"({"detail":"The context is busy."})", 409));
    const auto context = contextOf(server);
    QVERIFY(context);
    const auto list = variables(*context);
    QVERIFY(!list);
    QCOMPARE(list.error().kind, Error::Kind::Conflict);
    QCOMPARE(server.requestCount("POST", "/cap-1/contexts/c1/vars"), 1); // it is not asked again by itself
}

void LizardLookTest::variables_connectionCut_isAnError()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    server.route("POST", "/cap-1/contexts/c1/vars", Reply::json(R"({"vars":[],"total":0,"truncated":false})"));
    const auto context = contextOf(server);
    QVERIFY(context);
    server.setMode(Mode::CutMidRecord, "/cap-1/contexts/c1/vars");
    QVERIFY(!variables(*context));
    server.setMode(Mode::Normal);
    QVERIFY(variables(*context));
}

void LizardLookTest::variables_seed_isUnsupportedAndSendsNothing()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    const auto context = contextOf(server);
    QVERIFY(context);
    const auto before = server.requests().size();
    const auto list = variables(*context);
    QVERIFY(!list);
    QCOMPARE(list.error().kind, Error::Kind::Unsupported);
    QCOMPARE(server.requests().size(), before);
}

void LizardLookTest::value_everyKind_isUnderstood()
{
    using Kind = ValuePage::Kind;
    const auto page = [](const char *text) { return *Lizard::parseValue(json(text)); };
    const ValuePage table = page(R"({"kind":"table","type":"pandas.DataFrame","offset":100,"total":500,)"
                                 R"("columns":[{"name":"","type":"int64"},{"name":"a","type":"int64"}],)"
                                 R"("rows":[["100","7"]]})");
    QCOMPARE(table.kind, Kind::Table);
    QCOMPARE(table.offset, 100);
    QCOMPARE(table.total, 500);
    QVERIFY((table.columns[1] == ValuePage::Column{"a", "int64"}));
    QVERIFY((table.rows == std::vector<std::vector<std::string>>{{"100", "7"}}));
    const ValuePage array = page(R"({"kind":"array","shape":[6,2],"rows":[[10,1.5]],"total":6,"offset":5})");
    QVERIFY((array.shape == std::vector<std::int64_t>{6, 2}));
    QVERIFY((array.rows == std::vector<std::vector<std::string>>{{"10", "1.5"}}));
    QCOMPARE(page(R"({"kind":"list","rows":[[2,"str","c"]],"total":6})").rows[0][0], std::string("2"));
    QCOMPARE(page(R"({"kind":"dict","rows":[["k","int","1"]],"total":1})").kind, Kind::Dict);
    QCOMPARE(page(R"({"kind":"object","rows":[["x","int","1"]],"total":1})").kind, Kind::Object);
    QCOMPARE(page(R"({"kind":"text","text":"ell","offset":1,"total":5})").text, std::string("ell"));
}

void LizardLookTest::value_unknownKind_isProtocolError()
{
    const auto page = Lizard::parseValue(json(R"({"kind":"tensor","rows":[]})"));
    QVERIFY(!page);
    QCOMPARE(page.error().kind, Error::Kind::Protocol);
}

void LizardLookTest::value_query_asksForThePage()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    server.route("POST", "/cap-1/contexts/c1/get", Reply::json(R"({"kind":"text","text":"b","offset":1,"total":2})"));
    const auto context = contextOf(server);
    QVERIFY(context);
    QVERIFY(awaited<ValuePage>([&](QObject *receiver, auto done) {
        context->value({"naïve", 300, 100}, receiver, std::move(done));
    }));
    const Json body = *parseJson(server.requests().last().body.toStdString());
    QCOMPARE(stringOr(body, "name", ""), std::string("naïve"));
    QCOMPARE(integerOr(body, "offset", 0), 300);
    QCOMPARE(integerOr(body, "limit", 0), 100);
}

void LizardLookTest::complete_answer_isUnderstood()
{
    const auto list = Lizard::parseCompletions(
        json(R"({"matches":[{"text":"join","type":"function"},{"type":"x"},7],"start":8,"end":11})"));
    QVERIFY(list);
    QVERIFY((*list == CompletionList{{{"join", "function"}}, 8, 11}));
    QVERIFY(!Lizard::parseCompletions(json("{}")));
}

void LizardLookTest::complete_positions_areCodePoints()
{
    const Json body = *parseJson(Lizard::placeBody({"😀 = 1; va", 10}));
    QCOMPARE(integerOr(body, "pos", 0), 10);
    QCOMPARE(stringOr(body, "code", ""), std::string("😀 = 1; va"));
}

void LizardLookTest::inspect_answer_isUnderstood()
{
    const auto found = Lizard::parseInspection(json(
        R"json({"found":true,"name":"call","type":"function","signature":"call(a)","doc":"Does it.","data":{}})json"));
    QVERIFY(found);
    QVERIFY((*found == Inspection{true, "call", "function", "call(a)", "", "Does it."}));
}

void LizardLookTest::inspect_nothingThere_isNotFound()
{
    const auto found = Lizard::parseInspection(json(R"({"found":false})"));
    QVERIFY(found);
    QVERIFY(!found->isFound);
}

QTEST_GUILESS_MAIN(LizardLookTest)
#include "tst_lizardlook.moc"
