"""The Python runner: cells, errors, order, interrupts and what user code may do to its own process."""

import tempfile
import time
import unittest

from conformance import Conformance
from languages import PYTHON, Python, is_installed


@unittest.skipUnless(is_installed(PYTHON), "Python is not installed.")
class Shared(Conformance, unittest.TestCase):
    language = Python


class PythonCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runner = Python()

    @classmethod
    def tearDownClass(cls):
        cls.runner.close()

    def run_ok(self, code, **kwargs):
        outcome = self.runner.run(code, **kwargs)
        self.assertEqual(outcome.status, "ok", outcome.items)
        return outcome


class Order(PythonCase):
    def test_streams_and_displays_come_as_written(self):
        outcome = self.run_ok("import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c')\ndisplay(1)\nprint('d')")
        self.assertEqual(
            outcome.order(),
            [("stdout", "a\n"), ("stderr", "b\n"), ("stdout", "c\n"), ("display", None), ("stdout", "d\n")],
        )

    def test_thousands_of_alternations_stay_in_order(self):
        outcome = self.run_ok(
            "import sys\nfor i in range(3000):\n print('o', i)\n print('e', i, file=sys.stderr)\n if i % 100 == 0: display(i)"
        )
        expected = []
        for i in range(3000):
            expected += [("stdout", "o %d\n" % i), ("stderr", "e %d\n" % i)] + (
                [("display", None)] if i % 100 == 0 else []
            )
        self.assertEqual(outcome.order(), expected)

    def test_order_holds_after_much_output(self):
        outcome = self.run_ok("import sys\nfor i in range(5000): print(i)\nprint('err', file=sys.stderr)\nprint('end')")
        self.assertEqual([kind for kind, _ in outcome.order()], ["stdout", "stderr", "stdout"])
        self.assertTrue(outcome.order()[0][1].endswith("4999\n"))

    def test_c_output_is_in_order(self):
        outcome = self.run_ok(
            "import ctypes\nlibc = ctypes.CDLL(None)\nprint('a')\nlibc.puts(b'b'); libc.fflush(None)\nprint('c')"
        )
        self.assertEqual(outcome.stdout, "a\nb\nc\n")

    def test_unflushed_c_output_belongs_to_the_cell(self):
        self.assertEqual(self.run_ok("import ctypes\n_ = ctypes.CDLL(None).puts(b'late')").stdout, "late\n")

    def test_first_output_does_not_wait_for_the_end(self):
        self.runner.start("import time\nprint('first', end='')\ntime.sleep(3)")
        began = time.monotonic()
        self.runner.wait_for(until=bool, timeout=10)
        self.assertLess(time.monotonic() - began, 2)
        self.runner.wait_for("done")

    def test_thread_output_of_the_cell_is_part_of_it(self):
        outcome = self.run_ok("import threading\nt = threading.Thread(target=print, args=('x',)); t.start(); t.join()")
        self.assertEqual(outcome.stdout, "x\n")

    def test_thread_output_after_the_end_is_late(self):
        outcome = self.run_ok("import threading, time\nthreading.Timer(0.2, print, ('late',)).start()")
        self.assertEqual(outcome.stdout, "")
        self.assertEqual(self.runner.wait_for(until=bool, timeout=10).stdout, "late\n")

    def test_old_thread_printing_in_a_new_cell_is_announced(self):
        old = self.run_ok("import threading, time\nthreading.Timer(0.3, print, ('old',)).start()").done["id"]
        outcome = self.run_ok("print('before'); time.sleep(0.8); print('after')")
        owners = [
            (kind, value["id"] if kind == "owner" else value)
            for kind, value in outcome.items
            if kind in ("owner", "stdout")
        ]
        new = outcome.done["id"]
        self.assertEqual(
            owners, [("stdout", "before\n"), ("owner", old), ("stdout", "old\n"), ("owner", new), ("stdout", "after\n")]
        )

    def test_pool_of_an_old_cell_prints_for_the_new_one(self):
        self.run_ok(
            "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(1)\npool.submit(int).result()"
        )
        outcome = self.run_ok("pool.submit(print, 'mine').result()")
        self.assertEqual((outcome.stdout, outcome.events("owner")), ("mine\n", []))

    def test_background_task_runs_between_cells(self):
        old = self.run_ok(
            "import asyncio\nasync def tick():\n await asyncio.sleep(0.2)\n print('tick')\n"
            "task = asyncio.create_task(tick())\nawait asyncio.sleep(0)"
        )
        self.assertEqual(old.stdout, "")
        self.assertEqual(self.runner.wait_for(until=bool, timeout=10).stdout, "tick\n")
        self.assertEqual(self.run_ok("task.done()").result["application/json"], True)


