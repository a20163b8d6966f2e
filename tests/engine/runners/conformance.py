"""The cells that every runner must treat alike: one table, a column for each language."""

import os
import time
import unittest

# name: {language: code}, then what must come of it. A language that has no such thing has no column.
CELLS = [
    ("stdout_line_arrives", {"python": "print('hi')", "javascript": "console.log('hi')", "bash": "echo hi"}, {"stdout": "hi\n"}),
    (
        "stderr_line_arrives",
        {"python": "import sys; print('hi', file=sys.stderr)", "javascript": "console.error('hi')", "bash": "echo hi >&2"},
        {"stderr": "hi\n"},
    ),
    (
        "text_without_newline_arrives",
        {"python": "print('hi', end='')", "javascript": "process.stdout.write('hi')", "bash": "printf hi"},
        {"stdout": "hi"},
    ),
    (
        "child_output_is_captured",
        {
            "python": "import subprocess; _ = subprocess.run(['sh', '-c', 'echo out; echo err >&2'])",
            "javascript": "void require('child_process').spawnSync('sh', ['-c', 'echo out; echo err >&2'], {stdio: 'inherit'})",
            "bash": "sh -c 'echo out; echo err >&2'",
        },
        {"stdout": "out\n", "stderr": "err\n"},
    ),
    (
        "own_text_comes_before_child_text",
        {
            "python": "import os; print('a', end=''); _ = os.system('echo b')",
            "javascript": "process.stdout.write('a'); void require('child_process').spawnSync('echo', ['b'], {stdio: 'inherit'})",
            "bash": "printf a; sh -c 'echo b'",
        },
        {"stdout": "ab\n"},
    ),
    (
        "utf8_survives",
        {"python": "print('é😀한')", "javascript": "console.log('é😀한')", "bash": "echo 'é😀한'"},
        {"stdout": "é😀한\n"},
    ),
    (
        "lone_surrogate_becomes_replacement",
        {"python": "print('a\\ud800b')", "javascript": "console.log('a\\ud800b')"},
        {"stdout": "a\ufffdb\n"},
    ),
    (
        "binary_bytes_do_no_harm",
        {
            "python": "import os; _ = os.write(1, bytes(range(256)))",
            "javascript": "void require('fs').writeSync(1, Buffer.from(Array.from({length: 256}, (_, i) => i)))",
            "bash": "head -c 256 /dev/urandom",
        },
        {},
    ),
    (
        "many_lines_are_complete",
        {
            "python": "for i in range(10000): print(i)",
            "javascript": "for (let i = 0; i < 10000; i++) console.log(i)",
            "bash": "for ((i = 0; i < 10000; i++)); do echo $i; done",
        },
        {"stdout": "".join("%d\n" % i for i in range(10000))},
    ),
    (
        "long_line_is_complete",
        {"python": "print('x' * 3000000)", "javascript": "console.log('x'.repeat(3000000))", "bash": "head -c 3000000 /dev/zero | tr '\\0' x; echo"},
        {"stdout": "x" * 3000000 + "\n"},
    ),
    ("forged_mark_is_text", {"python": "print('\\0\\x1eM' + '0' * 16 + '0000000f\\x1e')", "bash": "printf '\\0\\036M00000000000000000000000f\\036\\n'"},
     {"stdout": "\0\x1eM" + "0" * 16 + "0000000f\x1e\n"}),
    ("number_is_the_value", {"python": "6*7", "javascript": "6*7"}, {"json": 42, "plain": "42"}),
    ("text_is_the_value", {"python": "'abc'", "javascript": "'abc'"}, {"json": "abc", "plain": "'abc'"}),
    ("boolean_is_the_value", {"python": "True", "javascript": "true"}, {"json": True}),
    ("float_is_the_value", {"python": "1.5", "javascript": "1.5"}, {"json": 1.5, "plain": "1.5"}),
    ("list_is_the_value", {"python": "[1, 'a', None]", "javascript": "[1, 'a', null]"}, {"json": [1, "a", None]}),
    ("mapping_is_the_value", {"python": "{'a': {'b': 1}}", "javascript": "({a: {b: 1}})"}, {"json": {"a": {"b": 1}}}),
    ("not_a_number_has_no_json", {"python": "float('nan')", "javascript": "NaN"}, {"json": None, "mimes": {"text/plain"}}),
    ("nothing_has_no_result", {"python": "None", "javascript": "undefined"}, {"mimes": None}),
    ("assignment_has_no_result", {"python": "a = 5", "javascript": "var a = 5"}, {"mimes": None}),
    ("value_of_several_lines", {"python": "[\n 1,\n 2,\n]", "javascript": "[\n 1,\n 2,\n]"}, {"json": [1, 2]}),
    ("text_of_five_megabytes", {"python": "'x' * 5000000", "javascript": "'x'.repeat(5000000)"}, {"json": "x" * 5000000}),
    ("too_large_display_is_cut_short", {
        "python": "class H:\n    def _repr_html_(self): return 'x' * 70_000_000\n    def __repr__(self): return 'H'\nH()",
        "javascript": "({_repr_html_: () => 'x'.repeat(70000000)})",
    }, {"mimes": {"text/plain"}}),
    ("top_level_await", {"python": "import asyncio\nawait asyncio.sleep(0.01, 7)", "javascript": "await new Promise(r => setTimeout(() => r(7), 10))"}, {"json": 7}),
    ("value_has_own_html", {
        "python": "class H:\n    def _repr_html_(self): return '<b>x</b>'\nH()",
        "javascript": "({_repr_html_: () => '<b>x</b>'})",
    }, {"html": "<b>x</b>"}),
    ("statement_runs_once", {"python": "print('once')", "javascript": "console.log('once')", "bash": "echo once"}, {"stdout": "once\n"}),
    ("exception_is_an_error", {"python": "raise ValueError('no')", "javascript": "throw new RangeError('no')", "bash": "(exit 7)"}, {"status": "error"}),
    ("syntax_error_is_an_error", {"python": "x ===", "javascript": "let x = ;", "bash": "if x; fi"}, {"status": "error"}),
    ("state_lives_after_errors", {"python": "1", "javascript": "1", "bash": "true"}, {"status": "ok"}),
    ("own_exit_keeps_the_context", {"python": "import sys; sys.exit(3)", "javascript": "process.exit(3)", "bash": "exit 3"}, {"status": "exit", "code": 3}),
    ("empty_cell_is_ok", {"python": "", "javascript": "", "bash": ""}, {"status": "ok", "mimes": None}),
    ("comment_is_ok", {"python": "# c", "javascript": "// c", "bash": "# c"}, {"status": "ok", "mimes": None}),
    ("many_shell_quotes_survive", {"python": "print('\\'\"$`!')", "javascript": "console.log('\\'\"$`!')", "bash": "echo \\'\\\"\\$\\`!"}, {"stdout": "'\"$`!\n"}),
    ("nonce_is_hidden", {
        "python": "import os; print(sorted(k for k in os.environ if k.startswith('SANDFISH')))",
        "javascript": "console.log(Object.keys(process.env).filter(k => k.startsWith('SANDFISH')))",
        "bash": "echo \"[$(env | grep ^SANDFISH)]\"",
    }, {"stdout": "[]\n"}),
]

