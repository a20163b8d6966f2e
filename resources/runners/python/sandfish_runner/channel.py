"""The control channel (fd 3) and the marks that keep it in order with the text on fd 1 and 2."""

import _socket
import codecs
import collections
import json
import os
import threading

LINE_LIMIT = 60 << 20
_CONTROL = 3
_READ_BYTES = 1 << 16
_INT_BYTES = 4
_SHORTENED_CHARS = 10_000
_LONG_CHARS = 1000
_ESCAPED = '"\\' + "".join(map(chr, range(0x20)))
_encode = json.JSONEncoder(ensure_ascii=False, default=repr).encode
_REPLACEMENT = "\ufffd".encode("utf-8")


def _replace_surrogates(error):
    return _REPLACEMENT * (error.end - error.start), error.end


codecs.register_error("sandfish", _replace_surrogates)


def _needs_no_escape(text):
    return text.isascii() and not any(map(text.__contains__, _ESCAPED))


def _member(name, value):
    if isinstance(value, str) and len(value) >= _LONG_CHARS and _needs_no_escape(value):
        return '%s: "%s"' % (_encode(name), value)
    return "%s: %s" % (_encode(name), _encode(value))


def _to_line(message):
    data = message.get("data")
    if isinstance(data, dict) and all(isinstance(name, str) for name in data):
        # Most of an event may be one picture in base64, which json would look at character by character.
        rest = {name: value for name, value in message.items() if name != "data"}
        members = ", ".join([_member(name, value) for name, value in data.items()])
        text = '%s, "data": {%s}}' % (_encode(rest)[:-1], members)
    else:
        text = _encode(message)
    return text.encode("utf-8", "sandfish") + b"\n"


def _shortened(message, size):
    """What stands in for an event that the engine would refuse."""
    note = "The output has %d MB, which is more than the page can take." % (size >> 20)
    if "data" in message and message["ev"] in ("result", "display"):
        text = str(message["data"].get("text/plain", ""))[:_SHORTENED_CHARS]
        return dict(message, data={"text/plain": text + "\n" + note}, metadata={})
    if message["ev"] == "reply":
        return {"ev": "reply", "id": message["id"], "error": note}
    return {"ev": "log", "level": "error", "text": "%s left out: %s" % (message["ev"], note)}


def receive(socket, most):
    """(bytes, the descriptors that came along, `most` at a time); no bytes: the other end is gone."""
    room = _socket.CMSG_SPACE(most * _INT_BYTES)
    data, ancillary, _, _ = socket.recvmsg(_READ_BYTES, room, _socket.MSG_CMSG_CLOEXEC)
    descriptors = []
    for level, kind, content in ancillary:
        if level == _socket.SOL_SOCKET and kind == _socket.SCM_RIGHTS:
            whole = len(content) - len(content) % _INT_BYTES
            descriptors += memoryview(content)[:whole].cast("i").tolist()
    return data, descriptors


class Channel:
    """One JSON object a line, both ways; thread-safe for sending, the main thread receives.

    `guard` is a context manager that holds interrupts back, so that a line is never cut in two.
    `flush` writes out all text that was written before a mark.
    """

    def __init__(self, nonce, guard):
        self._socket = _socket.socket(fileno=_CONTROL)
        self.pipes = [os.dup(1), os.dup(2)]
        self.guard = guard
        self.lock = threading.RLock()
        self.flush = lambda: None
        self.begin(nonce)

    def begin(self, nonce):
        """Begins on the descriptors 0 to 3 as they are now, with nothing received and no mark written."""
        os.set_inheritable(_CONTROL, False)
        for descriptor, pipe in zip((1, 2), self.pipes):
            os.dup2(descriptor, pipe, inheritable=False)
        self._prefix = b"\0\x1eM" + nonce.encode("ascii")
        self._sequence = 0
        self._lines = collections.deque()
        self._pieces = []
        self._descriptors = collections.deque()
        self._pid = os.getpid()

    def reopen_pipes(self):
        """Gives fd 1 and 2 back to the text of the next cell where user code has closed them."""
        for descriptor, pipe in zip((1, 2), self.pipes):
            try:
                os.fstat(descriptor)
            except OSError:
                os.dup2(pipe, descriptor)

    @property
    def speaks(self):
        """False in a process forked by a cell: only the runner itself may write events and marks."""
        return os.getpid() == self._pid

    def mark(self):
        """Orders all text written before this call before all that follows; returns the number."""
        with self.guard, self.lock:
            self.flush()
            if not self.speaks:
                return self._sequence
            self._sequence += 1
            mark = self._prefix + b"%08x\x1e" % self._sequence
            for pipe in self.pipes:
                try:
                    os.write(pipe, mark)
                except OSError:
                    pass
            return self._sequence

    def send(self, event, **members):
        """Sends an event that stands where it arrives."""
        self._send(dict(members, ev=event))

    def send_marked(self, event, **members):
        """Sends an event that stands after all text written so far."""
        with self.guard, self.lock:
            self._send(dict(members, ev=event, mark=self.mark()))

    def _send(self, message):
        data = _to_line(message)
        if len(data) > LINE_LIMIT:
            data = _to_line(_shortened(message, len(data)))
        with self.guard, self.lock:
            if self.speaks:
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(_CONTROL, rest) :]

    def fileno(self):
        return _CONTROL

    def has_line(self):
        return bool(self._lines)

    def fill(self):
        """Waits for bytes from the engine; False when it has closed the channel."""
        data, descriptors = receive(self._socket, 1)
        self._descriptors.extend(descriptors)
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._pieces.append(end)
            self._lines.append(b"".join(self._pieces))
            self._pieces = []
        self._pieces.append(rest)
        return bool(data)

    def take_line(self):
        """The next message; only after `has_line`. None for a line that is not a JSON object."""
        try:
            message = json.loads(self._lines.popleft())
        except ValueError:
            message = None
        return message if isinstance(message, dict) else None

    def take_descriptor(self):
        """The oldest descriptor that came with a message, or None."""
        return self._descriptors.popleft() if self._descriptors else None