class Errors(PythonCase):
    def error(self, code, **kwargs):
        outcome = self.runner.run(code, **kwargs)
        self.assertEqual(outcome.status, "error")
        return outcome.done

    def test_error_names_and_messages(self):
        for code, name, message in (
            ("1/0", "ZeroDivisionError", "division by zero"),
            ("undefined_name", "NameError", "name 'undefined_name' is not defined"),
            ("import no_such_module_x", "ModuleNotFoundError", "No module named 'no_such_module_x'"),
            ("x ===", "SyntaxError", "invalid syntax"),
            ("raise KeyError('k')", "KeyError", "'k'"),
        ):
            with self.subTest(name):
                done = self.error(code)
                self.assertEqual(done["ename"], name)
                self.assertTrue(done["evalue"].startswith(message), done["evalue"])
                self.assertIn(name, done["traceback"])

    def test_traceback_names_the_cell_and_no_runner(self):
        done = self.error("def f():\n    raise ValueError('x')\n\nf()", label="cell [17]")
        self.assertEqual(
            [(frame["file"], frame["line"], frame["name"]) for frame in done["frames"]],
            [("cell [17]", 4, "<module>"), ("cell [17]", 2, "f")],
        )
        self.assertIn("    raise ValueError('x')\n", done["traceback"])
        self.assertNotIn("sandfish", done["traceback"])

    def test_traceback_of_awaiting_cell_has_no_runner(self):
        done = self.error("import asyncio\nawait asyncio.sleep(0)\n1/0")
        self.assertNotIn("sandfish", done["traceback"])
        self.assertEqual(len(done["frames"]), 1)

    def test_chained_errors_are_shown(self):
        done = self.error("try:\n    1/0\nexcept ZeroDivisionError as e:\n    raise KeyError('k') from e")
        self.assertIn("ZeroDivisionError", done["traceback"])
        self.assertIn("direct cause", done["traceback"])

    def test_hard_errors_leave_the_context_alive(self):
        for code in (
            "def r(): return r()\nr()",
            "class E(Exception):\n    def __str__(self): raise RuntimeError('in str')\nraise E()",
            "raise BaseException('b')",
            "raise ValueError('\\ud800')",
            "import asyncio\nraise asyncio.CancelledError()",
        ):
            with self.subTest(code):
                self.assertTrue(self.error(code)["ename"])
                self.assertEqual(self.run_ok("1+1").result["text/plain"], "2")

    def test_exit_forms(self):
        for code, expected in (
            ("raise SystemExit", 0),
            ("exit()", 0),
            ("exit(4)", 4),
            ("import sys; sys.exit('words')", 1),
        ):
            with self.subTest(code):
                outcome = self.runner.run(code)
                self.assertEqual((outcome.status, outcome.done["code"]), ("exit", expected))
        self.assertEqual(outcome.stderr, "words\n")
        self.assertEqual(self.run_ok("1+1").result["text/plain"], "2")


