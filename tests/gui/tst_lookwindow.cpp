#include "core/document/notebookdocument.h"
#include "core/providers/local/localprovider.h"
#include "core/session/variablewatch.h"
#include "core/support/settings.h"
#include "tests/support/eventloopwatch.h"
#include "tests/support/processes.h"
#include "ui/notebook/cellcompletion.h"
#include "ui/notebook/cellsignature.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/panels/valuemodel.h"
#include "ui/panels/valueview.h"
#include "ui/panels/variablespanel.h"
#include "ui/text/codedocview.h"
#include "ui/text/codeeditor.h"
#include "ui/text/codetip.h"
#include "ui/text/completionpopup.h"
#include "ui/text/themesource.h"
#include "ui/window/actions.h"
#include "ui/window/docks.h"
#include "ui/window/documentarea.h"
#include "ui/window/filecontroller.h"
#include "ui/window/mainwindow.h"
#include "ui/window/notebooktab.h"
#include "ui/window/sandfishstyle.h"

#include <QAction>
#include <QApplication>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <csignal>
#include <sys/types.h>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kRunLimitMs = 30'000;

} // namespace

/// Looking inside real interpreters from the real window.
class LookWindowTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void variables_afterARun_areListedAndOpen();
    void variables_dockHidden_areNotRead();
    void variables_slowRepr_neverHoldsUpTheNextCell();
    void completion_tab_insertsFromTheKernel();
    void completion_whileACellRuns_offersWords();
    void signature_shiftTab_showsTheDocumentation();

private:
    NotebookTab *tab() const { return m_window->files()->tabs().front(); }
    VariablesPanel *panel() const { return m_window->docks()->variables(); }
    VariableWatch *watch() const { return m_window->docks()->variableWatch(); }
    CodeEditor *editor() const { return tab()->view()->findChild<CodeEditor *>(); }
    CellCompletion *completion() const { return tab()->view()->completion(); }
    CellId run(const QString &code); ///< empty: it did not end in time
    QString listedValue(const QString &name) const;
    void edit(const QString &code);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<ThemeSource> m_themes;
    std::unique_ptr<OutputRendererRegistry> m_renderers;
    std::unique_ptr<LocalProvider> m_provider;
    std::unique_ptr<MainWindow> m_window;
};

void LookWindowTest::initTestCase()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_settings = std::make_unique<Settings>(m_folder->filePath(u"sandfish.ini"_s));
    m_themes = std::make_unique<ThemeSource>(Theme::forApplication(Theme::Mode::Light));
    m_renderers = OutputRendererRegistry::withDefaults();
    QApplication::setStyle(new SandfishStyle(m_themes.get()));
    EngineLauncher::Options options;
    options.stateDir = m_folder->filePath(u"engine"_s);
    options.program = QStringLiteral(SANDFISH_BINARY_DIR "/sandfishd");
    m_provider = std::make_unique<LocalProvider>(options);
    AppContext context;
    context.providers = {m_provider.get()};
    context.renderers = m_renderers.get();
    context.themes = m_themes.get();
    context.settings = m_settings.get();
    context.stateFolder = m_folder->filePath(u"window"_s);
    context.startsAhead = false;
    m_window = std::make_unique<MainWindow>(context);
    m_window->resize(1440, 900);
    m_window->files()->newNotebook();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    run(u"0"_s);
}

void LookWindowTest::cleanupTestCase()
{
    tab()->session()->kill();
    QTRY_COMPARE_WITH_TIMEOUT(tab()->session()->state(), NotebookSession::State::Gone, kRunLimitMs);
    m_window.reset();
    const auto file = readEngineFile(m_folder->filePath(u"engine"_s));
    QVERIFY(file && *file && (*file)->pid > 0);
    const qint64 pid = (*file)->pid;
    ::kill(pid_t(pid), SIGTERM);
    QTRY_VERIFY_WITH_TIMEOUT(areGone({pid}), kRunLimitMs);
    m_provider.reset();
}

void LookWindowTest::init()
{
    m_window->documents()->setCurrentPage(tab());
    if (!panel()->isVisible())
        m_window->actionTable()->action(ActionId::ViewVariables)->trigger();
    QVERIFY(panel()->isVisible());
}

CellId LookWindowTest::run(const QString &code)
{
    NotebookDocument *document = tab()->document();
    const CellId id = document->insertCell(document->cellCount(), Cell::Type::Code, code);
    tab()->session()->runCells({id});
    const bool hasEnded =
        QTest::qWaitFor([&] { return document->find(id)->run.state == CellRun::State::Finished; }, kRunLimitMs);
    return hasEnded ? id : CellId();
}

/// What the dock says of a variable; empty: it is not listed.
QString LookWindowTest::listedValue(const QString &name) const
{
    const QAbstractItemModel *model = panel()->list()->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        if (model->index(row, 0).data().toString() == name)
            return model->index(row, 1).data().toString();
    }
    return {};
}

void LookWindowTest::edit(const QString &code)
{
    NotebookDocument *document = tab()->document();
    tab()->view()->setCurrentCell(document->insertCell(document->cellCount(), Cell::Type::Code, code));
    tab()->view()->editCurrentCell();
    QTRY_VERIFY(editor()->hasFocus());
    editor()->moveCursor(QTextCursor::End);
}

