"""The goals of the benchmark: which figure answers which goal. G must hold, A is what Sandfish is after.

A limit is a number, or the figure of a peer of the same run times a factor.
"""
from dataclasses import dataclass
from typing import Optional, Union


@dataclass
class Times:
    """A share of another figure of the same run."""
    factor: float
    row: str
    figure: str


Limit = Union[float, Times, None]


@dataclass
class Check:
    row: str
    figure: str
    statistic: str
    good: Limit
    aimed: Limit = None
    label: Optional[str] = None


@dataclass
class Goal:
    what: str
    checks: list
    beside: list  # (label, row, figure)


RAW_PRINTS = ("raw-prints", "default pipe")
IPY_1 = ("ipykernel-1+1", "value")

GOALS = [
    Goal("`1+1` in Python, engine (there is no face but HTTP)",
         [Check("http-python", "value", "median", Times(1 / 10, *IPY_1), Times(1 / 50, *IPY_1))],
         [("ipykernel", *IPY_1), ("worker on a pipe", "raw-python", "round trip")]),
    Goal("`1+1` in Python over HTTP", [Check("http-python", "end of the answer", "median", 0.8, 0.4)],
         [("ipykernel", *IPY_1)]),
    Goal("`1+1` in JavaScript over HTTP", [Check("http-javascript", "end of the answer", "median", 0.55)],
         [("worker on a pipe", "raw-javascript", "round trip")]),
    Goal("`1+1` in Bash over HTTP", [Check("http-bash", "end of the answer", "median", 1.45)],
         [("worker on a pipe", "raw-bash", "round trip")]),
    Goal("Shift+Enter on `1+1` to its painted value",
         [Check("run-paint", "key to painted value", "median", 20, 16.7),
          Check("run-paint", "key to painted value", "p99", None, 33)], []),
    Goal("first byte of `print(1); import time; time.sleep(2)`", [Check("first-byte", "first byte", "median", 20, 5)],
         [("ipykernel, flushed by hand", "ipykernel-first-byte", "first byte, flushed")]),
    Goal("1,000,000 `print(i)` at the engine's client",
         [Check("prints-engine", "all text at the client", "median", Times(1.5, *RAW_PRINTS), Times(1.2, *RAW_PRINTS)),
          Check("prints-engine", "all text at the client", "median",
                Times(1 / 3, "ipykernel-prints", "all text at the client"), label="beside ipykernel")],
         [("raw pipe", *RAW_PRINTS), ("ipykernel", "ipykernel-prints", "all text at the client")]),
    Goal("1,000,000 `print(i)` painted to the end",
         [Check("prints-page", "end painted", "median", Times(2, *RAW_PRINTS), Times(1.3, *RAW_PRINTS)),
          Check("prints-page", "longest gap of a 5 ms heartbeat", "max", 50, 16, "longest gap of the GUI thread"),
          Check("prints-page", "of it computing", "max", 50, 16, "of it computing")],
         [("raw pipe", *RAW_PRINTS)]),
    Goal("memory of these lines in the window (text: 6.6 MiB)", [Check("prints-page", "memory kept", "max", 28, 17)], []),
    Goal("1,000,000 `console.log(i)` at the engine's client",
         [Check("prints-javascript", "all text at the client", "median", 2)], []),
    Goal("100 MB in one line",
         [Check("line-engine", "all text at the client", "median", Times(1 / 2, "ipykernel-line", "all text at the client"),
                label="engine's client"),
          Check("line-page", "end painted", "median", None, label="painted"),
          Check("line-page", "memory kept", "max", 250, label="memory kept"),
          Check("line-page", "longest gap of a 5 ms heartbeat", "max", 50, label="longest gap of the GUI thread")],
         [("raw pipe", "raw-line", "pipe"), ("ipykernel", "ipykernel-line", "all text at the client")]),
    Goal("2,000 pictures of 10 kB at the engine's client",
         [Check("pictures-engine", "all pictures at the client", "median",
                Times(1 / 4, "ipykernel-pictures", "all pictures at the client"))],
         [("ipykernel", "ipykernel-pictures", "all pictures at the client")]),
    Goal("cold start to the first painted frame", [Check("start-window", "ratio", "median", 2, 1.5),
                                                   Check("start-window", "Sandfish", "median", None, label="time")],
         [("bare Qt window", "start-window", "bare Qt window")]),
    Goal("cold start to the first Python value painted",
         [Check("start-result", "engine not running", "median",
                Times(1 / 5, "ipykernel-start", "cold start to first result"), 100, "with the engine"),
          Check("start-result", "engine running", "median", None, label="engine runs already")],
         [("ipykernel", "ipykernel-start", "cold start to first result")]),
    Goal("open 1,000 cells", [Check("open-1000", "first screen painted", "median", 150, 50)], []),
    Goal("open 5,000 cells", [Check("open-5000", "first screen painted", "median", 300, 100)], []),
    Goal("open 10,000 cells", [Check("open-10000", "first screen painted", "median", None)], []),
    Goal("open 97 MB of notebook", [Check("open-100mb", "first screen painted", "median", 1000),
                                    Check("open-100mb", "memory at most", "max", 278, label="memory at most"),
                                    Check("open-100mb", "of it computing", "max", 50, label="GUI thread computing")], []),
    Goal("scroll 5,000 cells", [Check("scroll-5000", "a wheel notch and its frame", "p95", 16.7, label="wheel, p95"),
                                Check("scroll-5000", "a wheel notch and its frame", "max", 33, label="wheel, worst"),
                                Check("scroll-5000", "a jump of the scroll bar and its frame", "p95", 16.7, label="jump, p95"),
                                Check("scroll-5000", "a jump of the scroll bar and its frame", "max", 33,
                                      label="jump, worst")], []),
    Goal("memory of an empty notebook with a live Python (PSS)",
         [Check("memory-empty", "together", "median", 120, 80)], []),
    Goal("interrupt of an endless loop",
         [Check("interrupt", "cell ended", "median", Times(1, "ipykernel-interrupt", "cell ended"))],
         [("ipykernel", "ipykernel-interrupt", "cell ended")]),
    Goal("new context to its first result, Python",
         [Check("context-python", "first result", "median", 60), Check("context-python", "memory of one", "max", 15,
                                                                         label="memory")],
         [("worker on a pipe", "raw-python", "start to first answer")]),
    Goal("new context to its first result, JavaScript", [Check("context-javascript", "first result", "median", 60)],
         [("worker on a pipe", "raw-javascript", "start to first answer")]),
    Goal("new context to its first result, Bash", [Check("context-bash", "first result", "median", 60)],
         [("worker on a pipe", "raw-bash", "start to first answer")]),
    Goal("state kept before a cell, pandas and pyplot loaded", [Check("checkpoint-packages", "checkpoint", "median", 10)], []),
    Goal("state kept before a cell of a small notebook", [Check("checkpoint-empty", "checkpoint", "median", None)], []),
    Goal("rewind with 2 GB of arrays", [Check("rewind-arrays", "rewound and ready", "median", 100)], []),
    Goal("new context that has pandas and pyplot, to its first value", [Check("context-warm", "first value", "median", 30)],
         [("without a zygote", "context-warm", "without a zygote")]),
    Goal("50 sandboxes that do nothing (PSS)", [Check("memory-idle", "idle", "max", 300)], []),
    Goal("new sandbox to its first result", [Check("sandbox", "first result", "median", None)], []),
    Goal("pause and resume", [Check("pause", "pause answered", "median", None, label="pause"),
                              Check("pause", "resume answered", "median", None, label="resume"),
                              Check("pause", "first value after resume", "median", None, label="value after resume")], []),
]
