#include "ui/outputs/imagedecoder.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImageReader>
#include <QLocale>
#include <QPixelFormat>
#include <QtConcurrentRun>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

// Enough for the headers of every format but for photographs with very long metadata.
constexpr std::size_t kHeaderChars = 128 << 10;
// While it is decoded; the scaled picture that stays is smaller than the window.
constexpr qint64 kMaxImageBytes = 512 << 20;

QString tr(const char *text)
{
    return QCoreApplication::translate("sandfish::ImageDecoder", text);
}

Error imageError(Error::Kind kind, const QString &message, const QString &detail = {})
{
    return {.kind = kind, .message = message.toStdString(), .detail = detail.toStdString()};
}

/// By content, never by the declared type: the reader would follow a text to its SVG plugin, past our sanitiser.
QByteArray formatOf(const QByteArray &bytes)
{
    if (bytes.startsWith("\x89PNG\r\n\x1a\n"))
        return "png";
    if (bytes.startsWith("\xff\xd8\xff"))
        return "jpeg";
    if (bytes.startsWith("GIF87a") || bytes.startsWith("GIF89a"))
        return "gif";
    if (bytes.startsWith("RIFF") && bytes.mid(8, 4) == "WEBP")
        return "webp";
    if (bytes.startsWith("BM"))
        return "bmp";
    return {};
}

QByteArray fromBase64(std::string_view text)
{
    const auto result = QByteArray::fromBase64Encoding(
        QByteArray(text.data(), static_cast<qsizetype>(text.size())), QByteArray::IgnoreBase64DecodingErrors);
    return *result;
}

qint64 pixelsOf(const QSize &size)
{
    return qint64(size.width()) * size.height();
}

/// The reader's own limit is below what a picture in a notebook may have; ours is checked before it reads.
void allowLargeImages()
{
    static const bool isDone = [] {
        // In MiB; the reader counts four bytes a pixel, whatever the picture has.
        QImageReader::setAllocationLimit(static_cast<int>(kMaxImagePixels * 4 >> 20) + 1);
        return true;
    }();
    Q_UNUSED(isDone)
}

Result<QImage> decodeNow(const QByteArray &base64, const QSize &boundPx)
{
    QByteArray bytes = fromBase64({base64.data(), static_cast<std::size_t>(base64.size())});
    const QByteArray format = formatOf(bytes);
    if (format.isEmpty())
        return imageError(Error::Kind::Protocol, tr("The data is no picture in a known format."));
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    allowLargeImages();
    QImageReader reader(&buffer, format);
    reader.setAutoDetectImageFormat(false);
    reader.setAutoTransform(true);
    const QSize size = reader.size();
    if (pixelsOf(size) > kMaxImagePixels)
        return imageError(Error::Kind::TooLarge,
            tr("The picture has %1 × %2 pixels. That is too large to show.").arg(size.width()).arg(size.height()));
    const qint64 neededBytes = pixelsOf(size) * QImage::toPixelFormat(reader.imageFormat()).bitsPerPixel() / 8;
    if (neededBytes > kMaxImageBytes)
        return imageError(Error::Kind::TooLarge,
            tr("The picture takes %1 of memory. That is too much to show.")
                .arg(QLocale().formattedDataSize(neededBytes)));
    const QSize fitted = size.scaled(boundPx, Qt::KeepAspectRatio);
    if (!boundPx.isEmpty() && fitted.width() < size.width())
        reader.setScaledSize(fitted.expandedTo({1, 1}));
    QImage image = reader.read();
    if (image.isNull())
        return imageError(Error::Kind::Protocol, tr("The picture is damaged or cut off."), reader.errorString());
    if (image.format() != QImage::Format_RGB32)
        image.convertTo(image.hasAlphaChannel() ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    return image;
}

} // namespace

QSize readImageSize(std::string_view base64)
{
    QByteArray bytes = fromBase64(base64.substr(0, kHeaderChars));
    const QByteArray format = formatOf(bytes);
    if (format.isEmpty())
        return {};
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer, format);
    reader.setAutoDetectImageFormat(false);
    const QSize size = reader.size();
    return size.isValid() ? size : QSize();
}

QImage decodeSmallImage(const QByteArray &base64)
{
    constexpr qint64 kMaxSmallPixels = 4'000'000;
    const QSize size = readImageSize({base64.data(), static_cast<std::size_t>(base64.size())});
    if (size.isEmpty() || pixelsOf(size) > kMaxSmallPixels)
        return {};
    const Result<QImage> image = decodeNow(base64, {});
    return image ? *image : QImage();
}

QFuture<Result<QImage>> decodeImage(const QByteArray &base64, const QSize &boundPx)
{
    return QtConcurrent::run([base64, boundPx] { return decodeNow(base64, boundPx); });
}

} // namespace sandfish
