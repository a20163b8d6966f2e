#include "ui/outputs/pictureitem.h"

#include "core/base/json.h"
#include "ui/outputs/paintbox.h"
#include "ui/outputs/placeholder.h"
#include "ui/text/theme.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qreal kEdgePx = 1;
constexpr double kMaxSidePx = 20000;

QString tr(const char *text)
{
    return QCoreApplication::translate("sandfish::PictureItem", text);
}

double sideOf(const Json &metadata, std::string_view mimeType, std::string_view side)
{
    const double own = numberOr(memberOrNull(metadata, mimeType), side, 0);
    const double value = own > 0 ? own : numberOr(metadata, side, 0);
    return std::isfinite(value) ? std::clamp(value, 0.0, kMaxSidePx) : 0;
}

} // namespace

QSizeF pictureSize(const Json &metadata, std::string_view mimeType, const QSizeF &naturalPx)
{
    const double widthPx = sideOf(metadata, mimeType, "width");
    const double heightPx = sideOf(metadata, mimeType, "height");
    if (widthPx > 0 && heightPx > 0)
        return {widthPx, heightPx};
    if (naturalPx.isEmpty())
        return {};
    if (widthPx > 0)
        return {widthPx, widthPx * naturalPx.height() / naturalPx.width()};
    if (heightPx > 0)
        return {heightPx * naturalPx.width() / naturalPx.height(), heightPx};
    return naturalPx;
}

bool wantsLightMatte(const Json &metadata, std::string_view mimeType)
{
    const std::string own = stringOr(memberOrNull(metadata, mimeType), "needs_background", "");
    return (own.empty() ? stringOr(metadata, "needs_background", "light") : own) != "dark";
}

PictureItem::PictureItem(const QSizeF &sizePx, bool needsMatte, QString text, const RenderStyle &style)
    : m_style(style)
    , m_sizePx(sizePx)
    , m_needsMatte(needsMatte)
    , m_text(std::move(text))
{
}

bool PictureItem::update(const Output &)
{
    return false;
}

QSizeF PictureItem::shownSize(qreal widthPx) const
{
    const qreal roomPx = std::max(1.0, widthPx - 2 * kEdgePx);
    if (m_sizePx.width() <= roomPx)
        return m_sizePx;
    return {roomPx, m_sizePx.height() * roomPx / m_sizePx.width()};
}

qreal PictureItem::heightForWidth(qreal widthPx)
{
    m_widthPx = widthPx;
    if (!m_problem.isEmpty())
        return Placeholder::heightPx(*m_style.theme);
    if (m_sizePx.isEmpty()) {
        // Only decoding tells; until then it takes one line.
        startLoading({});
        return Placeholder::heightPx(*m_style.theme);
    }
    return std::max(1.0, std::round(shownSize(widthPx).height())) + 2 * kEdgePx;
}

void PictureItem::paint(QPainter &painter, const QRectF &)
{
    const Theme &theme = *m_style.theme;
    const QRectF line(0, 0, m_widthPx, Placeholder::heightPx(theme));
    if (!m_problem.isEmpty())
        return Placeholder::paint(painter, line, u"image"_s, m_problem, theme);
    if (m_sizePx.isEmpty())
        return Placeholder::paint(painter, line, u"image"_s, tr("Reading the picture"), theme);
    const QSizeF size = shownSize(m_widthPx);
    const QRectF inner(kEdgePx, kEdgePx, size.width(), std::max(1.0, std::round(size.height())));
    const QRectF box = onDeviceGrid(painter, inner);
    const QRectF device = painter.deviceTransform().mapRect(box);
    startLoading(device.size().toSize());
    if (!m_image.isNull()) {
        if (m_needsMatte && theme.isDark() && m_image.hasAlphaChannel())
            painter.fillRect(box, Qt::white);
        const bool wasSmooth = painter.testRenderHint(QPainter::SmoothPixmapTransform);
        painter.setRenderHint(QPainter::SmoothPixmapTransform, m_image.size() != device.size().toSize());
        painter.drawImage(box, m_image);
        painter.setRenderHint(QPainter::SmoothPixmapTransform, wasSmooth);
    }
    paintBox(painter, box.adjusted(-kEdgePx, -kEdgePx, kEdgePx, kEdgePx), QColor(), theme.color(ColorToken::Border), 0);
}

void PictureItem::startLoading(const QSize &devicePx)
{
    if (m_isLoading || !m_problem.isEmpty() || (m_generation > 0 && (m_loadedFor.isEmpty() || m_loadedFor == devicePx)))
        return;
    // A picture smaller than its bound came in full; it serves every larger size too.
    if (m_image.width() > 0 && m_image.width() < m_loadedFor.width() && m_image.width() <= devicePx.width())
        return;
    m_loadedFor = devicePx;
    m_isLoading = true;
    const int generation = ++m_generation;
    load(devicePx).then(
        &m_receiver, [this, generation](const Result<QImage> &result) { finishLoading(result, generation); });
}

void PictureItem::finishLoading(const Result<QImage> &result, int generation)
{
    if (generation != m_generation)
        return;
    m_isLoading = false;
    if (result) {
        m_image = *result;
        if (m_sizePx.isEmpty())
            m_sizePx = m_image.size();
    } else {
        m_problem = QString::fromStdString(result.error().message);
    }
    if (m_style.requestRelayout)
        m_style.requestRelayout();
}

} // namespace sandfish
