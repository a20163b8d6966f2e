#!/usr/bin/env python3
"""Makes the tables of RESULTS.md from JSON rows.  report.py CONDITIONS.md ROWS.json... > RESULTS.md"""
import json
import sys

from goals import GOALS, Times


def load(paths):
    rows = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in json.load(file):
                rows[row["row"]] = row
    return rows


def figure(rows, row, name):
    found = [f for f in rows.get(row, {}).get("figures", []) if f["name"] == name]
    return found[0] if found else None


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def shown(value, unit):
    return f"{number(value)} {'×' if unit == 'x' else unit}"


def limit_value(rows, limit):
    if not isinstance(limit, Times):
        return limit
    other = figure(rows, limit.row, limit.figure)
    return other["median"] * limit.factor if other else None


def judged(value, limit):
    return "holds" if limit is not None and value <= limit else "**missed**" if limit is not None else ""


def check_line(rows, goal, check):
    found = figure(rows, check.row, check.figure)
    good, aimed = limit_value(rows, check.good), limit_value(rows, check.aimed)
    what = goal.what + (f": {check.label}" if check.label else "")
    if not found:
        return f"| {what} | | | not measured: {rows.get(check.row, {}).get('failure', 'no row')} | | |"
    unit, value = found["unit"], found[check.statistic]
    cells = [what]
    for limit in (good, aimed):
        cells.append(f"≤ {shown(limit, unit)} {judged(value, limit)}" if limit is not None else "")
    cells.append(f"{check.statistic} {shown(value, unit)}")
    beside = [(label, figure(rows, row, name)) for label, row, name in goal.beside]
    cells.append("; ".join(f"{label} {shown(f['median'], f['unit'])}" for label, f in beside if f)
                 if check is goal.checks[0] else "")
    cells.append(f"`{check.row}`")
    return "| " + " | ".join(cells) + " |"


def goal_table(rows):
    lines = ["| what | G | A | Sandfish | beside it | row |", "|---|---|---|---|---|---|"]
    lines += [check_line(rows, goal, check) for goal in GOALS for check in goal.checks]
    return "\n".join(lines)


def figure_table(rows):
    lines = ["| row | figure | unit | n | min | median | p95 | p99 | max |", "|---|---|---|---|---|---|---|---|---|"]
    for row in rows.values():
        if row.get("failure"):
            lines.append(f"| `{row['row']}` | not measured: {row['failure']} | | | | | | | |")
        for f in row["figures"]:
            values = " | ".join(number(f[key]) for key in ("min", "median", "p95", "p99", "max"))
            lines.append(f"| `{row['row']}` | {f['name']} | {f['unit']} | {f['n']} | {values} |")
    return "\n".join(lines)


def notes(rows):
    return "\n".join(f"- `{row['row']}`: {note}" for row in rows.values() for note in row["notes"])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        conditions = file.read()
    rows = load(sys.argv[2:])
    print("# Benchmark results\n\n" + conditions)
    print("## Goals\n\nG must hold, A is what we are after. A limit that is a share of a peer is worked out from this very run.\n")
    print(goal_table(rows) + "\n\n## Every figure\n\n" + figure_table(rows) + "\n\n## Notes of the rows\n\n" + notes(rows))


main()
