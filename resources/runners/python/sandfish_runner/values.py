"""From a Python object to a bundle of mime types."""

import binascii
import json
import math

PLAIN_LIMIT = 1 << 20
_JSON_LIMIT = 32 << 20
_JSON_NODES = 2_000_000
_PRETTY_NODES = 2_000
_TABLE_ROWS = 2_000
TABLE_MIME = "application/vnd.dataresource+json"
_METHODS = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
    ("_repr_latex_", "text/latex"),
    ("_repr_json_", "application/json"),
    ("_repr_javascript_", "application/javascript"),
    ("_repr_pdf_", "application/pdf"),
)
_formatters = []


def add_formatter(test, formatter):
    """Where `test(obj)` is true, `formatter(obj)` gives (data, metadata) besides what the object says itself."""
    _formatters.append((test, formatter))


def bundle(obj):
    """(data, metadata) of a value; `text/plain` is always there. Errors of the object's own methods are skipped."""
    data, metadata = {}, {}
    if not isinstance(obj, type):
        _ask_bundle_method(obj, data, metadata)
        _ask_repr_methods(obj, data, metadata)
        for test, formatter in _formatters:
            if test(obj):
                _merge(formatter(obj), data, metadata)
        if "application/json" not in data and is_json(obj):
            data["application/json"] = obj
    if "text/plain" not in data:
        data["text/plain"] = plain(obj)
    return encode(data), metadata


def encode(data):
    """Bytes become base64 text, base64 text loses its line ends; what JSON cannot hold is left out."""
    encoded = {}
    for mime, value in data.items():
        if isinstance(value, (bytes, bytearray, memoryview)):
            encoded[mime] = binascii.b2a_base64(value, newline=False).decode("ascii")
        elif isinstance(value, str):
            encoded[mime] = _one_line(value) if _is_base64(mime) else value
        elif is_json(value):
            encoded[mime] = value
    return encoded


def _is_base64(mime):
    return mime == "application/pdf" or (str(mime).startswith("image/") and mime != "image/svg+xml")


def _one_line(text):
    # Most encoders end with one line end; replace() would look at each character for it.
    text = text.rstrip("\n")
    return text.replace("\n", "") if "\n" in text else text


def plain(obj):
    """The text form, never an exception, at most PLAIN_LIMIT characters."""
    try:
        if isinstance(obj, (dict, list, tuple, set, frozenset)) and 1 < len(obj) and _nodes(obj, _PRETTY_NODES) >= 0:
            import pprint

            text = pprint.pformat(obj, width=100, compact=True, sort_dicts=False)
        else:
            text = repr(obj)
    except Exception as error:
        text = "<%s object, its __repr__ raised %s>" % (type(obj).__name__, type(error).__name__)
    return text if len(text) <= PLAIN_LIMIT else text[:PLAIN_LIMIT] + "\u2026"


def is_json(value):
    """True for None, bool, int, finite float, str and lists, tuples and dicts of them, within the size limit."""
    if isinstance(value, str):
        return len(value) <= _JSON_LIMIT
    if isinstance(value, float):
        return math.isfinite(value)
    if value is None or isinstance(value, (bool, int)):
        return True
    if not isinstance(value, (list, tuple, dict)) or _nodes(value, _JSON_NODES) < 0:
        return False
    try:
        return len(json.dumps(value, allow_nan=False)) <= _JSON_LIMIT
    except (TypeError, ValueError, RecursionError):
        return False


def _nodes(value, limit):
    """How many elements a nested value has, -1 when more than `limit`."""
    count, pending = 0, [value]
    while pending:
        item = pending.pop()
        children = item.values() if isinstance(item, dict) else item
        count += len(item)
        if count > limit:
            return -1
        pending.extend(child for child in children if isinstance(child, (dict, list, tuple, set, frozenset)))
    return count


def _merge(answer, data, metadata):
    if isinstance(answer, tuple):
        more_data, more_metadata = answer[0], answer[1] if len(answer) > 1 else None
    else:
        more_data, more_metadata = answer, None
    if isinstance(more_data, dict):
        data.update((mime, value) for mime, value in more_data.items() if value is not None)
    if isinstance(more_metadata, dict):
        metadata.update(more_metadata)


def _method(obj, name):
    try:
        method = getattr(obj, name, None)
    except Exception:
        return None
    return method if callable(method) else None


def _ask_bundle_method(obj, data, metadata):
    method = _method(obj, "_repr_mimebundle_")
    # An object that answers to any name (a mock, a proxy) has no bundle of its own.
    if method is None or _method(obj, "_sandfish_no_such_name_") is not None:
        return
    try:
        _merge(method(include=None, exclude=None), data, metadata)
    except Exception:
        pass


def _ask_repr_methods(obj, data, metadata):
    if _method(obj, "_sandfish_no_such_name_") is not None:
        return
    for name, mime in _METHODS:
        method = _method(obj, name)
        if method is None or mime in data:
            continue
        try:
            answer = method()
        except Exception:
            continue
        if isinstance(answer, tuple) and len(answer) == 2:
            answer, metadata[mime] = answer
        if answer is not None:
            data[mime] = answer


def _is_pandas(obj):
    module = type(obj).__module__ or ""
    return module.startswith("pandas.") and type(obj).__name__ in ("DataFrame", "Series")


def _table(obj):
    """The first rows as a table resource, with the number of all rows."""
    frame = obj.to_frame() if type(obj).__name__ == "Series" else obj
    try:
        table = json.loads(frame.head(_TABLE_ROWS).to_json(orient="table", date_format="iso"))
    except (TypeError, ValueError, OverflowError, NotImplementedError):
        return None
    table["totalRows"] = len(frame)
    return {TABLE_MIME: table}


add_formatter(_is_pandas, _table)
