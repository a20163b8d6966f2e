#include "tests/support/daytonafixture.h"

#include <QSet>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// What the control plane of the Daytona face keeps of a sandbox and tells of all: lists, labels, intervals, addresses.
class EngineDaytonaSettingsTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_engine.start()); }

    void list_pages_haveEveryoneOnce();
    void list_filters_data();
    void list_filters();
    void labels_put_replacesAll();
    void intervals_areKept_data();
    void intervals_areKept();
    void intervals_odd_are400();
    void previewUrl_ofToolboxAndPort();
    void unoffered_is501_data();
    void unoffered_is501();
    void daemonRestart_settingsAreKept();
    void seedSandbox_isListed();
    void printEnv_namesTheFace();

private:
    EngineFixture m_engine;
    DaytonaFixture m_daytona{m_engine};
};

namespace {
const QString kSandboxes = QStringLiteral("/api/sandbox");
}

void EngineDaytonaSettingsTest::list_pages_haveEveryoneOnce()
{
    QSet<QString> made;
    for (int i = 0; i < 3; ++i)
        made.insert(m_daytona.create({{u"labels"_s, QJsonObject{{u"page"_s, u"yes"_s}}}}));
    QStringList found;
    QString cursor;
    do {
        const QString query = uR"(?limit=1&labels={"page":"yes"}&cursor=)"_s + cursor;
        const EngineResponse page = m_daytona.get(kSandboxes + query);
        QCOMPARE(page.status, 200);
        const QJsonArray items = page.object().value("items"_L1).toArray();
        QCOMPARE(items.size(), 1);
        QVERIFY(!items.first()["toolboxProxyUrl"_L1].toString().isEmpty());
        found.append(items.first()["id"_L1].toString());
        QVERIFY(page.object().contains("nextCursor"_L1));
        cursor = page.object().value("nextCursor"_L1).toString();
    } while (!cursor.isEmpty() && found.size() < 10);
    QCOMPARE(found.size(), 3);
    QCOMPARE(QSet<QString>(found.cbegin(), found.cend()), made);
}

void EngineDaytonaSettingsTest::list_filters_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QStringList>("names");
    QTest::newRow("name") << u"name=list-"_s << QStringList{u"list-a"_s, u"list-b"_s};
    QTest::newRow("states") << u"name=list-&states=stopped&states=paused"_s << QStringList{u"list-b"_s};
    QTest::newRow("label") << uR"(labels={"kind":"a"})"_s << QStringList{u"list-a"_s};
    QTest::newRow("descending") << u"name=list-&order=desc"_s << QStringList{u"list-b"_s, u"list-a"_s};
}

void EngineDaytonaSettingsTest::list_filters()
{
    QFETCH(QString, query);
    QFETCH(QStringList, names);
    if (m_daytona.state(u"list-a"_s).isEmpty()) {
        QVERIFY(
            !m_daytona.create({{u"name"_s, u"list-a"_s}, {u"labels"_s, QJsonObject{{u"kind"_s, u"a"_s}}}}).isEmpty());
        QVERIFY(!m_daytona.create({{u"name"_s, u"list-b"_s}}).isEmpty());
        QCOMPARE(m_daytona.post(kSandboxes + u"/list-b/stop"_s).status, 200);
    }
    const QString order = query.contains("order"_L1) ? QString() : u"&order=asc"_s;
    QStringList found;
    for (const QJsonValue &item :
        m_daytona.get(kSandboxes + u"?sort=name&"_s + query + order).object().value("items"_L1).toArray())
        found.append(item["name"_L1].toString());
    QCOMPARE(found, names);
    QCOMPARE(m_daytona.get(kSandboxes + u"?limit=0"_s).status, 400);
    QCOMPARE(m_daytona.get(kSandboxes + u"?labels=[1]"_s).status, 400);
}

void EngineDaytonaSettingsTest::labels_put_replacesAll()
{
    const QString id = m_daytona.create({{u"labels"_s, QJsonObject{{u"old"_s, u"1"_s}}}});
    const QJsonObject labels{{u"new"_s, u"2"_s}};
    const QString path = DaytonaFixture::sandboxPath(id);
    QCOMPARE(m_daytona.send("PUT", path + u"/labels"_s, {{u"labels"_s, labels}}).object().value("labels"_L1), labels);
    QCOMPARE(m_daytona.get(path).object().value("labels"_L1), labels);
    QCOMPARE(m_daytona.send("PUT", path + u"/labels"_s, {{u"labels"_s, 3}}).status, 400);
}

void EngineDaytonaSettingsTest::intervals_areKept_data()
{
    QTest::addColumn<QString>("action");
    QTest::addColumn<QString>("member");
    QTest::addColumn<int>("value");
    QTest::newRow("stop") << u"autostop"_s << u"autoStopInterval"_s << 30;
    QTest::newRow("stop never") << u"autostop"_s << u"autoStopInterval"_s << 0;
    QTest::newRow("pause") << u"autopause"_s << u"autoPauseInterval"_s << 5;
    QTest::newRow("archive") << u"autoarchive"_s << u"autoArchiveInterval"_s << 60;
    QTest::newRow("delete") << u"autodelete"_s << u"autoDeleteInterval"_s << 90;
    QTest::newRow("delete never") << u"autodelete"_s << u"autoDeleteInterval"_s << -1;
}

void EngineDaytonaSettingsTest::intervals_areKept()
{
    QFETCH(QString, action);
    QFETCH(QString, member);
    QFETCH(int, value);
    const QString path = DaytonaFixture::sandboxPath(m_daytona.create());
    QCOMPARE(m_daytona.post(path + u'/' + action + u'/' + QString::number(value)).status, 200);
    QCOMPARE(m_daytona.get(path).object().value(member), value);
}

