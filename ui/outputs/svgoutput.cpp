#include "ui/outputs/svgoutput.h"

#include "ui/outputs/pictureitem.h"
#include "ui/outputs/svgsanitizer.h"

#include <QCoreApplication>
#include <QPainter>
#include <QSvgRenderer>
#include <QtConcurrentRun>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

// 64 MiB of pixels: what a page can show at 300 % and more than any screen.
constexpr qreal kMaxSidePx = 4096;

Result<QImage> renderNow(const QByteArray &svg, const QSize &devicePx)
{
    const Result<SanitizedSvg> clean = sanitizeSvg(svg);
    if (!clean)
        return clean.error();
    QSvgRenderer renderer(clean->source);
    if (!renderer.isValid()) {
        const QString message =
            QCoreApplication::translate("sandfish::SvgRenderer", "The SVG picture cannot be drawn.");
        return Error{.kind = Error::Kind::Unsupported, .message = message.toStdString(), .detail = {}};
    }
    QSizeF size = devicePx.isEmpty() ? clean->sizePx : QSizeF(devicePx);
    if (std::max(size.width(), size.height()) > kMaxSidePx)
        size.scale(kMaxSidePx, kMaxSidePx, Qt::KeepAspectRatio);
    QImage image(size.toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter, QRectF(image.rect()));
    return image;
}

class SvgItem : public PictureItem
{
public:
    SvgItem(QByteArray svg, const QSizeF &sizePx, bool needsMatte, QString text, const RenderStyle &style)
        : PictureItem(sizePx, needsMatte, std::move(text), style)
        , m_svg(std::move(svg))
    {
    }

protected:
    QFuture<Result<QImage>> load(const QSize &devicePx) override
    {
        return QtConcurrent::run([svg = m_svg, devicePx] { return renderNow(svg, devicePx); });
    }

private:
    QByteArray m_svg;
};

} // namespace

QStringList SvgRenderer::mimeTypes() const
{
    return {u"image/svg+xml"_s};
}

std::unique_ptr<OutputItem> SvgRenderer::createItem(
    const Output &output, std::string_view mimeType, const RenderStyle &style) const
{
    const std::string_view text = output.data.text(mimeType);
    QByteArray svg(text.data(), static_cast<qsizetype>(text.size()));
    const QSizeF sizePx = pictureSize(output.metadata, mimeType, readSvgSize(svg));
    QString plain = QString::fromStdString(std::string(output.data.text("text/plain")));
    if (plain.isEmpty())
        plain = QCoreApplication::translate("sandfish::SvgRenderer", "Picture");
    return std::make_unique<SvgItem>(
        std::move(svg), sizePx, wantsLightMatte(output.metadata, mimeType), std::move(plain), style);
}

} // namespace sandfish
