"""Checks arguments, so that the extension and the program take the same ones."""

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Dict, Literal, Union, get_args, get_origin, get_type_hints

from ._types import Operands, failure


def checked(verb: str, kind: Any, given: Dict[str, Any], operands: Dict[str, Any]) -> Dict[str, Any]:
    """The operands, and the options that are not None."""
    kinds = get_type_hints(kind)
    for name in given:
        if name not in kinds:
            near = difflib.get_close_matches(name, kinds, 1)
            rest = f"Did you mean '{near[0]}'?" if near else f"Options are {', '.join(kinds)}."
            raise failure(f"'{name}' is not an option of '{verb}'. {rest}")
    values = {name: value for name, value in given.items() if value is not None}
    kinds.update({name: get_type_hints(Operands)[name] for name in operands})
    values.update(operands)
    for name, value in values.items():
        if not _fits(value, kinds[name]):
            wanted = re.sub(r"typing\.|<class '(.+)'>", r"\1", str(kinds[name]))
            raise failure(f"'{name}' must be {wanted}, not {value!r:.40}.")
        if name != "key" and isinstance(value, (int, float)) and not 0 <= value < math.inf:
            raise failure(f"'{name}' must be a finite number from 0 on, not {value}.")
    return values


def _fits(value: Any, kind: Any) -> bool:
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if origin is Union:
        return any(_fits(value, each) for each in inner)
    if origin is Literal:
        return value in inner
    if isinstance(value, (bool, bytes)) or not isinstance(
        value, (int, float) if origin is float else origin):
        return type(value) is origin
    if origin not in (Mapping, Sequence):
        return True
    members = value.values() if origin is Mapping else value
    return bool(members) and all(_fits(each, inner[-1]) for each in members)
