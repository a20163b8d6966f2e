"""The Bash runner."""

import os
import pathlib
import tempfile
import time
import unittest

from conformance import Conformance
from languages import BASH, Bash, is_installed, quote


@unittest.skipUnless(is_installed(BASH), "Bash is not installed.")
class Shared(Conformance, unittest.TestCase):
    language = Bash


@unittest.skipUnless(is_installed(BASH), "Bash is not installed.")
class BashCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runner = Bash()

    @classmethod
    def tearDownClass(cls):
        cls.runner.close()

    def stdout(self, code, status="ok", **kwargs):
        outcome = self.runner.run(code, timeout=20, **kwargs)
        self.assertEqual(outcome.status, status, outcome.items)
        return outcome.stdout


class Cells(BashCase):
    def test_exit_codes(self):
        for code, expected in (
            ("true", 0),
            ("false", 1),
            ("(exit 7)", 7),
            ("no_such_command_x", 127),
            ("return 5", 5),
            ("set -o pipefail; false | true; r=$?; set +o pipefail; (exit $r)", 1),
            ("/etc/passwd", 126),
        ):
            with self.subTest(code):
                done = self.runner.run(code).done
                self.assertEqual((done["code"], done["status"]), (expected, "error" if expected else "ok"))
                if expected:
                    self.assertEqual(
                        (done["ename"], done["evalue"]), ("ExitError", "Process exited with code %d" % expected)
                    )

    def test_all_kinds_of_state_live_over_cells(self):
        self.stdout(
            "x=5; f() { echo \"f $x $1\"; }; alias hi='echo alias'; declare -A m=([k]=v); a=(1 'two words' 3); declare -i n=4; set -f; shopt -s nullglob"
        )
        self.assertEqual(
            self.stdout(
                'f y; hi; echo ${m[k]} "${a[1]}"; n+=1; echo $n; [[ $- == *f* ]] && echo noglob; set +f; shopt -u nullglob'
            ),
            "f 5 y\nalias\nv two words\n5\nnoglob\n",
        )

    def test_syntax_error_is_harmless(self):
        outcome = self.runner.run("if true; fi", label="cell [4]")
        self.assertEqual(outcome.done["code"], 2)
        self.assertIn("cell [4]: ", outcome.stderr)
        self.assertEqual(self.stdout("echo alive"), "alive\n")

    def test_error_texts_name_the_cell(self):
        self.assertEqual(self.runner.run("nope", label="cell [3]").stderr, "cell [3]: nope: command not found\n")

    def test_here_documents_and_redirections(self):
        self.assertEqual(self.stdout("x=1\ncat <<E\nhere $x\nE\ncat <<< str"), "here 1\nstr\n")
        outcome = self.runner.run("echo e > /dev/stderr; echo o > /dev/stdout")
        self.assertEqual((outcome.stdout, outcome.stderr), ("o\n", "e\n"))

    def test_traced_cell_shows_its_own_commands_only(self):
        self.assertEqual(self.runner.run("set -x\necho a").stderr.lstrip("+"), " echo a\n")
        outcome = self.runner.run("echo b")
        self.assertEqual((outcome.stderr.lstrip("+"), outcome.stdout), (" echo b\n", "b\n"))
        self.runner.run("set +x")
        self.assertEqual(self.runner.run("echo c").stderr, "")

    def test_unset_variable_option_holds(self):
        self.runner.run("set -u")
        self.assertNotEqual(self.runner.run("echo $no_such_variable_x").status, "ok")
        self.runner.run("set +u")
        self.assertEqual(self.stdout("echo [$no_such_variable_x]"), "[]\n")

    def test_children_inherit_nothing_of_the_runner(self):
        listed = self.stdout("python3 -c 'import os; print(sorted(map(int, os.listdir(\"/proc/self/fd\"))))'")
        self.assertEqual(listed, "[0, 1, 2, 3]\n")

    def test_own_redirection_of_the_shell_lasts_and_breaks_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            self.stdout("exec 7>&1 1>%s/out; echo to file" % folder)
            self.assertEqual(self.stdout("echo more"), "")
            self.stdout("exec 1>&7 7>&-")
            self.assertEqual(pathlib.Path(folder, "out").read_text(), "to file\nmore\n")
        self.assertEqual(self.stdout("echo back"), "back\n")

    def test_cell_reports_its_folder(self):
        done = self.runner.run('mkdir -p "/tmp/sf \\"q\\""; cd "/tmp/sf \\"q\\""').done
        self.assertEqual(done["cwd"], '/tmp/sf "q"')
        self.stdout("cd /; rmdir '/tmp/sf \"q\"'")

    def test_environment_of_a_run_meets_a_variable_of_the_same_name(self):
        self.stdout("name=mine; undo=mine")
        self.assertEqual(
            self.stdout("echo $name; bash -c 'echo $name'", env={"name": "a'b", "undo": "x"}), "a'b\na'b\n"
        )
        self.assertEqual(self.stdout("echo $name $undo; bash -c 'echo [$name]'"), "mine mine\n[]\n")

    def test_background_job_lives_over_cells(self):
        self.stdout("sleep 30 & job=$!")
        self.assertEqual(self.stdout("kill -0 $job && echo lives; kill $job; wait $job 2>/dev/null; true"), "lives\n")


