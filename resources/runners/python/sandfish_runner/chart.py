"""The numbers behind a matplotlib figure, as a chart that the page can draw itself.

The model is that of the code-interpreter services: type, title, labels, ticks, scales, elements; several axes make a
`superchart`. `exact` is true only when the chart may stand in for the picture: nothing on the axes was left out.
"""

import math
import re

from . import boxplots

_POINTS = 20_000
_PATTERN_UNIT = re.compile(r"\(([^()]+)\)\s*$|\[([^\[\]]+)\]\s*$")
_SCALES = frozenset(("linear", "log", "symlog", "logit", "function", "functionlog", "asinh"))


def extract(figure):
    """The chart of a figure, or None when there are no axes."""
    charts = [_chart(axes) for axes in figure.axes if axes.get_visible()]
    if not charts:
        return None
    heading = figure._suptitle.get_text() if getattr(figure, "_suptitle", None) else ""
    if len(charts) == 1:
        chart = charts[0]
        chart["title"] = chart["title"] or heading or None
        return chart
    exact = all(chart["exact"] for chart in charts)
    return {"type": "superchart", "title": heading or None, "elements": charts, "exact": exact}


class _Axis:
    """One axis: its ticks and how its numbers read (dates, categories, plain numbers)."""

    def __init__(self, axes, name):
        axis = getattr(axes, name + "axis")
        label = axis.get_label_text()
        unit = _PATTERN_UNIT.search(label)
        converter = axis.get_converter() if hasattr(axis, "get_converter") else getattr(axis, "converter", None)
        kind = type(converter).__name__
        low, high = sorted(getattr(axes, "get_%slim" % name)())
        ticks = [(at, text.get_text()) for at, text in zip(axis.get_majorticklocs(), axis.get_majorticklabels())]
        ticks = [(float(at), text) for at, text in ticks if low <= at <= high]
        self.label = label or None
        self.unit = next((part for part in unit.groups() if part), None) if unit else None
        self.is_date = "Date" in kind or "ConciseDate" in kind
        self.categories = {at: text for at, text in ticks} if self._is_categorical(kind, ticks) else None
        self.scale = self._scale(axis.get_scale())
        self.ticks = [self.value(at) for at, _ in ticks]
        self.tick_labels = [text for _, text in ticks]

    @staticmethod
    def _is_categorical(kind, ticks):
        if "StrCategory" in kind:
            return True
        places = [at for at, _ in ticks]
        texts = [text for _, text in ticks]
        return (
            len(ticks) > 0
            and places == list(map(float, range(len(ticks))))
            and not any(map(_is_number, texts))
            and all(texts)
        )

    def _scale(self, scale):
        if self.is_date:
            return "datetime"
        if self.categories is not None:
            return "categorical"
        return scale if scale in _SCALES else "unknown"

    def value(self, number):
        """A coordinate as the chart says it: ISO text for dates, a category's name, else a number, None for a gap."""
        try:
            number = float(number)
        except (TypeError, ValueError):
            return str(number)
        if not math.isfinite(number):
            return None
        if self.is_date:
            from matplotlib.dates import num2date

            return num2date(number).replace(tzinfo=None).isoformat()
        if self.categories and number in self.categories:
            return self.categories[number]
        return number

    def text(self, number):
        """A coordinate as the label of a bar."""
        value = self.value(number)
        if isinstance(value, str):
            return value
        near = [label for at, label in zip(self.ticks, self.tick_labels) if label and _close(at, number)]
        return near[0] if near else "%g" % number


