"""The runner itself: wires the parts together, reads messages, runs cells one at a time."""

import builtins
import gc
import importlib
import os
import signal
import sys
import time

from . import cells, comms, errors, figures, inputs, output, packages, standin
from .channel import Channel
from .holding import ZYGOTE, Holding
from .hooks import ImportHooks
from .interrupts import Interrupts
from .owners import Owners, watch_pools
from .streams import Hub

# What takes long to load, and a zygote of the sandbox can have ready.
PRELOADABLE = ("numpy", "pandas", "matplotlib.pyplot")
FEATURES = ["complete", "inspect", "vars", "get", "comm", "interrupt", "checkpoint"]


class Runner:
    """One context."""

    def __init__(self):
        self._interrupts = Interrupts()
        self._channel = Channel(os.environ.pop("SANDFISH_NONCE", ""), self._interrupts)
        self._owners = Owners(self._channel)
        self._hub = Hub(self._channel, self._owners)
        self._page = output.Page(self._channel, self._owners)
        self._namespace = cells.make_namespace()
        self._compiler = cells.Compiler()
        self._evaluator = cells.Evaluator(self._namespace, self._owners, self._hub)
        self._questions = inputs.Questions(self._channel, self._owners)
        self._comms = comms.Comms(self._channel)
        self._holding = Holding(self._channel, self._hub, self._evaluator, self._adopt)
        self._shell = None
        self._reported = set()
        self._count = 0
        self._operations = {
            "execute": self._execute,
            "comm": self._comm,
            "checkpoint": self._holding.checkpoint,
            "chdir": self._chdir,
            "exit": self._exit,
            "vars": self._answer("variables", "list_variables"),
            "get": self._answer("variables", "get_variable"),
            "complete": self._answer("completion", "complete"),
            "inspect": self._answer("completion", "look_up"),
        }

    def install(self):
        """Takes the process over: streams, builtins, import hooks, signals."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        hooks = ImportHooks()
        hooks.install()
        self._hub.install()
        self._owners.install()
        self._questions.install(hooks)
        self._compiler.install(hooks)
        figures.install(hooks, self._page.show_figures)
        output.adopt_ipython(hooks, self._page)
        hooks.after_import("concurrent.futures.thread", lambda module: watch_pools(self._owners, module))
        packages.FreshPackages().install()
        standin.StandIn(self._namespace, self._page).install()
        comms.install(hooks, self._comms)
        builtins.display = self._page.display
        sys.path.insert(0, "")
        sys.argv = [""]

    def announce(self):
        self._channel.send(
            "ready", pid=os.getpid(), lang="python", version=sys.version.split()[0], features=FEATURES
        )

    def hold(self):
        """Becomes the zygote of new runners; returns in each of them. The collector leaves what they share alone."""
        self._new_modules()
        gc.collect()
        gc.freeze()
        self._holding.hold(self._channel.fileno(), ZYGOTE)

    def _adopt(self, nonce, path):
        self._channel.begin(nonce)
        for part in (self._hub, self._evaluator, self._questions):
            part.reopen()
        self._owners.forget_threads()
        if path:
            self._chdir({"path": path})
        self.announce()

    def serve(self):
        """Answers messages until the engine closes the channel."""
        while True:
            message = self._next_message()
            if message is None:
                continue
            operation = self._operations.get(message.get("op"))
            if operation is not None:
                operation(message)
            elif "id" in message:
                self._channel.send("reply", id=message["id"], error="unknown operation %r" % message.get("op"))

    def _next_message(self):
        while not self._channel.has_line():
            if self._evaluator.loop is not None and not self._evaluator.loop.is_closed():
                self._evaluator.run_until_readable(self._channel)
            if not self._channel.fill():
                self._exit({})
        return self._channel.take_line()

    def _answer(self, module, function):
        """An operation that looks at the namespace; its module is loaded at the first call."""

        def answer(message):
            look = getattr(importlib.import_module("." + module, __package__), function)
            try:
                members = look(self._namespace, message)
            except Exception as error:
                members = {"error": "%s: %s" % (type(error).__name__, error)}
            self._channel.send("reply", id=message.get("id"), **members)

        return answer

    def _comm(self, message):
        self._comms.receive(message)

    def _chdir(self, message):
        try:
            os.chdir(str(message.get("path", "")))
        except OSError as error:
            self._channel.send("log", level="error", text=str(error))

    def _exit(self, _message):
        self._hub.flush()
        os._exit(0)

    # ---------------------------------------------------------------- one execution

    def _execute(self, message):
        silent = bool(message.get("silent"))
        self._count += 0 if silent else 1
        label = str(message.get("label") or "cell [%d]" % self._count)
        self._channel.reopen_pipes()
        self._owners.begin(message["id"])
        self._hub.begin_cell(self._owners.has_other_threads(), self._evaluator.has_tasks())
        self._channel.send_marked("started", id=message["id"])
        restore = _set_environment(message.get("env") or {})
        started = time.perf_counter()
        outcome = self._outcome(str(message.get("code", "")), label, silent)
        if not self._channel.speaks:
            self._leave_child(outcome)
        restore()
        standin.StandIn.forget()
        _flush_c_library()
        elapsed = round((time.perf_counter() - started) * 1e3, 3)
        self._hub.begin_cell()
        self._channel.send_marked(
            "done", id=message["id"], ms=elapsed, n=self._count, **outcome, **self._new_modules()
        )

    def _new_modules(self):
        names = [name for name in PRELOADABLE if name in sys.modules and name not in self._reported]
        self._reported.update(names)
        return {"modules": names} if names else {}

    def _outcome(self, code, label, silent):
        """Runs the cell; the members of `done` that say how it ended."""
        try:
            try:
                self._interrupts.arm()
                self._run(code, label, silent)
            finally:
                self._interrupts.disarm()
        except SystemExit as error:
            return {"status": "exit", "code": _exit_code(error)}
        except KeyboardInterrupt as error:
            self._interrupts.disarm()
            figures.take_open_figures()
            self._questions.forget_answers()
            return {"status": "interrupted", **errors.describe(error)}
        except BaseException as error:
            self._interrupts.disarm()
            return {"status": "error", **errors.describe(error)}
        return {"status": "ok"}

    def _run(self, code, label, silent):
        parts = self._compile(code, label)
        try:
            value = self._evaluator.run(parts)
        except Exception:
            self._page.show_figures()
            raise
        if value is not None and not silent:
            self._remember(value)
            self._page.result(value)
            figures.forget(value)
        self._page.show_figures()

    def _compile(self, code, label):
        """A cell that is no Python as it stands may have `%`, `!` and `?` lines."""
        try:
            return self._compiler.compile(code, label)
        except SyntaxError:
            from . import transform

            if not transform.has_magics(code):
                raise
            changed = self._magic_shell().transform_cell(code)
            if changed.rstrip() == code.rstrip():
                raise
        return self._compiler.compile(changed, label)

    def _magic_shell(self):
        if self._shell is None:
            from . import magics

            self._shell = magics.make_shell(self._namespace, self._page, self._compiler, self._evaluator)
            self._namespace.setdefault("get_ipython", lambda: self._shell)
        return self._shell

    def _remember(self, value):
        names = self._namespace
        names["___"], names["__"], names["_"] = names.get("__"), names.get("_"), value

    def _leave_child(self, outcome):
        """A process that the cell forked has come to the end of the cell."""
        try:
            self._hub.flush()
        finally:
            os._exit(outcome.get("code", 0 if outcome["status"] == "ok" else 1))


def _set_environment(extra):
    """Sets variables for one run; returns the function that takes them back."""
    extra = {name: str(value) for name, value in extra.items() if _is_settable(name, str(value))}
    before = {name: os.environ.get(name) for name in extra}
    os.environ.update(extra)

    def restore():
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    return restore


def _is_settable(name, value):
    return bool(name) and "=" not in name and "\0" not in name + value


def _exit_code(error):
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code
    print(error.code, file=sys.stderr)
    return 1


def _flush_c_library():
    """C code prints into a buffer of its own; it is written out so that its text belongs to this cell."""
    ctypes = sys.modules.get("ctypes")
    if ctypes is not None:
        try:
            ctypes.CDLL(None).fflush(None)
        except Exception:
            pass


def _preload(names):
    for name in names.split(","):
        try:
            __import__(name)
        except ImportError:
            pass


def main(arguments):
    """Runs until the engine is gone."""
    runner = Runner()
    runner.install()
    if arguments[:1] == ["--preload"] and len(arguments) > 1:
        _preload(arguments[1])
    if arguments[-1:] == ["--hold"]:
        runner.hold()
    else:
        runner.announce()
    runner.serve()
