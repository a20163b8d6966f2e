"""The Python runner: values, mime bundles, display, figures."""

import base64
import subprocess
import unittest

from languages import PYTHON
from test_python import PythonCase

CHART = "application/vnd.sandfish.chart+json"
TABLE = "application/vnd.dataresource+json"


def has_module(name):
    return subprocess.run([PYTHON, "-c", "import " + name], capture_output=True).returncode == 0


class Values(PythonCase):
    def plain(self, code):
        result = self.run_ok(code).result
        return result and result["text/plain"]

    def test_last_expression(self):
        for code, plain in (
            ("1; 2", "2"),
            ("2;", None),
            ("2;  # why", None),
            ("(\n2\n)", "2"),
            ("(\n2\n);", None),
            ("x = 3\nx", "3"),
            ("x = 3", None),
            ("for i in range(3): i", None),
            ("'a;'", "'a;'"),
            ("'é'; 'é'", "'é'"),
            ("_", "'é'"),
            ("def f(): return 5\nf()", "5"),
        ):
            with self.subTest(code):
                self.assertEqual(self.plain(code), plain)

    def test_plain_forms_only(self):
        for code in (
            "object()",
            "{1, 2}",
            "b'x'",
            "1j",
            "range(3)",
            "print",
            "int",
            "float('inf')",
            "[float('nan')]",
            "{(1, 2): 3}",
        ):
            with self.subTest(code):
                self.assertEqual(set(self.run_ok(code).result), {"text/plain"})

    def test_value_is_computed_once(self):
        self.assertEqual(self.plain("x = [1, 2, 3]\nx.pop()"), "3")
        self.assertEqual(self.plain("x"), "[1, 2]")

    def test_raising_repr_does_no_harm(self):
        self.assertIn("raised", self.plain("class R:\n    def __repr__(self): 1/0\nR()"))

    def test_huge_repr_is_cut(self):
        text = self.plain("class H:\n    def __repr__(self): return 'x' * 50_000_000\nH()")
        self.assertEqual(len(text), (1 << 20) + 1)

    def test_bundle_methods(self):
        outcome = self.run_ok(
            "class B:\n"
            "    def _repr_mimebundle_(self, include=None, exclude=None): return {'text/x': 't'}, {'text/x': {'k': 1}}\n"
            "    def _repr_png_(self): return b'PNG'\n"
            "    def _repr_latex_(self): return '$x$'\n"
            "    def _repr_svg_(self): raise ValueError()\n"
            "    def __repr__(self): return 'B'\nB()"
        )
        expected = {
            "text/x": "t",
            "image/png": base64.b64encode(b"PNG").decode(),
            "text/latex": "$x$",
            "text/plain": "B",
        }
        self.assertEqual(outcome.result, expected)
        self.assertEqual(outcome.events("result")[0]["metadata"], {"text/x": {"k": 1}})

    def test_object_that_answers_to_any_name_is_plain(self):
        self.assertEqual(set(self.run_ok("from unittest.mock import MagicMock\nMagicMock()").result), {"text/plain"})

    def test_silent_run_gives_no_result_and_is_not_counted(self):
        before = self.run_ok("1").done["n"]
        outcome = self.run_ok("2", silent=True)
        self.assertEqual((outcome.result, outcome.done["n"]), (None, before))

    def test_future_import_holds_for_later_cells(self):
        self.run_ok("from __future__ import annotations")
        self.assertEqual(self.plain("def f(a: Undefined): pass\nf.__annotations__['a']"), "'Undefined'")


