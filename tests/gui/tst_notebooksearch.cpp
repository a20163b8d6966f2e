#include "core/document/notebookdocument.h"
#include "ui/window/notebooksearch.h"

#include <QSignalSpy>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The hits of a search: their order, the way round, and what a change of the document does to them.
class NotebookSearchTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void hits_areInDocumentOrder();
    void next_atTheEnd_goesRound();
    void previous_atTheStart_goesRound();
    void scope_withoutOutputs_countsSourcesOnly();
    void colors_inStream_hideNothing();
    void current_afterHitBeforeIt_staysTheSame();
    void outputs_thatGrow_areCounted();
    void emptyQuery_hasNoHits();

private:
    void query(const QString &text, bool inOutput = true);
    CellId id(qsizetype index) const { return m_document->peekAt(index).id; }

    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<NotebookSearch> m_search;
};

void NotebookSearchTest::init()
{
    m_search.reset();
    m_document = std::make_unique<NotebookDocument>();
    m_document->setSource(id(0), u"sand = 1  # sand"_s);
    m_document->insertCell(1, Cell::Type::Markdown, u"The sand."_s);
    m_document->insertCell(2, Cell::Type::Code, u"water"_s);
    m_document->apply(id(0), {StreamText{StreamText::Channel::Stdout, "fish\nsand here\n", false}});
    m_search = std::make_unique<NotebookSearch>(m_document.get());
}

void NotebookSearchTest::query(const QString &text, bool inOutput)
{
    FindQuery query;
    query.text = text;
    query.inOutput = inOutput;
    QSignalSpy found(m_search.get(), &NotebookSearch::resultChanged);
    m_search->setQuery(query);
    QTRY_VERIFY(!found.isEmpty());
}

void NotebookSearchTest::hits_areInDocumentOrder()
{
    query(u"sand"_s);
    QCOMPARE(m_search->count(), 4);
    QCOMPARE(m_search->countInOutputs(), 1);
    QCOMPARE(m_search->current(), 0);
    QSignalSpy activated(m_search.get(), &NotebookSearch::hitActivated);
    for (int i = 0; i < 4; ++i)
        m_search->next();
    const auto hit = [&activated](int i) { return activated[i].front().value<FindHit>(); };
    QCOMPARE(hit(0), (FindHit{id(0), 0, 0, {0, 0}}));
    QCOMPARE(hit(1), (FindHit{id(0), 0, 1, {0, 12}}));
    QCOMPARE(hit(2), (FindHit{id(0), m_document->peekAt(0).outputs.front().serial, 0, {1, 0}}));
    QCOMPARE(hit(3), (FindHit{id(1), 0, 0, {0, 4}}));
}

void NotebookSearchTest::next_atTheEnd_goesRound()
{
    query(u"sand"_s);
    for (int i = 0; i < 5; ++i)
        m_search->next();
    QCOMPARE(m_search->current(), 1);
}

void NotebookSearchTest::previous_atTheStart_goesRound()
{
    query(u"sand"_s);
    m_search->previous();
    QCOMPARE(m_search->current(), 4);
    QCOMPARE(m_search->marks().current->cell, id(1));
}

void NotebookSearchTest::scope_withoutOutputs_countsSourcesOnly()
{
    query(u"sand"_s, false);
    QCOMPARE(m_search->count(), 3);
    QVERIFY(!m_search->marks().inOutput);
}

void NotebookSearchTest::colors_inStream_hideNothing()
{
    m_document->apply(id(2), {StreamText{StreamText::Channel::Stdout, "de\x1b[31mse\x1b[0mrt\n", false}});
    query(u"desert"_s);
    QCOMPARE(m_search->count(), 1);
}

void NotebookSearchTest::current_afterHitBeforeIt_staysTheSame()
{
    query(u"sand"_s);
    m_search->previous();
    QSignalSpy found(m_search.get(), &NotebookSearch::resultChanged);
    m_document->insertCell(0, Cell::Type::Code, u"sand"_s);
    QTRY_VERIFY(!found.isEmpty());
    QCOMPARE(m_search->count(), 5);
    QCOMPARE(m_search->current(), 5);
}

void NotebookSearchTest::outputs_thatGrow_areCounted()
{
    query(u"sand"_s);
    m_document->apply(id(2), {StreamText{StreamText::Channel::Stdout, "more sand\n", false}});
    QTRY_COMPARE(m_search->count(), 5);
}

void NotebookSearchTest::emptyQuery_hasNoHits()
{
    query(u"sand"_s);
    m_search->setQuery({});
    QTRY_COMPARE(m_search->count(), 0);
    m_search->next();
    QCOMPARE(m_search->current(), 0);
}

QTEST_MAIN(NotebookSearchTest)
#include "tst_notebooksearch.moc"
