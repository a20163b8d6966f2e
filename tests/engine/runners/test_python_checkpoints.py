"""Fork checkpoints of the Python runner: what a rewound context has again, and what is left behind."""

import os
import signal
import time
import unittest

from holders import adopt_orphans, checkpoint
from languages import Python


def setUpModule():
    adopt_orphans()


class CheckpointCase(unittest.TestCase):
    def setUp(self):
        self.runner = Python()
        self.addCleanup(self.runner.close)

    def keep(self, runner=None, **kwargs):
        event, holder = checkpoint(runner or self.runner, **kwargs)
        self.assertIsNotNone(holder, event)
        self.addCleanup(holder.close)
        return event, holder

    def resume(self, holder, **members):
        head = holder.resume(**members)
        self.addCleanup(head.close)
        return head

    def run_ok(self, code, runner=None, **kwargs):
        outcome = (runner or self.runner).run(code, **kwargs)
        self.assertEqual(outcome.status, "ok", outcome.items)
        return outcome

    def value(self, code, runner=None):
        return self.run_ok(code, runner).result["text/plain"]


class State(CheckpointCase):
    def test_plain_state_is_exact(self):
        self.run_ok("k = 1\nclass A: pass\na = A(); a.list = [1]")
        event, holder = self.keep()
        self.assertEqual(event["inexact"], [])
        self.assertGreater(event["ms"], 0)
        self.run_ok("k = 2; a.list.append(2); import os; os.chdir('/')")
        head = self.resume(holder)
        self.assertEqual(self.value("k, a.list, isinstance(a, A)", head), "(1, [1], True)")

    def test_rewound_head_is_a_runner_of_its_own(self):
        self.run_ok("x = 1")
        _, holder = self.keep()
        head = self.resume(holder)
        self.assertNotEqual(head.ready["pid"], self.runner.ready["pid"])
        self.assertEqual(head.ready["features"], self.runner.ready["features"])
        self.assertEqual(os.getpgid(head.ready["pid"]), head.ready["pid"])
        self.assertEqual(self.run_ok("x", head).done["n"], 2)

    def test_original_goes_on_with_its_pid(self):
        self.run_ok("import os; before = os.getpid()")
        self.keep()
        self.assertEqual(self.value("before == os.getpid()"), "True")

    def test_branches_are_independent(self):
        self.run_ok("k = 2")
        _, holder = self.keep()
        one, two = self.resume(holder), self.resume(holder)
        self.run_ok("k += 100", one)
        self.run_ok("k *= 2", two)
        self.assertEqual([self.value("k", head) for head in (one, two, self.runner)], ["102", "4", "2"])

    def test_many_branches_agree_with_a_run_anew(self):
        holders = []
        for step in range(4):
            holders.append(self.keep()[1])
            self.run_ok("path = globals().get('path', ()) + (%d,)" % step)
        for step, holder in enumerate(holders):
            for branch in range(5):
                head = self.resume(holder)
                self.run_ok("path = globals().get('path', ()) + ('b%d',)" % branch, head)
                self.assertEqual(self.value("path", head), repr((*range(step), "b%d" % branch)))

    def test_random_numbers_repeat(self):
        self.run_ok("import random; random.seed(7); random.random()")
        _, holder = self.keep()
        expected = self.value("random.random()")
        self.assertEqual(self.value("random.random()", self.resume(holder)), expected)
        self.assertEqual(self.value("random.random()", self.resume(holder)), expected)
        self.assertNotEqual(self.value("random.random()", self.resume(holder, seed=True)), expected)

    def test_folder_is_the_checkpoints_own_or_the_one_asked_for(self):
        self.run_ok("import os; os.chdir('/usr')")
        _, holder = self.keep()
        self.run_ok("os.chdir('/')")
        self.assertEqual(self.value("os.getcwd()", self.resume(holder)), "'/usr'")
        self.assertEqual(self.value("os.getcwd()", self.resume(holder, path="/etc")), "'/etc'")

    def test_checkpoint_of_a_rewound_head(self):
        self.run_ok("k = 1")
        head = self.resume(self.keep()[1])
        self.run_ok("k = 2", head)
        second = self.resume(self.keep(head)[1])
        self.assertEqual(self.value("k", second), "2")

    def test_message_behind_a_checkpoint_is_not_run_again(self):
        self.run_ok("runs = 0")
        _, holder = self.keep()
        self.run_ok("runs += 1")
        self.assertEqual(self.value("runs", self.resume(holder)), "0")


