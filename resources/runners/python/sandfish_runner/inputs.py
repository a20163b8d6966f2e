"""input() and getpass() ask the client; the answer is a line on fd 0."""

import builtins
import io
import os
import select
import sys


class CellInput(io.TextIOWrapper):
    """sys.stdin of the cells; `exit()` and careless code close it, the next cell still needs it."""

    def close(self):
        pass


class Questions:
    """Reads the cells' stdin; every read by `input` or `getpass` is announced to the engine first."""

    def __init__(self, channel, owners):
        self._channel = channel
        self._owners = owners

    def install(self, hooks):
        self._open()
        builtins.input = self.input
        hooks.after_import("getpass", self._adopt_getpass)

    @staticmethod
    def _open():
        raw = io.FileIO(0, closefd=False)
        sys.stdin = sys.__stdin__ = CellInput(io.BufferedReader(raw), "utf-8", "surrogateescape")

    def reopen(self):
        """fd 0 is another pipe now; what a cell has put in place of sys.stdin stays."""
        replaced = sys.stdin if sys.stdin is not sys.__stdin__ else None
        self._open()
        sys.stdin = replaced or sys.stdin

    def forget_answers(self):
        """After an interrupt: an answer that came too late is for no later question."""
        if sys.stdin is not sys.__stdin__:
            return
        while select.select([0], [], [], 0)[0] and os.read(0, 65536):
            pass
        self._open()

    def input(self, prompt="", /):
        """Asks the person at the page for a line."""
        return self._ask(str(prompt), False)

    def getpass(self, prompt="Password: ", stream=None):
        """Asks the person at the page for a line that is not shown."""
        return self._ask(str(prompt), True)

    def _ask(self, prompt, password):
        self._channel.send_marked("input_request", id=self._owners.owner(), prompt=prompt, password=password)
        line = sys.stdin.readline()
        if not line:
            raise EOFError("The input has ended.")
        return line.rstrip("\n")

    def _adopt_getpass(self, module):
        module.getpass = self.getpass
