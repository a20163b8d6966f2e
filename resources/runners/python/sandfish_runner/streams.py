"""sys.stdout and sys.stderr over the raw pipes, in true order with each other and with the control channel.

A stream is in one of two modes. *Careful*: each write is looked at, and a finished line leaves at once, so that little
output is neither lost in a crash nor put behind the output of C code. *Fast*, after a cell has used up its budget of
lines: `write` is the plain C method and a short-lived thread flushes every 15 ms, so that much output costs what it
costs without a runner.
"""

import _thread
import io
import os
import sys
import threading
import time

_LINES_PER_CELL = 2000
_LINES_AFTER_PAUSE = 20
_BUFFER_BYTES = 1 << 16
_FLUSH_SECONDS = 0.015
_QUIET_ROUNDS = 8
_FLUSH_BEFORE = frozenset(
    ("subprocess.Popen", "os.system", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "pty.spawn")
)
_plain_write = io.TextIOWrapper.write


class CountingPipe(io.FileIO):
    """A pipe that counts its writes, so that the flusher sees whether there was anything to flush."""

    writes = 0

    def write(self, data):
        self.writes += 1
        return super().write(data)


class Output(io.TextIOWrapper):
    """One of the two streams; `hub` decides when a mark is due."""

    def __init__(self, descriptor, hub):
        self._pipe = CountingPipe(descriptor, "w", closefd=False)
        super().__init__(io.BufferedWriter(self._pipe, _BUFFER_BYTES), "utf-8", "sandfish", newline="\n")
        self._CHUNK_SIZE = _BUFFER_BYTES
        self._hub = hub
        self.lines_left = _LINES_PER_CELL
        self.dirty = False
        self.fast = False

    def write(self, text):
        hub = self._hub
        if hub.stream is not self or hub.thread != _thread.get_ident() or hub.has_tasks:
            hub.enter(self)
        count = _plain_write(self, text)
        if text[-1:] == "\n":
            if self.lines_left > 0:
                self.lines_left -= 1
                self.flush()
                return count
            if hub.may_be_fast:
                self._be_fast()
        self.dirty = True
        hub.start_flusher()
        return count

    def writelines(self, lines):
        self.write("".join(lines))

    def close(self):
        """The streams outlive every cell; closing one only flushes it."""
        self.flush()

    def _be_fast(self):
        self.fast = True
        self.write = _plain_write.__get__(self)

    def reopen(self):
        """Begins with an empty buffer; in a copy of the process, the old one may be locked by a thread that is not there."""
        self.locked = self.buffer
        self.__init__(self._pipe.fileno(), self._hub)

    def be_careful(self, lines_left):
        """Looks at each write again."""
        self.fast = False
        self.__dict__.pop("write", None)
        self.lines_left = lines_left

    def drain(self):
        """Flushes, whatever state the user's code left the stream in; true when there was something."""
        before = self._pipe.writes
        try:
            self.flush()
        except (OSError, ValueError, RuntimeError):
            pass
        return self._pipe.writes != before


class Hub:
    """Keeps the two streams in order and tells the engine whose text follows.

    The state is (stream, thread, owner) of the last write; a change of stream or owner writes a mark.
    """

    def __init__(self, channel, owners):
        self._channel = channel
        self._owners = owners
        self.lock = threading.RLock()
        self._flusher = False
        self.stream = None
        self.thread = 0
        self.has_tasks = False
        self.may_be_fast = True
        self.out = Output(1, self)
        self.err = Output(2, self)
        channel.flush = self.flush

    def install(self):
        """Takes sys.stdout and sys.stderr over and flushes before every kind of child process."""
        sys.stdout = sys.__stdout__ = self.out
        sys.stderr = sys.__stderr__ = self.err
        sys.addaudithook(self._audit)
        os.register_at_fork(after_in_child=self._after_fork)

    def begin_cell(self, other_threads=False, other_tasks=False):
        """Full budgets; where text of other owners may come in between, no stream becomes fast."""
        self.stream = None
        self.has_tasks = other_tasks
        self.may_be_fast = not other_threads and not other_tasks
        for stream in (self.out, self.err):
            stream.be_careful(_LINES_PER_CELL)

    def enter(self, stream):
        """`stream` is about to be written by the current thread: writes the mark that this needs."""
        with self.lock:
            changed = self.stream is not None and self.stream is not stream
            for other in (self.out, self.err):
                if changed and other.fast:
                    other.be_careful(0)
            if not self._owners.announce() and changed:
                self._channel.mark()
            self.stream = stream
            self.thread = _thread.get_ident()

    def flush(self):
        self.out.drain()
        self.err.drain()

    def start_flusher(self):
        if not self._flusher:
            self._flusher = True
            _thread.start_new_thread(self._flush_for_a_while, ())

    def _flush_for_a_while(self):
        quiet = 0
        while quiet < _QUIET_ROUNDS:
            time.sleep(_FLUSH_SECONDS)
            quiet += 1
            for stream in (self.out, self.err):
                if (stream.dirty or stream.fast) and stream.drain():
                    quiet = 0
                elif stream.fast and quiet >= 2:
                    stream.be_careful(_LINES_AFTER_PAUSE)
                stream.dirty = False
        self._flusher = False
        if any(stream.dirty or stream.fast for stream in (self.out, self.err)):
            self.start_flusher()

    def _audit(self, event, _arguments):
        if event in _FLUSH_BEFORE:
            self.flush()

    def own_threads(self):
        """How many of the process's threads are the runner's."""
        return int(self._flusher)

    def reopen(self):
        """In a copy of the process that becomes a runner of its own."""
        for stream in (self.out, self.err):
            stream.reopen()
        self.begin_cell()

    def _after_fork(self):
        """In a child forked by a cell: no flusher, every line at once, no marks."""
        self._flusher = False
        self.lock = threading.RLock()
        self.may_be_fast = False
        for stream in (self.out, self.err):
            stream.be_careful(sys.maxsize)
