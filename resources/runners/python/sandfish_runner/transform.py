"""Turns the `%`, `!` and `?` lines of a cell into calls of `get_ipython()`, as IPython does.

Only a cell that is no Python as it stands is looked at, so ordinary code is never touched.
"""

import re

_CELL_MAGIC = re.compile(r"\s*%%(\w+)[ \t]*(.*)(?:\n|$)")
_LINE = re.compile(r"(\s*)(%|!!?|\?\??)(.*)$", re.S)
_ASSIGNED = re.compile(r"(\s*[^=!%?'\"]+?)=\s*([%!])(?![=\s])(.*)$", re.S)
_ASKED = re.compile(r"(\s*)([\w.]+)(\?\??)\s*$")
_MAGIC = re.compile(r"(\w+)\s*(.*)$", re.S)


def has_magics(code):
    """A quick look: false means that nothing in the text could be a magic."""
    return any(mark in code for mark in "%!?")


def to_python(code):
    """The cell with its magics as calls; line numbers stay."""
    found = _CELL_MAGIC.match(code)
    if found:
        body = code[found.end() :]
        call = "get_ipython().run_cell_magic(%r, %r, %r)" % (found.group(1), found.group(2).strip(), body)
        return code[: found.start(1) - 2].replace("%", "") + call + "\n"
    result, state = [], _State()
    lines = code.split("\n")
    while lines:
        line, breaks = lines.pop(0), ""
        if state.is_statement_start:
            new = _statement(line)
            while new is not None and line.endswith("\\") and lines:
                line, breaks = line[:-1] + lines.pop(0), breaks + "\n"
                new = _statement(line)
            line = line if new is None else new + breaks
        state.read(line)
        result.append(line)
    return "\n".join(result)


def _statement(line):
    """The Python of a line that is a magic, None for any other line."""
    found = _ASKED.match(line) or None
    if found:
        indent, name, marks = found.groups()
        return "%sget_ipython().run_line_magic(%r, %r)" % (indent, "pinfo" if marks == "?" else "pinfo2", name)
    found = _LINE.match(line)
    if found and found.group(3).strip():
        return found.group(1) + _call(found.group(2), found.group(3).strip())
    found = _ASSIGNED.match(line)
    if found:
        target, mark, rest = found.groups()
        call = _call("!!" if mark == "!" else mark, rest.strip())
        return "%s= %s" % (target, call)
    return None


def _call(mark, rest):
    if mark == "!":
        return "get_ipython().system(%r)" % rest
    if mark == "!!":
        return "get_ipython().getoutput(%r)" % rest
    if mark == "%":
        name, line = _MAGIC.match(rest).groups() if _MAGIC.match(rest) else (rest, "")
        return "get_ipython().run_line_magic(%r, %r)" % (name, line)
    return "get_ipython().run_line_magic(%r, %r)" % ("pinfo" if mark == "?" else "pinfo2", rest)


class _State:
    """Follows brackets and strings over lines, to know where a statement can begin."""

    _TOKEN = re.compile(r"#.*|\\.|'''|\"\"\"|'|\"|[\[({]|[\])}]", re.S)

    def __init__(self):
        self._depth = 0
        self._quote = ""
        self._continued = False

    @property
    def is_statement_start(self):
        return not self._depth and not self._quote and not self._continued

    def read(self, line):
        for token in self._TOKEN.findall(line):
            if self._quote:
                if token == self._quote or (len(self._quote) == 1 and token.startswith(self._quote)):
                    self._quote = ""
            elif token[0] == "#":
                break
            elif token[0] in "'\"":
                self._quote = token
            elif token in "[({":
                self._depth += 1
            elif token in "])}":
                self._depth = max(0, self._depth - 1)
        if len(self._quote) == 1 and not line.endswith("\\"):
            self._quote = ""
        self._continued = line.endswith("\\") and not self._quote