class Channels(CheckpointCase):
    def test_streams_of_a_rewound_head_are_in_order(self):
        self.run_ok("import sys; out = sys.stdout")
        head = self.resume(self.keep()[1])
        outcome = self.run_ok("print('a'); print('b', file=sys.stderr); print('c', file=out); display(1)", head)
        self.assertEqual(
            outcome.order(), [("stdout", "a\n"), ("stderr", "b\n"), ("stdout", "c\n"), ("display", None)]
        )

    def test_much_output_of_a_rewound_head_is_whole(self):
        head = self.resume(self.keep()[1])
        outcome = self.run_ok("for i in range(5000): print(i)", head)
        self.assertEqual(outcome.stdout, "".join("%d\n" % i for i in range(5000)))

    def test_thread_that_prints_while_forking_locks_nothing_for_ever(self):
        self.run_ok(
            "import threading, time\ndef talk():\n for i in range(3000): print(i); time.sleep(0.0001)\n"
            "thread = threading.Thread(target=talk); thread.start()"
        )
        holders = [self.keep()[1] for _ in range(10)]
        self.run_ok("thread.join()")
        for holder in holders:
            self.assertEqual(self.run_ok("print('x')", self.resume(holder)).stdout, "x\n")

    def test_input_reaches_the_rewound_head(self):
        head = self.resume(self.keep()[1])
        execution = head.start("input('Name: ')")
        self.assertEqual(head.wait_for("input_request").done["id"], execution)
        head.answer("Ada")
        self.assertEqual(head.wait_for("done").result["text/plain"], "'Ada'")

    def test_interrupt_reaches_the_rewound_head_alone(self):
        self.run_ok("import time")
        head = self.resume(self.keep()[1])
        execution = head.start("print('on')\nwhile True: pass")
        head.wait_for(until=bool)
        self.assertEqual(head.interrupted(execution).status, "interrupted")
        self.assertEqual(self.value("1 + 1"), "2")

    def test_await_goes_on_in_both(self):
        self.run_ok("import asyncio\nasync def later():\n await asyncio.sleep(0.05)\n return 5\nawait later()")
        event, holder = self.keep()
        self.assertEqual(event["inexact"], [])
        head = self.resume(holder)
        self.run_ok("await asyncio.get_running_loop().run_in_executor(None, len, 'abc')", head)
        for runner in (self.runner, head):
            self.assertEqual(self.value("await later()", runner), "5")

    def test_task_of_an_earlier_cell_goes_on_in_both(self):
        self.run_ok("import asyncio\nn = 0\nasync def count():\n global n\n while True:\n  n += 1\n  await asyncio.sleep(0.001)")
        self.run_ok("task = asyncio.create_task(count()); await asyncio.sleep(0.01)")
        event, holder = self.keep()
        self.assertEqual(event["inexact"], ["tasks:1"])
        for runner in (self.runner, self.resume(holder)):
            self.assertEqual(self.value("m = n; await asyncio.sleep(0.05); n > m", runner), "True")

    def test_events_of_the_loop_are_not_shared(self):
        self.run_ok("import asyncio; await asyncio.sleep(0)")
        self.keep()[1].resume().close()
        self.assertEqual(self.value("await asyncio.get_running_loop().run_in_executor(None, len, 'abc')"), "3")


