"""How each of the three runners is started and driven."""

import os
import shutil

from harness import RUNNERS, Process

PYTHON = os.environ.get("RUNNER_TEST_PYTHON") or "python3"
NODE = os.environ.get("RUNNER_TEST_NODE") or "node"
BASH = os.environ.get("RUNNER_TEST_BASH") or "bash"


def is_installed(program):
    return shutil.which(program) is not None


class Python(Process):
    name = "python"

    def __init__(self, python=PYTHON, preload=(), **kwargs):
        arguments = ["--preload", ",".join(preload)] if preload else []
        super().__init__([python, "-X", "utf8", str(RUNNERS / "python" / "main.py"), *arguments], **kwargs)


class JavaScript(Process):
    name = "javascript"

    def __init__(self, **kwargs):
        super().__init__(
            [NODE, "--no-warnings", "--no-force-async-hooks-checks", str(RUNNERS / "javascript" / "main.cjs")], **kwargs
        )

    def interrupt(self, execution_id):
        self.send(op="interrupt", id=execution_id)
        self.signal_group()


def quote(word):
    """A word for Bash."""
    return "'" + word.replace("'", "'\\''") + "'"


class Bash(Process):
    name = "bash"

    def __init__(self, **kwargs):
        super().__init__([BASH, "--noprofile", "--norc", "--noediting", "-i"], **kwargs)

    def layout(self, stdin, lines, out_write, err_write, control):
        return {0: lines, 1: out_write, 2: err_write, 3: control, 5: stdin}

    def greet(self):
        self.write_line(". " + quote(str(RUNNERS / "bash" / "runner.sh")))

    def write_line(self, line):
        data = (line + "\n").encode("utf-8", "surrogateescape")
        while data:
            data = data[os.write(self.lines, data) :]

    def request(self, op, *words):
        self._serial += 1
        self.write_line(" ".join(["__sf_" + op, str(self._serial), *map(quote, words)]))
        return self.wait_for("reply").done

    def start(self, code, label=None, env=None):
        self._serial += 1
        words = [quote(label or "cell [%d]" % self._serial), quote(code)]
        words += [quote("%s=%s" % pair) for pair in (env or {}).items()]
        begin = "__sf_begin %d %s" % (self._serial, " ".join(words))
        self.write_line(begin + '; . "$__sf_cell" <&"$__sf_in"; __sf_end $?')
        return self._serial

    def interrupt(self, execution_id):
        self.signal_group()
        self.write_line("__sf_interrupted %d" % execution_id)

    def interrupted(self, execution_id, timeout=10):
        """Waits for `idle`, as the engine does before it runs the next cell."""
        self.interrupt(execution_id)
        outcome = self.wait_for("idle", timeout=timeout)
        outcome.done = outcome.events("done")[-1]
        return outcome


ALL = (Python, JavaScript, Bash)
