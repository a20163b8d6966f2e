"""The JavaScript runner."""

import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from conformance import Conformance
from languages import NODE, JavaScript, is_installed


@unittest.skipUnless(is_installed(NODE), "Node.js is not installed.")
class Shared(Conformance, unittest.TestCase):
    language = JavaScript


@unittest.skipUnless(is_installed(NODE), "Node.js is not installed.")
class JavaScriptCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runner = JavaScript()

    @classmethod
    def tearDownClass(cls):
        cls.runner.close()

    def run_ok(self, code, **kwargs):
        outcome = self.runner.run(code, **kwargs)
        self.assertEqual(outcome.status, "ok", outcome.items)
        return outcome

    def json(self, code):
        return self.run_ok(code).result["application/json"]

    def error(self, code, **kwargs):
        outcome = self.runner.run(code, **kwargs)
        self.assertEqual(outcome.status, "error")
        return outcome.done


class Cells(JavaScriptCase):
    def test_declarations_can_be_repeated(self):
        for kind in ("const v = 1; class C {}; let w = 1", "const v = 2; class C { x = 1 }; let w = 2"):
            self.run_ok(kind)
        self.assertEqual(self.json("[v, w, new C().x]"), [2, 2, 1])

    def test_await_forms(self):
        self.assertEqual(self.json("const a = await Promise.resolve(3); a + 1"), 4)
        code = "async function* g() { yield 1; yield 2 }\nlet sum = 0; for await (const x of g()) sum += x; sum"
        self.assertEqual(self.json(code), 3)

    def test_values_without_json(self):
        for code, plain in (
            ("10n", "10n"),
            ("-0", "-0"),
            ("Symbol('s')", "Symbol(s)"),
            ("new Map([[1, 2]])", "Map(1) { 1 => 2 }"),
            ("Infinity", "Infinity"),
            ("(() => 1)", "[Function (anonymous)]"),
            ("Promise.resolve(10n)", "Promise { 10n }"),
            ("new Promise(() => {})", "Promise { <pending> }"),
            ("const o = {}; o.o = o; o", "<ref *1> { o: [Circular *1] }"),
        ):
            with self.subTest(code):
                result = self.run_ok(code).result
                self.assertEqual(result["text/plain"], plain)
                self.assertTrue(code == "-0" or set(result) == {"text/plain"}, result)

    def test_null_is_a_value(self):
        self.assertEqual(self.run_ok("null").result, {"application/json": None, "text/plain": "null"})

    def test_table_of_objects(self):
        table = self.run_ok("[{a: 1, b: 'x'}, {a: 2, b: null}]").result["application/vnd.dataresource+json"]
        self.assertEqual(table["schema"]["fields"], [{"name": "a", "type": "integer"}, {"name": "b", "type": "string"}])
        self.assertEqual(table["totalRows"], 2)

    def test_own_display_methods(self):
        code = "({[Symbol.for('Jupyter.display')]: () => ({'text/x': 'y'}), _repr_png_: () => new Uint8Array([1, 2])})"
        result = self.run_ok(code).result
        self.assertEqual((result["text/x"], result["image/png"]), ("y", "AQI="))

    def test_display_clear_and_update(self):
        outcome = self.run_ok(
            "console.log(1); clearOutput(true); display('a', {display_id: 'd'}); display('b', {display_id: 'd', update: true})"
        )
        self.assertEqual([kind for kind, _ in outcome.order()], ["stdout", "clear", "display", "display"])
        self.assertEqual([e["update"] for e in outcome.events("display")], [False, True])

    def test_streams_and_displays_come_as_written(self):
        outcome = self.run_ok(
            "for (let i = 0; i < 1000; i++) { console.log('o', i); console.error('e', i); if (i % 100 == 0) display(i) }"
        )
        expected = []
        for i in range(1000):
            expected += [("stdout", "o %d\n" % i), ("stderr", "e %d\n" % i)] + (
                [("display", None)] if i % 100 == 0 else []
            )
        self.assertEqual(outcome.order(), expected)

    def test_order_holds_after_much_output(self):
        outcome = self.run_ok("for (let i = 0; i < 5000; i++) console.log(i); console.error('e'); console.log('end')")
        self.assertEqual([kind for kind, _ in outcome.order()], ["stdout", "stderr", "stdout"])

    def test_first_output_does_not_wait_for_the_end(self):
        self.runner.start("console.log('first'); await new Promise(r => setTimeout(r, 3000))")
        began = time.monotonic()
        self.runner.wait_for(until=bool, timeout=10)
        self.assertLess(time.monotonic() - began, 2)
        self.runner.wait_for("done")

    def test_silent_run_gives_no_result_and_is_not_counted(self):
        before = self.run_ok("1").done["n"]
        outcome = self.run_ok("2", silent=True)
        self.assertEqual((outcome.result, outcome.done["n"]), (None, before))

    def test_typescript_runs_or_says_what_is_missing(self):
        outcome = self.runner.run("const n: number = 5; n", lang="typescript")
        if "typescript" in self.runner.ready["features"]:
            self.assertEqual(outcome.result["application/json"], 5)
        else:
            self.assertIn("Node.js 22.13 or later", outcome.done["evalue"])


