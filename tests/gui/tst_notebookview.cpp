#include "core/document/notebookdocument.h"
#include "ui/notebook/inputprompt.h"
#include "ui/notebook/notebookview.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/text/codeeditor.h"
#include "ui/text/syntaxrepository.h"
#include "ui/text/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QSignalSpy>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The notebook view driven by keys: what is asked of cells, in command mode and in edit mode.
class NotebookViewTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void keys_inCommandMode_changeCells_data();
    void keys_inCommandMode_changeCells();
    void keys_ofRun_askAndAdvance_data();
    void keys_ofRun_askAndAdvance();
    void shiftReturn_inLastCell_insertsOneToWriteIn();
    void shiftReturn_whileTyping_runsWhatIsTyped();
    void run_ofMarkdown_asksForNothing();
    void letters_inEditMode_areText();
    void escape_whileEditing_returnsToCommands();
    void split_atCursor_partsTheCell();
    void arrow_atLastRow_entersNextCell();
    void arrow_betweenRows_staysInCell();
    void pair_interruptedByOtherKey_doesNothing();
    void interrupt_byPair_isAskedFor();
    void restart_byPair_isAskedFor();
    void extend_byShift_selectsCells();
    void selectAll_byKey_selectsEveryCell();
    void outputs_byKey_areFolded();
    void undo_ofTyping_restoresSource();
    void delete_ofAllCells_leavesAnEmptyOne();
    void copy_ofCells_givesTextElsewhere();
    void editor_inManyCells_isOne();
    void cell_removedWhileEdited_endsEditing();
    void inputBox_belowTheView_isShownWithFocus();
    void inputBox_whileWritingElsewhere_leavesTheFocus();

private:
    void press(const QString &keys);
    QString cells() const;
    qsizetype current() const { return m_document->indexOf(m_view->currentCell()); }
    CellId id(qsizetype index) const { return m_document->peekAt(index).id; }
    void awaitInput(qsizetype index);
    InputPrompt *box() const { return m_view->findChild<InputPrompt *>(); }
    CodeEditor *editor() const { return m_view->findChild<CodeEditor *>(); }

    std::unique_ptr<OutputRendererRegistry> m_renderers;
    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<NotebookView> m_view;
};

void NotebookViewTest::initTestCase()
{
    SyntaxRepository::instance().loadNow();
    m_renderers = OutputRendererRegistry::withDefaults();
}

void NotebookViewTest::init()
{
    m_document = std::make_unique<NotebookDocument>();
    m_document->setSource(id(0), u"a"_s);
    m_document->insertCell(1, Cell::Type::Code, u"b"_s);
    m_document->insertCell(2, Cell::Type::Code, u"c"_s);
    m_view = std::make_unique<NotebookView>(m_document.get(), m_renderers.get());
    m_view->setTheme(Theme::forApplication(Theme::Mode::Light));
    m_view->resize(800, 600);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    m_view->setFocus();
    m_view->setCurrentCell(id(1));
}

void NotebookViewTest::cleanup()
{
    m_view.reset();
    m_document.reset();
}

/// Keys parted by spaces, such as "D D" or "Ctrl+Shift+Down", to whatever has the focus.
void NotebookViewTest::press(const QString &keys)
{
    for (const QString &key : keys.split(u' ')) {
        const QKeyCombination combination = QKeySequence::fromString(key)[0];
        QTest::keyClick(QApplication::focusWidget(), combination.key(), combination.keyboardModifiers());
    }
}

/// "a|m:# b|c": the sources, with the type where it is not code.
QString NotebookViewTest::cells() const
{
    QStringList all;
    for (qsizetype i = 0; i < m_document->cellCount(); ++i) {
        const Cell &cell = m_document->peekAt(i);
        const QString type = cell.type == Cell::Type::Code ? QString()
            : cell.type == Cell::Type::Markdown            ? u"m:"_s
                                                           : u"r:"_s;
        all << type + cell.source;
    }
    return all.join(u'|');
}

void NotebookViewTest::keys_inCommandMode_changeCells_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("cells");
    QTest::addColumn<int>("current");
    const auto row = [](const char *keys, const char *cells, int current) {
        QTest::newRow(keys) << QString::fromLatin1(keys) << QString::fromLatin1(cells) << current;
    };
    row("A", "a||b|c", 1);
    row("B", "a|b||c", 2);
    row("D D", "a|c", 1);
    row("D", "a|b|c", 1);
    row("Del", "a|c", 1);
    row("D D Z", "a|b|c", 1);
    row("D D Z Shift+Z", "a|c", 1);
    row("J", "a|b|c", 2);
    row("Down", "a|b|c", 2);
    row("J J J", "a|b|c", 2);
    row("K", "a|b|c", 0);
    row("Up", "a|b|c", 0);
    row("Home", "a|b|c", 0);
    row("End", "a|b|c", 2);
    row("M", "a|m:b|c", 1);
    row("M Y", "a|b|c", 1);
    row("R", "a|r:b|c", 1);
    row("2", "a|m:## b|c", 1);
    row("2 3", "a|m:### b|c", 1);
    row("Shift+M", "a|b\nc", 1);
    row("Shift+K Shift+M", "a\nb|c", 0);
    row("Shift+M Z", "a|b|c", 2);
    row("Ctrl+Backspace", "a\nb|c", 0);
    row("Ctrl+Shift+M", "a|b\nc", 1);
    row("M K M Shift+J Shift+M", "m:a\n\nb|c", 0);
    row("Ctrl+Shift+Up", "b|a|c", 0);
    row("Ctrl+Shift+Down", "a|c|b", 2);
    row("Ctrl+Shift+Down Z", "a|b|c", 1);
    row("C V", "a|b|b|c", 2);
    row("C Shift+V", "a|b|b|c", 1);
    row("X V", "a|c|b", 2);
    row("Ctrl+C Ctrl+V", "a|b|b|c", 2);
}

