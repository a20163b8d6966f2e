"""What the scripts of the peers share: the code they run, and summaries of samples."""
import json
import os
import statistics

QUICK = "SANDFISH_BENCH_QUICK" in os.environ
LINES = 1_000_000
LINE_BYTES = 100_000_000
PRINTS = f"for i in range({LINES}): print(i)"
PRINT_BYTES = sum(len(str(i)) + 1 for i in range(LINES))

# Some surroundings set it, and then a million prints take five times as long.
os.environ.pop("PYTHONUNBUFFERED", None)


def repetitions(full):
    return max(2, full // 10) if QUICK else full


def figure(name, unit, values):
    values = sorted(values)

    def quantile(part):
        return values[int(part * (len(values) - 1) + 0.5)]

    return {"name": name, "unit": unit, "n": len(values), "min": values[0], "median": statistics.median(values),
            "p95": quantile(0.95), "p99": quantile(0.99), "max": values[-1]}


def row(name, figures, notes=()):
    return {"row": name, "figures": figures, "notes": list(notes)}


def failure(name, reason):
    return {"row": name, "figures": [], "notes": [], "failure": reason}


def show(rows):
    print(json.dumps(rows, indent=1))