class Leaving(BashCase):
    def test_exit_keeps_the_whole_state(self):
        self.stdout(
            "x=5; export Y=$'a\\nb'; readonly R=1; f() { echo f; }; export -f f; alias hi='echo hi'; declare -A m=([k]='v w'); a=(1 2); cd /usr; umask 027"
        )
        pid = self.stdout("echo $$")
        for code in ("exit 42", "f2() { exit 42; }; f2", "set -e; (exit 42); echo no"):
            with self.subTest(code):
                outcome = self.runner.run(code)
                self.assertEqual(
                    (outcome.status, outcome.done["code"], outcome.stdout, outcome.stderr), ("exit", 42, "", "")
                )
                shown = self.stdout("echo $x \"$Y\" $R ${m[k]} ${a[1]} $PWD $(umask); f; hi; bash -c 'f; echo $Y'")
                self.assertEqual(shown, "5 a\nb 1 v w 2 /usr 0027\nf\nhi\nf\na b\n")
                self.assertEqual(self.stdout("echo $$"), pid)

    def test_exit_runs_the_trap_once(self):
        outcome = self.runner.run("trap 'echo bye' EXIT; echo in; exit 3")
        self.assertEqual((outcome.status, outcome.stdout), ("exit", "in\nbye\n"))
        self.assertEqual(self.runner.run("exit 4").stdout, "")

    def test_exit_in_a_subshell_is_its_own(self):
        self.assertEqual(self.stdout("(exit 3); echo $?; x=$(exit 4); echo $?"), "3\n4\n")

    def test_interrupt_works_after_exit(self):
        self.runner.run("exit 0")
        execution = self.runner.start("sleep 30")
        self.runner.wait_for("started")
        time.sleep(0.3)
        self.assertEqual(self.runner.interrupted(execution).status, "interrupted")

    def test_saved_state_is_restored_in_another_shell(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "state 1")
            self.stdout("saved=yes; declare -A sm=([k]=v); sf() { echo sf $saved; }; cd /usr/bin")
            self.assertGreater(self.runner.request("save", file)["bytes"], 100)
            other = Bash()
            self.assertNotIn("error", other.request("load", file))
            self.assertEqual(other.run("sf; echo ${sm[k]} $PWD").stdout, "sf yes\nv /usr/bin\n")
            self.assertIn("cannot be read", other.request("load", file + "x")["error"])
            other.close()

    def test_checkpoint_has_the_state_from_before_the_next_cell(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "state 1")
            self.stdout("k=1; cd /usr")
            self.runner.write_line("__sf_checkpoint 900 %s" % quote(file))
            self.assertEqual(self.runner.wait_for("checkpoint").done["inexact"], [])
            self.stdout("k=2; cd /")
            other = Bash()
            self.assertNotIn("error", other.request("load", file))
            self.assertEqual(other.run("echo $k $PWD").stdout, "1 /usr\n")
            other.close()

    def test_checkpoint_names_background_jobs(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "state")
            self.stdout("sleep 60 & job=$!")
            self.runner.write_line("__sf_checkpoint 901 %s" % quote(file))
            self.assertEqual(self.runner.wait_for("checkpoint").done["inexact"], ["children"])
            self.stdout("kill $job; wait $job 2>/dev/null; true")

    def test_checkpoint_that_cannot_be_written_says_so(self):
        self.runner.write_line("__sf_checkpoint 902 /proc/none/state")
        self.assertIn("could not be written", self.runner.wait_for("checkpoint").done["error"])


