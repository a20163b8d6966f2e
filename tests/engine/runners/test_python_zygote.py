"""The zygote: a Python runner that has loaded packages, runs no cell, and of which new runners are forked."""

import os
import signal
import tempfile
import unittest

from holders import NoRunner, Zygote, adopt_orphans, checkpoint


def setUpModule():
    adopt_orphans()


class ZygoteCase(unittest.TestCase):
    def start(self, **kwargs):
        zygote = Zygote(**kwargs)
        self.addCleanup(zygote.close)
        self.assertEqual(zygote.event(), {"ev": "held"})
        return zygote

    def fork(self, zygote, **members):
        head = zygote.resume(**members)
        self.addCleanup(head.close)
        return head

    def value(self, head, code):
        outcome = head.run(code)
        self.assertEqual(outcome.status, "ok", outcome.items)
        return outcome.result["text/plain"]


class Forks(ZygoteCase):
    def test_head_is_a_runner_with_the_packages_loaded(self):
        zygote = self.start(preload=["fractions"])
        head = self.fork(zygote, path="/etc")
        self.assertEqual(head.ready["lang"], "python")
        self.assertEqual(self.value(head, "import sys, os; 'fractions' in sys.modules, os.getcwd()"), "(True, '/etc')")
        self.assertEqual(self.value(head, "__name__, sys.argv, sys.path[0]"), "('__main__', [''], '')")
        self.assertEqual(head.run("print('a')").done["n"], 3)

    def test_heads_share_nothing(self):
        zygote = self.start()
        one, two = self.fork(zygote), self.fork(zygote)
        one.run("import json; json.mark = k = 1")
        self.assertEqual(self.value(two, "import json; hasattr(json, 'mark'), 'k' in globals()"), "(False, False)")

    def test_heads_draw_different_numbers(self):
        zygote = self.start(preload=["random"])
        heads = [self.fork(zygote, seed=True) for _ in range(2)]
        first, second = [self.value(head, "import random; random.random()") for head in heads]
        self.assertNotEqual(first, second)

    def test_preloaded_package_is_not_reported_as_used(self):
        zygote = self.start(preload=["numpy"])
        self.assertNotIn("modules", self.fork(zygote).run("1").done)

    def test_checkpoint_of_a_head_is_exact(self):
        head = self.fork(self.start())
        head.run("k = 1")
        event, holder = checkpoint(head)
        self.addCleanup(holder.close)
        head.run("k = 2")
        rewound = holder.resume()
        self.addCleanup(rewound.close)
        self.assertEqual((event["inexact"], self.value(rewound, "k")), ([], "1"))


class Faults(ZygoteCase):
    def test_head_outlives_the_zygote(self):
        zygote = self.start()
        head = self.fork(zygote)
        zygote.kill()
        self.assertEqual(self.value(head, "1 + 1"), "2")

    def test_end_of_a_head_leaves_the_zygote(self):
        zygote = self.start()
        head = self.fork(zygote)
        head.start("import os; os._exit(3)")
        head.wait_for("done")
        self.assertEqual(head.process.wait(), 3)
        self.assertEqual(self.value(self.fork(zygote), "1"), "1")

    def test_closed_socket_ends_the_zygote(self):
        zygote = self.start()
        zygote.close()
        self.assertEqual(zygote.process.returncode, 0)

    def test_new_package_makes_it_stale(self):
        with tempfile.TemporaryDirectory() as folder:
            zygote = self.start(env={"PYTHONPATH": folder})
            self.fork(zygote)
            os.mkdir(os.path.join(folder, "package"))
            with self.assertRaises(NoRunner):
                zygote.resume()
            self.assertEqual(zygote.event(), {"ev": "stale"})

    def test_interrupt_of_its_group_does_nothing(self):
        zygote = self.start()
        os.killpg(zygote.process.pid, signal.SIGINT)
        self.assertEqual(self.value(self.fork(zygote), "1"), "1")


if __name__ == "__main__":
    unittest.main()
