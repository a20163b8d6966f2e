"""Finds box plots among the loose lines that matplotlib leaves of them."""

import math


def read(lines):
    """([{at, min, first_quartile, median, third_quartile, max, outliers}], the lines used)"""
    outlines = [line for line in lines if _is_outline(line)]
    boxes, used = [], set(outlines)
    for outline in outlines:
        box, parts = _box(outline, [line for line in lines if line not in used])
        boxes.append(box)
        used.update(parts)
    return boxes, used


def _numbers(values):
    return [float(value) for value in values]


def _is_outline(line):
    """The box itself: five corners, the last being the first."""
    xs = line.get_xdata()
    return (
        len(xs) == 5 and xs[0] == xs[4] and line.get_ydata()[0] == line.get_ydata()[4] and len(set(_numbers(xs))) == 2
    )


def _box(outline, candidates):
    xs, ys = _numbers(outline.get_xdata()), _numbers(outline.get_ydata())
    left, right, low, high = min(xs), max(xs), min(ys), max(ys)
    middle = (left + right) / 2
    box = {
        "at": middle,
        "min": low,
        "first_quartile": low,
        "median": None,
        "third_quartile": high,
        "max": high,
        "outliers": [],
    }
    parts = []
    for line in candidates:
        line_xs, line_ys = _numbers(line.get_xdata()), _numbers(line.get_ydata())
        if not line_xs:
            parts.append(line)
            continue
        if min(line_xs) < left - 1e-9 or max(line_xs) > right + 1e-9:
            continue
        if str(line.get_linestyle()) in ("None", "", " "):
            if all(math.isclose(x, middle) for x in line_xs):
                box["outliers"] = line_ys
                parts.append(line)
        elif len(line_xs) == 2 and line_xs[0] == line_xs[1]:
            box["min"], box["max"] = min(box["min"], *line_ys), max(box["max"], *line_ys)
            parts.append(line)
        elif len(line_xs) == 2 and line_ys[0] == line_ys[1]:
            if math.isclose(line_xs[0], left) and low <= line_ys[0] <= high and box["median"] is None:
                box["median"] = line_ys[0]
            parts.append(line)
    return box, parts
