"""The cells that every runner must treat alike: one table, a column for each language."""

# name: {language: code}, then what must come of it. A language that has no such thing has no column.
CELLS = [
    (
        "stdout_line_arrives",
        {"python": "print('hi')", "javascript": "console.log('hi')", "bash": "echo hi"},
        {"stdout": "hi\n"},
    ),
    (
        "stderr_line_arrives",
        {
            "python": "import sys; print('hi', file=sys.stderr)",
            "javascript": "console.error('hi')",
            "bash": "echo hi >&2",
        },
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
        {
            "python": "print('x' * 3000000)",
            "javascript": "console.log('x'.repeat(3000000))",
            "bash": "head -c 3000000 /dev/zero | tr '\\0' x; echo",
        },
        {"stdout": "x" * 3000000 + "\n"},
    ),
    (
        "forged_mark_is_text",
        {
            "python": "print('\\0\\x1eM' + '0' * 16 + '0000000f\\x1e')",
            "bash": "printf '\\0\\036M00000000000000000000000f\\036\\n'",
        },
        {"stdout": "\0\x1eM" + "0" * 16 + "0000000f\x1e\n"},
    ),
    ("number_is_the_value", {"python": "6*7", "javascript": "6*7"}, {"json": 42, "plain": "42"}),
    ("text_is_the_value", {"python": "'abc'", "javascript": "'abc'"}, {"json": "abc", "plain": "'abc'"}),
    ("boolean_is_the_value", {"python": "True", "javascript": "true"}, {"json": True}),
    ("float_is_the_value", {"python": "1.5", "javascript": "1.5"}, {"json": 1.5, "plain": "1.5"}),
    ("list_is_the_value", {"python": "[1, 'a', None]", "javascript": "[1, 'a', null]"}, {"json": [1, "a", None]}),
    ("mapping_is_the_value", {"python": "{'a': {'b': 1}}", "javascript": "({a: {b: 1}})"}, {"json": {"a": {"b": 1}}}),
    (
        "not_a_number_has_no_json",
        {"python": "float('nan')", "javascript": "NaN"},
        {"json": None, "mimes": {"text/plain"}},
    ),
    ("nothing_has_no_result", {"python": "None", "javascript": "undefined"}, {"mimes": None}),
    ("assignment_has_no_result", {"python": "a = 5", "javascript": "var a = 5"}, {"mimes": None}),
    ("value_of_several_lines", {"python": "[\n 1,\n 2,\n]", "javascript": "[\n 1,\n 2,\n]"}, {"json": [1, 2]}),
    (
        "text_of_five_megabytes",
        {"python": "'x' * 5000000", "javascript": "'x'.repeat(5000000)"},
        {"json": "x" * 5000000},
    ),
    (
        "too_large_display_is_cut_short",
        {
            "python": "class H:\n    def _repr_html_(self): return 'x' * 70_000_000\n    def __repr__(self): return 'H'\nH()",
            "javascript": "({_repr_html_: () => 'x'.repeat(70000000)})",
        },
        {"mimes": {"text/plain"}},
    ),
    (
        "top_level_await",
        {
            "python": "import asyncio\nawait asyncio.sleep(0.01, 7)",
            "javascript": "await new Promise(r => setTimeout(() => r(7), 10))",
        },
        {"json": 7},
    ),
    (
        "value_has_own_html",
        {
            "python": "class H:\n    def _repr_html_(self): return '<b>x</b>'\nH()",
            "javascript": "({_repr_html_: () => '<b>x</b>'})",
        },
        {"html": "<b>x</b>"},
    ),
    (
        "statement_runs_once",
        {"python": "print('once')", "javascript": "console.log('once')", "bash": "echo once"},
        {"stdout": "once\n"},
    ),
    (
        "exception_is_an_error",
        {"python": "raise ValueError('no')", "javascript": "throw new RangeError('no')", "bash": "(exit 7)"},
        {"status": "error"},
    ),
    (
        "syntax_error_is_an_error",
        {"python": "x ===", "javascript": "let x = ;", "bash": "if x; fi"},
        {"status": "error"},
    ),
    ("state_lives_after_errors", {"python": "1", "javascript": "1", "bash": "true"}, {"status": "ok"}),
    (
        "own_exit_keeps_the_context",
        {"python": "import sys; sys.exit(3)", "javascript": "process.exit(3)", "bash": "exit 3"},
        {"status": "exit", "code": 3},
    ),
    ("empty_cell_is_ok", {"python": "", "javascript": "", "bash": ""}, {"status": "ok", "mimes": None}),
    ("comment_is_ok", {"python": "# c", "javascript": "// c", "bash": "# c"}, {"status": "ok", "mimes": None}),
    (
        "many_shell_quotes_survive",
        {"python": "print('\\'\"$`!')", "javascript": "console.log('\\'\"$`!')", "bash": "echo \\'\\\"\\$\\`!"},
        {"stdout": "'\"$`!\n"},
    ),
    (
        "nonce_is_hidden",
        {
            "python": "import os; print(sorted(k for k in os.environ if k.startswith('SANDFISH')))",
            "javascript": "console.log(Object.keys(process.env).filter(k => k.startsWith('SANDFISH')))",
            "bash": 'echo "[$(env | grep ^SANDFISH)]"',
        },
        {"stdout": "[]\n"},
    ),
]

SHOW_VARIABLE = {
    "python": "import os; print(os.environ.get('SF_TEST'))",
    "javascript": "console.log(process.env.SF_TEST ?? 'None')",
    "bash": "echo ${SF_TEST-None}; bash -c 'echo ${SF_TEST-None}' >/dev/null",
}
SET_STATE = {
    "python": "kept = 41",
    "javascript": "const kept = 41",
    "bash": "kept=41; keeper() { echo in $kept; }; alias k='echo alias'",
}
SHOW_STATE = {"python": "print(kept)", "javascript": "console.log(kept)", "bash": "echo $kept"}
LOOP = {"python": "while True: pass", "javascript": "for (;;);", "bash": "while :; do :; done"}
SLEEP = {
    "python": "import time; time.sleep(30)",
    "javascript": "await new Promise(r => setTimeout(r, 30000))",
    "bash": "sleep 30",
}
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
