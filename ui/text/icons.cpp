#include "ui/text/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <cmath>

using namespace Qt::StringLiterals;

// Q_INIT_RESOURCE must stand outside of any namespace.
static void initIconResource()
{
    Q_INIT_RESOURCE(icons);
}

namespace sandfish {
namespace {

constexpr QByteArrayView kTokenColor("#4A4640");

QByteArray readResource(const QString &path)
{
    static const bool isInitialised = (initIconResource(), true);
    Q_UNUSED(isInitialised)
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QPixmap renderSvg(const QByteArray &svg, qreal sizePx, qreal devicePixelRatio, int turnDegrees)
{
    const int side = std::max(1, int(std::lround(sizePx * devicePixelRatio)));
    QPixmap pixmap(side, side);
    pixmap.fill(Qt::transparent);
    QSvgRenderer renderer(svg);
    if (renderer.isValid()) {
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.translate(side / 2.0, side / 2.0);
        painter.rotate(turnDegrees);
        renderer.render(&painter, QRectF(-side / 2.0, -side / 2.0, side, side));
    }
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

class TintedIconEngine : public QIconEngine
{
public:
    TintedIconEngine(QString name, QColor color, QColor disabledColor)
        : m_name(std::move(name))
        , m_color(std::move(color))
        , m_disabledColor(std::move(disabledColor))
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        paintIcon(*painter, rect, m_name, colorFor(mode), std::min(rect.width(), rect.height()));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1);
    }

    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State, qreal scale) override
    {
        QPixmap pixmap = iconPixmap(m_name, colorFor(mode), std::min(size.width(), size.height()) / scale, scale);
        return pixmap;
    }

    QIconEngine *clone() const override { return new TintedIconEngine(*this); }

private:
    const QColor &colorFor(QIcon::Mode mode) const { return mode == QIcon::Disabled ? m_disabledColor : m_color; }

    QString m_name;
    QColor m_color;
    QColor m_disabledColor;
};

} // namespace

QPixmap iconPixmap(const QString &name, const QColor &color, qreal sizePx, qreal devicePixelRatio, int turnDegrees)
{
    const QString key =
        u"sf:%1:%2:%3:%4:%5"_s.arg(name, color.name()).arg(sizePx).arg(devicePixelRatio).arg(turnDegrees);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QByteArray svg = readResource(u":/sandfish/icons/"_s + name + u".svg"_s);
    svg.replace(kTokenColor, color.name().toLatin1());
    pixmap = renderSvg(svg, sizePx, devicePixelRatio, turnDegrees);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

void paintIcon(
    QPainter &painter, const QRectF &rect, const QString &name, const QColor &color, qreal sizePx, int turnDegrees)
{
    const qreal ratio = painter.device()->devicePixelRatioF();
    const QPixmap pixmap = iconPixmap(name, color, sizePx, ratio, turnDegrees);
    // On the device grid, else thin strokes blur.
    const qreal x = std::round((rect.center().x() - sizePx / 2) * ratio) / ratio;
    const qreal y = std::round((rect.center().y() - sizePx / 2) * ratio) / ratio;
    painter.drawPixmap(QPointF(x, y), pixmap);
}

QIcon tintedIcon(const QString &name, const QColor &color, const QColor &disabledColor)
{
    return QIcon(new TintedIconEngine(name, color, disabledColor));
}

QIcon logoIcon()
{
    QIcon icon;
    for (const int size : {16, 24, 32})
        icon.addPixmap(renderSvg(readResource(u":/sandfish/logo/sandfish-small.svg"_s), size, 1, 0));
    for (const int size : {48, 128})
        icon.addPixmap(renderSvg(readResource(u":/sandfish/logo/sandfish.svg"_s), size, 1, 0));
    return icon;
}

} // namespace sandfish
