#!/usr/bin/env python3
"""ipykernel over its own sockets, read by the thinnest client there is. Prints JSON rows.

Needs the packages ipykernel and jupyter_client; without them every row says so.
"""
import threading
import time

from measure import LINE_BYTES, PRINT_BYTES, PRINTS, failure, figure, repetitions, row, show

PICTURES = 2000
SET_UP = """
import random, struct, zlib
from IPython.display import display, Image
def chunk(kind, data):
    body = kind + data
    return struct.pack('>I', len(data)) + body + struct.pack('>I', zlib.crc32(body))
rows = b''.join(b'\\0' + random.randbytes(100) for _ in range(100))
picture = (b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 100, 100, 8, 0, 0, 0, 0))
           + chunk(b'IDAT', zlib.compress(rows, 1)) + chunk(b'IEND', b''))
"""


class Kernel:
    def __init__(self):
        import zmq
        from jupyter_client import KernelManager
        from jupyter_client.session import Session
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel()
        info = self.manager.get_connection_info()
        self.session = Session(key=info["key"], signature_scheme=info["signature_scheme"])
        self.output = zmq.Context.instance().socket(zmq.SUB)
        self.output.rcvhwm = 0
        self.output.subscribe(b"")
        self.shell = zmq.Context.instance().socket(zmq.DEALER)
        self.output.connect(f"tcp://{info['ip']}:{info['iopub_port']}")
        self.shell.connect(f"tcp://{info['ip']}:{info['shell_port']}")

    def wait(self):
        """Asks until an answer is heard: the subscription needs its time."""
        while True:
            message = self.session.send(self.shell, "kernel_info_request", {})
            end = time.time() + 1
            while time.time() < end:
                if self.output.poll(20):
                    _, answer = self.session.recv(self.output)
                    if answer["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                        return

    def run(self, code):
        """Seconds to the first output and to the end, bytes of text, number of displays."""
        start = time.perf_counter()
        message = self.session.send(self.shell, "execute_request", {
            "code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False,
            "stop_on_error": True})
        first, text, displays = None, 0, 0
        while True:
            _, answer = self.session.recv(self.output, mode=0)
            if answer["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            kind, content = answer["msg_type"], answer["content"]
            if kind in ("stream", "execute_result", "display_data"):
                first = first or time.perf_counter() - start
            text += len(content["text"]) if kind == "stream" else 0
            displays += kind == "display_data"
            if kind == "status" and content["execution_state"] == "idle":
                return first, time.perf_counter() - start, text, displays

    def close(self):
        self.manager.shutdown_kernel(now=True)
        self.output.close(0)
        self.shell.close(0)


def cold_start():
    start = time.perf_counter()
    kernel = Kernel()
    kernel.wait()
    kernel.run("1+1")
    took = (time.perf_counter() - start) * 1e3
    kernel.close()
    return took


def interrupted(kernel):
    """Milliseconds from the interrupt to the end of an endless loop."""
    sent = []

    def interrupt():
        sent.append(time.perf_counter())
        kernel.manager.interrupt_kernel()

    threading.Timer(0.3, interrupt).start()
    kernel.run("while True: pass")
    return (time.perf_counter() - sent[0]) * 1e3


def complete(name, kernel, code, bytes_wanted, count):
    values = []
    for _ in range(count):
        _, end, text, _ = kernel.run(code)
        if text != bytes_wanted:
            return failure(name, f"only {text} bytes came")
        values.append(end)
    return row(name, [figure("all text at the client", "s", values)])


def measured():
    rows = [row("ipykernel-start", [figure("cold start to first result", "ms", [cold_start() for _ in range(repetitions(5))])])]
    kernel = Kernel()
    kernel.wait()
    for _ in range(20):
        kernel.run("1+1")
    trips = [kernel.run("1+1") for _ in range(repetitions(200))]
    rows.append(row("ipykernel-1+1", [figure("value", "ms", [first * 1e3 for first, *_ in trips]),
                                      figure("idle again", "ms", [end * 1e3 for _, end, *_ in trips])]))
    first = [kernel.run("print(1, flush=True); import time; time.sleep(2)")[0] * 1e3 for _ in range(repetitions(5))]
    rows.append(row("ipykernel-first-byte", [figure("first byte, flushed", "ms", first)]))
    rows.append(complete("ipykernel-prints", kernel, PRINTS, PRINT_BYTES, repetitions(3)))
    rows.append(complete("ipykernel-line", kernel, f"import sys; _ = sys.stdout.write('x'*{LINE_BYTES}); sys.stdout.flush()",
                         LINE_BYTES, repetitions(3)))
    kernel.run(SET_UP)
    pictures = []
    for _ in range(repetitions(3)):
        _, end, _, displays = kernel.run(f"for _ in range({PICTURES}): display(Image(data=picture, format='png'))")
        assert displays == PICTURES, displays
        pictures.append(end)
    rows.append(row("ipykernel-pictures", [figure("all pictures at the client", "s", pictures)]))
    rows.append(row("ipykernel-interrupt",
                    [figure("cell ended", "ms", [interrupted(kernel) for _ in range(repetitions(10))])]))
    kernel.close()
    return rows


def main():
    try:
        import ipykernel
        import jupyter_client
    except ImportError as problem:
        show([failure("ipykernel", f"not measured: {problem}")])
        return
    rows = measured()
    rows[0]["notes"].append(f"ipykernel {ipykernel.__version__}, jupyter_client {jupyter_client.__version__}")
    show(rows)


main()
