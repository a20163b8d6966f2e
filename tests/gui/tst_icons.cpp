#include "ui/text/icons.h"

#include <QDir>
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sandfish {

class IconsTest : public QObject
{
    Q_OBJECT
private slots:
    void pixmap_ofEveryFile_isPaintedInTheGivenColor_data();
    void pixmap_ofEveryFile_isPaintedInTheGivenColor();
    void pixmap_atFractionalRatio_hasDeviceSize();
    void pixmap_ofUnknownName_isEmptySquare();
};

void IconsTest::pixmap_ofEveryFile_isPaintedInTheGivenColor_data()
{
    QTest::addColumn<QString>("name");
    const QDir folder(QStringLiteral(SANDFISH_SOURCE_DIR "/resources/icons"));
    for (const QString &file : folder.entryList({u"*.svg"_s}))
        QTest::newRow(qPrintable(file)) << file.chopped(4);
}

void IconsTest::pixmap_ofEveryFile_isPaintedInTheGivenColor()
{
    QFETCH(QString, name);
    const QImage image = iconPixmap(name, QColor(255, 0, 0), 16, 2).toImage().convertToFormat(QImage::Format_ARGB32);
    int paintedPixels = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor color = image.pixelColor(x, y);
            if (color.alpha() < 128)
                continue;
            ++paintedPixels;
            QVERIFY(color.red() > 200 && color.green() < 40 && color.blue() < 40);
        }
    }
    QVERIFY(paintedPixels > 20);
}

void IconsTest::pixmap_atFractionalRatio_hasDeviceSize()
{
    const QPixmap pixmap = iconPixmap(u"run"_s, Qt::black, 16, 1.5);
    QCOMPARE(pixmap.size(), QSize(24, 24));
    QCOMPARE(pixmap.devicePixelRatio(), 1.5);
}

void IconsTest::pixmap_ofUnknownName_isEmptySquare()
{
    const QImage image = iconPixmap(u"no-such-icon"_s, Qt::black, 16, 1).toImage();
    QCOMPARE(image.size(), QSize(16, 16));
    QCOMPARE(image.pixelColor(8, 8).alpha(), 0);
}

} // namespace sandfish

QTEST_MAIN(sandfish::IconsTest)
#include "tst_icons.moc"
