"""The Python runner: `%`, `!` and `?` lines, in a Python without any package and with IPython where it is installed."""

import os
import subprocess
import sys
import tempfile
import unittest

from languages import PYTHON, Python
from test_python_values import has_module


class MagicCases:
    """Mix-in: what both forms must do."""

    def run_ok(self, code):
        outcome = self.runner.run(code)
        self.assertEqual(outcome.status, "ok", outcome.items)
        return outcome

    def test_shell_line(self):
        self.assertEqual(self.run_ok("name = 'you'\n!echo hello {name}").stdout, "hello you\n")

    def test_shell_lines_among_python(self):
        outcome = self.run_ok("for i in range(2):\n    !echo {i}\nprint('end')")
        self.assertEqual(outcome.stdout, "0\n1\nend\n")

    def test_shell_output_assigned(self):
        self.run_ok("lines = !printf 'a\\nb\\n'")
        self.assertEqual(self.run_ok("list(lines)").result["application/json"], ["a", "b"])

    def test_text_in_strings_and_expressions_is_left_alone(self):
        code = "s = '''\n!not a command\n%not a magic\n'''\nx = (5\n% 3)\n!echo run\nprint(s.count('\\n'), x)"
        self.assertEqual(self.run_ok(code).stdout, "run\n3 2\n")

    def test_directory_and_environment(self):
        self.run_ok("%cd /usr")
        self.assertEqual(self.run_ok("import os\nos.getcwd()").result["application/json"], "/usr")
        self.run_ok("%env SF_MAGIC=5")
        self.assertEqual(self.run_ok("!echo $SF_MAGIC").stdout, "5\n")

    def test_time_gives_the_value(self):
        outcome = self.run_ok("%time 6*7")
        self.assertEqual(outcome.result["text/plain"], "42")
        self.assertIn("Wall time", outcome.stdout)

    def test_time_of_a_cell_keeps_its_variables(self):
        self.run_ok("%%time\ntimed = 5")
        self.assertEqual(self.run_ok("timed").result["text/plain"], "5")

    def test_timeit(self):
        self.assertIn("per loop", self.run_ok("%timeit -n 10 1+1" if self.is_ipython else "%timeit 1+1").stdout)

    def test_bash_cell(self):
        self.assertEqual(self.run_ok("%%bash\nx=5\necho $x").stdout, "5\n")

    def test_matplotlib_inline_is_harmless(self):
        if not self.is_ipython:
            self.run_ok("%matplotlib inline")

    def test_html_cell(self):
        self.assertEqual(self.run_ok("%%html\n<b>x</b>").events("display")[0]["data"]["text/html"].strip(), "<b>x</b>")

    def test_help(self):
        self.run_ok("def helped(a, b=1):\n    'Helps.'")
        for code in ("helped?", "?helped"):
            with self.subTest(code):
                text = self.run_ok(code).events("display")[0]["data"]["text/plain"]
                self.assertIn("helped(a, b=1)", text)
                self.assertIn("Helps.", text)

    def test_pip_runs_for_this_interpreter(self):
        outcome = self.runner.run("%pip --version")
        self.assertIn("pip", outcome.stdout + outcome.stderr + str(outcome.done))

    def test_unknown_magic_is_an_error(self):
        outcome = self.runner.run("%no_such_magic_x")
        self.assertIn("no_such_magic_x", str(outcome.done) + outcome.stderr)

    def test_plain_syntax_error_stays_one(self):
        outcome = self.runner.run("x = = 5 % 3")
        self.assertEqual(outcome.done["ename"], "SyntaxError")

    def test_error_after_a_magic_names_the_line(self):
        outcome = self.runner.run("!true\n1/0", label="cell [9]")
        self.assertIn('File "cell [9]", line 2', outcome.done["traceback"])


class WithoutPackages(MagicCases, unittest.TestCase):
    is_ipython = False

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", cls.folder.name], check=True, stdout=sys.stderr)
        cls.runner = Python(python=os.path.join(cls.folder.name, "bin", "python3"))

    @classmethod
    def tearDownClass(cls):
        cls.runner.close()
        cls.folder.cleanup()

    def test_display_names_of_ipython_work(self):
        outcome = self.run_ok(
            "from IPython.display import display, HTML, Image, clear_output\ndisplay(HTML('<i>'))\nImage(data=b'\\x89PNG', format='png')"
        )
        self.assertEqual(outcome.events("display")[0]["data"]["text/html"], "<i>")
        self.assertIn("image/png", outcome.result)

    def test_stand_in_is_not_seen_by_other_modules(self):
        self.assertEqual(
            self.run_ok("import importlib.util\nimportlib.util.find_spec('IPython') is None").result[
                "application/json"
            ],
            True,
        )


@unittest.skipUnless(has_module("IPython"), "IPython is not installed.")
class WithIPython(MagicCases, unittest.TestCase):
    is_ipython = True

    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.runner = Python(env={"HOME": cls.home.name})

    @classmethod
    def tearDownClass(cls):
        cls.runner.close()
        cls.home.cleanup()