class Interrupts(PythonCase):
    def interrupt(self, code):
        execution = self.runner.start(code)
        self.runner.wait_for("started")
        time.sleep(0.3)
        began = time.monotonic()
        outcome = self.runner.interrupted(execution)
        self.assertLess(time.monotonic() - began, 3)
        self.run_ok("1")
        return outcome

    def test_each_kind_of_wait_is_interrupted(self):
        for code in (
            "import re; re.match('(a+)+$', 'a' * 40 + 'b')",
            "import threading; l = threading.Lock(); l.acquire(); l.acquire()",
            "import threading; threading.Event().wait()",
            "import asyncio; await asyncio.sleep(30)",
            "import asyncio\nwhile True: await asyncio.sleep(0)",
            "while True: print('x' * 50)",
            "import sys\nwhile True: print('x'); print('y', file=sys.stderr)",
            "while True: display(1)",
        ):
            with self.subTest(code):
                self.assertEqual(self.interrupt(code).status, "interrupted")

    def test_swallowed_interrupt_ends_the_step(self):
        outcome = self.interrupt(
            "import time\ntry:\n    time.sleep(30)\nexcept KeyboardInterrupt:\n    print('caught')"
        )
        self.assertEqual((outcome.status, outcome.stdout), ("ok", "caught\n"))

    def test_own_handler_lasts_for_its_cell(self):
        self.run_ok("import signal; _ = signal.signal(signal.SIGINT, signal.SIG_IGN)")
        self.assertEqual(self.interrupt("while True: pass").status, "interrupted")

    def test_background_task_survives_an_interrupt(self):
        self.run_ok(
            "import asyncio\nasync def count():\n global n\n n = 0\n while True:\n  n += 1\n  await asyncio.sleep(0.01)\n"
            "task = asyncio.create_task(count())\nawait asyncio.sleep(0)"
        )
        self.assertEqual(self.interrupt("await asyncio.sleep(30)").status, "interrupted")
        self.assertEqual(self.run_ok("task.done()").result["application/json"], False)
        self.run_ok("task.cancel();")


class OwnProcess(PythonCase):
    def test_context_survives(self):
        for code in (
            "import sys; sys.stdout = None; print('x')\nsys.stdout = sys.__stdout__",
            "import sys; sys.stdout.close()",
            "import sys; sys.stdin.close()",
            "import gc; _ = gc.collect()",
            "import threading\nclass T(threading.Thread):\n    def run(self): 1/0\nt = T(); t.start(); t.join()",
            "import os\nos.environ.clear()",
        ):
            with self.subTest(code):
                self.run_ok(code)
                self.assertEqual(self.run_ok("print('alive')").stdout, "alive\n")

    def test_closed_standard_streams_are_back_in_the_next_cell(self):
        for code in ("import os; os.close(1)", "import os; os.close(1); os.close(2)"):
            self.runner.run(code)
            outcome = self.run_ok("import sys\nprint('out')\nprint('err', file=sys.stderr)")
            self.assertEqual((outcome.stdout[-4:], outcome.stderr[-4:]), ("out\n", "err\n"))

    def test_environment_with_impossible_names_is_left_out(self):
        code = "import os; sorted(name for name in os.environ if name[:3] == 'SF_')"
        bad = {"SF_A=B": "1", "": "2", "SF_\0": "3", "SF_N": "\0", "SF_GOOD": "4"}
        self.assertEqual(self.run_ok(code, env=bad).result["application/json"], ["SF_GOOD"])

    def test_large_code_is_received_in_linear_time(self):
        self.run_ok("import time; began = time.process_time()")
        self.run_ok("x = '%s'" % ("a" * (24 << 20)))
        self.assertLess(self.run_ok("time.process_time() - began").result["application/json"], 3)

    def test_forked_child_that_falls_out_of_the_cell_ends(self):
        outcome = self.run_ok("import os\npid = os.fork()\nprint('child' if pid == 0 else os.waitpid(pid, 0)[1])")
        self.assertEqual(sorted(outcome.stdout.splitlines()), ["0", "child"])
        self.assertEqual(len(outcome.events("done")), 1)

    def test_process_pool_works(self):
        outcome = self.run_ok(
            "import multiprocessing as mp\ndef f(x):\n    print('in', x)\n    return x * x\n"
            "with mp.get_context('fork').Pool(2) as pool: r = pool.map(f, [1, 2, 3])\nr"
        )
        self.assertEqual(outcome.result["application/json"], [1, 4, 9])
        self.assertEqual(sorted(outcome.stdout.splitlines()), ["in 1", "in 2", "in 3"])

    def test_cell_ends_though_a_daemon_holds_the_pipes(self):
        outcome = self.run_ok("import subprocess; p = subprocess.Popen(['sleep', '30'])\n'done'", timeout=10)
        self.assertEqual(outcome.result["application/json"], "done")
        self.run_ok("p.kill(); _ = p.wait()")

    def test_segfault_delivers_what_was_printed(self):
        runner = Python()
        outcome = runner.run("print('before')\nimport ctypes; ctypes.string_at(0)")
        self.assertEqual((outcome.stdout.startswith("before\n"), runner.process.wait()), (True, -11))
        runner.close()

    def test_underscore_exit_delivers_what_was_printed(self):
        runner = Python()
        outcome = runner.run("print('before')\nimport os; os._exit(3)")
        self.assertEqual((outcome.stdout, runner.process.wait()), ("before\n", 3))
        runner.close()


