#include "ui/outputs/imageoutput.h"

#include "ui/outputs/imagedecoder.h"
#include "ui/outputs/pictureitem.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

class ImageItem : public PictureItem
{
public:
    ImageItem(QByteArray base64, const QSizeF &sizePx, bool needsMatte, QString text, const RenderStyle &style)
        : PictureItem(sizePx, needsMatte, std::move(text), style)
        , m_base64(std::move(base64))
    {
    }

protected:
    QFuture<Result<QImage>> load(const QSize &devicePx) override { return decodeImage(m_base64, devicePx); }

private:
    QByteArray m_base64;
};

} // namespace

QStringList ImageRenderer::mimeTypes() const
{
    return {u"image/png"_s, u"image/jpeg"_s, u"image/gif"_s, u"image/webp"_s, u"image/bmp"_s};
}

std::unique_ptr<OutputItem> ImageRenderer::createItem(
    const Output &output, std::string_view mimeType, const RenderStyle &style) const
{
    const std::string_view base64 = output.data.text(mimeType);
    const QSizeF sizePx = pictureSize(output.metadata, mimeType, readImageSize(base64));
    QString text = QString::fromStdString(std::string(output.data.text("text/plain")));
    if (text.isEmpty())
        text = QCoreApplication::translate("sandfish::ImageRenderer", "Picture");
    return std::make_unique<ImageItem>(QByteArray(base64.data(), static_cast<qsizetype>(base64.size())), sizePx,
        wantsLightMatte(output.metadata, mimeType), std::move(text), style);
}

} // namespace sandfish