void EngineDaytonaSettingsTest::intervals_odd_are400()
{
    const QString path = DaytonaFixture::sandboxPath(m_daytona.create());
    for (const char *odd : {"autostop/-1", "autostop/x", "autopause/1.5", "ttl/99999999999"})
        QCOMPARE(m_daytona.post(path + u'/' + QString::fromLatin1(odd)).status, 400);
    QCOMPARE(m_daytona.post(path + u"/autowash/5"_s).status, 404);
}

void EngineDaytonaSettingsTest::previewUrl_ofToolboxAndPort()
{
    const QString id = m_daytona.create();
    const QString path = DaytonaFixture::sandboxPath(id);
    const QString toolbox = m_daytona.get(path + u"/toolbox-proxy-url"_s).object().value("url"_L1).toString();
    QCOMPARE(toolbox, m_daytona.get(path).object().value("toolboxProxyUrl"_L1).toString());
    const QJsonObject own = m_daytona.get(path + u"/ports/1/preview-url"_s).object();
    QCOMPARE(own.value("sandboxId"_L1), id);
    QCOMPARE(own.value("url"_L1).toString(), QString(toolbox + u'/' + id));
    QVERIFY(own.value("token"_L1).toString().size() >= 32);
    QCOMPARE(m_daytona.get(path + u"/ports/3000/preview-url"_s).object().value("url"_L1), u"http://127.0.0.1:3000"_s);
    QCOMPARE(m_daytona.get(path + u"/ports/70000/preview-url"_s).status, 400);
}

void EngineDaytonaSettingsTest::unoffered_is501_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QString>("path");
    for (const char *action : {"archive", "resize", "fork", "snapshot", "recover", "ssh-access"})
        QTest::newRow(action) << QByteArray("POST") << u"/api/sandbox/%1/"_s + QString::fromLatin1(action);
    QTest::newRow("session") << QByteArray("POST") << u"/toolbox/%1/process/session"_s;
    QTest::newRow("terminal") << QByteArray("POST") << u"/toolbox/%1/process/pty"_s;
    QTest::newRow("git") << QByteArray("GET") << u"/toolbox/%1/git/status"_s;
    QTest::newRow("snapshots") << QByteArray("GET") << u"/api/snapshots"_s;
}

void EngineDaytonaSettingsTest::unoffered_is501()
{
    QFETCH(QByteArray, method);
    QFETCH(QString, path);
    const EngineResponse response = m_daytona.send(method, path.replace(u"%1"_s, m_daytona.create()));
    QCOMPARE(response.status, 501);
    QVERIFY(!response.object().value("message"_L1).toString().isEmpty());
}

void EngineDaytonaSettingsTest::daemonRestart_settingsAreKept()
{
    const QString id = m_daytona.create({{u"name"_s, u"survivor"_s}, {u"autoStopInterval"_s, 33}, {u"public"_s, true}});
    QCOMPARE(m_daytona.run(id, u"open('kept', 'w').write('x')"_s)->closeCode(), 1000);
    QVERIFY(m_engine.stop());
    QVERIFY(m_engine.start());
    const QJsonObject sandbox = m_daytona.get(kSandboxes + u"/survivor"_s).object();
    QCOMPARE(sandbox.value("id"_L1), id);
    QCOMPARE(sandbox.value("state"_L1), u"stopped"_s);
    QCOMPARE(sandbox.value("autoStopInterval"_L1), 33);
    QCOMPARE(sandbox.value("public"_L1), true);
    QCOMPARE(m_daytona.post(DaytonaFixture::sandboxPath(id) + u"/start"_s).status, 200);
    QCOMPARE(m_daytona.run(id, u"print(open('kept').read())"_s)->text(), u"x\n"_s);
}

// The faces look at the same sandboxes.
void EngineDaytonaSettingsTest::seedSandbox_isListed()
{
    const EngineSandbox seed = m_engine.create();
    const QJsonObject sandbox = m_daytona.get(DaytonaFixture::sandboxPath(seed.id)).object();
    QCOMPARE(sandbox.value("state"_L1), u"started"_s);
    QCOMPARE(sandbox.value("autoStopInterval"_L1), 0);
    QCOMPARE(m_engine.run(seed, u"shared = 7"_s).doneCount(), 1);
    QCOMPARE(m_daytona.run(seed.id, u"print(shared)"_s)->text(), u"7\n"_s);
}

void EngineDaytonaSettingsTest::printEnv_namesTheFace()
{
    QProcess process;
    process.start(EngineFixture::program(), {u"--print-env"_s, u"--state-dir"_s, m_engine.stateDirectory()});
    QTRY_COMPARE(process.state(), QProcess::NotRunning);
    const QString lines = QString::fromUtf8(process.readAllStandardOutput());
    const QString url = m_engine.url(u"/daytona/api"_s).toString();
    QVERIFY2(lines.contains(u"export DAYTONA_API_URL='"_s + url + u"'\n"_s), qPrintable(lines));
    QVERIFY(lines.contains(u"export DAYTONA_API_KEY='"_s + m_engine.readyLine().value("apiKey"_L1).toString()));
    QVERIFY(lines.contains(u"export DAYTONA_TARGET='local'\n"_s));
}

QTEST_GUILESS_MAIN(EngineDaytonaSettingsTest)
#include "tst_engine_daytona_settings.moc"
