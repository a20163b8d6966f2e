"""The variables of the context: a list with short values, and one value by pages."""

import inspect
import itertools
import reprlib
import sys
import time
import types

from .attributes import NotComputed, attribute
from .budget import OutOfTime, limited

_VALUE_CHARS = 120
_CELL_CHARS = 200
_COLUMNS = 200
_HIDDEN = frozenset(("In", "Out", "get_ipython", "exit", "quit"))


class _ShortRepr(reprlib.Repr):
    """Looks at a few elements only, however large the value is."""

    def __init__(self, characters):
        super().__init__()
        self.maxlevel = 3
        self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = self.maxdict = self.maxdeque = 8
        self.maxstring = self.maxlong = self.maxother = characters


_short_value = _ShortRepr(_VALUE_CHARS)
_short_cell = _ShortRepr(_CELL_CHARS)


def short(value, shortener=_short_value):
    """A short text of any value, never an exception (but OutOfTime)."""
    try:
        return shortener.repr(value)
    except Exception as error:
        return "<its __repr__ raised %s>" % type(error).__name__


def type_name(value):
    kind = type(value)
    module = kind.__module__ or ""
    return kind.__qualname__ if module in ("builtins", "__main__") else module.split(".")[0] + "." + kind.__qualname__


def shape_of(value):
    """[rows, columns, …], [elements] for containers, None for the rest."""
    shape = _quietly(value, "shape")
    if isinstance(shape, tuple) and all(isinstance(part, int) for part in shape):
        return list(shape)
    if isinstance(value, (str, bytes, bytearray, list, tuple, dict, set, frozenset, range)):
        return [len(value)]
    return None


def _quietly(value, name):
    try:
        return attribute(value, name)
    except (AttributeError, NotComputed):
        return None


def _size_of(value):
    size = _quietly(value, "nbytes")
    return int(size) if isinstance(size, int) else sys.getsizeof(value)


def user_names(namespace):
    """What the user's cells have made, in order of making."""
    return [
        name
        for name, value in list(namespace.items())
        if not name.startswith("_") and name not in _HIDDEN and not isinstance(value, types.ModuleType)
    ]


def list_variables(namespace, message):
    """Answer to `vars`. After the time is up, values are left out; the names are all there, up to the limit.

    One value gets a third of the time that is left, so that the others have theirs, however slow it is.
    """
    names = user_names(namespace)
    end = time.monotonic() + message.get("budget_ms", 100) / 1e3
    listed = names[: message.get("limit", 200)]
    entries = [_entry(name, namespace[name], end) for name in listed]
    cut = len(listed) < len(names) or any(entry["value"] is None for entry in entries)
    return {"vars": entries, "total": len(names), "truncated": cut}


def _entry(name, value, end):
    entry = {"name": name, "type": type_name(value), "size": None, "value": None, "shape": None}
    try:
        with limited((end - time.monotonic()) / 3):
            entry["shape"] = shape_of(value)
            entry["size"] = _size_of(value)
            entry["value"] = _column_names(value) or short(value)
    except OutOfTime:
        pass
    except Exception:
        entry["value"] = "<cannot be looked at>"
    return entry


def _column_names(value):
    """What tells more about a table than its first characters, and costs less; None for everything else."""
    if type(value).__name__ != "DataFrame" or _quietly(value, "iloc") is None:
        return None
    names = ", ".join(str(name)[:_VALUE_CHARS] for name in value.columns[:_COLUMNS])
    return names if len(names) <= _VALUE_CHARS else names[:_VALUE_CHARS] + "\u2026"


def get_variable(namespace, message):
    """Answer to `get`: one page of a value."""
    name = str(message.get("name", ""))
    if name not in namespace:
        return {"error": "There is no variable '%s'." % name}
    value = namespace[name]
    start, count = max(0, int(message.get("offset", 0))), max(0, int(message.get("limit", 100)))
    page = {"name": name, "type": type_name(value), "offset": start}
    try:
        with limited(message.get("budget_ms", 2000) / 1e3):
            page.update(_page(value, start, count))
    except OutOfTime:
        return {"error": "Reading '%s' took too long." % name}
    except Exception as error:
        return {"error": "'%s' cannot be read: %s" % (name, error)}
    return page


def _page(value, start, count):
    if type(value).__name__ == "DataFrame" and hasattr(value, "iloc"):
        return _frame_page(value, start, count)
    if type(value).__name__ == "Series" and hasattr(value, "iloc"):
        return _frame_page(value.to_frame(), start, count)
    if _quietly(value, "dtype") is not None and isinstance(_quietly(value, "shape"), tuple) and value.shape:
        return _array_page(value, start, count)
    if isinstance(value, str) or inspect.isroutine(value):
        text = value if isinstance(value, str) else _source(value)
        return {"kind": "text", "text": text[start : start + count], "total": len(text)}
    if isinstance(value, dict):
        rows = [[_cell(k), type_name(v), _cell(v)] for k, v in itertools.islice(value.items(), start, start + count)]
        return {"kind": "dict", "rows": rows, "total": len(value)}
    if isinstance(value, (list, tuple, set, frozenset, range)):
        part = (
            value[start : start + count]
            if hasattr(value, "__getitem__")
            else itertools.islice(value, start, start + count)
        )
        rows = [[start + at, type_name(item), _cell(item)] for at, item in enumerate(part)]
        return {"kind": "list", "rows": rows, "total": len(value)}
    return _object_page(value, start, count)


def _source(routine):
    try:
        return inspect.getsource(routine)
    except (OSError, TypeError):
        return short(routine)


def _cell(value):
    return value if isinstance(value, str) and len(value) <= _CELL_CHARS else short(value, _short_cell)


def _frame_page(frame, start, count):
    part = frame.iloc[start : start + count, :_COLUMNS]
    columns = [{"name": "", "type": str(frame.index.dtype)}]
    columns += [{"name": str(name), "type": str(kind)} for name, kind in zip(part.columns, part.dtypes)]
    rows = [[_text(cell) for cell in row] for row in part.itertuples(index=True, name=None)]
    if len(frame.columns) > _COLUMNS:
        columns.append({"name": "\u2026", "type": "%d more" % (len(frame.columns) - _COLUMNS)})
    return {"kind": "table", "columns": columns, "rows": rows, "total": len(frame)}


def _text(cell):
    text = str(cell)
    return text if len(text) <= _CELL_CHARS else text[:_CELL_CHARS] + "\u2026"


def _array_page(array, start, count):
    rows = [_array_row(row) for row in array[start : start + count]]
    return {"kind": "array", "shape": list(array.shape), "rows": rows, "total": int(array.shape[0])}


def _array_row(row):
    if getattr(row, "shape", ()) == ():
        return [_text(row)]
    return [_text(cell) if getattr(cell, "shape", ()) == () else "\u2026" for cell in row[:_COLUMNS]]


def _object_page(value, start, count):
    names = [name for name in dir(value) if not name.startswith("_")]
    return {
        "kind": "object",
        "rows": [_attribute_row(value, name) for name in names[start : start + count]],
        "total": len(names),
    }


def _attribute_row(value, name):
    try:
        found = attribute(value, name)
        return [name, type_name(found), _cell(found)]
    except NotComputed as reason:
        return [name, str(reason), "<not computed>"]
    except Exception as error:
        return [name, type(error).__name__, str(error)[:_CELL_CHARS]]
