"""The engine's side of fork checkpoints and zygotes (resources/runners/README.md §10)."""

import ctypes
import json
import os
import select
import signal
import socket
import subprocess

from harness import RUNNERS
from languages import PYTHON, Python

_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans():
    """Makes this process the one that waits for heads and holders, as a sandbox's supervisor is."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class Orphan:
    """A process whose parent has ended, with the interface of Popen that the harness uses."""

    def __init__(self, pid):
        self.pid = pid
        self.returncode = None

    def poll(self):
        return self._wait(os.WNOHANG)

    def wait(self):
        return self._wait(0)

    def _wait(self, options):
        while self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, options)
            except ChildProcessError:
                # The process between it and its holder has yet to end.
                os.sched_yield()
                continue
            if not pid:
                break
            self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


class Holder:
    """The engine's end of one holder's socket."""

    def __init__(self, ours):
        self.socket = ours

    def event(self, timeout=20):
        """The next event; None when the holder has ended."""
        if not select.select([self.socket], [], [], timeout)[0]:
            raise TimeoutError("the holder says nothing")
        data = self.socket.recv(1 << 16)
        return json.loads(data) if data else None

    def resume(self, **members):
        return Head(self, members)

    def close(self):
        self.socket.close()


class NoRunner(Exception):
    """The holder has made no runner."""


class Head(Python):
    """A runner that a holder has made of itself."""

    def __init__(self, holder, members):
        stdin, lines, out_write, err_write, theirs = self.open_channels()
        message = json.dumps({"op": "resume", "nonce": self.nonce, **members}).encode()
        socket.send_fds(holder.socket, [message], [stdin, out_write, err_write, theirs.fileno()])
        self.close_theirs(stdin, lines, out_write, err_write, theirs)
        self.ready = self.wait_for("ready").done
        if self.ready["ev"] == "eof":
            for descriptor in (self.stdin, self.lines, *(pipe.descriptor for pipe in self.pipes)):
                os.close(descriptor)
            self.control.close()
            raise NoRunner
        assert holder.event() == {"ev": "resumed"}
        self.process = Orphan(self.ready["pid"])


def checkpoint(runner, unless=()):
    """Asks a runner for a checkpoint; returns the event and the holder, which is None when there is none."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    runner._serial += 1
    line = json.dumps({"op": "checkpoint", "id": runner._serial, "unless": list(unless)}).encode() + b"\n"
    socket.send_fds(runner.control, [line], [theirs.fileno()])
    theirs.close()
    event = runner.wait_for("checkpoint").done
    holder = Holder(ours)
    if "skipped" in event or "error" in event:
        holder.close()
        return event, None
    assert holder.event() == {"ev": "held"}
    return event, holder


class Zygote(Holder):
    """A runner that runs no code itself."""

    def __init__(self, preload=(), env=None):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        super().__init__(ours)
        argv = [PYTHON, "-X", "utf8", str(RUNNERS / "python" / "main.py")]
        argv += ["--preload", ",".join(preload)] if preload else []

        def place_descriptors():
            os.dup2(theirs.fileno(), 3)
            os.closerange(4, 1024)

        environment = {**os.environ, **(env or {}), "SANDFISH_NONCE": "0" * 8}
        self.process = subprocess.Popen(
            [*argv, "--hold"],
            preexec_fn=place_descriptors,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        theirs.close()

    def close(self):
        super().close()
        self.process.wait()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
