"""SEEDBED in the settings: the catalog, the databases, and options of `seedbed.up`."""

import difflib
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union, get_type_hints

from django.conf import settings
from django.core import checks
from django.core.management.base import CommandError
from django.db import connections

from .._arguments import checked
from .._options import OF_EXTENSION, Options, UpOptions
from .._types import Error, Path

ENGINES = ("sqlite", "postgresql")


class Settings(UpOptions, total=False):
    catalog: Path
    databases: Union[Sequence[str], Mapping[str, object]]


def databases() -> Dict[str, Dict[str, Any]]:
    """By its alias, the options of each database: its own, and those of all."""
    shared = dict(settings.SEEDBED)
    named = shared.pop("databases", ["default"])
    own = named if isinstance(named, Mapping) else dict.fromkeys(named, {})
    return {alias: {**shared, **options} for alias, options in own.items()}


def options(alias: str, kind: Any = Options) -> Dict[str, Any]:
    """What a verb whose options are of this kind gets. `allow_newer` is ours: see `_run`."""
    names = {*get_type_hints(kind), "catalog"} - {"allow_newer"}
    return {name: value for name, value in databases()[alias].items() if name in names}


def check(app_configs: Optional[Iterable[Any]] = None, **kwargs: Any) -> List[Any]:
    """Errors of the settings, before any command runs."""
    given = getattr(settings, "SEEDBED", None)
    if not isinstance(given, Mapping):
        problem = "SEEDBED is missing from the settings, or is not a dictionary."
        return [checks.Error(
            problem, hint='Write SEEDBED = {"catalog": BASE_DIR / "Migrations"}.',
            id="seedbed.E001")]
    named = given.get("databases", ["default"])
    owns = named.values() if isinstance(named, Mapping) else []
    if not named or not isinstance(named, (list, tuple, Mapping)) or not all(
            isinstance(own, Mapping) for own in owns):
        return [checks.Error(
            "'databases' in SEEDBED is empty, or neither a list of aliases nor a dictionary of "
            "dictionaries.",
            hint='Write "databases": ["default"], or {"default": {…}} with options of its own.',
            id="seedbed.E002")]
    # What is wrong for all of them is said once.
    found = dict.fromkeys(filter(None, (_problem(*each) for each in databases().items())))
    return [checks.Error(f"SEEDBED: {each}", id="seedbed.E003") for each in found]


def refuse_if_wrong() -> None:
    """For Django's test runner and commands that have no checks: they are not checked yet."""
    for each in check():
        raise CommandError(f"{each.msg} {each.hint or ''}".strip())


def _problem(alias: str, given: Dict[str, Any]) -> Optional[str]:
    if alias not in connections:
        near = difflib.get_close_matches(alias, connections, 1) or list(connections)
        return f"there is no database '{alias}' in DATABASES. Did you mean '{near[0]}'?"
    if connections[alias].vendor not in ENGINES:
        return f"'{alias}' is on neither SQLite nor PostgreSQL. Remove it from 'databases'."
    try:
        checked("SEEDBED", Settings, given, {})
    except Error as error:
        return error.message
    if given.get("catalog") is None:
        return "'catalog' is missing. Set it to the folder of all releases."
    unknown = [name for name in OF_EXTENSION if name in given and name != "allow_newer"]
    if unknown and connections[alias].vendor == "postgresql":
        return f"'{unknown[0]}' is for SQLite only ('{alias}' is not). Set it for the others alone."
    return None
