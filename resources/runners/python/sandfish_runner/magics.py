"""What `get_ipython()` answers: IPython's own shell where it is installed, else the few magics here."""

import importlib
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import time

from . import completion

_EXPANDED = re.compile(r"\{([^{}]+)\}|\$(\w+)")
_UNKNOWN = "There is no %s magic %s here. Known: %s. With the package ipython installed all of its magics work."


class UsageError(Exception):
    """A magic was called in a way it does not know."""


def make_shell(namespace, page, compiler, evaluator):
    """IPython's shell on the cells' namespace, or ours."""
    if importlib.util.find_spec("IPython") is not None:
        from . import ipython

        return ipython.make_shell(namespace)
    return Shell(namespace, page, compiler, evaluator)


class Shell:
    """The magics that work without IPython; they print and raise as its own do."""

    def __init__(self, namespace, page, compiler, evaluator):
        self.user_ns = namespace
        self._page = page
        self._compiler = compiler
        self._evaluator = evaluator

    def transform_cell(self, code):
        from . import transform

        return transform.to_python(code)

    def run_line_magic(self, name, line):
        magic = getattr(self, "_line_" + name, None)
        if magic is None:
            raise UsageError(_UNKNOWN % ("line", "%" + name, ", ".join("%" + known for known in self._known("_line_"))))
        return magic(self._expand(line) if name not in ("time", "timeit") else line)

    def run_cell_magic(self, name, line, cell):
        magic = getattr(self, "_cell_" + name, None)
        if magic is None:
            raise UsageError(
                _UNKNOWN % ("cell", "%%" + name, ", ".join("%%" + known for known in self._known("_cell_")))
            )
        return magic(line, cell)

    def _known(self, prefix):
        return sorted(name[len(prefix) :] for name in dir(self) if name.startswith(prefix))

    def system(self, command):
        """Runs a shell command; its output goes where the cell's goes."""
        self.user_ns["_exit_code"] = subprocess.call(self._expand(command), shell=True, executable=_shell())

    def getoutput(self, command):
        """The lines that a shell command prints."""
        done = subprocess.run(
            self._expand(command),
            shell=True,
            executable=_shell(),
            stdout=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
        return done.stdout.splitlines()

    def _expand(self, text):
        """`{expression}` and `$name` stand for values of the namespace; what is not known stays as it is."""

        def value(found):
            expression, name = found.groups()
            if name is not None:
                return str(self.user_ns[name]) if name in self.user_ns else found.group(0)
            try:
                return str(eval(expression, self.user_ns))
            except Exception:
                return found.group(0)

        return _EXPANDED.sub(value, text)

    # ---------------------------------------------------------------- line magics

    def _line_pip(self, line):
        done = subprocess.call([sys.executable, "-m", "pip", *shlex.split(line)])
        importlib.invalidate_caches()
        if done:
            raise UsageError("pip ended with exit status %d." % done)

    def _line_cd(self, line):
        os.chdir(os.path.expanduser(line.strip() or "~"))
        print(os.getcwd())

    def _line_pwd(self, _line):
        return os.getcwd()

    def _line_env(self, line):
        name, equals, value = line.partition("=")
        if not equals:
            name, _, value = line.strip().partition(" ")
        name = name.strip()
        if not name:
            return dict(os.environ)
        if not equals and not value:
            return os.environ.get(name)
        os.environ[name] = value.strip()
        print("env: %s=%s" % (name, value.strip()))
        return None

    def _line_matplotlib(self, _line):
        """Figures appear in the page anyway."""

    def _line_time(self, line):
        return self._timed(line)

    def _line_timeit(self, line):
        self._time_loops(line, "pass")

    def _line_pinfo(self, line, with_source=False):
        name = line.strip()
        known, value = completion.resolve(self.user_ns, name)
        if not known:
            print("Object `%s` not found." % name)
            return
        self._page.publish(completion.describe(name, value, with_source)["data"])

    def _line_pinfo2(self, line):
        self._line_pinfo(line, True)

    # ---------------------------------------------------------------- cell magics

    def _cell_bash(self, _line, cell):
        subprocess.run(["bash", "-c", cell], check=True)

    _cell_sh = _cell_bash

    def _cell_javascript(self, _line, cell):
        """For a page that runs scripts; what shows none says so."""
        note = "JavaScript for the page. To run it on Node.js, make a JavaScript cell."
        self._page.publish({"application/javascript": cell, "text/plain": note})

    _cell_js = _cell_javascript

    def _cell_html(self, _line, cell):
        self._page.publish({"text/html": cell, "text/plain": cell})

    def _cell_writefile(self, line, cell):
        path = os.path.expanduser(line.strip())
        with open(path, "w", encoding="utf-8") as file:
            file.write(cell)
        print("Wrote %s" % path)

    def _cell_time(self, _line, cell):
        return self._timed(cell)

    def _cell_timeit(self, line, cell):
        self._time_loops(cell, line or "pass")

    def _timed(self, code):
        parts = self._compiler.compile(code, "<timed>")
        began, cpu = time.perf_counter(), time.process_time()
        try:
            return self._evaluator.run(parts)
        finally:
            print("CPU times: %s" % _duration(time.process_time() - cpu))
            print("Wall time: %s" % _duration(time.perf_counter() - began))

    def _time_loops(self, statement, setup):
        import statistics
        import timeit

        timer = timeit.Timer(statement, setup, globals=self.user_ns)
        loops, _ = timer.autorange()
        runs = [total / loops for total in timer.repeat(7, loops)]
        mean, spread = _duration(statistics.fmean(runs)), _duration(statistics.pstdev(runs))
        print("%s \u00b1 %s per loop (mean \u00b1 std. dev. of 7 runs, %d loops each)" % (mean, spread, loops))


def _shell():
    return "/bin/bash" if os.path.exists("/bin/bash") else "/bin/sh"


def _duration(seconds):
    for unit, factor in (("s", 1), ("ms", 1e3), ("\u00b5s", 1e6)):
        if seconds * factor >= 1:
            return "%.3g %s" % (seconds * factor, unit)
    return "%.3g ns" % (seconds * 1e9)
