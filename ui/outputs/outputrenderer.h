#pragma once

#include "core/document/cell.h"

#include <QRectF>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

class QPainter;
class QWidget;

namespace sandfish {

class Theme;

/// What an item needs of its surroundings; outlives the item.
struct RenderStyle
{
    const Theme *theme = nullptr;
    qreal devicePixelRatio = 1;
    int maxShownLines = 1000; ///< DESIGN.md §3.1, long output
    /// Called by an item when its size or look changed by itself, such as after decoding an image. Thread: GUI.
    std::function<void()> requestRelayout;
};

/// A place in an item that reacts to a click, in the item's coordinates.
struct OutputAction
{
    QRectF rect;
    QString text; ///< accessible name, such as "Show 6 library frames"
    std::function<void()> trigger;
};

/// One output on the page: lays itself out for a width and paints itself. Thread: GUI.
class OutputItem
{
public:
    virtual ~OutputItem() = default;
    /// Logical px; O(1) after the first call for a width.
    virtual qreal heightForWidth(qreal widthPx) = 0;
    /// Paints at (0,0) with the last width; \a clip in item coordinates, only what it meets is shaped.
    virtual void paint(QPainter &painter, const QRectF &clip) = 0;
    /// Takes a new value of the same output; false: the registry makes a new item.
    virtual bool update(const Output &output) = 0;
    virtual std::vector<OutputAction> actions() const { return {}; }
    /// For copy, search and accessibility.
    virtual QString plainText() const = 0;
};

class OutputRenderer
{
public:
    virtual ~OutputRenderer() = default;
    virtual QStringList mimeTypes() const = 0;
    virtual std::unique_ptr<OutputItem> createItem(
        const Output &output, std::string_view mimeType, const RenderStyle &style) const = 0;
};

/// Chooses a renderer for an output. Streams and errors have renderers of their own.
class OutputRendererRegistry
{
public:
    OutputRendererRegistry();
    ~OutputRendererRegistry();
    /// The renderers of this layer.
    static std::unique_ptr<OutputRendererRegistry> withDefaults();

    void add(std::unique_ptr<OutputRenderer> renderer, int priority);
    /// Empty if there is nothing to show. Untrusted: no HTML, SVG or script.
    std::string bestMimeType(const MimeBundle &bundle, bool isTrusted) const;
    /// Never null: an output that nothing can render gets its best text form or a chip with its types.
    std::unique_ptr<OutputItem> createItem(const Output &output, const RenderStyle &style, bool isTrusted) const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace sandfish
