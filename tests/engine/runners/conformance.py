"""What every runner must do; the test modules of the languages mix this in."""

import time

from shared_cells import ASK, CELLS, CHILD, LOOP, SET_STATE, SHOW_STATE, SHOW_VARIABLE, SLEEP


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
        never_reads = {
            "python": SLEEP["python"],
            "javascript": "prompt('x'); " + SLEEP["javascript"],
            "bash": SLEEP["bash"],
        }
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
