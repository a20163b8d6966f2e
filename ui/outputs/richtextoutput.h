#pragma once

#include "ui/outputs/outputrenderer.h"

namespace sandfish {

/// text/html without anything active: a plain table is painted as our own, all else by a StaticDocument.
class HtmlRenderer : public OutputRenderer
{
public:
    QStringList mimeTypes() const override;
    std::unique_ptr<OutputItem> createItem(
        const Output &output, std::string_view mimeType, const RenderStyle &style) const override;
};

class MarkdownRenderer : public OutputRenderer
{
public:
    QStringList mimeTypes() const override;
    std::unique_ptr<OutputItem> createItem(
        const Output &output, std::string_view mimeType, const RenderStyle &style) const override;
};

} // namespace sandfish
