"""Attributes of values that are only looked at: what a cell has written does not run for it."""

import inspect
import types

_MISSING = object()
_C_DESCRIPTORS = (types.GetSetDescriptorType, types.MemberDescriptorType)
_CELLS = "__main__"


class NotComputed(Exception):
    """The attribute would run code of a cell. Its text is the kind of the attribute."""


def attribute(value, name):
    """The attribute, or AttributeError, or NotComputed.

    Properties of libraries and of the interpreter are computed (`frame.shape`, `path.parent`), those of classes
    that cells define are not.
    """
    found = inspect.getattr_static(value, name, _MISSING)
    if found is _MISSING:
        if _is_of_cells(getattr(type(value), "__getattr__", None)):
            raise NotComputed("attribute")
        return getattr(value, name)
    if _is_of_cells(getattr(type(value), "__getattribute__", None)):
        raise NotComputed("attribute")
    if isinstance(found, property):
        if _is_of_cells(found.fget):
            raise NotComputed("property")
    elif _has_getter(found) and not isinstance(found, _C_DESCRIPTORS) and _is_of_cells(_code_of(found)):
        raise NotComputed("property")
    return getattr(value, name)


def _has_getter(found):
    plain = (types.FunctionType, classmethod, staticmethod)
    return not isinstance(found, plain) and inspect.getattr_static(type(found), "__get__", None) is not None


def _code_of(found):
    """What runs when the descriptor is asked: its own getter, or the function that it wraps (cached_property)."""
    wrapped = inspect.getattr_static(found, "func", None)
    return wrapped if isinstance(wrapped, types.FunctionType) else type(found).__get__


def _is_of_cells(function):
    return getattr(function, "__module__", None) == _CELLS
