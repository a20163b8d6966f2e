#pragma once

#include "ui/notebook/celllayout.h"
#include "ui/notebook/findmarks.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/text/linelayout.h"
#include "ui/text/theme.h"

namespace sandfish {

/// What all cells of one page share. Owned by the view; outlives the items.
struct PageStyle
{
    explicit PageStyle(const Theme &pageTheme)
        : theme(pageTheme)
        , metrics(pageTheme)
    {
        render.theme = &theme;
        render.lines = &lines;
    }
    PageStyle(const PageStyle &) = delete;
    PageStyle &operator=(const PageStyle &) = delete;

    void setTheme(const Theme &pageTheme)
    {
        theme = pageTheme;
        metrics = CellMetrics(theme);
        lines.clear();
    }

    Theme theme;
    CellMetrics metrics;
    RenderStyle render;
    FindMarks find;
    const OutputRendererRegistry *renderers = nullptr;
    bool isTrusted = false;
    qreal bodyWidth = 600; ///< logical px from the left edge of code boxes to their right edge
    LineLayoutCache lines;
};

} // namespace sandfish
