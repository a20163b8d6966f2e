#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QFuture>
#include <QImage>
#include <QSize>

#include <string_view>

namespace sandfish {

/// Largest picture that is decoded: a small file can ask for any amount of memory.
constexpr qint64 kMaxImagePixels = 256'000'000;

/// The size of a PNG, JPEG, GIF, WebP or BMP picture, from the beginning of its base64 text; empty if it cannot be told
/// from there. Cost: below 1 ms. Thread: any.
QSize readImageSize(std::string_view base64);

/// Decodes in the pool: base64 text, which may hold line ends, then the first frame of the picture. Scaled down where
/// it is larger than \a boundPx, to save memory. The error says for people why there is no picture.
QFuture<Result<QImage>> decodeImage(const QByteArray &base64, const QSize &boundPx);

/// Decodes at once what is small enough for that: at most 4 million pixels; else a null image. For pictures inside rich
/// text, whose layout cannot wait.
QImage decodeSmallImage(const QByteArray &base64);

} // namespace sandfish
