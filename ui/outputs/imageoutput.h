#pragma once

#include "ui/outputs/outputrenderer.h"

namespace sandfish {

/// PNG, JPEG, GIF (its first frame), WebP and BMP.
class ImageRenderer : public OutputRenderer
{
public:
    QStringList mimeTypes() const override;
    std::unique_ptr<OutputItem> createItem(
        const Output &output, std::string_view mimeType, const RenderStyle &style) const override;
};

} // namespace sandfish