class Modules(JavaScriptCase):
    def test_import_forms(self):
        code = (
            "import fs, { readFileSync as read } from 'node:fs';\nimport * as path from 'path';\nimport 'node:os';\n"
            "const url = await import('node:url');\n[typeof fs.existsSync, typeof read, path.join('a', 'b'), typeof url.parse]"
        )
        self.assertEqual(self.json(code), ["function", "function", "a/b", "function"])

    def test_words_in_text_are_left_alone(self):
        code = "const s = `import x from 'y' ${1 + 1} import('z')`; // import q from 'r'\nconst re = /import('a')/; [s, re.source, 'import(1)']"
        self.assertEqual(self.json(code), ["import x from 'y' 2 import('z')", "import('a')", "import(1)"])

    def test_files_of_the_working_directory(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "own.mjs").write_text("export const x = 5; export default 6;")
            pathlib.Path(folder, "old.cjs").write_text("module.exports = 7;")
            self.run_ok("process.chdir(%r)" % folder)
            self.assertEqual(self.json("import d, { x } from './own.mjs'; [d, x, require('./old.cjs')]"), [6, 5, 7])
            self.run_ok("process.chdir('/')")

    def test_chdir_before_the_first_cell_is_where_it_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "own.cjs").write_text("module.exports = 7;")
            self.runner.send(op="chdir", path=folder)
            self.assertEqual(self.json("[process.cwd(), require('./own.cjs')]"), [folder, 7])
            self.run_ok("process.chdir('/')")

    def test_chdir_to_nowhere_is_logged(self):
        self.runner.send(op="chdir", path="/no/such/folder")
        self.assertIn("/no/such/folder", self.runner.wait_for("log").done["text"])
        self.run_ok("1")

    def test_missing_module_is_an_error(self):
        self.assertIn("no-such-module", self.error("import x from 'no-such-module'")["evalue"])