class _Reader:
    """Reads the artists of one axes; `left_out` counts what the model cannot say."""

    def __init__(self, axes):
        self.axes = axes
        self.x, self.y = _Axis(axes, "x"), _Axis(axes, "y")
        self.used = set()
        self.left_out = 0
        self.horizontal = False

    def bars(self):
        from matplotlib.container import BarContainer, ErrorbarContainer

        elements = []
        for number, container in enumerate(self.axes.containers):
            if isinstance(container, BarContainer):
                elements += self._bars_of(container, _label(container, "Group", number))
            elif isinstance(container, ErrorbarContainer):
                self.left_out += 1
        return elements

    def _bars_of(self, container, group):
        horizontal = getattr(container, "orientation", None) == "horizontal"
        self.horizontal = self.horizontal or horizontal
        axis = self.y if horizontal else self.x
        elements, edge = [], None
        for bar in container.patches:
            self.used.add(bar)
            along, size = (bar.get_y(), bar.get_height()) if horizontal else (bar.get_x(), bar.get_width())
            base, value = (bar.get_x(), bar.get_width()) if horizontal else (bar.get_y(), bar.get_height())
            # A stack, or bars that touch as those of a histogram do, are more than the model can say.
            if abs(base) > 1e-12 or (edge is not None and _close(edge, along)):
                self.left_out += 1
            edge = along + size
            element = {"label": axis.text(along + size / 2), "group": group, "value": _number(value)}
            elements.append({**element, "color": _color(bar.get_facecolor())})
        return elements

    def pie(self):
        from matplotlib.patches import Wedge

        wedges = [patch for patch in self.axes.patches if isinstance(patch, Wedge)]
        self.used.update(wedges)
        return [
            {
                "label": _label(wedge, "Slice", number),
                "angle": _number(abs(wedge.theta2 - wedge.theta1)),
                "radius": _number(wedge.r),
                "color": _color(wedge.get_facecolor()),
            }
            for number, wedge in enumerate(wedges)
        ]

    def boxes(self):
        elements, used = boxplots.read(self.axes.lines)
        self.used.update(used)
        return [{"label": self.x.text(box.pop("at")), **box} for box in elements]

    def lines(self):
        """(line elements, elements drawn by markers alone)"""
        lines, scattered = [], []
        for number, line in enumerate(self.axes.lines):
            if line in self.used:
                continue
            self.used.add(line)
            if line.get_transform() != self.axes.transData or line.get_drawstyle() != "default":
                self.left_out += 1
                continue
            points = self._points(line.get_xdata(orig=False), line.get_ydata(orig=False))
            element = {"label": _label(line, "Line", number), "points": points, "color": _color(line.get_color())}
            only_markers = str(line.get_linestyle()) in ("None", "", " ")
            (scattered if only_markers else lines).append(element)
        return lines, scattered

    def scatter(self):
        from matplotlib.collections import PathCollection

        elements = []
        for number, collection in enumerate(self.axes.collections):
            is_scatter = isinstance(collection, PathCollection)
            # The filled paths of a contour are of the same class, but lie nowhere.
            if not is_scatter or not collection.get_offset_transform().contains_branch(self.axes.transData):
                continue
            self.used.add(collection)
            offsets = collection.get_offsets()
            colors = {_color(color) for color in collection.get_facecolors()}
            if len(colors) > 1 or collection.get_array() is not None or len(set(collection.get_sizes())) > 1:
                self.left_out += 1
            points = self._points(offsets[:, 0], offsets[:, 1])
            label = _label(collection, "Group", number)
            elements.append({"label": label, "points": points, "color": colors.pop() if len(colors) == 1 else None})
        return elements

    def _points(self, xs, ys):
        step = max(1, math.ceil(len(xs) / _POINTS))
        if step > 1:
            self.left_out += 1
        return [[self.x.value(x), self.y.value(y)] for x, y in zip(xs[::step], ys[::step])]

    def count_unread(self, texts_are_read):
        artists = [*self.axes.patches, *self.axes.collections, *self.axes.lines, *self.axes.images, *self.axes.tables]
        unread = sum(artist not in self.used for artist in artists)
        if not texts_are_read:
            unread += sum(bool(text.get_text()) for text in self.axes.texts)
        return self.left_out + unread


def _chart(axes):
    reader = _Reader(axes)
    if getattr(axes, "name", "") != "rectilinear":
        return _finished(reader, "unknown", [], False)
    pie = reader.pie()
    bars = reader.bars()
    boxes = reader.boxes()
    lines, markers = reader.lines()
    scatter = markers + reader.scatter()
    found = [(kind, elements) for kind, elements in _by_rank(pie, boxes, bars, lines, scatter) if elements]
    unread = reader.count_unread(texts_are_read=bool(pie))
    if not found:
        return _finished(reader, "unknown", [], False)
    kind, elements = found[0]
    return _finished(reader, kind, elements, len(found) == 1 and unread == 0)


def _by_rank(pie, boxes, bars, lines, scatter):
    """What the chart is called when the axes hold several kinds."""
    return (("pie", pie), ("box_and_whisker", boxes), ("bar", bars), ("line", lines), ("scatter", scatter))


def _finished(reader, kind, elements, exact):
    axes = reader.axes
    title = axes.get_title() or axes.get_title("left") or axes.get_title("right") or None
    chart = {"type": kind, "title": title, "elements": elements, "exact": exact}
    if kind in ("pie", "unknown"):
        return chart
    first, second = (reader.y, reader.x) if reader.horizontal else (reader.x, reader.y)
    chart.update(x_label=first.label, y_label=second.label, x_unit=first.unit, y_unit=second.unit)
    if reader.horizontal:
        chart["horizontal"] = True
    if kind in ("line", "scatter"):
        for name, axis in (("x", reader.x), ("y", reader.y)):
            chart.update(
                {name + "_ticks": axis.ticks, name + "_tick_labels": axis.tick_labels, name + "_scale": axis.scale}
            )
    return chart


def _label(artist, word, number):
    label = str(artist.get_label() or "")
    hidden = re.fullmatch(r"_(?:child|container|line|nolegend)?(\d*)_?", label)
    if hidden:
        return "%s %s" % (word, hidden.group(1) or number)
    return label


def _number(value):
    value = float(value)
    return value if math.isfinite(value) else None


def _is_number(text):
    try:
        float(text.replace("\u2212", "-").replace("$", "").replace("\\mathdefault{", "").rstrip("}"))
    except ValueError:
        return False
    return True


def _close(a, b):
    return isinstance(a, (int, float)) and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def _color(color):
    from matplotlib.colors import to_hex

    try:
        return to_hex(color)
    except (TypeError, ValueError):
        return None
