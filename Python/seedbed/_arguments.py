"""Checks arguments, so that the extension and the program take the same ones."""

import difflib
import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ._options import MAY_BE_EMPTY, OPERANDS
from ._types import Document, Path, Value, failure

# The options of downloads, with those that they need.
_NEEDED = {
    "signed_by": "downloaded", "downloaded": "signed_by", "allow_sql": "signed_by",
    "known": "signed_by"}
_REMEDIES = {
    "signed_by": "the public keys that may sign the downloads",
    "downloaded": "the paths of the downloads, or [] for none"}


def checked(verb: str, kind: Any, given: Document, operands: Document) -> Document:
    """The operands, and the options that are not None."""
    kinds = get_type_hints(kind)
    for name in given:
        if name not in kinds:
            near = difflib.get_close_matches(name, kinds, 1)
            rest = f"Did you mean '{near[0]}'?" if near else f"Options are {', '.join(kinds)}."
            raise failure(f"'{name}' is not an option of '{verb}'. {rest}")
    values = {**{name: each for name, each in given.items() if each is not None}, **operands}
    for name, value in values.items():
        own = {**OPERANDS, "catalog": Path, "counts": bool, "owner": Value}
        wanted = own[name] if name in operands else kinds[name]
        if not _fits(value, wanted, may_be_empty=name in MAY_BE_EMPTY):
            raise failure(f"'{name}' must be {_words(wanted)}, not {value!r:.40}.")
        if name not in ("key", "owner") and isinstance(value, (int, float)) and not 0 <= value < math.inf:
            raise failure(f"'{name}' must be a finite number from 0 on, not {value}.")
    # A download without a key is never applied, and a key without one may be a forgotten option.
    for name, other in _NEEDED.items():
        if values.get(name) not in (None, False, {}) and other not in values:
            raise failure(f"'{other}' is missing, which '{name}' needs. Give {_REMEDIES[other]}.")
    return values


def _words(kind: Any) -> str:
    """A type for a reader, such as `an integer or a sequence of them`."""
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if origin in (Literal, Union):
        words = [repr(each) if origin is Literal else _words(each) for each in inner
                 if each is not type(None)]
        return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
    if origin is Sequence:
        return "a sequence of them"
    names = {
        bool: "True or False", int: "an integer", float: "a number", str: "a string",
        os.PathLike: "a path", Mapping: "a mapping", Callable: "a function"}
    return names.get(origin, f"a {origin.__module__}.{origin.__name__}")


def _fits(value: Any, kind: Any, may_be_empty: bool = False) -> bool:
    origin, inner = get_origin(kind) or kind, get_args(kind)
    members = value.values() if isinstance(value, Mapping) else value
    if origin is Literal:
        return value in inner
    if origin is Union:
        return any(_fits(value, each, may_be_empty) for each in inner)
    # A bool is an int, and bytes are a sequence of them.
    if isinstance(value, (bool, bytes)):
        return type(value) is origin
    if not isinstance(value, (int, float) if origin is float else origin):
        return False
    if origin not in (Mapping, Sequence):
        return True
    return (may_be_empty or bool(members)) and all(_fits(each, inner[-1]) for each in members)
