"""Packages that a cell installs (`!pip install`, `subprocess.run([… "pip" …])`) can be imported at once."""

import importlib
import importlib.machinery
import site
import sys

_CHILDREN = frozenset(("subprocess.Popen", "os.system", "os.fork", "os.posix_spawn", "os.exec"))


class FreshPackages:
    """A finder after all others. When a child process may have installed what was not found, it looks again."""

    def __init__(self):
        self._had_child = False

    def install(self):
        sys.addaudithook(self._audit)
        sys.meta_path.append(self)

    def _audit(self, event, _arguments):
        if event in _CHILDREN:
            self._had_child = True

    def find_spec(self, name, path=None, target=None):
        if not self._had_child or (path is None and "." in name):
            return None
        self._had_child = False
        importlib.invalidate_caches()
        # The user's own folder of packages is on the path only where it was there at the start.
        folder = site.getusersitepackages() if site.ENABLE_USER_SITE else ""
        if folder and folder not in sys.path:
            site.addsitedir(folder)
        return importlib.machinery.PathFinder.find_spec(name, path, target)