void NotebookViewTest::keys_inCommandMode_changeCells()
{
    QFETCH(QString, keys);
    press(keys);
    QTEST(cells(), "cells");
    QTEST(int(current()), "current");
    QCOMPARE(m_view->mode(), NotebookView::Mode::Command);
    QVERIFY(m_view->hasFocus());
}

void NotebookViewTest::keys_ofRun_askAndAdvance_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("cells");
    QTest::addColumn<int>("current");
    QTest::addColumn<NotebookView::Mode>("mode");
    using Mode = NotebookView::Mode;
    QTest::newRow("Ctrl+Return") << u"Ctrl+Return"_s << u"a|b|c"_s << 1 << Mode::Command;
    QTest::newRow("Shift+Return") << u"Shift+Return"_s << u"a|b|c"_s << 2 << Mode::Command;
    QTest::newRow("Alt+Return") << u"Alt+Return"_s << u"a|b||c"_s << 2 << Mode::Edit;
    QTest::newRow("Ctrl+Return while editing") << u"Return Ctrl+Return"_s << u"a|b|c"_s << 1 << Mode::Command;
    QTest::newRow("Alt+Return while editing") << u"Return Alt+Return"_s << u"a|b||c"_s << 2 << Mode::Edit;
}

void NotebookViewTest::keys_ofRun_askAndAdvance()
{
    QFETCH(QString, keys);
    const CellId wanted = id(1);
    QSignalSpy asked(m_view.get(), &NotebookView::runRequested);
    press(keys);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.front().front().value<std::vector<CellId>>(), std::vector<CellId>{wanted});
    QTEST(cells(), "cells");
    QTEST(int(current()), "current");
    QTEST(m_view->mode(), "mode");
}

void NotebookViewTest::shiftReturn_inLastCell_insertsOneToWriteIn()
{
    press(u"J Shift+Return"_s);
    QCOMPARE(cells(), u"a|b|c|"_s);
    QCOMPARE(int(current()), 3);
    QCOMPARE(m_view->mode(), NotebookView::Mode::Edit);
}

void NotebookViewTest::shiftReturn_whileTyping_runsWhatIsTyped()
{
    QSignalSpy asked(m_view.get(), &NotebookView::runRequested);
    press(u"Return End"_s);
    QTest::keyClicks(editor(), u" + 1"_s);
    press(u"Shift+Return"_s);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(cells(), u"a|b + 1|c"_s);
}

void NotebookViewTest::run_ofMarkdown_asksForNothing()
{
    QSignalSpy asked(m_view.get(), &NotebookView::runRequested);
    press(u"M Shift+Return"_s);
    QCOMPARE(asked.size(), 0);
    QCOMPARE(int(current()), 2);
}

void NotebookViewTest::letters_inEditMode_areText()
{
    press(u"Return End"_s);
    QTest::keyClicks(editor(), u"dda0"_s);
    QCOMPARE(cells(), u"a|bdda0|c"_s);
    QCOMPARE(m_view->mode(), NotebookView::Mode::Edit);
}

void NotebookViewTest::escape_whileEditing_returnsToCommands()
{
    QSignalSpy modes(m_view.get(), &NotebookView::modeChanged);
    press(u"Return"_s);
    QVERIFY(editor()->hasFocus());
    press(u"Esc"_s);
    QVERIFY(m_view->hasFocus());
    QVERIFY(!editor()->isVisible());
    QCOMPARE(modes.size(), 2);
    QCOMPARE(m_view->mode(), NotebookView::Mode::Command);
}

void NotebookViewTest::split_atCursor_partsTheCell()
{
    m_document->setSource(id(1), u"first\nsecond"_s);
    press(u"Return"_s);
    editor()->placeCursor(6);
    press(u"Ctrl+Shift+-"_s);
    QCOMPARE(cells(), u"a|first|second|c"_s);
    QCOMPARE(int(current()), 2);
    QCOMPARE(m_view->mode(), NotebookView::Mode::Edit);
    press(u"Esc Z"_s);
    QCOMPARE(cells(), u"a|first\nsecond|c"_s);
}

