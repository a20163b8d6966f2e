#include "core/document/notebookdocument.h"
#include "core/session/codehelp.h"
#include "core/session/notebooksession.h"
#include "tests/support/scriptedprovider.h"
#include "ui/notebook/cellcompletion.h"
#include "ui/notebook/cellsignature.h"
#include "ui/notebook/notebookview.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/text/codedocview.h"
#include "ui/text/codeeditor.h"
#include "ui/text/codepoints.h"
#include "ui/text/codetip.h"
#include "ui/text/completionpopup.h"
#include "ui/text/syntaxrepository.h"
#include "ui/text/theme.h"

#include <QApplication>
#include <QTest>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

/// Completion and documentation in the live editor, over a context that plays a script.
class CompletionTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void codePoints_everyPosition_roundTrips();
    void tab_behindAName_opensThePopup();
    void tab_atTheLineStart_indents();
    void tab_oneMatch_isInserted();
    void controlSpace_onAnEmptyLine_asks();
    void typing_filtersAndClosesWhenNothingIsLeft();
    void enter_acceptsAsOneStepOfUndo();
    void escape_closesThePopupFirst();
    void emoji_beforeTheCursor_isReplacedExactly();
    void dot_typed_opensByItself();
    void dot_ofANumber_staysQuiet();
    void answer_toAnOlderText_isDropped();
    void answer_afterTheFocusLeft_isDropped();
    void kernelBusy_offersWordsOfTheNotebook();
    void notTrusted_offersWordsOfTheNotebook();
    void markdown_tab_indents();
    void docs_ofTheChosenEntry_comeAfterAMoment();
    void bracket_typed_showsTheSignature();
    void shiftTab_behindText_showsDocumentation();
    void shiftTab_atTheLineStart_takesIndentation();
    void narrowWindow_dropsTheHelpFirst();

private:
    ScriptedContext &context() const { return *m_provider->contexts().at(0); }
    ScriptedLook &look() const { return context().look(); }
    CodeEditor *editor() const { return m_view->findChild<CodeEditor *>(); }
    CompletionPopup *popup() const { return m_view->completion()->popup(); }
    bool isOpen() const { return m_view->completion()->isOpen(); }
    QString source() const { return m_document->cellAt(0).source; }
    void edit(const QString &text);
    void type(const QString &text) { QTest::keyClicks(editor(), text); }
    void offer(std::vector<CompletionMatch> matches);

    std::unique_ptr<OutputRendererRegistry> m_renderers;
    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<ScriptedProvider> m_provider;
    std::unique_ptr<NotebookSession> m_session;
    std::unique_ptr<CodeHelp> m_help;
    std::unique_ptr<NotebookView> m_view;
};

void CompletionTest::initTestCase()
{
    SyntaxRepository::instance().loadNow();
    m_renderers = OutputRendererRegistry::withDefaults();
}

/// A notebook whose kernel has run one cell and is idle.
void CompletionTest::init()
{
    m_document = std::make_unique<NotebookDocument>();
    m_provider = std::make_unique<ScriptedProvider>();
    m_session = std::make_unique<NotebookSession>(m_document.get(), m_provider.get());
    m_help = std::make_unique<CodeHelp>(m_session.get());
    const CellId ran = m_document->insertCell(1, Cell::Type::Code, u"depth_of_notebook = 1"_s);
    m_session->runCells({ran});
    QTRY_COMPARE(m_document->find(ran)->run.state, CellRun::State::Finished);
    QTRY_COMPARE(m_session->state(), NotebookSession::State::Ready);
    look().looks = Context::Look::Complete | Context::Look::Inspect;
    look().inspection = [](const CodePlace &) { return Inspection{}; };
    m_view = std::make_unique<NotebookView>(m_document.get(), m_renderers.get());
    m_view->setTheme(Theme::forApplication(Theme::Mode::Light));
    m_view->setCodeHelp(m_help.get());
    m_view->resize(900, 600);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    offer({{"depth_cm", "instance"}, {"depth_first", "function"}, {"deque", "class"}});
}

void CompletionTest::cleanup()
{
    m_view.reset();
    m_help.reset();
    m_session.reset();
    m_provider.reset();
    m_document.reset();
}

/// The editor on the first cell, with \a text in it and the cursor at its end.
void CompletionTest::edit(const QString &text)
{
    m_view->setCurrentCell(m_document->cellAt(0).id);
    m_view->editCurrentCell();
    QTRY_VERIFY(editor()->hasFocus());
    editor()->setPlainText(text);
    editor()->moveCursor(QTextCursor::End);
    QTest::qWait(0); // the review of this edit
}

/// Answers as the Python runner does: what stands behind the last dot or space, in code points.
void CompletionTest::offer(std::vector<CompletionMatch> matches)
{
    look().completions = [matches](const CodePlace &place) {
        const QString code = QString::fromStdString(place.code);
        const QString before = code.left(unitsBefore(code, place.position));
        const qsizetype start = std::max(before.lastIndexOf(u' '), before.lastIndexOf(u'.')) + 1;
        CompletionList list;
        for (const CompletionMatch &match : matches) {
            if (QString::fromStdString(match.text).startsWith(before.mid(start)))
                list.matches.push_back(match);
        }
        list.start = codePointsBefore(before, start);
        list.end = place.position;
        return list;
    };
}

