"""`from IPython.display import …` in a cell, where IPython is not installed.

Notebooks are written with these names. They are given to cells alone: other modules that try IPython are told, truly,
that it is not there.
"""

import importlib.machinery
import json
import sys

from . import library

_NAMES = ("IPython", "IPython.display")


class StandIn:
    """A finder, after all others, and a loader for the two modules."""

    def __init__(self, namespace, page):
        self._namespace = namespace
        self._page = page

    def install(self):
        sys.meta_path.append(self)

    def find_spec(self, name, path=None, target=None):
        if name not in _NAMES or not self._is_asked_by_a_cell():
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=name == "IPython")

    def _is_asked_by_a_cell(self):
        frame = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib._bootstrap"):
            frame = frame.f_back
        return frame is not None and frame.f_globals is self._namespace

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__doc__ = "Stands in for IPython in the cells of a Sandfish notebook."
        if module.__name__ == "IPython":
            module.get_ipython = lambda: None
            return
        module.display = self._page.display
        module.update_display = self._page.update_display
        module.clear_output = self._page.clear_output
        module.publish_display_data = self._page.publish
        for kind in (HTML, Markdown, Latex, Math, SVG, Javascript, JSON, Pretty, Code, Image):
            setattr(module, kind.__name__, kind)

    @staticmethod
    def forget():
        """After each cell: modules imported later see no IPython."""
        for name in _NAMES:
            if isinstance(getattr(sys.modules.get(name), "__loader__", None), StandIn):
                del sys.modules[name]


class _Shown:
    """Data of one mime type, or what a file holds."""

    mime = ""

    def __init__(self, data=None, url=None, filename=None, metadata=None, **_kwargs):
        if data is None and filename is not None:
            with open(filename, "rb" if self.mime == "" else "r") as file:
                data = file.read()
        if data is None:
            raise ValueError("%s needs data or filename; nothing is loaded from the network." % type(self).__name__)
        self.data = data
        self.metadata = metadata or {}

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {self.mime: self.data, "text/plain": repr(self)}, {self.mime: self.metadata} if self.metadata else {}

    def __repr__(self):
        return "<IPython.display.%s object>" % type(self).__name__


class HTML(_Shown):
    mime = "text/html"


class Markdown(_Shown):
    mime = "text/markdown"


class Latex(_Shown):
    mime = "text/latex"


class Math(Latex):
    def __init__(self, data, **kwargs):
        super().__init__("$\\displaystyle %s$" % data.strip("$"), **kwargs)


class SVG(_Shown):
    mime = "image/svg+xml"


class Javascript(_Shown):
    mime = "application/javascript"


class JSON(_Shown):
    mime = "application/json"

    def __init__(self, data=None, **kwargs):
        super().__init__(data, **kwargs)
        if isinstance(self.data, str):
            self.data = json.loads(self.data)


class Pretty(_Shown):
    mime = "text/plain"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": self.data}


class Code(_Shown):
    mime = "text/html"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": "<pre>%s</pre>" % library.load("html").escape(self.data), "text/plain": self.data}


class Image(_Shown):
    """PNG, JPEG or GIF by its bytes."""

    def __init__(self, data=None, url=None, filename=None, format=None, width=None, height=None, **kwargs):
        if isinstance(data, str):
            data, filename = None, filename or data
        super().__init__(data, url, filename, **kwargs)
        self.mime = self._mime(format)
        self.metadata = {name: size for name, size in (("width", width), ("height", height)) if size}

    def _mime(self, format):
        if format:
            return "image/" + format.lower().replace("jpg", "jpeg")
        return "image/jpeg" if self.data[:2] == b"\xff\xd8" else "image/gif" if self.data[:3] == b"GIF" else "image/png"
