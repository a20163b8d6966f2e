#include "core/document/notebookdocument.h"
#include "core/session/notebooksession.h"
#include "core/session/variablewatch.h"
#include "tests/support/scriptedprovider.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/variabledetails.h"
#include "ui/panels/variablespanel.h"
#include "ui/panels/variablewords.h"
#include "ui/text/themesource.h"

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(sandfish::VariableInfo)

using Shape = std::vector<std::int64_t>;

/// The variables dock over a context that plays a script.
class VariablesTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void summary_ofEachKind_data();
    void summary_ofEachKind();
    void size_isShortAndDecimal();
    void panel_beforeTheFirstRun_tellsWhatToDo();
    void panel_afterARun_listsTheVariables();
    void panel_whileACellRuns_keepsTheListAndSaysSo();
    void panel_paused_keepsTheListAndSaysSo();
    void panel_unsupported_namesTheService();
    void filter_byNameAndType_hidesTheRest();
    void sort_bySize_isByNumber();
    void selection_afterAnotherReading_staysWithItsVariable();
    void keys_ofThePanel_reachEverything();
    void copy_ofOneVariable_isItsValue();

private:
    ScriptedContext &context() const { return *m_provider->contexts().at(0); }
    ScriptedLook &look() const { return context().look(); }
    void run(const QString &source);
    void runFirst();
    void showPanel();
    QString cell(int row, int column) const { return m_panel->list()->model()->index(row, column).data().toString(); }

    std::unique_ptr<ThemeSource> m_themes;
    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<ScriptedProvider> m_provider;
    std::unique_ptr<NotebookSession> m_session;
    std::unique_ptr<VariableWatch> m_watch;
    std::unique_ptr<VariablesPanel> m_panel;
};

void VariablesTest::init()
{
    QLocale::setDefault(QLocale::c());
    m_themes = std::make_unique<ThemeSource>(Theme::forApplication(Theme::Mode::Light));
    m_document = std::make_unique<NotebookDocument>();
    m_provider = std::make_unique<ScriptedProvider>();
    m_session = std::make_unique<NotebookSession>(m_document.get(), m_provider.get());
    m_watch = std::make_unique<VariableWatch>();
}

void VariablesTest::cleanup()
{
    m_panel.reset();
    m_watch.reset();
    m_session.reset();
    m_provider.reset();
    m_document.reset();
}

void VariablesTest::run(const QString &source)
{
    const CellId id = m_document->insertCell(0, Cell::Type::Code, source);
    m_session->runCells({id});
    [&] { QTRY_COMPARE(m_document->find(id)->run.state, CellRun::State::Finished); }();
    [&] { QTRY_COMPARE(m_session->state(), NotebookSession::State::Ready); }();
}

