#include "ui/panels/valueview.h"

#include "core/document/notebookdocument.h"
#include "core/session/notebooksession.h"
#include "tests/support/scriptedprovider.h"
#include "ui/panels/emptystate.h"
#include "ui/panels/valuemodel.h"
#include "ui/panels/valuetext.h"
#include "ui/text/themesource.h"

#include <QApplication>
#include <QClipboard>
#include <QScrollBar>
#include <QTableView>
#include <QTest>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

/// The page of one value, over a context that plays a script.
class ValueViewTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void view_table_readsWhatIsInSight();
    void view_table_keepsABoundedCache();
    void view_array_countsItsRows();
    void view_valueChanged_isReadAgain();
    void view_whileACellRuns_saysSo();
    void view_copy_isTabSeparated();
    void view_text_readsOnToItsEnd();
    void view_variableGone_saysSo();

private:
    ScriptedContext &context() const { return *m_provider->contexts().at(0); }
    ScriptedLook &look() const { return context().look(); }
    void run(const QString &source);
    std::unique_ptr<ValueView> openView(const std::string &name);

    std::unique_ptr<ThemeSource> m_themes;
    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<ScriptedProvider> m_provider;
    std::unique_ptr<NotebookSession> m_session;
};

namespace {

ValuePage tablePage(const ValueQuery &query)
{
    ValuePage page;
    page.kind = ValuePage::Kind::Table;
    page.type = "pandas.DataFrame";
    page.offset = query.offset;
    page.total = 604'800;
    page.columns = {{"", "int64"}, {"probe", "object"}, {"temp_c", "float64"}};
    for (int i = 0; i < query.limit; ++i) {
        const std::string row = std::to_string(query.offset + i);
        page.rows.push_back({row, "p" + row, row + ".5"});
    }
    return page;
}

} // namespace

/// One cell has run, and the context shows a table.
void ValueViewTest::init()
{
    m_themes = std::make_unique<ThemeSource>(Theme::forApplication(Theme::Mode::Light));
    m_document = std::make_unique<NotebookDocument>();
    m_provider = std::make_unique<ScriptedProvider>();
    m_session = std::make_unique<NotebookSession>(m_document.get(), m_provider.get());
    run(u"x = 1"_s);
    look().looks = Context::Look::Variables | Context::Look::Value;
    look().value = tablePage;
}

void ValueViewTest::cleanup()
{
    m_session.reset();
    m_provider.reset();
    m_document.reset();
}

void ValueViewTest::run(const QString &source)
{
    const CellId id = m_document->insertCell(0, Cell::Type::Code, source);
    m_session->runCells({id});
    QTRY_COMPARE(m_document->find(id)->run.state, CellRun::State::Finished);
    QTRY_COMPARE(m_session->state(), NotebookSession::State::Ready);
}

std::unique_ptr<ValueView> ValueViewTest::openView(const std::string &name)
{
    VariableInfo info;
    info.name = name;
    auto view = std::make_unique<ValueView>(m_themes.get(), m_session.get(), m_session->contexts().front(), info);
    view->resize(700, 400);
    view->show();
    return view;
}