class Interrupts(BashCase):
    def test_each_kind_is_interrupted(self):
        self.stdout("kept=41")
        for code in (
            "yes | sort >/dev/null",
            "wait_here() { while :; do sleep 1; done; }; wait_here",
            "x=$(sleep 30)",
            "(sleep 30)",
            "yes",
        ):
            with self.subTest(code):
                execution = self.runner.start(code)
                self.runner.wait_for("started")
                time.sleep(0.3)
                began = time.monotonic()
                self.assertEqual(self.runner.interrupted(execution).status, "interrupted")
                self.assertLess(time.monotonic() - began, 3)
                self.assertEqual(self.stdout("echo $kept"), "41\n")

    def test_own_trap_runs_and_the_cell_goes_on(self):
        execution = self.runner.start("trap 'echo caught' INT; sleep 1; echo after")
        self.runner.wait_for("started")
        time.sleep(0.3)
        outcome = self.runner.interrupted(execution)
        self.assertEqual((outcome.status, outcome.stdout), ("ok", "caught\nafter\n"))
        self.stdout("trap - INT")


class Reading(BashCase):
    def ask(self, code):
        self.runner.start(code)
        return self.runner.wait_for("input_request").done

    def test_forms_of_read(self):
        for code, prompt, password, answer, expected in (
            ("read -p 'Name? ' n; echo $n", "Name? ", False, "Bo", "Bo\n"),
            ("read -rsp 'Key: ' n; echo ${#n}", "Key: ", True, "secret", "6\n"),
            ("read -a parts; echo ${parts[1]}", "", False, "a b c", "b\n"),
            ("IFS=, read a b; echo $b", "", False, "1,2", "2\n"),
            ("f() { local v; read v; echo got $v; }; f", "", False, "x", "got x\n"),
            ("echo $(read v; echo sub $v)", "", False, "y", "sub y\n"),
            ("read; echo $REPLY", "", False, "all of it", "all of it\n"),
        ):
            with self.subTest(code):
                request = self.ask(code)
                self.assertEqual((request["prompt"], request["password"]), (prompt, password))
                self.runner.answer(answer)
                self.assertEqual(self.runner.wait_for("done").stdout, expected)

    def test_reading_elsewhere_asks_nobody(self):
        outcome = self.runner.run(
            "while read l; do echo \"<$l>\"; done < <(printf 'a\\nb\\n'); echo x | { read y; echo $y; }; read z <<< here; echo $z"
        )
        self.assertEqual((outcome.stdout, outcome.events("input_request")), ("<a>\n<b>\nx\nhere\n", []))

    def test_child_process_reads_the_answer(self):
        self.runner.start("head -n 1")
        self.runner.wait_for("started")
        self.runner.answer("to the child")
        self.assertEqual(self.runner.wait_for("done").stdout, "to the child\n")


class Look(BashCase):
    def test_variables(self):
        self.runner.close()
        type(self).runner = Bash()
        self.stdout(
            "v_text='a \"b\"'; v_arr=(1 2 3); declare -A v_map=([k]=v); export v_exp=1; declare -i v_int=5; name=n; text=t"
        )
        entries = {entry["name"]: entry for entry in self.runner.request("vars")["vars"]}
        self.assertEqual(set(entries), {"v_text", "v_arr", "v_map", "v_exp", "v_int", "name", "text"})
        self.assertEqual(
            (entries["v_text"]["value"], entries["name"]["value"], entries["text"]["value"]), ('a "b"', "n", "t")
        )
        self.assertEqual((entries["v_arr"]["type"], entries["v_arr"]["shape"]), ("array", [3]))
        self.assertEqual(
            [entries[n]["type"] for n in ("v_map", "v_exp", "v_int")], ["map", "string (exported)", "integer"]
        )

    def test_pages(self):
        self.stdout("p_arr=(a b c d); declare -A p_map=([k]=v); p_text=hello")
        self.assertEqual(
            self.runner.request("get", "p_arr", "1", "2")["rows"], [[1, "string", "b"], [2, "string", "c"]]
        )
        self.assertEqual(self.runner.request("get", "p_map")["rows"], [["k", "string", "v"]])
        self.assertEqual(self.runner.request("get", "p_text", "1", "3")["text"], "ell")
        self.assertIn("no variable", self.runner.request("get", "zz'$(touch /tmp/x)")["error"])

    def test_completion(self):
        self.stdout("long_variable=1; long_function() { :; }; cd /")
        for code, text, kind, start in (
            ("echo $long_v", "long_variable", "variable", 6),
            ("long_f", "long_function", "function", 0),
            ("true; ech", "echo", "command", 6),
            ("ls /us", "/usr/", "folder", 3),
            ("echo é$long_v", "long_variable", "variable", 7),
        ):
            with self.subTest(code):
                reply = self.runner.request("complete", code, str(len(code)))
                self.assertIn({"text": text, "type": kind}, reply["matches"])
                self.assertEqual((reply["start"], reply["end"]), (start, len(code)))
