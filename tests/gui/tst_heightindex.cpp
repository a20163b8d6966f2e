#include "ui/notebook/heightindex.h"

#include <QTest>

#include <numeric>
#include <random>

using namespace sandfish;

class HeightIndexTest : public QObject
{
    Q_OBJECT
private slots:
    void indexAt_tableOfPositions_givesCell_data();
    void indexAt_tableOfPositions_givesCell();
    void indexAt_emptyIndex_isMinusOne();
    void top_ofEveryCell_isSumOfHeightsBefore();
    void setHeight_ofOneCell_movesOnlyCellsBelow();
    void insert_inTheMiddle_keepsOrder();
    void remove_range_closesGap();
    void move_tableOfRanges_rotates_data();
    void move_tableOfRanges_rotates();
    void randomChanges_comparedWithPlainSums_agree();
    void tenThousandCells_setAndFind_costsMicroseconds();
};

namespace {

HeightIndex indexOf(std::vector<qreal> heights)
{
    HeightIndex index;
    index.assign(std::move(heights));
    return index;
}

std::vector<qreal> heightsOf(const HeightIndex &index)
{
    std::vector<qreal> heights;
    for (qsizetype i = 0; i < index.count(); ++i)
        heights.push_back(index.height(i));
    return heights;
}

} // namespace

void HeightIndexTest::indexAt_tableOfPositions_givesCell_data()
{
    QTest::addColumn<qreal>("y");
    QTest::addColumn<int>("cell");
    QTest::newRow("above") << -5.0 << 0;
    QTest::newRow("first pixel") << 0.0 << 0;
    QTest::newRow("inside first") << 9.9 << 0;
    QTest::newRow("border belongs to the lower cell") << 10.0 << 1;
    QTest::newRow("inside last") << 59.0 << 2;
    QTest::newRow("end") << 60.0 << 2;
    QTest::newRow("below") << 1000.0 << 2;
}

void HeightIndexTest::indexAt_tableOfPositions_givesCell()
{
    QFETCH(qreal, y);
    QFETCH(int, cell);
    QCOMPARE(indexOf({10, 20, 30}).indexAt(y), qsizetype(cell));
}

void HeightIndexTest::indexAt_emptyIndex_isMinusOne()
{
    QCOMPARE(HeightIndex().indexAt(0), qsizetype(-1));
    QCOMPARE(HeightIndex().totalHeight(), 0.0);
}

void HeightIndexTest::top_ofEveryCell_isSumOfHeightsBefore()
{
    const HeightIndex index = indexOf({10, 20, 30, 0.5});
    QCOMPARE(index.top(0), 0.0);
    QCOMPARE(index.top(1), 10.0);
    QCOMPARE(index.top(3), 60.0);
    QCOMPARE(index.top(4), 60.5);
    QCOMPARE(index.totalHeight(), 60.5);
}

void HeightIndexTest::setHeight_ofOneCell_movesOnlyCellsBelow()
{
    HeightIndex index = indexOf({10, 20, 30});
    QCOMPARE(index.top(2), 30.0);
    index.setHeight(1, 25);
    QCOMPARE(index.top(1), 10.0);
    QCOMPARE(index.top(2), 35.0);
    QCOMPARE(index.totalHeight(), 65.0);
}

void HeightIndexTest::insert_inTheMiddle_keepsOrder()
{
    HeightIndex index = indexOf({1, 4});
    index.insert(1, {2, 3});
    QCOMPARE(heightsOf(index), (std::vector<qreal>{1, 2, 3, 4}));
    QCOMPARE(index.top(3), 6.0);
}

void HeightIndexTest::remove_range_closesGap()
{
    HeightIndex index = indexOf({1, 2, 3, 4});
    index.remove(1, 2);
    QCOMPARE(heightsOf(index), (std::vector<qreal>{1, 4}));
    QCOMPARE(index.totalHeight(), 5.0);
}

void HeightIndexTest::move_tableOfRanges_rotates_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("to");
    QTest::addColumn<QList<qreal>>("expected");
    QTest::newRow("down") << 0 << 1 << 2 << QList<qreal>{2, 3, 1, 4, 5};
    QTest::newRow("up") << 3 << 2 << 1 << QList<qreal>{1, 4, 5, 2, 3};
    QTest::newRow("range to the end") << 0 << 2 << 3 << QList<qreal>{3, 4, 5, 1, 2};
    QTest::newRow("nowhere") << 2 << 2 << 2 << QList<qreal>{1, 2, 3, 4, 5};
}

void HeightIndexTest::move_tableOfRanges_rotates()
{
    QFETCH(int, first);
    QFETCH(int, count);
    QFETCH(int, to);
    QFETCH(QList<qreal>, expected);
    HeightIndex index = indexOf({1, 2, 3, 4, 5});
    index.move(first, count, to);
    QCOMPARE(heightsOf(index), std::vector<qreal>(expected.begin(), expected.end()));
}

void HeightIndexTest::randomChanges_comparedWithPlainSums_agree()
{
    std::mt19937 random(7);
    HeightIndex index;
    std::vector<qreal> plain;
    for (int step = 0; step < 2000; ++step) {
        const auto place = static_cast<qsizetype>(random() % (plain.size() + 1));
        const auto height = static_cast<qreal>(random() % 100);
        if (plain.empty() || step % 3 == 0) {
            index.insert(place, {height});
            plain.insert(plain.begin() + place, height);
        } else if (step % 7 == 0) {
            index.remove(place % index.count(), 1);
            plain.erase(plain.begin() + place % static_cast<qsizetype>(plain.size()));
        } else {
            const qsizetype cell = place % index.count();
            index.setHeight(cell, height);
            plain[static_cast<std::size_t>(cell)] = height;
        }
        QCOMPARE(index.totalHeight(), std::accumulate(plain.begin(), plain.end(), 0.0));
    }
}

void HeightIndexTest::tenThousandCells_setAndFind_costsMicroseconds()
{
    HeightIndex index = indexOf(std::vector<qreal>(10000, 40));
    qsizetype found = 0;
    QBENCHMARK
    {
        index.setHeight(found % 10000, 41);
        found += index.indexAt(200000) + 1;
    }
    QVERIFY(found > 0);
}

QTEST_APPLESS_MAIN(HeightIndexTest)
#include "tst_heightindex.moc"
