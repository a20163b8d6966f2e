"""matplotlib: figures are drawn off screen and appear in the page at the end of the cell and by `plt.show()`."""

import io
import os
import sys

from . import values

CHART_MIME = "application/vnd.sandfish.chart+json"
_MIN_PIXEL_RATIO = 2.0


def install(hooks, show):
    """`show()` is called in place of the backend's own show."""
    os.environ.setdefault("MPLBACKEND", "agg")
    hooks.after_import("matplotlib.pyplot", lambda module: _adopt_pyplot(module, show))
    values.add_formatter(_is_figure, bundle)


def _adopt_pyplot(module, show):
    def show_figures(*_args, **_kwargs):
        """Shows the open figures in the page."""
        show()

    module.show = show_figures


def _is_figure(obj):
    return type(obj).__module__ == "matplotlib.figure" and hasattr(obj, "savefig")


def bundle(figure):
    """(data, metadata): the picture with twice the pixels of its size in the page, and the chart's numbers."""
    picture = io.BytesIO()
    dpi = figure.dpi
    figure.savefig(picture, format="png", bbox_inches="tight", dpi=dpi * _MIN_PIXEL_RATIO)
    png = picture.getvalue()
    data = {"image/png": png, "text/plain": repr(figure)}
    chart = _chart(figure)
    if chart:
        data[CHART_MIME] = chart
    width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    size = {"width": round(width / _MIN_PIXEL_RATIO), "height": round(height / _MIN_PIXEL_RATIO)}
    return data, {"image/png": size}


def _chart(figure):
    from . import chart

    try:
        return chart.extract(figure)
    except Exception:
        return None


def take_open_figures():
    """The figures that pyplot holds and that have something on them; they are closed."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    if pyplot is None or helpers is None or not helpers.Gcf.figs:
        return []
    figures = [manager.canvas.figure for manager in helpers.Gcf.get_all_fig_managers()]
    pyplot.close("all")
    return [figure for figure in figures if figure.axes or figure.lines or figure.texts or figure.images]


def forget(obj):
    """A figure that was shown as the value of the cell is not shown again at its end."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None and _is_figure(obj):
        pyplot.close(obj)
