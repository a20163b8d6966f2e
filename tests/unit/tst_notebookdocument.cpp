#include "core/document/ipynbreader.h"
#include "core/document/ipynbwriter.h"
#include "tests/unit/documentsamples.h"

#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

#include <ctime>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

/// Cells, undo and the file; outputs have a test of their own.
class NotebookDocumentTest : public QObject
{
    Q_OBJECT
private slots:
    void construct_newNotebook_hasOneEmptyCodeCell();
    void toJson_newNotebook_hasTheLayoutOfJupyter();
    void insert_cell_isUndone();
    void remove_cellWithOutputs_undoBringsEverythingBack();
    void remove_onlyCell_undoBringsItBack();
    void undo_loadedNotebook_changesNothing();
    void undo_beyondThousandSteps_dropsTheOldest();
    void move_cells_keepsOrderAndIndex_data();
    void move_cells_keepsOrderAndIndex();
    void setSource_typing_isOneStep();
    void setSource_otherPlaceOrCell_isAnotherStep();
    void setType_codeToMarkdownAndBack_keepsOutputs();
    void setCellLanguage_ofOneCell_winsOverNotebook();
    void setLanguage_writesKernelAndLanguageInfo();
    void insertCells_takenId_getsAFreshOne();
    void isModified_followsUndoAndSave();
    void indexOf_tenThousandCells_insertAtTopIsQuick();
    void makeCellId_isValidAndUnique();
};

static QStringList sources(const NotebookDocument &document)
{
    QStringList list;
    for (qsizetype i = 0; i < document.cellCount(); ++i)
        list += document.cellAt(i).source;
    return list;
}

void NotebookDocumentTest::construct_newNotebook_hasOneEmptyCodeCell()
{
    const NotebookDocument document;
    QCOMPARE(document.cellCount(), 1);
    QCOMPARE(document.cellAt(0).type, Cell::Type::Code);
    QVERIFY(document.cellAt(0).source.isEmpty());
    QCOMPARE(document.language(), u"python"_s);
    QVERIFY(document.isTrusted());
    QVERIFY(!document.isModified());
}

// The layout is that of `json.dumps(nb, ensure_ascii=False, indent=1, sort_keys=True)` plus a newline.
void NotebookDocumentTest::toJson_newNotebook_hasTheLayoutOfJupyter()
{
    NotebookDocument document;
    const CellId id = document.cellAt(0).id;
    document.setSource(id, u"print('é')\nx = 1"_s);
    document.setExecutionCount(id, 1);
    document.apply(id, {out("é\n")});
    const QByteArray expected = R"({
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "@",
   "metadata": {},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "é\n"
     ]
    }
   ],
   "source": [
    "print('é')\n",
    "x = 1"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "Python 3",
   "language": "python",
   "name": "python3"
  },
  "language_info": {
   "name": "python"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
)";
    QCOMPARE(document.toJson(), QByteArray(expected).replace('@', id.value.toUtf8()));
}

void NotebookDocumentTest::insert_cell_isUndone()
{
    const auto document = letters(u"ab"_s);
    QSignalSpy inserted(document.get(), &NotebookDocument::cellsInserted);
    QSignalSpy removed(document.get(), &NotebookDocument::cellsRemoved);
    const CellId id = document->insertCell(1, Cell::Type::Markdown, u"x"_s);
    QCOMPARE(sources(*document), QStringList({u"a"_s, u"x"_s, u"b"_s}));
    QCOMPARE(document->indexOf(id), 1);
    document->undoStack()->undo();
    QCOMPARE(sources(*document), QStringList({u"a"_s, u"b"_s}));
    QCOMPARE(document->indexOf(id), -1);
    document->undoStack()->redo();
    QCOMPARE(document->find(id)->type, Cell::Type::Markdown);
    QCOMPARE(inserted.count(), 2);
    QCOMPARE(removed.count(), 1);
}

void NotebookDocumentTest::remove_cellWithOutputs_undoBringsEverythingBack()
{
    const auto document = letters(u"12"_s);
    const CellId first = document->cellAt(0).id;
    const CellId second = document->cellAt(1).id;
    document->apply(second, {out("x")});
    document->setExecutionCount(second, 7);
    document->setSource(first, u"13"_s);
    document->removeCells(1, 1);
    document->undoStack()->undo();
    QCOMPARE(sources(*document), QStringList({u"13"_s, u"2"_s}));
    QCOMPARE(document->cellAt(1).id.value, second.value);
    QCOMPARE(streamText(document->cellAt(1), 0), QByteArray("x"));
    QCOMPARE(document->cellAt(1).executionCount, 7);
}

void NotebookDocumentTest::remove_onlyCell_undoBringsItBack()
{
    const auto document = letters(u"a"_s);
    document->removeCells(0, 1);
    QCOMPARE(document->cellCount(), 0);
    document->undoStack()->undo();
    QCOMPARE(sources(*document), QStringList({u"a"_s}));
}

void NotebookDocumentTest::undo_loadedNotebook_changesNothing()
{
    const QByteArray json = letters(u"12"_s)->toJson();
    const auto document = NotebookDocument::fromJson(json);
    QVERIFY(document);
    (*document)->undoStack()->undo();
    QVERIFY(!(*document)->isModified());
    QCOMPARE((*document)->toJson(), json);
}

void NotebookDocumentTest::undo_beyondThousandSteps_dropsTheOldest()
{
    NotebookDocument document;
    const CellId id = document.cellAt(0).id;
    for (int i = 0; i < 1100; ++i)
        document.setSource(id, i % 2 == 0 ? u"a\n"_s : u"b\n"_s);
    QCOMPARE(document.undoStack()->count(), 1000);
    while (document.undoStack()->canUndo())
        document.undoStack()->undo();
    // What was dropped cannot be taken back, so the notebook still differs from the file.
    QVERIFY(document.isModified());
}

