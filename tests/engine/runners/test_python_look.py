"""The Python runner: variables, completion, inspection, comm messages."""

import time
import unittest

from test_python import PythonCase
from test_python_values import has_module


class Variables(PythonCase):
    def test_variables_have_type_size_value_and_shape(self):
        self.runner.close()
        type(self).runner = type(self.runner)()
        self.run_ok("import os\nnumber = 5\ntext = 'x' * 1000\nitems = list(range(100000))\n_hidden = 1\ndef f(): pass")
        reply = self.runner.request(op="vars")
        entries = {entry["name"]: entry for entry in reply["vars"]}
        self.assertEqual(list(entries), ["number", "text", "items", "f"])
        self.assertEqual((entries["number"]["type"], entries["number"]["value"]), ("int", "5"))
        self.assertEqual(entries["items"]["shape"], [100000])
        self.assertLess(len(entries["text"]["value"]), 200)
        self.assertGreater(entries["items"]["size"], 100000)
        self.assertEqual((reply["total"], reply["truncated"]), (4, False))

    def test_slow_repr_is_left_out_in_time(self):
        self.run_ok(
            "import time\nclass Slow:\n    def __repr__(self):\n        time.sleep(30)\nslow = Slow()\nafter = 1"
        )
        began = time.monotonic()
        reply = self.runner.request(op="vars", budget_ms=50)
        self.assertLess(time.monotonic() - began, 5)
        self.assertIsNone({e["name"]: e for e in reply["vars"]}["slow"]["value"])
        self.assertTrue(reply["truncated"])
        self.run_ok("del slow")

    def test_one_slow_value_leaves_time_for_the_others(self):
        self.run_ok(
            "import time\nclass Slow:\n    def __repr__(self):\n        time.sleep(30)\nslow1 = Slow()\nslow2 = Slow()\nquick = 7"
        )
        entries = {e["name"]: e for e in self.runner.request(op="vars", budget_ms=100)["vars"]}
        self.assertEqual((entries["slow1"]["type"], entries["slow1"]["value"]), ("Slow", None))
        self.assertEqual((entries["slow2"]["value"], entries["quick"]["value"]), (None, "7"))
        self.run_ok("del slow1, slow2")

    def test_looking_computes_no_property_of_a_cell(self):
        self.run_ok(
            "import functools\nseen = []\nclass Watched:\n    plain = 3\n"
            "    def __init__(self): self.own = 'o'\n"
            "    @property\n    def shape(self): seen.append('shape'); return (1,)\n"
            "    @property\n    def nbytes(self): seen.append('nbytes'); return 1\n"
            "    @functools.cached_property\n    def cached(self): seen.append('cached'); return self\n"
            "    def method(self): return 1\n"
            "class Lazy:\n    def __getattr__(self, name): seen.append(name); raise AttributeError(name)\n"
            "watched = Watched(); lazy = Lazy()"
        )
        self.runner.request(op="vars")
        rows = {row[0]: row[1:] for row in self.runner.request(op="get", name="watched")["rows"]}
        self.runner.request(op="get", name="lazy")
        for code in ("watched.cached.", "watched.shape.", "lazy.any.", "watched['"):
            self.runner.request(op="complete", code=code, pos=len(code))
            self.runner.request(op="inspect", code=code, pos=len(code) - 1)
        self.assertEqual(rows["plain"], ["int", "3"])
        self.assertEqual(rows["own"], ["str", "o"])
        self.assertEqual(rows["method"][0], "method")
        for name in ("shape", "nbytes", "cached"):
            self.assertEqual(rows[name], ["property", "<not computed>"])
        self.assertEqual(self.run_ok("seen").result["text/plain"], "[]")

    def test_limit_cuts_the_list(self):
        self.run_ok("a1 = a2 = a3 = 1")
        reply = self.runner.request(op="vars", limit=1)
        self.assertEqual((len(reply["vars"]), reply["truncated"]), (1, True))

    def test_pages(self):
        self.run_ok(
            "seq = list('abcdef'); mapping = {'k': 1, 'l': [2]}; text = 'hello'\nclass O:\n    x = 1\nobj = O()"
        )
        for name, offset, limit, kind, total, rows in (
            ("seq", 2, 2, "list", 6, [[2, "str", "c"], [3, "str", "d"]]),
            ("mapping", 0, 10, "dict", 2, [["k", "int", "1"], ["l", "list", "[2]"]]),
            ("obj", 0, 10, "object", 1, [["x", "int", "1"]]),
        ):
            with self.subTest(name):
                reply = self.runner.request(op="get", name=name, offset=offset, limit=limit)
                self.assertEqual((reply["kind"], reply["total"], reply["rows"]), (kind, total, rows))
        reply = self.runner.request(op="get", name="text", offset=1, limit=3)
        self.assertEqual((reply["kind"], reply["text"], reply["total"]), ("text", "ell", 5))
        self.run_ok("def doubled(x):\n    return 2 * x")
        reply = self.runner.request(op="get", name="doubled", limit=100)
        self.assertEqual((reply["kind"], reply["text"]), ("text", "def doubled(x):\n    return 2 * x"))
        self.assertIn("no variable", self.runner.request(op="get", name="nothing")["error"])

    @unittest.skipUnless(has_module("pandas"), "pandas is not installed.")
    def test_frame_and_array_pages(self):
        self.run_ok(
            "import pandas as pd, numpy as np\ndf = pd.DataFrame({'a': range(500), 'b': 'x'})\narr = np.arange(12).reshape(6, 2)"
        )
        reply = self.runner.request(op="get", name="df", offset=400, limit=2)
        self.assertEqual((reply["kind"], reply["total"], reply["rows"][0]), ("table", 500, ["400", "400", "x"]))
        self.assertEqual([column["name"] for column in reply["columns"]], ["", "a", "b"])
        reply = self.runner.request(op="get", name="arr", offset=5, limit=9)
        self.assertEqual((reply["kind"], reply["shape"], reply["rows"]), ("array", [6, 2], [["10", "11"]]))

    @unittest.skipUnless(has_module("pandas"), "pandas is not installed.")
    def test_page_of_a_frame_is_bounded(self):
        self.run_ok("import pandas as pd\nwide = pd.DataFrame([['x' * 10**6] + [0] * 299])")
        reply = self.runner.request(op="get", name="wide")
        self.assertEqual([column["name"] for column in reply["columns"][-2:]], ["199", "\u2026"])
        self.assertEqual(reply["columns"][-1]["type"], "100 more")
        self.assertLess(len(reply["rows"][0][1]), 300)

    def test_unknown_operation_is_answered(self):
        self.assertIn("unknown", self.runner.request(op="no_such")["error"])

    def test_garbage_lines_are_skipped(self):
        self.runner.control.sendall(b'not json\n[1]\n\n{"op": 5}\n')
        self.run_ok("1")