class Errors(JavaScriptCase):
    def test_thrown_things(self):
        for code, name, message in (
            ("null.x", "TypeError", "Cannot read properties of null (reading 'x')"),
            ("zzz", "ReferenceError", "zzz is not defined"),
            ("throw new RangeError('far')", "RangeError", "far"),
            ("await Promise.reject(new Error('r'))", "Error", "r"),
            ("throw 'x'", "Uncaught", "'x'"),
            ("throw null", "Uncaught", "null"),
            ("throw () => 1", "Uncaught", "[Function (anonymous)]"),
            ("let a = ;", "SyntaxError", "Unexpected token ';'"),
            ("function r() { r() }; r()", "RangeError", "Maximum call stack size exceeded"),
        ):
            with self.subTest(code):
                done = self.error(code)
                self.assertEqual((done["ename"], done["evalue"]), (name, message))
                self.assertTrue(done["traceback"])

    def test_child_that_ends_itself_is_an_error(self):
        done = self.error("require('child_process').execSync('kill -INT $$')")
        self.assertEqual((done["ename"], done["evalue"]), ("Error", "Command failed: kill -INT $$"))

    def test_thrown_value_that_throws_is_an_error(self):
        done = self.error("throw {get signal() { throw new Error('no') }}")
        self.assertEqual((done["ename"], done["evalue"]), ("Uncaught", "{ signal: [Getter] }"))

    def test_value_that_nobody_can_read_ends_its_cell(self):
        proxy = "new Proxy({}, {get() { throw 1 }, getPrototypeOf() { throw 1 }, ownKeys() { throw 1 }})"
        for code, status in (
            ("throw {get [Symbol.toStringTag]() { throw 1 }}", "error"),
            ("throw Object.defineProperty(new Error('x'), 'message', {get() { throw 1 }})", "error"),
            ("throw Object.defineProperty(new Error('x'), 'stack', {get() { throw 1 }})", "error"),
            ("throw {[Symbol.for('nodejs.util.inspect.custom')]() { throw 1 }}", "error"),
            ("throw " + proxy, "error"),
            ("({_repr_html_: () => ({toJSON() { throw 1 }})})", "error"),
            ("setTimeout(() => { throw %s }); await new Promise(r => setTimeout(r, 20))" % proxy, "ok"),
            (proxy, "ok"),
        ):
            with self.subTest(code):
                self.assertEqual(self.runner.run(code, timeout=10).status, status)
                self.assertEqual(self.json("1"), 1)

    def test_stack_names_the_cell_and_nothing_else(self):
        done = self.error("function g() {\n  throw new Error('no')\n}\ng()", label="cell [8]")
        self.assertEqual(done["traceback"], "Error: no\n    at g (cell [8]:2:9)\n    at cell [8]:4:1")
        self.assertEqual(
            [(f["file"], f["line"], f["name"]) for f in done["frames"]], [("cell [8]", 2, "g"), ("cell [8]", 4, "")]
        )

    def test_errors_after_the_cell_are_shown_and_survived(self):
        for code in (
            "setTimeout(() => { throw new Error('later') }, 50); 0",
            "void Promise.reject(new Error('later'))",
        ):
            with self.subTest(code):
                self.run_ok(code)
                self.assertIn(
                    "later", self.runner.wait_for(until=lambda p: any(b"later" in t for _, t in p), timeout=10).stderr
                )
                self.assertEqual(self.json("1"), 1)

    def test_exit_in_a_callback_ends_the_cell(self):
        outcome = self.runner.run("setTimeout(() => process.exit(4), 20); await new Promise(() => {})")
        self.assertEqual((outcome.status, outcome.done["code"]), ("exit", 4))

    def test_old_timer_printing_in_a_new_cell_is_announced(self):
        old = self.run_ok("void setTimeout(() => console.log('old'), 150)").done["id"]
        outcome = self.run_ok("console.log('a'); await new Promise(r => setTimeout(r, 400)); console.log('b')")
        shown = [
            (kind, value["id"] if kind == "owner" else value)
            for kind, value in outcome.items
            if kind in ("owner", "stdout")
        ]
        self.assertEqual(
            shown,
            [("stdout", "a\n"), ("owner", old), ("stdout", "old\n"), ("owner", outcome.done["id"]), ("stdout", "b\n")],
        )

    def test_interrupt_for_another_cell_is_ignored(self):
        execution = self.runner.start("await new Promise(r => setTimeout(r, 300)); 'whole'")
        self.runner.wait_for("started")
        self.runner.send(op="interrupt", id=execution + 1000)
        self.assertEqual(self.runner.wait_for("done").result["application/json"], "whole")

    def test_waiting_for_nothing_survives_the_collector(self):
        churn = "for (let i = 0; i < 20; i++) { new Array(1e5).fill(i); }"
        execution = self.runner.start("setInterval(() => { %s }, 50).unref(); await new Promise(() => {})" % churn)
        self.runner.wait_for("started")
        time.sleep(1)
        self.assertEqual(self.runner.interrupted(execution).status, "interrupted")
        self.run_ok(churn.replace('20', '500'))
        self.assertEqual(self.json("await new Promise(r => setTimeout(r, 100)); 5"), 5)

    def test_loops_in_callbacks_are_interrupted(self):
        for code in (
            "await new Promise(r => setTimeout(r, 50)); for (;;);",
            "setTimeout(() => { for (;;); }, 10); await new Promise(() => {})",
            "queueMicrotask(() => { for (;;); }); await new Promise(() => {})",
            "require('fs').readFile('/etc/passwd', () => { for (;;); }); await new Promise(() => {})",
            "for (;;) { try { for (;;); } catch {} }",
            "for (;;) display(1)",
        ):
            with self.subTest(code):
                execution = self.runner.start(code)
                self.runner.wait_for("started")
                time.sleep(0.3)
                self.assertEqual(self.runner.interrupted(execution).status, "interrupted")
                self.assertEqual(self.json("await new Promise(r => setTimeout(() => r(5), 5))"), 5)

    def test_signal_before_its_message_is_one_interrupt(self):
        for code in (
            "require('child_process').execSync('sleep 30')",
            "await require('util').promisify(require('child_process').exec)('sleep 30')",
        ):
            with self.subTest(code):
                execution = self.runner.start("console.log('on'); " + code)
                self.runner.wait_for(until=bool)
                time.sleep(0.3)
                self.runner.signal_group()
                time.sleep(0.05)
                self.runner.send(op="interrupt", id=execution)
                self.assertEqual(self.runner.wait_for("done", timeout=10).status, "interrupted")
                self.assertEqual(self.json("1"), 1)

    def test_interrupt_of_a_flood(self):
        execution = self.runner.start("for (;;) console.log('x')")
        self.runner.wait_for(until=bool)
        self.assertEqual(self.runner.interrupted(execution).status, "interrupted")


