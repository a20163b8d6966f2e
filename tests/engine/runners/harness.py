"""A small engine: starts a real runner over pipes, puts its text and events in order, as resources/runners/README.md says."""

import json
import os
import pathlib
import secrets
import select
import signal
import socket
import subprocess
import time

RUNNERS = pathlib.Path(__file__).resolve().parents[3] / "resources" / "runners"
_SCRATCH_FD = 400
_READ_BYTES = 1 << 18


class Pipe:
    """One output pipe: cuts the stream of bytes into (epoch, text) pieces at the marks."""

    def __init__(self, descriptor, prefix):
        self.descriptor = descriptor
        self.open = True
        self.epoch = 0
        self.pieces = []
        self._prefix = prefix
        self._mark_bytes = len(prefix) + 9
        self._rest = b""

    def feed(self, data):
        data = self._rest + data
        self._rest = b""
        while True:
            at = data.find(self._prefix)
            if at < 0 or len(data) < at + self._mark_bytes:
                break
            self._keep(data[:at])
            self.epoch = int(data[at + len(self._prefix) : at + self._mark_bytes - 1], 16)
            data = data[at + self._mark_bytes :]
        cut = at if at >= 0 else self._partial_mark(data)
        self._keep(data[:cut])
        self._rest = data[cut:]

    def _partial_mark(self, data):
        for at in range(max(0, len(data) - len(self._prefix) + 1), len(data)):
            if self._prefix.startswith(data[at:]):
                return at
        return len(data)

    def _keep(self, data):
        if data:
            self.pieces.append((self.epoch, data))

    def take(self, mark):
        """The pieces before a mark, all of them when it is None."""
        taken = [piece for piece in self.pieces if mark is None or piece[0] < mark]
        self.pieces = self.pieces[len(taken) :]
        return taken


class Outcome:
    """What one execution gave: `items` in order, each ("stdout"|"stderr", text) or (event name, event)."""

    def __init__(self, items, last):
        self.items = items
        self.done = last

    def text(self, name):
        return "".join(value for kind, value in self.items if kind == name)

    @property
    def stdout(self):
        return self.text("stdout")

    @property
    def stderr(self):
        return self.text("stderr")

    def events(self, name):
        return [value for kind, value in self.items if kind == name]

    @property
    def result(self):
        """The `data` of the only result, or None."""
        results = self.events("result")
        assert len(results) <= 1, results
        return results[0]["data"] if results else None

    @property
    def status(self):
        return self.done["status"]

    def order(self):
        """The stream names and events in order, neighbours of one kind joined: [("stdout", "a"), ("display", None), …]."""
        joined = []
        for kind, value in self.items:
            if kind in ("started", "done", "owner"):
                continue
            text = value if kind in ("stdout", "stderr") else None
            if joined and text is not None and joined[-1][0] == kind:
                joined[-1] = (kind, joined[-1][1] + text)
            else:
                joined.append((kind, text))
        return joined


