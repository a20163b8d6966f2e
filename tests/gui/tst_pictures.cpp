#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

/// `sandfish --screenshot` as a user calls it. The pictures stay in the build folder, to be looked at beside the
/// design.
class PicturesTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void screenshot_ofTour_hasSizeAndColor_data();
    void screenshot_ofTour_hasSizeAndColor();
    void runAll_ofTour_savesTheOutputs();
    void arguments_thatMakeNoSense_areRefused_data();
    void arguments_thatMakeNoSense_areRefused();
    void screenshot_ofMissingFile_fails();

private:
    struct Outcome
    {
        int exitCode = -1;
        QByteArray output;
        QByteArray errors;
    };
    Outcome call(const QStringList &arguments) const;
    QString tour() const { return QStringLiteral(SANDFISH_SOURCE_DIR "/resources/tour/tour.ipynb"); }
    QString picture(const QString &name) const { return m_pictures.filePath(name + u".png"_s); }

    QTemporaryDir m_home;
    QDir m_pictures{QStringLiteral(SANDFISH_BINARY_DIR "/pictures")};
};

void PicturesTest::initTestCase()
{
    QVERIFY(m_pictures.mkpath(u"."_s));
}

void PicturesTest::cleanupTestCase()
{
    // The engine that the calls have started, by the file it keeps.
    QFile file(m_home.filePath(u"state/sandfish/engine/engine.json"_s));
    if (!file.open(QIODevice::ReadOnly))
        return;
    const QByteArray text = file.readAll();
    const qsizetype at = text.indexOf("\"pid\":");
    if (at >= 0)
        QProcess::startDetached(
            u"kill"_s, {QString::fromLatin1(text.mid(at + 6).split(',').front().split('}').front()).trimmed()});
}

PicturesTest::Outcome PicturesTest::call(const QStringList &arguments) const
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"HOME"_s, m_home.path());
    environment.insert(u"XDG_STATE_HOME"_s, m_home.filePath(u"state"_s));
    environment.insert(u"XDG_CONFIG_HOME"_s, m_home.filePath(u"config"_s));
    environment.remove(u"LIZARD_API_URL"_s);
    environment.remove(u"LIZARD_API_KEY"_s);
    process.setProcessEnvironment(environment);
    QSignalSpy finished(&process, &QProcess::finished);
    process.start(QStringLiteral(SANDFISH_BINARY_DIR "/sandfish"), arguments);
    if (finished.isEmpty() && !finished.wait(90'000))
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

void PicturesTest::screenshot_ofTour_hasSizeAndColor_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QColor>("corner");
    const QColor light(0xF3, 0xF0, 0xEA);
    const QColor dark(0x1F, 0x1D, 0x1B);
    QTest::newRow("light") << u"main-light"_s << QStringList{u"--theme"_s, u"light"_s, u"--run-all"_s}
                           << QSize(1440, 900) << light;
    QTest::newRow("dark, twice the pixels")
        << u"main-dark"_s << QStringList{u"--theme"_s, u"dark"_s, u"--run-all"_s, u"--scale"_s, u"2"_s}
        << QSize(2880, 1800) << dark;
    QTest::newRow("paused") << u"paused-dark"_s << QStringList{u"--theme"_s, u"dark"_s, u"--run-all"_s, u"--pause"_s}
                            << QSize(1440, 900) << dark;
    QTest::newRow("small") << u"main-small"_s << QStringList{u"--theme"_s, u"light"_s, u"--size"_s, u"800x600"_s}
                           << QSize(800, 600) << light;
}

void PicturesTest::screenshot_ofTour_hasSizeAndColor()
{
    QFETCH(QString, name);
    QFETCH(QStringList, options);
    const QStringList common{u"--screenshot"_s, picture(name), u"--size"_s, u"1440x900"_s};
    const Outcome outcome = call(common + options + QStringList{tour()});
    QVERIFY2(outcome.exitCode == 0, outcome.errors.constData());
    const QImage image(picture(name));
    QTEST(image.size(), "size");
    QTEST(image.pixelColor(image.width() - 6, 6), "corner");
}

void PicturesTest::runAll_ofTour_savesTheOutputs()
{
    const QString saved = m_home.filePath(u"tour.ipynb"_s);
    const Outcome outcome =
        call({u"--screenshot"_s, m_home.filePath(u"tour.png"_s), u"--run-all"_s, u"--save"_s, saved, tour()});
    QVERIFY2(outcome.exitCode == 0, outcome.errors.constData());
    QFile file(saved);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY(text.contains("A sandfish swims through sand as others swim through water."));
    QVERIFY(text.contains("deepest probe: 20 cm"));
    QVERIFY(text.contains("hello from Linux"));
    QVERIFY(text.contains("JSONDecodeError"));
}

void PicturesTest::arguments_thatMakeNoSense_areRefused_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("unknown option") << QStringList{u"--nothing"_s};
    QTest::newRow("size") << QStringList{u"--size"_s, u"wide"_s};
    QTest::newRow("scale") << QStringList{u"--scale"_s, u"0"_s};
    QTest::newRow("theme") << QStringList{u"--theme"_s, u"pink"_s};
    QTest::newRow("cell") << QStringList{u"--screenshot"_s, u"a.png"_s, u"--cell"_s, u"0"_s, u"a.ipynb"_s};
    QTest::newRow("run-all alone") << QStringList{u"--run-all"_s, u"a.ipynb"_s};
    QTest::newRow("no file") << QStringList{u"--screenshot"_s, u"a.png"_s};
}

void PicturesTest::arguments_thatMakeNoSense_areRefused()
{
    QFETCH(QStringList, arguments);
    const Outcome outcome = call(arguments);
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY(outcome.errors.contains("--help"));
}

void PicturesTest::screenshot_ofMissingFile_fails()
{
    const Outcome outcome = call({u"--screenshot"_s, m_home.filePath(u"none.png"_s), m_home.filePath(u"none.ipynb"_s)});
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY(outcome.errors.contains("none.ipynb"));
}

QTEST_GUILESS_MAIN(PicturesTest)
#include "tst_pictures.moc"