void VariablesTest::runFirst()
{
    run(u"x = 1"_s);
    look().looks = Context::Look::Variables | Context::Look::Value;
    look().variables = {
        {{"readings", "pandas.DataFrame", 18'500'000, std::nullopt, Shape{604'800, 4}},
            {"days", "list", 248, "['a', 'b']", Shape{7}}, {"safe_c", "float", 24, "40.0", std::nullopt},
            {"load", "function", 184, "<function load at 0x7f>", std::nullopt}},
        4};
}

void VariablesTest::showPanel()
{
    m_panel = std::make_unique<VariablesPanel>(m_themes.get(), m_watch.get());
    m_panel->resize(304, 600);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    m_watch->setSession(m_session.get());
}

void VariablesTest::summary_ofEachKind_data()
{
    QTest::addColumn<VariableInfo>("info");
    QTest::addColumn<QString>("summary");
    const auto row = [](const char *name, const VariableInfo &info, const QString &summary) {
        QTest::newRow(name) << info << summary;
    };
    row("table", {"a", "pandas.DataFrame", 1, "x, y", Shape{604'800, 4}}, u"DataFrame 604800 \u00d7 4"_s);
    row("list", {"a", "list", 1, "[1, 2]", Shape{2}}, u"list, 2 items"_s);
    row("one item", {"a", "dict", 1, "{1: 2}", Shape{1}}, u"dict, 1 item"_s);
    row("text", {"a", "str", 1, "'2031-07-31'", Shape{10}}, u"str '2031-07-31'"_s);
    row("number", {"a", "float", 1, "40.0", std::nullopt}, u"float 40.0"_s);
    row("function", {"a", "function", 1, "<function f at 0x1>", std::nullopt}, u"function"_s);
    row("class", {"a", "type", 1, "<class 'K'>", std::nullopt}, u"class"_s);
    row("slow repr", {"e", "Evil", 48, std::nullopt, std::nullopt}, u"Evil repr timed out"_s); // P40
    row("no time at all", {"e", "", std::nullopt, std::nullopt, std::nullopt}, u"not read in time"_s);
    row("lines", {"a", "K", 1, "a\n  b", std::nullopt}, u"K a b"_s);
}

void VariablesTest::summary_ofEachKind()
{
    QFETCH(VariableInfo, info);
    QTEST(summaryText(info), "summary");
}

void VariablesTest::size_isShortAndDecimal()
{
    QCOMPARE(objectSizeText(248), u"248 B"_s);
    QCOMPARE(objectSizeText(1100), u"1.1 kB"_s);
    QCOMPARE(objectSizeText(18'500'000), u"18.5 MB"_s);
}

void VariablesTest::panel_beforeTheFirstRun_tellsWhatToDo()
{
    showPanel();
    QVERIFY(m_panel->emptyState());
    QCOMPARE(m_panel->emptyState()->title(), u"No variables yet"_s); // components-light.png
    QCOMPARE(m_panel->emptyState()->text(), u"Run a cell to see its variables here."_s);
    m_watch->setSession(nullptr);
    QCOMPARE(m_panel->emptyState()->title(), u"No notebook"_s);
}

void VariablesTest::panel_afterARun_listsTheVariables()
{
    runFirst();
    showPanel();
    QTRY_VERIFY(!m_panel->emptyState());
    QCOMPARE(cell(0, 0), u"readings"_s);
    QCOMPARE(cell(0, 1), u"DataFrame 604800 \u00d7 4"_s);
    QCOMPARE(cell(0, 2), u"18.5 MB"_s);
    QCOMPARE(m_panel->list()->model()->rowCount(), 4);
    QVERIFY2(m_panel->note().startsWith(u"4 variables, 18.5 MB. Updated "_s), qPrintable(m_panel->note()));
}

void VariablesTest::panel_whileACellRuns_keepsTheListAndSaysSo()
{
    runFirst();
    showPanel();
    QTRY_VERIFY(!m_panel->emptyState());
    m_panel->list()->setCurrentIndex(m_panel->list()->model()->index(0, 0));
    QVERIFY(m_panel->details()->openButton()->isEnabled());
    context().setDefaultScript(Script::hanging());
    m_session->runCells({m_document->insertCell(0, Cell::Type::Code, u"wait()"_s)});
    QTRY_VERIFY2(m_panel->note().startsWith(u"A cell is running."_s), qPrintable(m_panel->note()));
    QCOMPARE(cell(0, 0), u"readings"_s);
    const QColor colour = m_panel->list()->model()->index(0, 0).data(Qt::ForegroundRole).value<QColor>();
    QCOMPARE(colour, m_themes->theme().color(ColorToken::Text3));
    QVERIFY(!m_panel->details()->openButton()->isEnabled());
    QVERIFY(!m_panel->details()->openButton()->toolTip().isEmpty());
}

void VariablesTest::panel_paused_keepsTheListAndSaysSo()
{
    runFirst();
    showPanel();
    QTRY_VERIFY(!m_panel->emptyState());
    m_session->pause();
    QTRY_VERIFY2(m_panel->note().contains(u"is paused. Values of"_s), qPrintable(m_panel->note()));
    QCOMPARE(m_panel->list()->model()->rowCount(), 4);
}

void VariablesTest::panel_unsupported_namesTheService()
{
    runFirst();
    look().looks = {};
    showPanel();
    QVERIFY(m_panel->emptyState());
    QCOMPARE(m_panel->emptyState()->text(), m_provider->displayName() + u" cannot list variables."_s);
}

void VariablesTest::filter_byNameAndType_hidesTheRest()
{
    runFirst();
    showPanel();
    QTRY_VERIFY(!m_panel->emptyState());
    m_panel->filter()->setText(u"DATAFR"_s);
    QCOMPARE(m_panel->list()->model()->rowCount(), 1);
    m_panel->filter()->setText(u"safe"_s);
    QCOMPARE(cell(0, 0), u"safe_c"_s);
    QTest::keyClick(m_panel->filter(), Qt::Key_Escape);
    QCOMPARE(m_panel->list()->model()->rowCount(), 4);
}

void VariablesTest::sort_bySize_isByNumber()
{
    runFirst();
    showPanel();
    QTRY_VERIFY(!m_panel->emptyState());
    m_panel->list()->sortByColumn(2, Qt::AscendingOrder);
    QCOMPARE(cell(0, 0), u"safe_c"_s); // 24 B, 184 B, 248 B, 18.5 MB
    QCOMPARE(cell(1, 0), u"load"_s);
    QCOMPARE(cell(3, 0), u"readings"_s);
}

void VariablesTest::selection_afterAnotherReading_staysWithItsVariable()
{
    runFirst();
    showPanel();
    QTRY_VERIFY(!m_panel->emptyState());
    m_panel->list()->setCurrentIndex(m_panel->list()->model()->index(1, 0));
    look().variables.variables.insert(
        look().variables.variables.begin(), VariableInfo{"first", "int", 28, "1", std::nullopt});
    m_watch->refresh();
    QTRY_COMPARE(m_panel->list()->model()->rowCount(), 5);
    QCOMPARE(m_panel->list()->currentIndex().siblingAtColumn(0).data().toString(), u"days"_s);
}

void VariablesTest::keys_ofThePanel_reachEverything()
{
    runFirst();
    showPanel();
    QTRY_VERIFY(!m_panel->emptyState());
    QSignalSpy opened(m_panel.get(), &VariablesPanel::openRequested);
    m_panel->filter()->setFocus();
    QTest::keyClick(m_panel->filter(), Qt::Key_Down);
    QTRY_VERIFY(m_panel->list()->hasFocus());
    QTest::keyClick(m_panel->list(), Qt::Key_Down);
    QTest::keyClick(m_panel->list(), Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened.at(0).at(0).value<VariableInfo>().name, std::string("days"));
}

void VariablesTest::copy_ofOneVariable_isItsValue()
{
    runFirst();
    showPanel();
    QTRY_VERIFY(!m_panel->emptyState());
    m_panel->list()->setCurrentIndex(m_panel->list()->model()->index(2, 0));
    QTest::keyClick(m_panel->list(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), u"40.0"_s);
    m_panel->list()->selectAll();
    QTest::keyClick(m_panel->list(), Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QApplication::clipboard()->text().contains(u"safe_c\t40.0\n"_s));
}

QTEST_MAIN(VariablesTest)
#include "tst_variables.moc"
