#pragma once

#include "ui/outputs/outputrenderer.h"

namespace sandfish {

/// SVG, reduced to its drawing and rendered to an image in the pool.
class SvgRenderer : public OutputRenderer
{
public:
    QStringList mimeTypes() const override;
    std::unique_ptr<OutputItem> createItem(
        const Output &output, std::string_view mimeType, const RenderStyle &style) const override;
};

} // namespace sandfish
