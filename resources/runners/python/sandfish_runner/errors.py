"""Tracebacks as the person who wrote the cell should see them: without the runner's frames."""

import os

from . import library

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_HEADER = "Traceback (most recent call last):\n"
_TRACE_LIMIT = 100_000
_VALUE_LIMIT = 10_000
_FRAME_LIMIT = 50


def describe(error):
    """The members `ename`, `evalue`, `traceback`, `frames` of a `done` event."""
    frames = []
    try:
        traceback = library.load("traceback")
        trace = traceback.TracebackException(type(error), error, error.__traceback__)
        _clean(trace, traceback.StackSummary, set())
        frames = [{"file": f.filename, "line": f.lineno, "name": f.name} for f in list(trace.stack)[-_FRAME_LIMIT:]]
        text = "".join(trace.format())
        if not frames and text.startswith(_HEADER):
            text = text[len(_HEADER) :]
    except Exception:
        text = type(error).__name__ + "\n"
    if len(text) > _TRACE_LIMIT:
        text = text[: _TRACE_LIMIT // 2] + "\n\u2026\n" + text[-_TRACE_LIMIT // 2 :]
    return {"ename": type(error).__name__, "evalue": _message(error), "traceback": text, "frames": frames}


def _message(error):
    try:
        return str(error)[:_VALUE_LIMIT]
    except Exception:
        return "<its __str__ raised an exception>"


def _clean(trace, summary, seen):
    """Drops all up to the last leading runner frame, and the runner's frames in between."""
    if trace is None or id(trace) in seen:
        return
    seen.add(id(trace))
    frames = list(trace.stack)
    start = 0
    for index, frame in enumerate(frames):
        if frame.filename.startswith(_HERE):
            start = index + 1
        elif not _is_loop(frame.filename):
            break
    kept = [frame for frame in frames[start:] if not frame.filename.startswith(_HERE)]
    trace.stack = summary.from_list(kept)
    _clean(trace.__cause__, summary, seen)
    _clean(trace.__context__, summary, seen)
    for inner in getattr(trace, "exceptions", None) or ():
        _clean(inner, summary, seen)


def _is_loop(filename):
    return os.path.basename(os.path.dirname(filename)) == "asyncio"