void ValueViewTest::view_table_readsWhatIsInSight()
{
    const auto view = openView("readings");
    QTRY_VERIFY(view->model());
    QCOMPARE(view->model()->rowCount(), 604'800);
    QCOMPARE(view->model()->columnCount(), 3);
    QTRY_COMPARE(view->model()->index(3, 2).data().toString(), u"3.5"_s);
    const auto asked = look().valuesAsked.size();
    view->table()->scrollTo(view->model()->index(300'050, 0), QAbstractItemView::PositionAtTop);
    QTRY_COMPARE(view->model()->index(300'051, 1).data().toString(), u"p300051"_s);
    QVERIFY(look().valuesAsked.size() - asked <= 2); // not what was skipped
    QCOMPARE(view->table()->model()->headerData(2, Qt::Horizontal, Qt::ToolTipRole).toString(), u"float64"_s);
}

void ValueViewTest::view_table_keepsABoundedCache()
{
    const auto view = openView("readings");
    QTRY_VERIFY(view->model());
    for (int page = 0; page < int(ValueModel::kMaxPages) + 10; ++page) {
        const int row = page * ValueModel::kPageRows;
        QTRY_COMPARE(view->model()->index(row, 0).data().toString(), QString::number(row));
    }
    QCOMPARE(view->model()->pageCount(), ValueModel::kMaxPages);
}

void ValueViewTest::view_array_countsItsRows()
{
    look().value = [](const ValueQuery &query) {
        ValuePage page = tablePage(query);
        page.kind = ValuePage::Kind::Array;
        page.columns.clear();
        for (auto &row : page.rows)
            row = {row.at(2), "x"};
        return page;
    };
    const auto view = openView("array");
    QTRY_VERIFY(view->model());
    QCOMPARE(view->model()->columnCount(), 3);
    QTRY_COMPARE(view->model()->index(3, 1).data().toString(), u"3.5"_s);
    QCOMPARE(view->model()->index(3, 0).data().toString(), u"3"_s);
    QCOMPARE(view->model()->headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), u"1"_s);
}

void ValueViewTest::view_valueChanged_isReadAgain()
{
    const auto view = openView("readings");
    QTRY_VERIFY(view->model());
    look().value = [](const ValueQuery &query) {
        ValuePage page = tablePage(query);
        page.total = 2;
        page.rows = {{"0", "new", "1.0"}, {"1", "new", "2.0"}};
        return page;
    };
    run(u"readings = readings[:2]"_s);
    QTRY_COMPARE(view->model()->rowCount(), 2);
    QTRY_COMPARE(view->model()->index(1, 2).data().toString(), u"2.0"_s);
}

void ValueViewTest::view_whileACellRuns_saysSo()
{
    context().setDefaultScript(Script::hanging());
    m_session->runCells({m_document->insertCell(0, Cell::Type::Code, u"wait()"_s)});
    QTRY_COMPARE(context().state(), Context::State::Busy);
    const auto view = openView("readings");
    QVERIFY(view->emptyState());
    QVERIFY(view->emptyState()->text().startsWith(u"A cell is running."_s));
    QVERIFY(look().valuesAsked.empty());
    context().finishNow({Outcome::Ok});
    QTRY_VERIFY(view->model());
    QVERIFY(view->note().isEmpty());
}

void ValueViewTest::view_copy_isTabSeparated()
{
    const auto view = openView("readings");
    QTRY_VERIFY(view->model());
    QTRY_COMPARE(view->model()->index(1, 2).data().toString(), u"1.5"_s);
    view->table()->selectionModel()->select(
        QItemSelection(view->model()->index(0, 1), view->model()->index(1, 2)), QItemSelectionModel::ClearAndSelect);
    QTest::keyClick(view->table(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), u"probe\ttemp_c\np0\t0.5\np1\t1.5"_s);
    view->table()->selectionModel()->setCurrentIndex(view->model()->index(1, 2), QItemSelectionModel::ClearAndSelect);
    QTest::keyClick(view->table(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), u"1.5"_s);
}

void ValueViewTest::view_text_readsOnToItsEnd()
{
    std::string whole;
    for (int i = 0; i < 20'000; ++i)
        whole += "line " + std::to_string(i) + "\n";
    look().value = [&whole](const ValueQuery &query) {
        ValuePage page;
        page.offset = query.offset;
        page.total = std::int64_t(whole.size());
        page.text = whole.substr(std::size_t(query.offset), std::size_t(query.limit));
        return page;
    };
    const auto view = openView("text");
    QTRY_VERIFY(view->text()->shownChars() > 100);
    QVERIFY(view->text()->shownChars() < view->text()->totalChars());
    const auto isWhole = [&view] {
        view->text()->verticalScrollBar()->setValue(view->text()->verticalScrollBar()->maximum());
        return view->text()->shownChars() == view->text()->totalChars();
    };
    QTRY_VERIFY(isWhole());
    QCOMPARE(view->text()->toPlainText(), QString::fromStdString(whole));
}

void ValueViewTest::view_variableGone_saysSo()
{
    look().failure = Error{Error::Kind::BadRequest, "There is no variable 'gone'.", {}};
    const auto view = openView("gone");
    QTRY_VERIFY(view->emptyState()->text().contains(u"no variable"_s));
}

QTEST_MAIN(ValueViewTest)
#include "tst_valueview.moc"
