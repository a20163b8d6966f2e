#pragma once

#include "core/base/result.h"
#include "ui/outputs/outputrenderer.h"

#include <QFuture>
#include <QImage>
#include <QObject>
#include <QSizeF>

namespace sandfish {

/// A picture that is made in the pool, raster or SVG: sizes, matte, border and the words while it is missing.
class PictureItem : public OutputItem
{
public:
    /// \a sizePx: logical size as the output asks for; empty if not known before it is decoded.
    PictureItem(const QSizeF &sizePx, bool needsMatte, QString text, const RenderStyle &style);

    qreal heightForWidth(qreal widthPx) override;
    void paint(QPainter &painter, const QRectF &clip) override;
    bool update(const Output &output) override;
    QString plainText() const override { return m_text; }

    bool isLoading() const { return m_isLoading; }
    const QImage &image() const { return m_image; } ///< null until it is there
    const QString &problem() const { return m_problem; }

protected:
    /// Starts to make the picture for a size in device pixels.
    virtual QFuture<Result<QImage>> load(const QSize &devicePx) = 0;

private:
    QSizeF shownSize(qreal widthPx) const;
    void startLoading(const QSize &devicePx);
    void finishLoading(const Result<QImage> &result, int generation);

    const RenderStyle &m_style;
    QSizeF m_sizePx;
    bool m_needsMatte;
    QString m_text;
    QImage m_image;
    QString m_problem;
    QSize m_loadedFor; ///< device px of the last request
    int m_generation = 0;
    bool m_isLoading = false;
    qreal m_widthPx = 0;
    QObject m_receiver; ///< a result that comes after this item is dropped
};

/// The logical size that output metadata asks for (notebooks.md P16): width and height of the type's own entry, or of
/// the metadata itself; one alone follows the ratio of \a naturalPx. Else \a naturalPx.
QSizeF pictureSize(const Json &metadata, std::string_view mimeType, const QSizeF &naturalPx);
/// True if the output says that its ink is dark, or does not say otherwise.
bool wantsLightMatte(const Json &metadata, std::string_view mimeType);

} // namespace sandfish
