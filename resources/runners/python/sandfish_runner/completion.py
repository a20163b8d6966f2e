"""Completion and inspection from the live namespace. No jedi, no property that a cell defines is computed."""

import builtins
import inspect
import io
import keyword
import pkgutil
import re
import sys
import tokenize

from . import variables
from .attributes import attribute
from .budget import OutOfTime, limited

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*\.?$|$")
_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]*)(\s+import\s+(?:\w+\s*,\s*)*(\w*))?|import\s+(?:[\w.]+\s*,\s*)*([\w.]*))$")
_KEY = re.compile(r"([^\W\d][\w.]*)\[\s*(['\"])([^'\"]*)$")
_CALL_NAME = re.compile(r"([^\W\d][\w.]*)\s*$")
_MATCHES = 500
_SECONDS = 0.5


def complete(namespace, message):
    """Answer to `complete`."""
    code = str(message.get("code", ""))
    position = min(len(code), int(message.get("pos", len(code))))
    before = code[:position]
    line = before.rsplit("\n", 1)[-1]
    try:
        with limited(_SECONDS):
            word, matches = _matches(namespace, before, line)
    except OutOfTime:
        word, matches = "", []
    return {"matches": matches[:_MATCHES], "start": position - len(word), "end": position}


def _matches(namespace, before, line):
    found = _IMPORT.match(line)
    if found:
        return _import_matches(found)
    found = _KEY.search(line)
    if found:
        return _key_matches(namespace, *found.groups())
    expression = _DOTTED.search(line).group(0)
    owner, dot, word = expression.rpartition(".")
    if dot:
        return word, _attribute_matches(namespace, owner, word)
    if line[: len(line) - len(word)].endswith("."):
        return word, []
    return word, _argument_matches(namespace, before[: len(before) - len(word)], word) + _name_matches(namespace, word)


def resolve(namespace, dotted):
    """The object that a dotted name means, (True, object) or (False, None)."""
    first, *rest = dotted.split(".")
    if first in namespace:
        value = namespace[first]
    elif hasattr(builtins, first):
        value = getattr(builtins, first)
    else:
        return False, None
    for name in rest:
        try:
            value = attribute(value, name)
        except Exception:
            return False, None
    return True, value


def _kind(value):
    for test, kind in (
        (inspect.ismodule, "module"),
        (inspect.isclass, "class"),
        (inspect.isroutine, "function"),
        (lambda v: isinstance(v, property), "property"),
    ):
        if test(value):
            return kind
    return "instance"


def _hides(name, word):
    return name.startswith("_") and not word.startswith("_")


def _name_matches(namespace, word):
    matches = []
    for name in sorted(set(namespace) | set(dir(builtins))):
        if name.startswith(word) and not _hides(name, word):
            value = namespace[name] if name in namespace else getattr(builtins, name)
            matches.append({"text": name, "type": _kind(value)})
    matches += [{"text": name, "type": "keyword"} for name in keyword.kwlist if name.startswith(word)]
    return sorted(matches, key=lambda match: match["text"] not in namespace)


def _attribute_matches(namespace, owner, word):
    known, value = resolve(namespace, owner)
    if not known:
        return []
    matches = []
    for name in dir(value):
        if name.startswith(word) and not _hides(name, word):
            # The type's own attribute, so that no property is computed.
            found = inspect.getattr_static(value, name, None)
            if isinstance(found, (staticmethod, classmethod)):
                found = found.__func__
            matches.append({"text": name, "type": _kind(found)})
    return matches


def _import_matches(found):
    module, names, name, plain = found.groups()
    if names is not None:
        return name, [
            {"text": text, "type": "instance"} for text in _members_of_module(module) if text.startswith(name)
        ]
    word = plain if plain is not None else module
    package, dot, last = word.rpartition(".")
    texts = (
        _submodules(package) if dot else sorted({*sys.builtin_module_names, *(m.name for m in pkgutil.iter_modules())})
    )
    return last, [
        {"text": text, "type": "module"} for text in texts if text.startswith(last) and not _hides(text, last)
    ]


def _submodules(package):
    path = getattr(sys.modules.get(package), "__path__", None)
    if path is None:
        import importlib.util

        try:
            spec = importlib.util.find_spec(package)
        except (ImportError, ValueError):
            return []
        path = spec.submodule_search_locations if spec else None
    return [module.name for module in pkgutil.iter_modules(path)] if path else []


def _members_of_module(module):
    loaded = sys.modules.get(module)
    names = [name for name in dir(loaded) if not name.startswith("_")] if loaded else []
    return sorted({*names, *_submodules(module)})


def _key_matches(namespace, owner, quote, word):
    known, value = resolve(namespace, owner)
    keys = []
    if known and isinstance(value, dict):
        keys = list(value)
    elif known and isinstance(variables.shape_of(value), list) and hasattr(type(value), "columns"):
        keys = list(value.columns)
    texts = [key for key in keys if isinstance(key, str) and key.startswith(word)]
    return word, [{"text": text, "type": "key"} for text in texts]


def _argument_matches(namespace, before, word):
    """`name=` of the call around the cursor."""
    name = _call_name(before)
    known, value = resolve(namespace, name) if name else (False, None)
    if not known or not callable(value):
        return []
    try:
        parameters = inspect.signature(value).parameters.values()
    except (ValueError, TypeError):
        return []
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [{"text": p.name + "=", "type": "param"} for p in parameters if p.kind in named and p.name.startswith(word)]


def _call_name(before):
    """The dotted name before the innermost open parenthesis, or ''."""
    opened = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(before).readline):
            if token.string == "(":
                opened.append(token)
            elif token.string == ")" and opened:
                opened.pop()
    except (tokenize.TokenError, SyntaxError, IndentationError):
        pass
    if not opened:
        return ""
    row, column = opened[-1].start
    found = _CALL_NAME.search(before.split("\n")[row - 1][:column])
    return found.group(1) if found else ""


def look_up(namespace, message):
    """Answer to `inspect`: the object under the cursor, else the function whose call is around it."""
    code = str(message.get("code", ""))
    position = min(len(code), int(message.get("pos", len(code))))
    end = position + len(re.match(r"\w*", code[position:]).group(0))
    dotted = _DOTTED.search(code[:end].rsplit("\n", 1)[-1]).group(0).rstrip(".")
    try:
        with limited(_SECONDS):
            known, value = resolve(namespace, dotted) if dotted else (False, None)
            if not known:
                dotted = _call_name(code[:position])
                known, value = resolve(namespace, dotted) if dotted else (False, None)
            return describe(dotted, value, bool(message.get("detail"))) if known else {"found": False}
    except OutOfTime:
        return {"found": False}


def describe(name, value, with_source):
    """What is known about an object, for people."""
    answer = {"found": True, "name": name, "type": variables.type_name(value)}
    if callable(value):
        try:
            answer["signature"] = name.rpartition(".")[2] + str(inspect.signature(value))
        except (ValueError, TypeError):
            pass
    else:
        answer["value"] = variables.short(value)
    doc = inspect.getdoc(value)
    if doc:
        answer["doc"] = doc
    if with_source:
        try:
            answer["source"] = inspect.getsource(value)
        except (OSError, TypeError):
            pass
    lines = [
        answer.get("signature") or "%s: %s" % (name, answer["type"]),
        answer.get("value"),
        "",
        doc,
        answer.get("source"),
    ]
    answer["data"] = {"text/plain": "\n".join(line for line in lines if line is not None)}
    return answer