void NotebookDocumentTest::move_cells_keepsOrderAndIndex_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("to");
    QTest::addColumn<QString>("expected");
    QTest::newRow("down") << 0 << 1 << 2 << u"bcade"_s;
    QTest::newRow("up") << 3 << 2 << 1 << u"adebc"_s;
    QTest::newRow("to the end") << 0 << 2 << 99 << u"cdeab"_s;
    QTest::newRow("nowhere") << 1 << 2 << 1 << u"abcde"_s;
}

void NotebookDocumentTest::move_cells_keepsOrderAndIndex()
{
    QFETCH(int, first);
    QFETCH(int, count);
    QFETCH(int, to);
    QFETCH(QString, expected);
    const auto document = letters(u"abcde"_s);
    document->moveCells(first, count, to);
    QCOMPARE(sources(*document).join(QString()), expected);
    for (qsizetype i = 0; i < 5; ++i)
        QCOMPARE(document->indexOf(document->cellAt(i).id), i);
    document->undoStack()->undo();
    QCOMPARE(sources(*document).join(QString()), u"abcde"_s);
}

void NotebookDocumentTest::setSource_typing_isOneStep()
{
    const auto document = letters(u"a"_s);
    const CellId id = document->cellAt(0).id;
    for (const QString &text : {u"ab"_s, u"abc"_s, u"abcd"_s})
        document->setSource(id, text);
    QCOMPARE(document->undoStack()->count(), 1);
    document->undoStack()->undo();
    QCOMPARE(document->cellAt(0).source, u"a"_s);
}

void NotebookDocumentTest::setSource_otherPlaceOrCell_isAnotherStep()
{
    const auto document = letters(u"ab"_s);
    const CellId id = document->cellAt(0).id;
    document->setSource(id, u"ax"_s);
    document->setSource(id, u"yax"_s);
    document->setSource(id, u"ya"_s);
    document->setSource(id, u"ya\n"_s);
    document->setSource(document->cellAt(1).id, u"bc"_s);
    QCOMPARE(document->undoStack()->count(), 5);
}

void NotebookDocumentTest::setType_codeToMarkdownAndBack_keepsOutputs()
{
    const auto document = letters(u"a"_s);
    const CellId id = document->cellAt(0).id;
    document->apply(id, {out("x")});
    document->setType(id, Cell::Type::Markdown);
    QVERIFY(!document->toJson().contains("outputs"));
    document->undoStack()->undo();
    QCOMPARE(document->cellAt(0).type, Cell::Type::Code);
    QCOMPARE(document->cellAt(0).outputs.size(), std::size_t(1));
}

void NotebookDocumentTest::setCellLanguage_ofOneCell_winsOverNotebook()
{
    const auto document = letters(u"ab"_s);
    document->setCellLanguage(document->cellAt(1).id, u"bash"_s);
    QCOMPARE(document->effectiveLanguage(document->cellAt(0).id), u"python"_s);
    QCOMPARE(document->effectiveLanguage(document->cellAt(1).id), u"bash"_s);
    const auto reread = NotebookDocument::fromJson(document->toJson());
    QCOMPARE((*reread)->cellAt(1).language, u"bash"_s);
}

void NotebookDocumentTest::setLanguage_writesKernelAndLanguageInfo()
{
    const auto document = letters(u"a"_s);
    QSignalSpy changed(document.get(), &NotebookDocument::languageChanged);
    document->setLanguage(u"javascript"_s);
    QCOMPARE(changed.count(), 1);
    const auto reread = NotebookDocument::fromJson(document->toJson());
    QCOMPARE((*reread)->language(), u"javascript"_s);
}

void NotebookDocumentTest::insertCells_takenId_getsAFreshOne()
{
    const auto document = letters(u"a"_s);
    Cell copy = document->cellAt(0);
    Cell kept;
    kept.id = {u"kept"_s};
    const std::vector<CellId> ids = document->insertCells(1, {copy, kept, kept});
    QVERIFY(ids[0] != copy.id);
    QCOMPARE(ids[1].value, u"kept"_s);
    QVERIFY(ids[2] != ids[1]);
}

void NotebookDocumentTest::isModified_followsUndoAndSave()
{
    const auto document = letters(u"a"_s);
    QSignalSpy changed(document.get(), &NotebookDocument::modifiedChanged);
    document->setSource(document->cellAt(0).id, u"b"_s);
    QVERIFY(document->isModified());
    document->undoStack()->undo();
    QVERIFY(!document->isModified());
    document->apply(document->cellAt(0).id, {out("x")});
    QVERIFY(document->isModified());
    document->markSaved();
    QVERIFY(!document->isModified());
    QCOMPARE(changed.count(), 4);
}

void NotebookDocumentTest::indexOf_tenThousandCells_insertAtTopIsQuick()
{
    NotebookDocument document;
    std::vector<Cell> cells(10'000);
    document.insertCells(0, cells);
    // Of the processor, so that other programs of the machine do not count.
    const std::clock_t before = std::clock();
    const CellId id = document.insertCell(0, Cell::Type::Code);
    QVERIFY((std::clock() - before) * 1000 / CLOCKS_PER_SEC <= 16);
    QCOMPARE(document.indexOf(id), 0);
    QCOMPARE(document.indexOf(document.cellAt(10'001).id), 10'001);
}

void NotebookDocumentTest::makeCellId_isValidAndUnique()
{
    const CellId a = makeCellId();
    QVERIFY(isValidCellId(a.value));
    QCOMPARE(a.value.size(), 8);
    QVERIFY(a != makeCellId());
}

QTEST_GUILESS_MAIN(NotebookDocumentTest)
#include "tst_notebookdocument.moc"