SHOW_VARIABLE = {
    "python": "import os; print(os.environ.get('SF_TEST'))",
    "javascript": "console.log(process.env.SF_TEST ?? 'None')",
    "bash": "echo ${SF_TEST-None}; bash -c 'echo ${SF_TEST-None}' >/dev/null",
}
SET_STATE = {"python": "kept = 41", "javascript": "const kept = 41", "bash": "kept=41; keeper() { echo in $kept; }; alias k='echo alias'"}
SHOW_STATE = {"python": "print(kept)", "javascript": "console.log(kept)", "bash": "echo $kept"}
LOOP = {"python": "while True: pass", "javascript": "for (;;);", "bash": "while :; do :; done"}
SLEEP = {"python": "import time; time.sleep(30)", "javascript": "await new Promise(r => setTimeout(r, 30000))", "bash": "sleep 30"}
CHILD = {
    "python": "import subprocess; subprocess.run(['sleep', '30'])",
    "javascript": "require('child_process').execSync('sleep 30')",
    "bash": "sh -c 'sleep 30' | cat",
}
ASK = {
    "python": "print('got', input('name? '))",
    "javascript": "console.log('got', prompt('name? '))",
    "bash": "read -p 'name? ' answer; echo got $answer",
}


class Conformance:
    """Mix-in: `language` is the class that starts the runner."""

    language = None

    @classmethod
    def setUpClass(cls):
        cls.runner = cls.language()

    @classmethod
    def tearDownClass(cls):
        cls.runner.close()

    def code(self, column):
        return column[self.language.name]

    def check(self, outcome, expected):
        self.assertEqual(outcome.status, expected.get("status", "ok"), outcome.items)
        for stream in ("stdout", "stderr"):
            if stream in expected:
                self.assertEqual(getattr(outcome, stream), expected[stream])
        result = outcome.result
        if "mimes" in expected:
            self.assertEqual(result and set(result), expected["mimes"])
        for member, mime in (("json", "application/json"), ("plain", "text/plain"), ("html", "text/html")):
            if member in expected:
                self.assertEqual((result or {}).get(mime), expected[member])
        if "code" in expected:
            self.assertEqual(outcome.done["code"], expected["code"])

    def test_shared_cells(self):
        for name, columns, expected in CELLS:
            if self.language.name in columns:
                with self.subTest(name):
                    self.check(self.runner.run(self.code(columns)), expected)

    def test_ready_announces_itself(self):
        ready = self.runner.ready
        self.assertEqual(ready["lang"], self.language.name)
        self.assertEqual(ready["pid"], self.runner.process.pid)
        self.assertIsInstance(ready["features"], list)
        self.assertRegex(ready["version"], r"^\d+\.\d+")

    def test_events_frame_the_execution(self):
        outcome = self.runner.run(SHOW_VARIABLE[self.language.name])
        self.assertEqual(outcome.items[0][0], "started")
        self.assertEqual(outcome.items[-1][0], "done")
        self.assertEqual(outcome.items[0][1]["id"], outcome.done["id"])
        self.assertLess(outcome.items[0][1]["mark"], outcome.done["mark"])
        self.assertIsInstance(outcome.done["ms"], (int, float))

    def test_environment_holds_for_one_run(self):
        for sets in (None, "with 'quotes' and $HOME", "second"):
            outcome = self.runner.run(self.code(SHOW_VARIABLE), env={"SF_TEST": sets} if sets else {})
            self.assertEqual(outcome.stdout, "%s\n" % sets)
        self.assertEqual(self.runner.run(self.code(SHOW_VARIABLE)).stdout, "None\n")

    def test_environment_is_restored_after_error(self):
        self.runner.run(self.code({"python": "1/0", "javascript": "null.x", "bash": "exit 1"}), env={"SF_TEST": "x"})
        self.assertEqual(self.runner.run(self.code(SHOW_VARIABLE)).stdout, "None\n")

    def test_state_lives_over_cells(self):
        self.runner.run(self.code(SET_STATE))
        self.assertEqual(self.runner.run(self.code(SHOW_STATE)).stdout, "41\n")

    def test_working_directory_lives_over_cells(self):
        move = {"python": "import os; os.chdir('/usr')", "javascript": "process.chdir('/usr')", "bash": "cd /usr"}
        show = {"python": "print(os.getcwd())", "javascript": "console.log(process.cwd())", "bash": "pwd"}
        self.runner.run(self.code(move))
        self.assertEqual(self.runner.run(self.code(show)).stdout, "/usr\n")

    def interrupt(self, column, text=None):
        self.runner.run(self.code(SET_STATE))
        execution = self.runner.start(self.code(column))
        self.runner.wait_for("started")
        time.sleep(0.3)
        began = time.monotonic()
        outcome = self.runner.interrupted(execution)
        self.assertEqual(outcome.status, "interrupted", outcome.items)
        self.assertLess(time.monotonic() - began, 5)
        self.assertEqual(self.runner.run(self.code(SHOW_STATE)).stdout, "41\n")

    def test_interrupt_ends_a_loop_and_keeps_the_state(self):
        self.interrupt(LOOP)

    def test_interrupt_ends_a_wait_and_keeps_the_state(self):
        self.interrupt(SLEEP)

    def test_interrupt_ends_a_child_and_keeps_the_state(self):
        self.interrupt(CHILD)

    def test_interrupt_ends_a_question_and_keeps_the_state(self):
        self.runner.run(self.code(SET_STATE))
        execution = self.runner.start(self.code(ASK))
        self.runner.wait_for("input_request")
        self.assertEqual(self.runner.interrupted(execution).status, "interrupted")
        self.assertEqual(self.runner.run(self.code(SHOW_STATE)).stdout, "41\n")

    def test_late_interrupt_never_hits_the_next_cell(self):
        quick = {"python": "1", "javascript": "1", "bash": ":"}
        for _ in range(30):
            execution = self.runner.start(self.code(quick))
            self.runner.wait_for("started")
            outcome = self.runner.interrupted(execution)
            self.assertIn(outcome.status, ("ok", "interrupted"))
            self.assertEqual(self.runner.run(self.code(SHOW_VARIABLE)).status, "ok")

    def test_question_is_asked_and_answered(self):
        self.runner.start(self.code(ASK))
        request = self.runner.wait_for("input_request").done
        self.assertEqual((request["prompt"], request["password"]), ("name? ", False))
        self.runner.answer("Zoë")
        self.assertEqual(self.runner.wait_for("done").stdout, "got Zoë\n")

    def test_late_answer_is_for_no_later_question(self):
        never_reads = {"python": SLEEP["python"], "javascript": "prompt('x'); " + SLEEP["javascript"], "bash": SLEEP["bash"]}
        execution = self.runner.start(self.code(never_reads))
        self.runner.wait_for("started")
        self.runner.answer("first")
        time.sleep(0.3)
        self.runner.answer("stale")
        self.assertEqual(self.runner.interrupted(execution).status, "interrupted")
        self.runner.start(self.code(ASK))
        self.runner.wait_for("input_request")
        self.runner.answer("fresh")
        self.assertEqual(self.runner.wait_for("done").stdout, "got fresh\n")

    def test_late_process_output_comes_after_done(self):
        late = {
            "python": "import subprocess; _ = subprocess.Popen('sleep 0.2; echo late', shell=True)",
            "javascript": "void require('child_process').spawn('sh', ['-c', 'sleep 0.2; echo late'], {stdio: 'inherit'})",
            "bash": "(sleep 0.2; echo late) &",
        }
        self.assertEqual(self.runner.run(self.code(late)).stdout, "")
        pieces = self.runner.wait_for(timeout=10, until=bool)
        self.assertEqual(pieces.stdout, "late\n")

    def test_marks_survive_a_closed_output(self):
        close = {"python": "import os; os.close(2)", "javascript": "require('fs').closeSync(2)", "bash": "exec 2>&-"}
        runner = self.language()
        try:
            runner.run(self.code(close))
            self.assertEqual(runner.run(self.code(SHOW_VARIABLE)).stdout, "None\n")
        finally:
            runner.close()

    def test_killed_runner_delivers_its_text_first(self):
        kill = {
            "python": "import os; print('before'); os.kill(os.getpid(), 9)",
            "javascript": "console.log('before'); process.kill(process.pid, 'SIGKILL')",
            "bash": "echo before; kill -9 $$",
        }
        runner = self.language()
        try:
            outcome = runner.run(self.code(kill))
            self.assertEqual((outcome.done["ev"], outcome.stdout), ("eof", "before\n"))
            self.assertEqual(runner.process.wait(), -9)
        finally:
            runner.close()

    def test_runner_ends_with_the_control_channel(self):
        if self.language.name == "bash":
            self.skipTest("Bash ends with its command pipe, which the engine closes too.")
        runner = self.language()
        runner.control.shutdown(2)
        runner.process.wait(timeout=10)
        runner.close()
