#!/usr/bin/env python3
"""The raw limits of this machine: interpreters on pipes, without any engine. Prints JSON rows."""
import os
import shutil
import subprocess
import sys
import time

from measure import LINE_BYTES, PRINT_BYTES, PRINTS, failure, figure, repetitions, row, show

PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
WORKER = ("import sys\ng={}\nfor l in sys.stdin:\n"
          " sys.stdout.write(repr(eval(compile(l.strip(),'<cell>','eval'),g))+'\\n')\n sys.stdout.flush()")
NODE_WORKER = ("const vm=require('vm'),c=vm.createContext({});require('readline')"
               ".createInterface({input:process.stdin}).on('line',"
               "l=>process.stdout.write(String(vm.runInContext(l,c))+'\\n'))")


def drained(command, wanted):
    """Seconds from the start of the program to the last byte of its output."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0)
    count = 0
    while data := os.read(process.stdout.fileno(), 1 << 18):
        count += len(data)
    process.wait()
    assert count == wanted, count
    return time.perf_counter() - start


def started(command, line=b"1+1\n"):
    """Milliseconds from the start of a worker to its first answer."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    process.stdin.write(line)
    process.stdout.readline()
    took = (time.perf_counter() - start) * 1e3
    process.kill()
    process.wait()
    return took


def round_trips(command, line=b"1+1\n"):
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    values = []
    for _ in range(repetitions(200) + 20):
        start = time.perf_counter()
        process.stdin.write(line)
        process.stdout.readline()
        values.append((time.perf_counter() - start) * 1e3)
    process.kill()
    process.wait()
    return values[20:]


def worker_row(name, command, line=b"1+1\n"):
    if not shutil.which(command[0]):
        return failure(name, f"{command[0]} is not installed")
    return row(name, [figure("round trip", "ms", round_trips(command, line)),
                      figure("start to first answer", "ms", [started(command, line) for _ in range(repetitions(15))])])


def main():
    prints = [drained([PYTHON, "-c", PRINTS], PRINT_BYTES) for _ in range(repetitions(10))]
    line = [drained([PYTHON, "-c", f"import sys; sys.stdout.write('x'*{LINE_BYTES})"], LINE_BYTES)
            for _ in range(repetitions(5))]
    show([row("raw-prints", [figure("default pipe", "s", prints)]), row("raw-line", [figure("pipe", "s", line)]),
          worker_row("raw-python", [PYTHON, "-c", WORKER]), worker_row("raw-javascript", ["node", "-e", NODE_WORKER]),
          worker_row("raw-bash", ["bash", "-c", "while read -r l; do eval \"$l\"; done"], b"echo $((1+1))\n")])


main()
