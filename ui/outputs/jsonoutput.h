#pragma once

#include "ui/outputs/outputrenderer.h"

namespace sandfish {

/// application/json and its relatives as indented text.
class JsonRenderer : public OutputRenderer
{
public:
    QStringList mimeTypes() const override;
    std::unique_ptr<OutputItem> createItem(
        const Output &output, std::string_view mimeType, const RenderStyle &style) const override;
};

/// Indented JSON of at most \a maxLines lines and 40 levels; what is left out is marked by "…". Cost: O(result).
std::string indentedJson(const Json &value, int maxLines);

} // namespace sandfish
