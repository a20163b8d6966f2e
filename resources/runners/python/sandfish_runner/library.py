"""Modules of the standard library that are loaded when they are first needed, so that a context starts sooner."""

import importlib
import sys

_PATH = list(sys.path)


def load(name):
    """The module, whatever files of the same name lie in the user's folder."""
    module = sys.modules.get(name)
    if module is None:
        path, sys.path = sys.path, _PATH
        try:
            module = importlib.import_module(name)
        finally:
            sys.path = path
    return module
