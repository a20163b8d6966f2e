"""What cells call to show things: display(), update_display(), clear_output(); and the stand-in for IPython's."""

import os

from . import figures, values


class DisplayHandle:
    """Returned by `display(…, display_id=…)`: replaces what was shown."""

    def __init__(self, page, display_id):
        self._page = page
        self.display_id = display_id

    def display(self, obj, **kwargs):
        self._page.display(obj, display_id=self.display_id, **kwargs)

    def update(self, obj, **kwargs):
        self._page.display(obj, display_id=self.display_id, update=True, **kwargs)

    def __repr__(self):
        return "<DisplayHandle display_id=%s>" % self.display_id


class Page:
    """The output area of the running cell, as IPython's display functions see it."""

    def __init__(self, channel, owners):
        self._channel = channel
        self._owners = owners

    def publish(self, data, metadata=None, display_id=None, update=False, **_kwargs):
        """Sends a ready mime bundle."""
        self._channel.send_marked(
            "display",
            id=self._owners.owner(),
            data=values.encode(data),
            metadata=metadata or {},
            display_id=display_id,
            update=bool(update),
        )

    def display(
        self,
        *objs,
        include=None,
        exclude=None,
        metadata=None,
        transient=None,
        display_id=None,
        raw=False,
        clear=False,
        update=False,
        **_kwargs,
    ):
        """Shows objects by their mime bundle (`raw=True`: they are mime bundles)."""
        transient = transient or {}
        display_id = display_id if display_id is not None else transient.get("display_id")
        if display_id is True:
            display_id = os.urandom(16).hex()
        if clear:
            self.clear_output(wait=True)
        for obj in objs:
            data, extra = (obj, {}) if raw else self.bundle(obj)
            if data is None:
                continue
            if include:
                data = {mime: value for mime, value in data.items() if mime in include}
            if exclude:
                data = {mime: value for mime, value in data.items() if mime not in exclude}
            self.publish(data, {**extra, **(metadata or {})}, display_id, update)
        return DisplayHandle(self, display_id) if display_id is not None and not update else None

    def update_display(self, obj, *, display_id, **kwargs):
        """Replaces what `display_id` shows."""
        self.display(obj, display_id=display_id, update=True, **kwargs)

    def clear_output(self, wait=False):
        """Clears the cell's output, or with `wait` when the next output comes."""
        self._channel.send_marked("clear", id=self._owners.owner(), wait=bool(wait))

    def result(self, obj):
        """Sends the value of the cell."""
        data, metadata = self.bundle(obj)
        if data is not None:
            self._channel.send_marked("result", id=self._owners.current, data=data, metadata=metadata)

    def bundle(self, obj):
        """(data, metadata); (None, None) when the object has shown itself by `_ipython_display_`."""
        shows_itself = None if isinstance(obj, type) else getattr(obj, "_ipython_display_", None)
        if callable(shows_itself) and not callable(getattr(obj, "_repr_mimebundle_", None)):
            try:
                shows_itself()
                return None, None
            except Exception:
                pass
        return values.bundle(obj)

    def show_figures(self):
        """Shows the figures that pyplot holds."""
        for figure in figures.take_open_figures():
            data, metadata = values.bundle(figure)
            self.publish(data, metadata)


def adopt_ipython(hooks, page):
    """When cells import IPython's display functions, these reach the page without an IPython shell."""

    def adopt(module):
        for name in ("display", "update_display", "clear_output"):
            if hasattr(module, name):
                setattr(module, name, getattr(page, name))
        if hasattr(module, "publish_display_data"):
            module.publish_display_data = _publisher(page)

    hooks.after_import("IPython.core.display_functions", adopt)
    hooks.after_import("IPython.core.display", adopt)


def _publisher(page):
    def publish_display_data(data, metadata=None, *, transient=None, update=False, **_kwargs):
        """Sends a ready mime bundle to the page."""
        page.publish(data, metadata, (transient or {}).get("display_id"), update)

    return publish_display_data