void LookWindowTest::variables_afterARun_areListedAndOpen()
{
    run(u"days = [f'day {i}' for i in range(1000)]\nlimit = 40.0"_s);
    QTRY_COMPARE_WITH_TIMEOUT(listedValue(u"limit"_s), u"float 40.0"_s, kRunLimitMs);
    QVERIFY2(listedValue(u"days"_s).startsWith(u"list, 1"_s), qPrintable(listedValue(u"days"_s)));
    run(u"limit = 41.0"_s);
    QTRY_COMPARE_WITH_TIMEOUT(listedValue(u"limit"_s), u"float 41.0"_s, kRunLimitMs);

    const QAbstractItemModel *model = panel()->list()->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        if (model->index(row, 0).data().toString() == u"days"_s)
            panel()->list()->setCurrentIndex(model->index(row, 0));
    }
    panel()->list()->setFocus();
    QTest::keyClick(panel()->list(), Qt::Key_Return);
    auto *view = qobject_cast<ValueView *>(m_window->documents()->currentPage());
    QVERIFY(view);
    QTRY_VERIFY_WITH_TIMEOUT(view->model(), kRunLimitMs);
    QCOMPARE(view->model()->rowCount(), 1000);
    QTRY_COMPARE_WITH_TIMEOUT(view->model()->index(950, 2).data().toString(), u"day 950"_s, kRunLimitMs);
    QVERIFY(watch()->session() == tab()->session()); // the dock stays with the notebook
    emit m_window->documents()->closeRequested(view);
    QCOMPARE(m_window->documents()->currentPage(), tab());
}

void LookWindowTest::variables_dockHidden_areNotRead()
{
    QAction *action = m_window->actionTable()->action(ActionId::ViewVariables);
    QTRY_COMPARE_WITH_TIMEOUT(watch()->state(), VariableWatch::State::Current, kRunLimitMs);
    action->trigger();
    QVERIFY(!panel()->isVisible());
    run(u"hidden_one = 1"_s);
    QVERIFY(!QTest::qWaitFor([this] { return !listedValue(u"hidden_one"_s).isEmpty(); }, 500));
    action->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(listedValue(u"hidden_one"_s), u"int 1"_s, kRunLimitMs);
}

// Case P40 of notebooks.md.
void LookWindowTest::variables_slowRepr_neverHoldsUpTheNextCell()
{
    test::EventLoopWatch loop;
    run(u"d = {i: list(range(10)) for i in range(400_000)}\nclass Evil:\n    def __repr__(self):\n"
        "        import time; time.sleep(60)\ne = Evil()"_s);
    QTRY_COMPARE_WITH_TIMEOUT(listedValue(u"e"_s), u"Evil repr timed out"_s, kRunLimitMs);
    QLocale::setDefault(QLocale::c());
    QVERIFY2(listedValue(u"d"_s).startsWith(u"dict, "_s), qPrintable(listedValue(u"d"_s)));
    const CellId id = run(u"1 + 1"_s);
    QVERIFY(!id.isEmpty());
    QCOMPARE(tab()->document()->find(id)->run.outcome, Outcome::Ok);
    run(u"del d, e"_s);
    QVERIFY2(!loop.wasBlocked(), loop.report());
}

void LookWindowTest::completion_tab_insertsFromTheKernel()
{
    run(u"depth_first = 1\ndepth_last = 2"_s);
    edit(u"x = '😀'; depth_f"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_COMPARE_WITH_TIMEOUT(editor()->toPlainText(), u"x = '😀'; depth_first"_s, kRunLimitMs);
    edit(u"depth_"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_VERIFY_WITH_TIMEOUT(completion()->isOpen(), kRunLimitMs);
    QVERIFY2(completion()->popup()->foot().startsWith(u"from the kernel"_s), qPrintable(completion()->popup()->foot()));
    QTest::keyClick(editor(), Qt::Key_Down);
    QTRY_VERIFY_WITH_TIMEOUT(completion()->popup()->docs()->toPlainText().contains(u"int"_s), kRunLimitMs);
    QTest::keyClick(editor(), Qt::Key_Return);
    QCOMPARE(editor()->toPlainText(), u"depth_last"_s);
}

void LookWindowTest::completion_whileACellRuns_offersWords()
{
    NotebookDocument *document = tab()->document();
    const CellId id = document->insertCell(document->cellCount(), Cell::Type::Code, u"wait_for_me = input()"_s);
    tab()->session()->runCells({id});
    QTRY_COMPARE_WITH_TIMEOUT(document->find(id)->run.state, CellRun::State::AwaitingInput, kRunLimitMs);
    edit(u"wait_"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_VERIFY(completion()->isOpen());
    QCOMPARE(completion()->popup()->current()->text, u"wait_for_me"_s);
    QCOMPARE(completion()->popup()->foot(), u"from this notebook, a cell runs"_s);
    QTest::keyClick(editor(), Qt::Key_Escape);
    tab()->session()->interrupt();
    QTRY_COMPARE_WITH_TIMEOUT(document->find(id)->run.state, CellRun::State::Finished, kRunLimitMs);
}

void LookWindowTest::signature_shiftTab_showsTheDocumentation()
{
    run(u"def call(first, second=2):\n    'Does it.'"_s);
    edit(u"call(1, "_s);
    QTest::keyClick(editor(), Qt::Key_Backtab, Qt::ShiftModifier);
    const CellSignature *signature = completion()->signature();
    QTRY_VERIFY_WITH_TIMEOUT(signature->isOpen(), kRunLimitMs);
    QTRY_VERIFY(signature->tip()->docs()->toPlainText().startsWith(u"call(first, second=2)"_s));
    QVERIFY(signature->tip()->docs()->toPlainText().contains(u"Does it."_s));
}

} // namespace sandfish

QTEST_MAIN(sandfish::LookWindowTest)
#include "tst_lookwindow.moc"