class Display(PythonCase):
    def test_display_id_and_update(self):
        outcome = self.run_ok(
            "h = display('a', display_id='d1')\nh.update('b')\ndisplay('c', display_id='d1', update=True)"
        )
        self.assertEqual(
            [(e["display_id"], e["update"], e["data"]["text/plain"]) for e in outcome.events("display")],
            [("d1", False, "'a'"), ("d1", True, "'b'"), ("d1", True, "'c'")],
        )

    def test_display_true_makes_an_id(self):
        outcome = self.run_ok("display(1, display_id=True).display_id")
        self.assertEqual(outcome.events("display")[0]["display_id"], outcome.result["application/json"])

    def test_raw_bundle(self):
        data = self.run_ok("display({'text/html': '<b>'}, raw=True)").events("display")[0]["data"]
        self.assertEqual(data, {"text/html": "<b>"})

    def test_long_text_arrives_as_it_was_shown(self):
        for end in ("", '"', "\\", "\n", "\x00", "\x1f", "\x7f", "\u00e9", "\u20ac", "\U0001f600"):
            with self.subTest(end):
                code = "display({'text/html': 'x' * 5000 + %r, 'text/plain': 'x'}, raw=True)" % end
                data = self.run_ok(code).events("display")[0]["data"]
                self.assertEqual(data, {"text/html": "x" * 5000 + end, "text/plain": "x"})

    def test_lone_surrogate_in_long_text_becomes_the_replacement(self):
        data = self.run_ok("display({'text/html': 'x' * 5000 + '\\udc80'}, raw=True)").events("display")[0]["data"]
        self.assertEqual(data["text/html"], "x" * 5000 + "\ufffd")

    def test_base64_of_a_picture_has_no_line_ends(self):
        code = "import base64\ndisplay({%r: base64.encodebytes(bytes(3000)).decode()}, raw=True)"
        for mime, lines in (("image/png", 0), ("application/pdf", 0), ("image/svg+xml", 53), ("text/plain", 53)):
            with self.subTest(mime):
                data = self.run_ok(code % mime).events("display")[0]["data"]
                self.assertEqual(data[mime].count("\n"), lines)

    def test_clear_output(self):
        outcome = self.run_ok("from IPython.display import clear_output\nprint(1)\nclear_output(wait=True)\nprint(2)")
        self.assertEqual(outcome.order(), [("stdout", "1\n"), ("clear", None), ("stdout", "2\n")])
        self.assertEqual(outcome.events("clear")[0]["wait"], True)

    def test_ipython_display_names_work(self):
        outcome = self.run_ok(
            "from IPython.display import display, HTML, Markdown\ndisplay(HTML('<b>x</b>'))\ndisplay(Markdown('*x*'))"
        )
        data = [event["data"] for event in outcome.events("display")]
        self.assertEqual((data[0]["text/html"], data[1]["text/markdown"]), ("<b>x</b>", "*x*"))


@unittest.skipUnless(has_module("matplotlib"), "matplotlib is not installed.")
class Figures(PythonCase):
    def test_figure_is_shown_at_the_end_of_the_cell(self):
        outcome = self.run_ok("import matplotlib.pyplot as plt\nplt.plot([1, 2, 3]);\nprint('after')")
        self.assertEqual([kind for kind, _ in outcome.order()], ["stdout", "display"])
        event = outcome.events("display")[0]
        png = base64.b64decode(event["data"]["image/png"])
        self.assertEqual(png[:4], b"\x89PNG")
        size = event["metadata"]["image/png"]
        self.assertAlmostEqual(int.from_bytes(png[16:20], "big") / size["width"], 2, delta=0.02)

    def test_show_displays_at_once_and_only_once(self):
        outcome = self.run_ok("import matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()\nprint('x')")
        self.assertEqual([kind for kind, _ in outcome.order()], ["display", "stdout"])

    def test_figure_as_value_is_shown_once(self):
        outcome = self.run_ok("import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2]);\nfig")
        self.assertIn("image/png", outcome.result)
        self.assertEqual(outcome.events("display"), [])

    def test_figure_of_a_failing_cell_is_shown(self):
        outcome = self.runner.run("import matplotlib.pyplot as plt\nplt.plot([1])\n1/0")
        self.assertEqual((outcome.status, len(outcome.events("display"))), ("error", 1))

    def test_no_figure_is_left_for_the_next_cell(self):
        self.run_ok("import matplotlib.pyplot as plt\nplt.plot([1]);")
        self.assertEqual(self.run_ok("1;").events("display"), [])

    def test_chart_comes_with_the_picture(self):
        outcome = self.run_ok("import matplotlib.pyplot as plt\nplt.plot([1, 2], [3, 4], label='a');")
        self.assertEqual(outcome.events("display")[0]["data"][CHART]["type"], "line")


@unittest.skipUnless(has_module("pandas"), "pandas is not installed.")
class Tables(PythonCase):
    def test_frame_has_html_and_table(self):
        result = self.run_ok("import pandas as pd\npd.DataFrame({'a': range(3000), 'b': ['x'] * 3000})").result
        self.assertIn("<table", result["text/html"])
        table = result[TABLE]
        self.assertEqual((len(table["data"]), table["totalRows"]), (2000, 3000))
        self.assertEqual(table["data"][1]["b"], "x")
        self.assertIn({"name": "a", "type": "integer"}, table["schema"]["fields"])
