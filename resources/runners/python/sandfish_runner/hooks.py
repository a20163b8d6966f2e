"""Calls back when a module has been imported for the first time."""

import sys

from . import library


class ImportHooks:
    """A finder that finds nothing itself; it wraps the loader of the modules asked for."""

    def __init__(self):
        self._callbacks = {}

    def install(self):
        sys.meta_path.insert(0, self)

    def after_import(self, name, callback):
        """Runs `callback(module)` after `name` is imported; at once when it is there already."""
        if name in sys.modules:
            callback(sys.modules[name])
        else:
            self._callbacks[name] = callback

    def find_spec(self, name, path=None, target=None):
        callback = self._callbacks.pop(name, None)
        if callback is None:
            return None
        spec = library.load("importlib.util").find_spec(name)
        if spec is None or spec.loader is None:
            self._callbacks[name] = callback
            return spec
        plain_exec = spec.loader.exec_module

        def exec_module(module):
            plain_exec(module)
            callback(module)

        spec.loader.exec_module = exec_module
        return spec