class Folder(PythonCase):
    def test_chdir_before_the_first_cell_is_where_it_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            self.runner.send(op="chdir", path=folder)
            self.assertEqual(self.run_ok("import os; print(os.getcwd())").stdout, folder + "\n")
            self.run_ok("open('helper.py', 'w').write('value = 7')")
            self.assertEqual(self.run_ok("import helper; print(helper.value)").stdout, "7\n")
            self.run_ok("os.chdir('/')")

    def test_chdir_to_nowhere_is_logged(self):
        self.runner.send(op="chdir", path="/no/such/folder")
        self.assertIn("/no/such/folder", self.runner.wait_for("log").done["text"])
        self.run_ok("1")

    def test_own_modules_do_not_stand_in_for_the_library(self):
        with tempfile.TemporaryDirectory() as folder:
            runner = Python(cwd=folder)
            try:
                runner.run("for name in ('traceback', 'textwrap'): open(name + '.py', 'w').write('broken = True')")
                outcome = runner.run("1/0")
                self.assertEqual(outcome.done["ename"], "ZeroDivisionError")
                self.assertIn("1/0", outcome.done["traceback"])
            finally:
                runner.close()


class Input(PythonCase):
    def test_getpass_asks_for_a_password(self):
        self.runner.start("import getpass; print(len(getpass.getpass('Key: ')))")
        request = self.runner.wait_for("input_request").done
        self.assertEqual((request["prompt"], request["password"]), ("Key: ", True))
        self.runner.answer("secret")
        self.assertEqual(self.runner.wait_for("done").stdout, "6\n")

    def test_child_process_reads_the_answer(self):
        self.runner.start("import subprocess; _ = subprocess.run(['head', '-n', '1'])")
        self.runner.wait_for("started")
        self.runner.answer("to the child")
        self.assertEqual(self.runner.wait_for("done").stdout, "to the child\n")


class Packages(PythonCase):
    @classmethod
    def setUpClass(cls):
        cls.base = tempfile.TemporaryDirectory()
        cls.runner = Python(env={"PYTHONUSERBASE": cls.base.name})

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.base.cleanup()

    def test_what_a_child_installs_can_be_imported_at_once(self):
        install = "import subprocess, site\nd = site.getusersitepackages()\n"
        install += '_ = subprocess.run(\'mkdir -p "%s"; echo "x = 5" > "%s/{0}.py"\' % (d, d), shell=True)\n'
        self.assertEqual(
            self.run_ok(install.format("fresh_one") + "import fresh_one\nfresh_one.x").result["application/json"], 5
        )
        self.run_ok(install.format("fresh_two"))
        self.assertEqual(self.run_ok("import fresh_two\nfresh_two.x").result["application/json"], 5)

    def test_missing_module_is_still_missing(self):
        self.run_ok("import subprocess; _ = subprocess.run(['true'])")
        self.assertEqual(self.runner.run("import no_such_module_y").done["ename"], "ModuleNotFoundError")
