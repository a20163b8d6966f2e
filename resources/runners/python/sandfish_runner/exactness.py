"""What a fork of this process would not have again, from its own /proc."""

import _thread
import os
import sys

_GPU = ("/dev/nvidia", "/dev/kfd", "/dev/dri/")
_SHARED = ("/dev/shm/", "/memfd:")
# Pools that do not start again in a forked child, or of which that is not known.
_FRAGILE_POOLS = ("libmkl", "libiomp", "libgomp", "libtbb", "libarrow", "libtorch", "polars", "libcuda")


def reasons(own_descriptors, own_threads, loop):
    """The members of `inexact` (PROTOCOL.md §3.4): `own_…` are the runner's, `loop` is the cells' event loop or None."""
    counts = _descriptors(own_descriptors)
    counts["threads"] = _threads(own_threads)
    counts["tasks"] = _tasks(loop)
    found = ["%s:%d" % (name, count) for name, count in sorted(counts.items()) if count and name != "gpu"]
    if _has_children():
        found.append("children")
    if counts.get("gpu"):
        found.append("gpu")
    return found


def _descriptors(own):
    counts = {}
    for name in os.listdir("/proc/self/fd"):
        if int(name) <= 3 or int(name) in own:
            continue
        try:
            kind = _kind(os.readlink("/proc/self/fd/" + name))
        except OSError:
            continue
        counts[kind] = counts.get(kind, 0) + 1
    counts.pop(None, None)
    return counts


def _kind(target):
    if target.startswith("socket:"):
        return "sockets"
    if target.startswith("pipe:"):
        return "pipes"
    if target.startswith(_GPU):
        return "gpu"
    if target.startswith(_SHARED):
        return "shared"
    return "files" if target.startswith("/") and not target.startswith("/dev/") else None


def _threads(own):
    total = len(os.listdir("/proc/self/task")) - 1
    python = max(0, _thread._count() - own)
    native = max(0, total - python - own)
    return python + (0 if native and _is_known_pool(native) else native)


def _is_known_pool(count):
    """True for the threads of OpenBLAS, which starts them again in a child by itself."""
    if "numpy" not in sys.modules or count >= len(os.sched_getaffinity(0)):
        return False
    with open("/proc/self/maps") as file:
        maps = file.read()
    return "openblas" in maps and not any(name in maps for name in _FRAGILE_POOLS)


def _tasks(loop):
    if loop is None or loop.is_closed():
        return 0
    return len(sys.modules["asyncio"].all_tasks(loop))


def _has_children():
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
