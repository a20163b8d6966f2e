"""Copies of the runner that sleep until the engine asks for a new runner: checkpoints, and the zygote of a sandbox."""

import _socket
import json
import os
import signal
import sys
import time
import warnings

from . import exactness
from .channel import receive

_FDS = 4
_LONGEST_NAME = 15
HOLDER, ZYGOTE = "sandfish-holder", "sandfish-zygote"


class Holding:
    """Forks holders. `adopt(nonce, path)` makes the process that a holder has forked a runner with new descriptors."""

    def __init__(self, channel, hub, evaluator, adopt):
        self._channel = channel
        self._hub = hub
        self._evaluator = evaluator
        self._adopt = adopt
        self._between = 0

    # ---------------------------------------------------------------- in the head

    def checkpoint(self, message):
        """Leaves a holder behind, unless the state has what the engine wants none with."""
        started, started_cpu = time.perf_counter(), time.thread_time()
        descriptor = self._channel.take_descriptor()
        if descriptor is None:
            self._channel.send("checkpoint", id=message.get("id"), error="no descriptor came with the message")
            return
        self._reap()
        own = {descriptor, *self._channel.pipes, *self._evaluator.own_descriptors()}
        inexact = exactness.reasons(own, self._hub.own_threads(), self._evaluator.loop)
        answer = {"id": message.get("id"), "inexact": inexact}
        if any(reason.partition(":")[0] in message.get("unless", ()) for reason in inexact):
            answer["skipped"] = True
        else:
            try:
                if self._fork(descriptor):
                    return
            except OSError as error:
                answer["error"] = str(error)
        os.close(descriptor)
        answer["ms"] = round((time.perf_counter() - started) * 1e3, 3)
        answer["cpu_ms"] = round((time.thread_time() - started_cpu) * 1e3, 3)
        self._channel.send("checkpoint", **answer)

    def _reap(self):
        """The process between the last holder and the head has long ended."""
        if self._between:
            try:
                os.waitpid(self._between, 0)
            except ChildProcessError:
                pass
            self._between = 0

    def _fork(self, descriptor):
        """False in the head; True in a new head, which a holder has made of itself later.

        The holder is not the head's child, which the user's code would see, nor of its session, which ends with it.
        """
        state = _random_state()
        # A copy would keep for ever what another thread has locked.
        with self._hub.lock, self._channel.guard, self._channel.lock:
            self._hub.flush()
            between = _quiet_fork()
            if between == 0:
                _leave_group(0)
                parent = os.getpid()
                _fork_or_exit()
                os.setsid()
        if between:
            self._between = between
            _leave_group(between)
            return False
        _await_end(parent)
        self.hold(descriptor, HOLDER, state)
        return True

    # ---------------------------------------------------------------- in the holder

    def hold(self, descriptor, name, random_state=None):
        """Sleeps; returns in a new head. Ends with the engine's end of the socket."""
        socket = _socket.socket(fileno=descriptor)
        # A cell may have set a default of its own.
        socket.setblocking(True)
        child_handler = signal.getsignal(signal.SIGCHLD)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        before = _process_name()
        _rename(name)
        self._let_go(descriptor)
        try:
            message, descriptors = self._wait(socket, _package_folders() if name == ZYGOTE else None)
        except OSError:
            os._exit(1)
        socket.close()
        _rename(before)
        if child_handler is not None:
            signal.signal(signal.SIGCHLD, child_handler)
        self._become_head(message, descriptors, random_state)

    def _wait(self, socket, packages):
        """What a new head has to know; in that head."""
        socket.send(b'{"ev":"held"}')
        while True:
            data, descriptors = receive(socket, _FDS)
            if not data:
                os._exit(0)
            if packages is not None and packages != _package_folders():
                socket.send(b'{"ev":"stale"}')
            elif len(descriptors) == _FDS and self._divide(socket):
                return json.loads(data), descriptors
            for descriptor in descriptors:
                os.close(descriptor)

    def _let_go(self, socket):
        """The head's descriptors would keep its pipes open; their numbers stay taken."""
        nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        for descriptor in {0, 1, 2, 3, *self._channel.pipes} - {socket}:
            os.dup2(nothing, descriptor, inheritable=descriptor < 3)
        os.close(nothing)

    def _divide(self, socket):
        """True in the new process. The holder stays; what is between the two ends at once."""
        try:
            between = _quiet_fork()
        except OSError as error:
            socket.send(json.dumps({"ev": "failed", "error": str(error)}).encode())
            return False
        if between == 0:
            _fork_or_exit()
            return True
        done = os.waitpid(between, 0)[1] == 0
        socket.send(b'{"ev":"resumed"}' if done else b'{"ev":"failed","error":"no further process can be started"}')
        return False

    # ---------------------------------------------------------------- in the new head

    def _become_head(self, message, descriptors, random_state):
        os.setsid()
        for target, descriptor in enumerate(descriptors):
            os.dup2(descriptor, target, inheritable=target < 3)
            os.close(descriptor)
        self._between = 0
        if message.get("seed"):
            _seed()
        elif random_state is not None:
            sys.modules["random"].setstate(random_state)
        self._adopt(str(message.get("nonce", "")), str(message.get("path", "")))


def _await_end(parent):
    """Until the process in between has ended, this one is below the head, and would be ended with it."""
    while os.getppid() == parent:
        time.sleep(0.0005)


def _leave_group(pid):
    """Done on both sides of the fork: a cell that signals its group as its first act must not hit the holder."""
    try:
        os.setpgid(pid, 0)
    except OSError:
        pass


def _quiet_fork():
    """fork() without Python's warning about threads, which concerns the copy alone."""
    if not any(row[0] == "error" for row in warnings.filters):
        return os.fork()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return os.fork()


def _fork_or_exit():
    """Continues in a child, whose parent ends at once."""
    try:
        if _quiet_fork():
            os._exit(0)
    except OSError:
        os._exit(1)


def _random_state():
    """The `random` module makes a new seed in every forked process; a checkpoint keeps the state."""
    module = sys.modules.get("random")
    return module.getstate() if module is not None and hasattr(module, "getstate") else None


def _seed():
    """New contexts of one zygote must not draw the same numbers."""
    if "random" in sys.modules:
        sys.modules["random"].seed()
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()


def _package_folders():
    """What changes when a package is installed or removed."""
    times = {}
    for folder in sys.path:
        try:
            times[folder] = os.stat(folder or ".").st_mtime_ns if folder else 0
        except OSError:
            times[folder] = -1
    site = sys.modules.get("site")
    user = site.getusersitepackages() if site is not None and site.ENABLE_USER_SITE else ""
    return times, bool(user) and os.path.isdir(user)


def _process_name():
    with open("/proc/self/comm") as file:
        return file.read().rstrip("\n")


def _rename(name):
    """As `ps` shows it."""
    try:
        with open("/proc/self/comm", "w") as file:
            file.write(name[:_LONGEST_NAME])
    except OSError:
        pass