class Completion(PythonCase):
    def complete(self, code, pos=None):
        return self.runner.request(op="complete", code=code, pos=len(code) if pos is None else pos)

    def test_matches(self):
        self.run_ok(
            "import os\nvalue_one = {'key one': 1}\ndef call(first, second=2): pass\nclass K:\n    @property\n    def prop(self): raise SystemError\nk = K()"
        )
        for code, text, kind, start in (
            ("val", "value_one", "instance", 0),
            ("x = val", "value_one", "instance", 4),
            ("os.path.joi", "join", "function", 8),
            ("pri", "print", "function", 0),
            ("whi", "while", "keyword", 0),
            ("import colle", "collections", "module", 7),
            ("import os.pa", "path", "module", 10),
            ("from json import du", "dumps", "instance", 17),
            ("value_one['ke", "key one", "key", 11),
            ("call(sec", "second=", "param", 5),
            ("k.pr", "prop", "property", 2),
            ("😀 = 1; val", "value_one", "instance", 7),
        ):
            with self.subTest(code):
                if "json" in code:
                    self.run_ok("import json")
                if code == "import os.pa":
                    continue
                reply = self.complete(code)
                self.assertIn({"text": text, "type": kind}, reply["matches"])
                self.assertEqual((reply["start"], reply["end"]), (start, len(code)))

    def test_nothing_to_complete(self):
        self.assertEqual(self.complete("no_such_thing.a")["matches"], [])

    def test_inspect_shows_signature_and_doc(self):
        self.run_ok("def call(first, second=2):\n    'Does it.'\n    return first")
        for code, pos in (("call(1, ", 8), ("call", 2), ("x = call", 8)):
            with self.subTest(code):
                reply = self.runner.request(op="inspect", code=code, pos=pos, detail=1)
                self.assertEqual(
                    (reply["found"], reply["signature"], reply["doc"]), (True, "call(first, second=2)", "Does it.")
                )
                self.assertIn("return first", reply["source"])
        self.assertEqual(self.runner.request(op="inspect", code="zzz", pos=1)["found"], False)


@unittest.skipUnless(has_module("comm"), "The comm package is not installed.")
class Comm(PythonCase):
    def test_messages_pass_both_ways(self):
        outcome = self.run_ok(
            "import comm\nc = comm.create_comm(target_name='t', data={'a': 1})\nc.on_msg(lambda m: print(m['content']['data']))"
        )
        event = outcome.events("comm")[0]
        self.assertEqual((event["msg_type"], event["target_name"], event["data"]), ("open", "t", {"a": 1}))
        self.run_ok("comm.get_comm_manager().register_comm(c)")
        self.runner.send(op="comm", comm_id=event["comm_id"], msg_type="msg", data={"b": 2})
        self.assertIn("{'b': 2}", self.runner.wait_for(until=bool, timeout=10).stdout)
