"""Compiles and runs one cell in the namespace of the context."""

import __future__
import ast
import builtins
import sys
import types

_FUTURES = 0
for _name in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _name).compiler_flag
# The values of inspect.CO_NESTED and CO_COROUTINE; that module takes as long to load as all of the runner.
_FUTURES &= ~0x10
_COROUTINE = 0x80


def make_namespace():
    """A fresh `__main__`, which is what the cells run in; returns its dictionary."""
    module = types.ModuleType("__main__")
    module.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = module
    return module.__dict__


class Compiler:
    """Splits a cell into statements and a last expression; `from __future__` imports hold for later cells."""

    def __init__(self):
        self._flags = 0
        self._sources = {}

    def install(self, hooks):
        """Shows the cells' sources to tracebacks; `linecache` is loaded by whoever makes the first one."""
        hooks.after_import("linecache", self._show_sources)

    def _show_sources(self, linecache):
        linecache.cache.update(self._sources)
        self._sources = linecache.cache

    def compile(self, code, name):
        """(statements or None, last expression or None) as code objects; both may be coroutines."""
        self._sources[name] = (len(code), None, code.splitlines(True), name)
        flags = self._flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        tree = compile(code, name, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr) and not _is_suppressed(code, tree.body[-1]):
            last = ast.Expression(tree.body.pop().value)
        body = compile(tree, name, "exec", flags, dont_inherit=True) if tree.body else None
        if body is not None:
            self._flags |= body.co_flags & _FUTURES
        if last is not None:
            last = compile(last, name, "eval", flags | self._flags, dont_inherit=True)
        return body, last


def _is_suppressed(code, node):
    """True when a `;` follows the last expression."""
    lines = code.splitlines(True)[node.end_lineno - 1 :]
    lines[0] = lines[0].encode("utf-8", "surrogatepass")[node.end_col_offset :].decode("utf-8", "surrogatepass")
    return "".join(lines).lstrip(" \t\r\n\f)").startswith(";")


class Evaluator:
    """Runs compiled cells; one with an `await` at top level runs whole inside a loop that lives on between cells."""

    def __init__(self, namespace, owners, hub):
        self._namespace = namespace
        self._owners = owners
        self._hub = hub
        self.loop = None

    def run(self, parts):
        """The value of the last expression, or None."""
        if any(part is not None and part.co_flags & _COROUTINE for part in parts):
            return self._run_in_loop(parts)
        value = None
        for part in parts:
            value = eval(part, self._namespace) if part is not None else None
        return value

    def _run_in_loop(self, parts):
        import asyncio

        if self.loop is None or self.loop.is_closed():
            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        self._hub.has_tasks = True
        task = self.loop.create_task(self._run_awaiting(parts))
        try:
            return self.loop.run_until_complete(task)
        except BaseException:
            self._abandon(task, asyncio)
            raise

    async def _run_awaiting(self, parts):
        self._owners.own_tasks()
        value = None
        for part in parts:
            value = eval(part, self._namespace) if part is not None else None
            if part is not None and part.co_flags & _COROUTINE:
                value = await value
        return value

    def _abandon(self, task, asyncio):
        """After an interrupt that came while the cell waited: the cell's own task ends, others live on."""
        if not task.done():
            task.cancel()
            self.loop.run_until_complete(asyncio.wait({task}, timeout=1))
        if task.done() and not task.cancelled():
            task.exception()

    def has_tasks(self):
        """True when tasks or timers of earlier cells wait in the loop."""
        if self.loop is None or self.loop.is_closed():
            return False
        import asyncio

        return bool(asyncio.all_tasks(self.loop) or getattr(self.loop, "_scheduled", None))

    def own_descriptors(self):
        """The loop's own: what it waits with, and what wakes it up."""
        parts = [getattr(self.loop, name, None) for name in ("_selector", "_ssock", "_csock")]
        return [part.fileno() for part in parts if part is not None and not self.loop.is_closed()]

    def reopen(self):
        """In a copy of the process: the loop must not share what it waits with, and its wake-up, with the original."""
        if self.loop is None or self.loop.is_closed():
            return
        selector, loop = self.loop._selector, self.loop
        loop._remove_reader(loop._ssock)
        fresh = type(selector)()
        for key in list(selector.get_map().values()):
            fresh.register(key.fileobj, key.events, key.data)
        selector.close()
        loop._selector = fresh
        loop._ssock.close()
        loop._csock.close()
        loop._internal_fds -= 1
        loop._make_self_pipe()

    def run_until_readable(self, channel):
        """Lets the user's tasks run while the runner is idle."""
        ready = self.loop.create_future()
        self.loop.add_reader(channel.fileno(), lambda: ready.done() or ready.set_result(None))
        try:
            self.loop.run_until_complete(ready)
        finally:
            self.loop.remove_reader(channel.fileno())