void CompletionTest::codePoints_everyPosition_roundTrips()
{
    const QString text = u"a😀é漢\U0001F468\u200D\U0001F469b"_s;
    const QList<uint> points = text.toUcs4();
    for (qsizetype i = 0; i <= points.size(); ++i) {
        const QString head = QString::fromUcs4(reinterpret_cast<const char32_t *>(points.constData()), i);
        QCOMPARE(unitsBefore(text, i), head.size());
        QCOMPARE(codePointsBefore(text, head.size()), i);
    }
    QCOMPARE(codePointsBefore(text, 2), 1); // within the pair of the emoji
    QCOMPARE(unitsBefore(text, 1000), text.size());
    const QString lone = u"x"_s + QChar(0xD83D) + u"y"_s;
    QCOMPARE(codePointsBefore(lone, 3), 3);
}

void CompletionTest::tab_behindAName_opensThePopup()
{
    edit(u"x = de"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_VERIFY(isOpen());
    QCOMPARE(popup()->count(), 3);
    QCOMPARE(popup()->current()->text, u"depth_cm"_s);
    QVERIFY2(popup()->foot().startsWith(u"from the kernel"_s), qPrintable(popup()->foot()));
    QVERIFY(editor()->hasFocus());
    QCOMPARE(source(), u"x = de"_s);
    QTest::keyClick(editor(), Qt::Key_Down);
    QCOMPARE(popup()->current()->text, u"depth_first"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QCOMPARE(source(), u"x = depth_first"_s);
    QVERIFY(!isOpen());
}

void CompletionTest::tab_atTheLineStart_indents()
{
    edit(u""_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QCOMPARE(source(), u"    "_s);
    QVERIFY(look().completionsAsked.empty());
}

void CompletionTest::tab_oneMatch_isInserted()
{
    edit(u"x = dep"_s);
    offer({{"depth_first", "function"}});
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_COMPARE(source(), u"x = depth_first"_s);
    QVERIFY(!isOpen());
}

void CompletionTest::controlSpace_onAnEmptyLine_asks()
{
    edit(u""_s);
    QTest::keyClick(editor(), Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY(isOpen());
    QCOMPARE(popup()->count(), 3);
}

void CompletionTest::typing_filtersAndClosesWhenNothingIsLeft()
{
    edit(u"de"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_VERIFY(isOpen());
    type(u"p"_s);
    QTRY_COMPARE(popup()->count(), 2);
    QTest::keyClick(editor(), Qt::Key_Backspace);
    QTRY_COMPARE(popup()->count(), 3);
    type(u"z"_s);
    QTRY_VERIFY(!isOpen());
    QCOMPARE(look().completionsAsked.size(), std::size_t(1)); // the list was at hand
}

void CompletionTest::enter_acceptsAsOneStepOfUndo()
{
    edit(u"de"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_VERIFY(isOpen());
    QTest::keyClick(editor(), Qt::Key_Return);
    QCOMPARE(source(), u"depth_cm"_s);
    QTest::keyClick(editor(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(source(), u"de"_s);
}

void CompletionTest::escape_closesThePopupFirst()
{
    edit(u"de"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_VERIFY(isOpen());
    QTest::keyClick(editor(), Qt::Key_Escape);
    QVERIFY(!isOpen());
    QCOMPARE(m_view->mode(), NotebookView::Mode::Edit);
    QTest::keyClick(editor(), Qt::Key_Escape);
    QCOMPARE(m_view->mode(), NotebookView::Mode::Command);
}

void CompletionTest::emoji_beforeTheCursor_isReplacedExactly()
{
    edit(u"s = '😀漢'; de"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_VERIFY(isOpen());
    QCOMPARE(look().completionsAsked.at(0).position, 12); // code points, of 13 UTF-16 units
    QTest::keyClick(editor(), Qt::Key_Return);
    QCOMPARE(source(), u"s = '😀漢'; depth_cm"_s);
}

void CompletionTest::dot_typed_opensByItself()
{
    edit(u"frame"_s);
    type(u"."_s);
    QTRY_VERIFY(isOpen());
    QCOMPARE(popup()->count(), 3);
    type(u"dep"_s);
    QTRY_COMPARE(popup()->count(), 2);
    QCOMPARE(look().completionsAsked.size(), std::size_t(1));
}

void CompletionTest::dot_ofANumber_staysQuiet()
{
    edit(u"x = 12"_s);
    type(u"."_s);
    QVERIFY(!QTest::qWaitFor([this] { return !look().completionsAsked.empty(); }, 300));
}

void CompletionTest::answer_toAnOlderText_isDropped()
{
    edit(u"x = de"_s);
    look().isHeld = true;
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_COMPARE(look().completionsAsked.size(), std::size_t(1));
    type(u"p"_s);
    look().release();
    QTRY_VERIFY(isOpen()); // the question was asked again, about the newer text
    QCOMPARE(look().completionsAsked.back().code, std::string("x = dep"));
    QCOMPARE(popup()->count(), 2);
    QTest::keyClick(editor(), Qt::Key_Return);
    QCOMPARE(source(), u"x = depth_cm"_s);
}

void CompletionTest::answer_afterTheFocusLeft_isDropped()
{
    edit(u"x = de"_s);
    look().isHeld = true;
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_COMPARE(look().completionsAsked.size(), std::size_t(1));
    m_view->enterCommandMode();
    look().release();
    QVERIFY(!QTest::qWaitFor([this] { return isOpen(); }, 100));
    QCOMPARE(source(), u"x = de"_s);
}

void CompletionTest::kernelBusy_offersWordsOfTheNotebook()
{
    context().setDefaultScript(Script::hanging());
    m_session->runCells({m_document->insertCell(2, Cell::Type::Code, u"wait()"_s)});
    QTRY_COMPARE(context().state(), Context::State::Busy);
    edit(u"x = dep"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_VERIFY(isOpen());
    QCOMPARE(popup()->current()->text, u"depth_of_notebook"_s);
    QCOMPARE(popup()->foot(), u"from this notebook, a cell runs"_s);
    QVERIFY(look().completionsAsked.empty());
}

void CompletionTest::notTrusted_offersWordsOfTheNotebook()
{
    m_document->setTrusted(false);
    edit(u"x = dep"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_VERIFY(isOpen());
    QCOMPARE(popup()->foot(), u"from this notebook, not trusted"_s);
    QVERIFY(look().completionsAsked.empty());
}

void CompletionTest::markdown_tab_indents()
{
    m_document->setType(m_document->cellAt(0).id, Cell::Type::Markdown);
    edit(u"dep"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QCOMPARE(source(), u"dep "_s); // to the next step of four columns
    QVERIFY(look().completionsAsked.empty());
}

void CompletionTest::docs_ofTheChosenEntry_comeAfterAMoment()
{
    look().inspection = [](const CodePlace &place) {
        return Inspection{true, "depth_first", "method", "depth_first(limit)", {}, "First depth of " + place.code};
    };
    edit(u"x = de"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_VERIFY(isOpen());
    QTest::keyClick(editor(), Qt::Key_Down);
    QTRY_VERIFY(popup()->docs()->toPlainText().contains(u"First depth of x = depth_first"_s));
    QCOMPARE(look().inspectionsAsked.size(), std::size_t(1)); // not for the entry that was passed over
}

void CompletionTest::bracket_typed_showsTheSignature()
{
    look().inspection = [](const CodePlace &) {
        return Inspection{true, "call", "function", "call(first, second=2)", {}, "Does it."};
    };
    edit(u"call"_s);
    type(u"("_s);
    const CellSignature *signature = m_view->completion()->signature();
    QTRY_VERIFY(signature->isOpen());
    QVERIFY(signature->tip()->docs()->toPlainText().contains(u"call(first, second=2)"_s));
    QCOMPARE(look().inspectionsAsked.at(0).position, 5); // behind the bracket
    type(u"1, "_s);
    QTest::qWait(0);
    QVERIFY(signature->isOpen());
    type(u")"_s);
    QTRY_VERIFY(!signature->isOpen());
    QCOMPARE(source(), u"call(1, )"_s);
}

void CompletionTest::shiftTab_behindText_showsDocumentation()
{
    edit(u"call"_s);
    QTest::keyClick(editor(), Qt::Key_Backtab, Qt::ShiftModifier);
    const CellSignature *signature = m_view->completion()->signature();
    QTRY_VERIFY(signature->isOpen());
    QCOMPARE(signature->tip()->docs()->toPlainText(), u"Nothing is known of what stands at the cursor."_s);
    QTest::keyClick(editor(), Qt::Key_Escape);
    QVERIFY(!signature->isOpen());
    QCOMPARE(m_view->mode(), NotebookView::Mode::Edit);
}

void CompletionTest::shiftTab_atTheLineStart_takesIndentation()
{
    edit(u"        "_s);
    QTest::keyClick(editor(), Qt::Key_Backtab, Qt::ShiftModifier);
    QCOMPARE(source(), u"    "_s);
    QVERIFY(look().inspectionsAsked.empty());
}

void CompletionTest::narrowWindow_dropsTheHelpFirst()
{
    edit(u"de"_s);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_VERIFY(isOpen());
    QVERIFY(popup()->docs()->isVisible());
    QTest::keyClick(editor(), Qt::Key_Escape);
    m_view->resize(480, 600);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QTRY_VERIFY(isOpen());
    QVERIFY(!popup()->docs()->isVisible());
    QVERIFY(m_view->rect().contains(popup()->geometry()));
}

QTEST_MAIN(CompletionTest)
#include "tst_completion.moc"