class Inexact(CheckpointCase):
    def reasons(self, code):
        self.run_ok(code)
        return self.keep()[0]["inexact"]

    def test_threads_are_counted(self):
        code = "import threading; stop = threading.Event(); [threading.Thread(target=stop.wait).start() for _ in 'ab']"
        self.assertEqual(self.reasons(code), ["threads:2"])
        self.run_ok("stop.set()")

    def test_runners_own_thread_is_not_counted(self):
        self.assertEqual(self.reasons("for i in range(5000): print(i)"), [])

    def test_open_files_are_counted(self):
        self.assertEqual(self.reasons("a, b = open('/etc/passwd'), open('/etc/group')"), ["files:2"])

    def test_sockets_are_counted(self):
        self.assertEqual(self.reasons("import socket; pair = socket.socketpair()"), ["sockets:2"])

    def test_pipes_are_counted(self):
        self.assertEqual(self.reasons("import os; pair = os.pipe()"), ["pipes:2"])

    def test_children_are_seen(self):
        self.assertIn("children", self.reasons("import subprocess; child = subprocess.Popen(['sleep', '60'])"))
        self.run_ok("child.kill(); child.wait()")
        self.assertEqual(self.keep()[0]["inexact"], [])

    def test_unwanted_reason_leaves_no_holder(self):
        self.run_ok("import subprocess; child = subprocess.Popen(['sleep', '60'])")
        event, holder = checkpoint(self.runner, unless=["children", "gpu"])
        self.assertIsNone(holder)
        self.assertTrue(event["skipped"])
        self.assertEqual(event["inexact"], ["children"])
        self.run_ok("child.kill(); child.wait()")


class Faults(CheckpointCase):
    def dies(self, code, returncode):
        self.run_ok("k = 1")
        _, holder = self.keep()
        self.runner.start(code)
        self.runner.wait_for("done")
        self.assertEqual(self.runner.process.wait(), returncode)
        self.assertEqual(self.value("k", self.resume(holder)), "1")

    def test_segfault_costs_one_cell(self):
        self.dies("k = 2; import ctypes; ctypes.string_at(0)", -signal.SIGSEGV)

    def test_exit_at_once_costs_one_cell(self):
        self.dies("import os; os._exit(3)", 3)

    def test_kill_of_the_session_costs_one_cell(self):
        self.dies("import os; os.killpg(0, 9)", -signal.SIGKILL)

    def test_holder_killed_leaves_the_head(self):
        self.run_ok("k = 1")
        _, holder = self.keep()
        head = self.resume(holder)
        os.kill(self.holder_pids()[0], signal.SIGKILL)
        self.assertIsNone(holder.event())
        self.assertEqual(self.value("k", head), "1")
        self.assertEqual(self.value("k"), "1")

    def test_holder_ends_with_its_socket(self):
        _, holder = self.keep()
        self.assertEqual(len(self.holder_pids()), 1)
        holder.close()
        deadline = time.monotonic() + 10
        while self.holder_pids() and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(self.holder_pids(), [])

    def test_default_timeout_of_a_cell_does_not_end_the_holder(self):
        self.run_ok("import socket; socket.setdefaulttimeout(0.05)")
        _, holder = self.keep()
        with self.assertRaises(TimeoutError):
            holder.event(timeout=0.3)
        self.assertEqual(self.value("1", self.resume(holder)), "1")

    def test_checkpoints_leave_no_child_and_no_descriptor(self):
        count = "len(__import__('os').listdir('/proc/self/fd'))"
        before = self.value(count)
        for _ in range(5):
            self.keep()
        self.assertEqual(self.value(count), before)
        code = "import os\ntry:\n while True: os.wait()\nexcept ChildProcessError: pass"
        self.run_ok(code)
        self.assertEqual(len(self.holder_pids()), 5)
        head = self.resume(self.keep()[1])
        self.assertEqual(self.value(count, head), before)

    def holder_pids(self):
        """Living holders that have come to this process."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/stat" % name) as file:
                    head, _, rest = file.read().rpartition(")")
            except OSError:
                continue
            state, parent = rest.split()[:2]
            if head.endswith("(sandfish-holder") and int(parent) == os.getpid() and state != "Z":
                found.append(int(name))
        return found


if __name__ == "__main__":
    unittest.main()
