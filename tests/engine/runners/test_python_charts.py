"""The numbers that come with a matplotlib figure."""

import unittest

from languages import PYTHON
from test_python import PythonCase
from test_python_values import CHART, has_module


@unittest.skipUnless(has_module("matplotlib"), "matplotlib is not installed.")
class Charts(PythonCase):
    def chart(self, code):
        outcome = self.run_ok("import matplotlib.pyplot as plt\n" + code)
        return outcome.events("display")[0]["data"][CHART]

    def test_line(self):
        chart = self.chart(
            "plt.plot([1, 2, 3], [4, 5, 6], label='a'); plt.plot([1, 2], [3, 3]); plt.title('T')\n"
            "plt.xlabel('Time (s)'); plt.ylabel('Speed [m/s]');"
        )
        self.assertEqual((chart["type"], chart["title"], chart["exact"]), ("line", "T", True))
        self.assertEqual((chart["x_label"], chart["x_unit"], chart["y_unit"]), ("Time (s)", "s", "m/s"))
        self.assertEqual(
            [(e["label"], e["points"]) for e in chart["elements"]],
            [("a", [[1, 4], [2, 5], [3, 6]]), ("Line 1", [[1, 3], [2, 3]])],
        )
        self.assertEqual(len(chart["x_ticks"]), len(chart["x_tick_labels"]))
        self.assertEqual(chart["x_scale"], "linear")

    def test_log_scale(self):
        self.assertEqual(self.chart("plt.semilogy([1, 10, 100]);")["y_scale"], "log")

    def test_dates_are_iso_text(self):
        chart = self.chart("from datetime import datetime as d\nplt.plot([d(2024, 1, 1), d(2024, 1, 2)], [1, 2]);")
        self.assertEqual(chart["x_scale"], "datetime")
        self.assertEqual(chart["elements"][0]["points"][0], ["2024-01-01T00:00:00", 1])

    def test_scatter(self):
        chart = self.chart("plt.scatter([1, 2], [3, 4], label='s');")
        self.assertEqual((chart["type"], chart["exact"]), ("scatter", True))
        self.assertEqual(chart["elements"][0]["points"], [[1, 3], [2, 4]])

    def test_bar(self):
        chart = self.chart("plt.bar(['a', 'b'], [1, 2]);")
        self.assertEqual((chart["type"], chart["exact"]), ("bar", True))
        self.assertEqual(
            [(e["label"], e["group"], e["value"]) for e in chart["elements"]],
            [("a", "Group 0", 1), ("b", "Group 0", 2)],
        )

    def test_horizontal_bars_swap_the_labels(self):
        chart = self.chart("plt.barh(['a', 'b'], [2, 2]); plt.xlabel('X'); plt.ylabel('Y');")
        self.assertEqual((chart["x_label"], chart["y_label"]), ("Y", "X"))
        self.assertEqual([(e["label"], e["value"]) for e in chart["elements"]], [("a", 2), ("b", 2)])

    def test_pie(self):
        chart = self.chart("plt.pie([1, 3], labels=['a', 'b']);")
        self.assertEqual((chart["type"], chart["exact"]), ("pie", True))
        self.assertEqual([(e["label"], round(e["angle"])) for e in chart["elements"]], [("a", 90), ("b", 270)])

    def test_box(self):
        chart = self.chart("plt.boxplot([[1, 2, 3, 4, 5, 20], [2, 2, 3]], labels=['a', 'b']);")
        self.assertEqual((chart["type"], chart["exact"]), ("box_and_whisker", True))
        first = chart["elements"][0]
        self.assertEqual(
            [first[k] for k in ("label", "min", "first_quartile", "median", "third_quartile", "max", "outliers")],
            ["a", 1, 2.25, 3.5, 4.75, 5, [20]],
        )

    def test_several_axes_make_a_superchart(self):
        chart = self.chart("fig, (a, b) = plt.subplots(1, 2); a.plot([1]); b.bar(['x'], [1]); fig.suptitle('S');")
        self.assertEqual((chart["type"], chart["title"]), ("superchart", "S"))
        self.assertEqual([e["type"] for e in chart["elements"]], ["line", "bar"])

    def test_what_the_model_cannot_say_is_not_exact(self):
        for code in (
            "plt.bar([1, 2], [1, 2]); plt.bar([1, 2], [1, 2], bottom=[1, 2]);",
            "plt.hist([1, 2, 2, 3]);",
            "plt.plot([1, 2]); plt.axhline(1.5);",
            "plt.plot([1, 2]); plt.text(0, 1, 'note');",
            "plt.imshow([[1, 2], [3, 4]]);",
            "plt.contour([[1, 2], [3, 4]]);",
            "plt.errorbar([1, 2], [1, 2], yerr=0.1);",
            "plt.polar([1, 2], [1, 2]);",
            "plt.fill_between([1, 2], [1, 2]);",
            "plt.step([1, 2], [1, 2]);",
            "plt.scatter([1, 2], [1, 2], c=[1, 2]);",
        ):
            with self.subTest(code):
                self.assertFalse(self.chart(code)["exact"])