class Process:
    """A running runner of any language; the language's part is in the subclasses."""

    def __init__(self, argv, cwd=None, env=None):
        stdin, lines, out_write, err_write, theirs = self.open_channels()
        children = self.layout(stdin, lines, out_write, err_write, theirs.fileno())
        self.process = self._spawn(argv, children, cwd, env)
        self.close_theirs(stdin, lines, out_write, err_write, theirs)
        self.greet()
        self.ready = self.wait_for("ready").done

    def open_channels(self):
        """Makes the pipes and the control channel; returns the runner's ends."""
        self.nonce = secrets.token_hex(8)
        prefix = b"\0\x1eM" + self.nonce.encode()
        self._serial = 0
        self._queued = []
        self._control_rest = b""
        stdin, self.stdin = os.pipe()
        out_read, out_write = os.pipe()
        err_read, err_write = os.pipe()
        lines, self.lines = os.pipe()
        self.control, theirs = socket.socketpair()
        self.pipes = [Pipe(out_read, prefix), Pipe(err_read, prefix)]
        return stdin, lines, out_write, err_write, theirs

    @staticmethod
    def close_theirs(*ends):
        *descriptors, control = ends
        for descriptor in descriptors:
            os.close(descriptor)
        control.close()

    def layout(self, stdin, lines, out_write, err_write, control):
        """{descriptor in the child: ours}."""
        return {0: stdin, 1: out_write, 2: err_write, 3: control}

    def greet(self):
        pass

    def _spawn(self, argv, children, cwd, env):
        environment = {**os.environ, "LANG": "C.UTF-8", **(env or {}), "SANDFISH_NONCE": self.nonce}
        environment.pop("PYTHONUNBUFFERED", None)

        def place_descriptors():
            for target, ours in children.items():
                os.dup2(ours, _SCRATCH_FD + target)
            for target in children:
                os.dup2(_SCRATCH_FD + target, target)
            for descriptor in map(int, os.listdir("/proc/self/fd")):
                if descriptor > 2 and descriptor not in children:
                    try:
                        os.close(descriptor)
                    except OSError:
                        pass

        return subprocess.Popen(
            argv, preexec_fn=place_descriptors, close_fds=False, cwd=cwd, env=environment, start_new_session=True
        )

    def send(self, **message):
        self.control.sendall(json.dumps(message).encode() + b"\n")

    def request(self, **message):
        """Sends a message with a fresh id and returns its `reply`."""
        self._serial += 1
        self.send(id=self._serial, **message)
        return self.wait_for("reply").done

    def start(self, code, **members):
        """Starts a cell without waiting; returns its id."""
        self._serial += 1
        self.send(op="execute", id=self._serial, code=code, **members)
        return self._serial

    def run(self, code, timeout=60, **members):
        self.start(code, **members)
        return self.wait_for("done", timeout=timeout)

    def answer(self, line):
        os.write(self.stdin, (line + "\n").encode())

    def signal_group(self, number=signal.SIGINT):
        os.killpg(self.process.pid, number)

    def interrupt(self, execution_id):
        self.signal_group()

    def interrupted(self, execution_id, timeout=10):
        """Interrupts a running cell; returns its end."""
        self.interrupt(execution_id)
        return self.wait_for("done", timeout=timeout)

    def wait_for(self, *names, timeout=60, until=None):
        """Reads until one of the events (or until `until(pieces of text)`); what comes after it is kept for the next call."""
        deadline = time.monotonic() + timeout
        events, last = [], None
        while last is None:
            while self._queued and last is None:
                events.append(self._queued.pop(0))
                last = events[-1] if events[-1]["ev"] in names else None
            if last is not None or (until and until([piece for pipe in self.pipes for piece in pipe.pieces])):
                break
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(
                    "no %s within %s s; got %s" % ("/".join(names), timeout, str(self._in_order(events, None)))
                )
            self._queued += self._read(left)
            if not self.control_open and not self._queued:
                last = {"ev": "eof", "status": "eof"}
        self._drain(last)
        return Outcome(self._in_order(events, (last or {}).get("mark")), last)

    control_open = True

    def _read(self, seconds):
        """One poll; returns the control events that came."""
        sources = {pipe.descriptor: pipe for pipe in self.pipes if pipe.open}
        readable = [*sources] + ([self.control] if self.control_open else [])
        ready, _, _ = select.select(readable, [], [], max(0, seconds))
        events = []
        for source in ready:
            if source is self.control:
                events = self._read_control()
                continue
            data = os.read(source, _READ_BYTES)
            sources[source].open = bool(data)
            sources[source].feed(data)
        return events

    def _read_control(self):
        data = self.control.recv(_READ_BYTES)
        self.control_open = bool(data)
        *lines, self._control_rest = (self._control_rest + data).split(b"\n")
        return [json.loads(line) for line in lines]

    def _drain(self, last):
        """Reads the pipes up to the mark of the last event (or what is there when the runner died)."""
        mark = (last or {}).get("mark", 0)
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            waiting = [pipe for pipe in self.pipes if pipe.open and (pipe.epoch < mark or not self.control_open)]
            if not waiting:
                return
            ready, _, _ = select.select([pipe.descriptor for pipe in waiting], [], [], 0.05)
            if not ready and not self.control_open:
                return
            for pipe in waiting:
                if pipe.descriptor in ready:
                    data = os.read(pipe.descriptor, _READ_BYTES)
                    pipe.open = bool(data)
                    pipe.feed(data)

    def _in_order(self, events, mark):
        items = []
        for pipe, name in zip(self.pipes, ("stdout", "stderr")):
            items += [(epoch + 0.5, (name, data.decode("utf-8", "replace"))) for epoch, data in pipe.take(mark)]
        highest = 0
        for event in events:
            highest = event.get("mark") or highest
            items.append((highest, (event["ev"], event)))
        items.sort(key=lambda item: item[0])
        return [item for _, item in items]

    def is_alive(self):
        return self.process.poll() is None

    def close(self):
        if self.is_alive():
            self.signal_group(signal.SIGKILL)
        self.process.wait()
        self.control.close()
        for descriptor in (self.stdin, self.lines, *(pipe.descriptor for pipe in self.pipes)):
            os.close(descriptor)
