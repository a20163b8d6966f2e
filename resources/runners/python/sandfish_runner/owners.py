"""Which execution a piece of text belongs to: the running one, or the one that started the thread or task."""

import _thread
import contextvars
import threading


class Owners:
    """Knows the running execution and tells the engine when text of another one follows."""

    def __init__(self, channel):
        self._channel = channel
        self._announced = None
        self._task_owner = contextvars.ContextVar("sandfish_owner", default=None)
        self._threads = {}
        self.current = None

    def install(self):
        """Makes threads remember the execution that started them."""
        owners = self
        plain_start = threading.Thread.start
        plain_run = threading.Thread._bootstrap_inner

        def start(thread):
            thread._sandfish_owner = owners.owner()
            plain_start(thread)

        def run(thread):
            owners._threads[_thread.get_ident()] = getattr(thread, "_sandfish_owner", None)
            try:
                plain_run(thread)
            finally:
                owners._threads.pop(_thread.get_ident(), None)

        threading.Thread.start = start
        threading.Thread._bootstrap_inner = run

    def begin(self, execution_id):
        """Called before `started` is sent."""
        self.current = self._announced = execution_id

    def forget_threads(self):
        """In a copy of the process, which has the main thread alone."""
        self._threads.clear()

    def own_tasks(self):
        """Makes the current asyncio task and all it starts belong to the running execution."""
        self._task_owner.set(self.current)

    def owner(self):
        """The execution whose text the calling thread or task writes."""
        owner = self._task_owner.get()
        if owner is None:
            owner = self._threads.get(_thread.get_ident())
        return self.current if owner is None else owner

    def has_other_threads(self):
        """True when a thread of an earlier execution is alive."""
        return any(owner != self.current for owner in list(self._threads.values()))

    def lend(self, function):
        """`function` for a pool thread: while it runs, the thread's text belongs to the caller's execution."""
        owner = self.owner()

        def run(*args, **kwargs):
            thread = _thread.get_ident()
            before = self._threads.get(thread)
            self._threads[thread] = owner
            try:
                return function(*args, **kwargs)
            finally:
                self._threads[thread] = before

        return run

    def announce(self):
        """Tells the engine when the owner of what follows differs from the last; true when a mark was written."""
        owner = self.owner()
        if owner == self._announced or not self._channel.speaks:
            return False
        self._announced = owner
        self._channel.send_marked("owner", id=owner)
        return True


def watch_pools(owners, module):
    """Called once `concurrent.futures.thread` is loaded: pooled work belongs to the execution that submitted it."""
    pool = module.ThreadPoolExecutor
    plain_submit = pool.submit

    def submit(self, function, /, *args, **kwargs):
        return plain_submit(self, owners.lend(function), *args, **kwargs)

    submit.__doc__ = plain_submit.__doc__
    pool.submit = submit
