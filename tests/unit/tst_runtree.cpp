#include "core/session/runtree.h"

#include <QTest>

using namespace sandfish;

class RunTreeTest : public QObject
{
    Q_OBJECT
private slots:
    void add_inARow_isOnePath();
    void goTo_older_growsBeside();
    void keepOnly_dropsTheOthersAndKeepsTheWays();
    void keepOnly_presentState_stays();
};

void RunTreeTest::add_inARow_isOnePath()
{
    RunTree tree;
    QCOMPARE(tree.current(), 0);
    const int a = tree.add(), b = tree.add(), c = tree.add();
    QVERIFY(a < b && b < c);
    QCOMPARE(tree.current(), c);
    QCOMPARE(tree.parentOf(c), b);
    QCOMPARE(tree.parentOf(a), 0);
    QVERIFY((tree.path(c) == std::set{a, b, c}));
    QVERIFY(tree.path(0).empty());
}

void RunTreeTest::goTo_older_growsBeside()
{
    RunTree tree;
    const int a = tree.add(), b = tree.add();
    tree.goTo(a);
    const int c = tree.add();
    QVERIFY((tree.path(tree.current()) == std::set{a, c}));
    QVERIFY((tree.path(b) == std::set{a, b}));
    QCOMPARE(tree.last(), c);
}

void RunTreeTest::keepOnly_dropsTheOthersAndKeepsTheWays()
{
    RunTree tree;
    const int a = tree.add();
    for (int i = 0; i < 1000; ++i)
        tree.add();
    const int z = tree.add();
    tree.goTo(a);
    const int side = tree.add();
    tree.keepOnly({a, z});
    QCOMPARE(tree.size(), std::size_t(3));
    QVERIFY((tree.path(z) == std::set{a, z}));
    QVERIFY((tree.path(side) == std::set{a, side}));
    QVERIFY(tree.add() > side);
}

void RunTreeTest::keepOnly_presentState_stays()
{
    RunTree tree;
    tree.add();
    const int b = tree.add();
    tree.keepOnly({});
    QCOMPARE(tree.current(), b);
    QVERIFY((tree.path(b) == std::set{b}));
}

QTEST_APPLESS_MAIN(RunTreeTest)
#include "tst_runtree.moc"