class Look(JavaScriptCase):
    def test_variables(self):
        self.run_ok("const n = 5, text = 'abc'; var list = [1, 2, 3]; class K {}; const big = new Uint8Array(1000)")
        reply = self.runner.request(op="vars")
        entries = {entry["name"]: entry for entry in reply["vars"]}
        self.assertEqual((entries["n"]["type"], entries["n"]["value"]), ("number", "5"))
        self.assertEqual((entries["list"]["type"], entries["list"]["shape"]), ("Array", [3]))
        self.assertEqual(entries["big"]["size"], 1000)
        self.assertFalse({"console", "display", "require"} & set(entries))

    def test_pages(self):
        self.run_ok("const seq = ['a', 'b', 'c'], map = new Map([['k', 1]]), obj = {x: [1]}, word = 'hello'")
        for name, kind, total, rows in (
            ("seq", "list", 3, [[1, "string", "b"], [2, "string", "c"]]),
            ("obj", "object", 1, []),
            ("map", "dict", 1, []),
        ):
            with self.subTest(name):
                reply = self.runner.request(op="get", name=name, offset=1, limit=5)
                self.assertEqual((reply["kind"], reply["total"], reply["rows"]), (kind, total, rows))
        self.assertEqual(self.runner.request(op="get", name="word", offset=1, limit=3)["text"], "ell")
        self.assertIn("no variable", self.runner.request(op="get", name="zz")["error"])

    def test_looking_runs_no_code_of_a_cell(self):
        self.run_ok(
            "const util = require('node:util'); const seen = [];\n"
            "const watched = { plain: 3, get counted() { seen.push('counted'); return 1; },\n"
            "  [util.inspect.custom]() { seen.push('inspect'); return 'x'; } };\n"
            "const guarded = new Proxy({}, { get(t, n) { seen.push(n); }, ownKeys() { seen.push('keys'); return []; },\n"
            "  getPrototypeOf() { seen.push('prototype'); return null; } });"
        )
        entries = {entry["name"]: entry for entry in self.runner.request(op="vars")["vars"]}
        self.assertEqual(entries["guarded"]["type"], "Proxy")
        rows = {row[0]: row[1:] for row in self.runner.request(op="get", name="watched")["rows"]}
        self.assertEqual(rows, {"plain": ["number", "3"], "counted": ["property", "<not computed>"]})
        self.runner.request(op="get", name="guarded")
        self.assertEqual(self.run_ok("seen.map(String).join()").result["text/plain"], "''")

    def test_completion(self):
        self.run_ok("const valueOne = {alpha: 1, beta() {}, get gamma() { throw 1 }}; function callMe(a, b = 2) {}")
        for code, text, kind, start in (
            ("val", "valueOne", "instance", 0),
            ("x = valueOne.al", "alpha", "instance", 13),
            ("valueOne.be", "beta", "function", 9),
            ("valueOne.ga", "gamma", "property", 9),
            ("'abc'; [].fla", None, None, 10),
            ("Math.ma", "max", "function", 5),
            ("call", "callMe", "function", 0),
            ("whi", "while", "keyword", 0),
            ("😀; val", "valueOne", "instance", 3),
            ("'val", None, None, 1),
            ("// val", None, None, 3),
        ):
            with self.subTest(code):
                reply = self.runner.request(op="complete", code=code, pos=len(code))
                self.assertEqual(reply["end"], len(code))
                if text is None:
                    self.assertEqual(reply["matches"], [])
                else:
                    self.assertIn({"text": text, "type": kind}, reply["matches"])
                    self.assertEqual(reply["start"], start)

    def test_completion_has_no_side_effects(self):
        self.run_ok("var touched = 0; const trap = {get x() { touched++; return {y: 1} }}")
        self.runner.request(op="complete", code="trap.x.", pos=7)
        self.assertEqual(self.json("touched"), 0)

    def test_inspection(self):
        self.run_ok("function helped(a, b = 2) { return a }")
        for code, pos in (("helped", 3), ("helped(1, ", 10)):
            reply = self.runner.request(op="inspect", code=code, pos=pos, detail=1)
            self.assertEqual((reply["found"], reply["signature"]), (True, "helped(a, b = 2)"))
            self.assertIn("return a", reply["source"])
        self.assertEqual(self.runner.request(op="inspect", code="zzzz", pos=2)["found"], False)


class Lexer(JavaScriptCase):
    def test_imports_in_hard_text(self):
        lexer = pathlib.Path(__file__).resolve().parents[3] / "resources/runners/javascript/imports.cjs"
        script = (
            "const {rewriteImports} = require(%r); process.stdout.write(rewriteImports(process.argv[1]))"
            % os.fspath(lexer)
        )
        for code, expected in (
            ("a / import_x / b; import 'm';", "a / import_x / b; await __sandfish_import('m');"),
            ("x = `${`${import('a')}`}`", "x = `${`${__sandfish_import('a')}`}`"),
            ("obj.import('a'); import.meta.url", "obj.import('a'); import.meta.url"),
            ("import {\n a,\n b as c\n} from 'm'\nc", "const { a, b: c } = await __sandfish_import('m');\n\n\n\nc"),
            (
                "const r = /[/'\"]import('x')/g, s = 4 / 2; import('y')",
                "const r = /[/'\"]import('x')/g, s = 4 / 2; __sandfish_import('y')",
            ),
        ):
            with self.subTest(code):
                done = subprocess.run([NODE, "-e", script, code], capture_output=True, text=True)
                self.assertEqual(done.stdout, expected, done.stderr)
