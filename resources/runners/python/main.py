"""Starts the Python runner; see ../README.md for the contract with the engine.

Usage: python3 -X utf8 main.py [--preload numpy,pandas] [--hold]
"""

import os
import sys


def _import_runner():
    """Imports the runner's package without leaving its folder on the user's module path."""
    folder = os.path.dirname(os.path.abspath(__file__))
    if sys.path and os.path.abspath(sys.path[0] or ".") == folder:
        del sys.path[0]
    sys.path.insert(0, folder)
    try:
        import sandfish_runner.app
    finally:
        sys.path.remove(folder)
    return sandfish_runner.app


if __name__ == "__main__":
    _import_runner().main(sys.argv[1:])
