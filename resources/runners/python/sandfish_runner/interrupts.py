"""SIGINT: ignored while idle, KeyboardInterrupt while a cell runs, held back inside a guarded section."""

import signal
import threading


class Interrupts:
    """The runner's only SIGINT handler. Use the object itself as the guard: `with interrupts: …`."""

    def __init__(self):
        self._armed = False
        self._depth = 0
        self._held = False
        self._main = threading.main_thread().ident

    def arm(self):
        """From here a SIGINT raises KeyboardInterrupt in the main thread."""
        self._held = False
        self._depth = 0
        self._armed = True
        signal.signal(signal.SIGINT, self._on_signal)

    def disarm(self):
        """From here a SIGINT does nothing, one that is already on its way included."""
        while True:
            try:
                self._armed = False
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                return
            except KeyboardInterrupt:
                continue

    def _on_signal(self, _number, _frame):
        if not self._armed:
            return
        if self._depth:
            self._held = True
        else:
            raise KeyboardInterrupt

    def __enter__(self):
        if threading.get_ident() == self._main:
            self._depth += 1

    def __exit__(self, *_exception):
        if threading.get_ident() != self._main:
            return
        self._depth -= 1
        if self._held and not self._depth:
            self._held = False
            if self._armed:
                raise KeyboardInterrupt
