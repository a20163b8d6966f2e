#include "tests/bench/notebooks.h"

#include <QByteArray>
#include <QFile>
#include <QImage>
#include <QRandomGenerator>

#include <QBuffer>
#include <cmath>

namespace sandfish::bench {
namespace {

constexpr char kCell[] = R"json(  {
   "cell_type": "code",
   "execution_count": %1,
   "id": "c%2",
   "metadata": {},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "cell %1 of the test, value %3\n",
      "second line of output\n"
     ]
    }%4
   ],
   "source": [
    "def f%1(x, y=%1):\n",
    "    \"\"\"A small function, as people write them.\"\"\"\n",
    "    z = [x + k for k in range(y % 7)]\n",
    "    return sum(z) * 3.5\n",
    "print('cell %1 of the test, value', f%1(%1))"
   ]
  })json";

// Random pixels do not compress.
QByteArray pictureOutput(int sizeBytes, quint32 seed)
{
    const int side = std::max(1, int(std::sqrt(sizeBytes)));
    QImage image(side, side, QImage::Format_Grayscale8);
    QRandomGenerator random(seed);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            image.scanLine(y)[x] = uchar(random.bounded(256));
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return ",\n    {\n     \"data\": {\n      \"image/png\": \"" + buffer.data().toBase64()
        + "\",\n      \"text/plain\": [\n       \"<Figure>\"\n      ]\n     },\n     \"metadata\": {},\n     "
          "\"output_type\": \"display_data\"\n    }";
}

QByteArray cellText(int index, const QByteArray &picture)
{
    QByteArray cell(kCell);
    cell.replace("%1", QByteArray::number(index));
    cell.replace("%2", QByteArray::number(index).rightJustified(7, '0'));
    cell.replace("%3", QByteArray::number(qint64(index) * index));
    return cell.replace("%4", picture);
}

} // namespace

void writeNotebook(const QString &path, int cells, int pictureBytes)
{
    constexpr int kEveryFourth = 4;
    constexpr quint32 kPictures = 20;
    QList<QByteArray> pictures;
    for (quint32 seed = 0; pictureBytes > 0 && seed < kPictures; ++seed)
        pictures.append(pictureOutput(pictureBytes, seed));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return;
    file.write("{\n \"cells\": [\n");
    for (int i = 0; i < cells; ++i) {
        const bool hasPicture = pictureBytes > 0 && i % kEveryFourth == 0;
        file.write(cellText(i, hasPicture ? pictures[i % pictures.size()] : QByteArray()));
        file.write(i + 1 < cells ? ",\n" : "\n");
    }
    file.write(" ],\n \"metadata\": {\n  \"language_info\": {\n   \"name\": \"python\"\n  }\n },\n \"nbformat\": 4,\n "
               "\"nbformat_minor\": 5\n}\n");
}

} // namespace sandfish::bench