void NotebookViewTest::arrow_atLastRow_entersNextCell()
{
    press(u"Return Down"_s);
    QCOMPARE(int(current()), 2);
    QCOMPARE(m_view->mode(), NotebookView::Mode::Edit);
    press(u"Up Up"_s);
    QCOMPARE(int(current()), 0);
    QCOMPARE(m_view->mode(), NotebookView::Mode::Edit);
}

void NotebookViewTest::arrow_betweenRows_staysInCell()
{
    m_document->setSource(id(1), u"first\nsecond"_s);
    press(u"Return"_s);
    editor()->placeCursor(0);
    press(u"Down"_s);
    QCOMPARE(int(current()), 1);
    QCOMPARE(editor()->textCursor().blockNumber(), 1);
}

void NotebookViewTest::pair_interruptedByOtherKey_doesNothing()
{
    press(u"D J D"_s);
    QCOMPARE(cells(), u"a|b|c"_s);
}

void NotebookViewTest::interrupt_byPair_isAskedFor()
{
    QSignalSpy asked(m_view.get(), &NotebookView::interruptRequested);
    press(u"I"_s);
    QCOMPARE(asked.size(), 0);
    press(u"I"_s);
    QCOMPARE(asked.size(), 1);
}

void NotebookViewTest::restart_byPair_isAskedFor()
{
    QSignalSpy asked(m_view.get(), &NotebookView::restartRequested);
    press(u"0 0"_s);
    QCOMPARE(asked.size(), 1);
}

void NotebookViewTest::extend_byShift_selectsCells()
{
    press(u"Shift+Down"_s);
    QCOMPARE(m_view->selectedCells(), (std::vector<CellId>{id(1), id(2)}));
    press(u"Shift+Up Shift+Up"_s);
    QCOMPARE(m_view->selectedCells(), (std::vector<CellId>{id(0), id(1)}));
    press(u"D D"_s);
    QCOMPARE(cells(), u"c"_s);
}

void NotebookViewTest::selectAll_byKey_selectsEveryCell()
{
    press(u"Ctrl+A"_s);
    QCOMPARE(m_view->selectedCells().size(), std::size_t(3));
    QCOMPARE(int(current()), 1);
}

void NotebookViewTest::outputs_byKey_areFolded()
{
    press(u"O"_s);
    QVERIFY(m_document->peekAt(1).outputsCollapsed);
    press(u"O"_s);
    QVERIFY(!m_document->peekAt(1).outputsCollapsed);
}

void NotebookViewTest::undo_ofTyping_restoresSource()
{
    press(u"Return End"_s);
    QTest::keyClicks(editor(), u"xyz"_s);
    press(u"Esc Z"_s);
    QCOMPARE(cells(), u"a|b|c"_s);
}

void NotebookViewTest::delete_ofAllCells_leavesAnEmptyOne()
{
    press(u"Ctrl+A D D"_s);
    QCOMPARE(cells(), QString());
    QCOMPARE(m_document->cellCount(), qsizetype(1));
    QCOMPARE(int(current()), 0);
}

void NotebookViewTest::copy_ofCells_givesTextElsewhere()
{
    press(u"Shift+J C"_s);
    QCOMPARE(QApplication::clipboard()->text(), u"b\n\nc"_s);
}

void NotebookViewTest::editor_inManyCells_isOne()
{
    for (const qsizetype index : {0, 1, 2, 0}) {
        m_view->setCurrentCell(id(index));
        m_view->editCurrentCell();
    }
    QCOMPARE(m_view->findChildren<CodeEditor *>().size(), qsizetype(1));
}

void NotebookViewTest::cell_removedWhileEdited_endsEditing()
{
    press(u"Return"_s);
    m_document->removeCells(1, 1);
    QCOMPARE(m_view->mode(), NotebookView::Mode::Command);
    QVERIFY(m_view->hasFocus());
    QCOMPARE(int(current()), 1);
}

void NotebookViewTest::awaitInput(qsizetype index)
{
    CellRun run;
    run.state = CellRun::State::AwaitingInput;
    run.inputRequest.prompt = "Name? ";
    m_document->setRun(id(index), run);
}

void NotebookViewTest::inputBox_belowTheView_isShownWithFocus()
{
    m_document->setSource(id(0), u"x = 1\n"_s.repeated(60));
    m_view->setCurrentCell(id(1));
    awaitInput(0);
    QVERIFY(box());
    QTRY_VERIFY(m_view->viewport()->rect().contains(box()->geometry()));
    QVERIFY(box()->hasFocusInside());
}

void NotebookViewTest::inputBox_whileWritingElsewhere_leavesTheFocus()
{
    m_view->editCurrentCell();
    awaitInput(2);
    QVERIFY(box());
    QVERIFY(editor()->hasFocus());
}

QTEST_MAIN(NotebookViewTest)
#include "tst_notebookview.moc"
