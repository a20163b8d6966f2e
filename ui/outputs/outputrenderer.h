#pragma once

#include "core/document/cell.h"
#include "ui/outputs/textmarks.h"

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

class LineLayoutCache;
class Theme;

/// What an item asks its surroundings to do, since it knows neither files nor windows.
struct OutputRequest
{
    enum class Kind
    {
        OpenInViewer, ///< the whole of output \ref serial
        SaveToFile,   ///< the whole of output \ref serial
        ChangeLimit,  ///< the setting for the size of outputs
        OpenLink,     ///< \ref link, which comes from the output: confirm it (agents-and-sandboxes.md §5)
        GoToCell      ///< line \ref line, from 1, of the cell with execution count \ref executionCount
    };
    Kind kind = Kind::OpenInViewer;
    std::uint64_t serial = 0;
    QString link;
    int executionCount = 0;
    int line = 0;
};

/// What an item needs of its surroundings; outlives the item. A change of the theme needs new items.
struct RenderStyle
{
    const Theme *theme = nullptr;
    qreal devicePixelRatio = 1;
    int maxShownLines = 1000; ///< DESIGN.md §3.1, long output
    /// Selection and hits; every item paints what concerns its serial.
    TextMarks marks;
    /// Shaped lines that all items share; null: each item has a small cache of its own.
    LineLayoutCache *lines = nullptr;
    /// Called by an item when its size or look changed by itself, such as after decoding an image. Thread: GUI.
    std::function<void()> requestRelayout;
    /// Does what a click in an item asks for; empty: items show no such actions.
    std::function<void(const OutputRequest &)> request;
    /// A line, from 1, of the cell with an execution count, for frames that come without their source; may be empty.
    std::function<QString(int executionCount, int line)> sourceLine;
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
    /// How far an item paints to the left of its own edge: the bars of stderr and of late output.
    static constexpr qreal kMarkPx = 12;

    virtual ~OutputItem() = default;
    /// Logical px; O(1) after the first call for a width.
    virtual qreal heightForWidth(qreal widthPx) = 0;
    /// Paints at (0,0) with the last width; \a clip in item coordinates, only what it meets is shaped.
    virtual void paint(QPainter &painter, const QRectF &clip) = 0;
    /// Takes a new value of the same output; false: the registry makes a new item.
    virtual bool update(const Output &output) = 0;
    virtual std::vector<OutputAction> actions() { return {}; }
    /// The text that can be selected, and where its coordinates begin in the item's.
    struct Selectable
    {
        SelectableText *text = nullptr; ///< null: there is none
        QPointF origin;
    };
    virtual Selectable selectable() { return {}; }
    /// For copy, search and accessibility.
    virtual QString plainText() const = 0;
};

class OutputRenderer
{
public:
    virtual ~OutputRenderer() = default;
    virtual QStringList mimeTypes() const = 0;
    /// Null: there is nothing to show in this representation, such as HTML that is all script; the next best is taken.
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
