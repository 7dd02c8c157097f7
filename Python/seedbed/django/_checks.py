"""Checks of the catalog: whether it is there, and whether the app's models go with it."""

import contextlib
import csv
import gzip
import json
import re
import sys
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Type

from django.apps import apps
from django.core import checks
from django.db import connections, models
from django.db.migrations import RunPython
from django.db.migrations.loader import MigrationLoader

from . import _settings

# <table>[.<tag>~][.update|.delete].csv[.gz]
ROWS = re.compile(r"(.+?)(?:\.[^.]+~)?(?:\.(update|delete))?\.csv(?:\.gz)?")
RELEASE = re.compile(r"(\d+)_[\w-]+(\.snapshot)?")
# `name`, `was:name`, `country_id:app_country.code` and `"(country,city):app_place.name"`
HEAD = re.compile(r"(was:)?\(?([^:()]+)\)?(:.*)?", re.S)
STORED = re.compile("[0-9a-f]{32}")


class File(NamedTuple):
    """The rows of one table in a release, or those of its source."""

    path: Path
    table: str
    kind: Optional[str]  # "update" or "delete"; None for rows to add
    release: int  # 0 for a source
    owner: str  # the column of the owner's key, which no file has; or ""

    @property
    def is_of_snapshot(self) -> bool:
        return self.path.parent.suffix == ".snapshot"

    def __str__(self) -> str:
        return "/".join(self.path.parts[-2:])


def check(app_configs: Optional[Iterable[Any]] = None, **kwargs: Any) -> List[Any]:
    """What a command would find only when it has begun."""
    found: List[Any] = []
    for catalog, users in _catalogs().items():
        if not catalog.is_dir():
            found.append(checks.Error(
                f"SEEDBED: there is no folder '{catalog}'.",
                hint="Correct 'catalog' in SEEDBED, or make the folder.", id="seedbed.E004"))
            continue
        files = list(_files(catalog))
        tables = _models(apps)
        if not all(each.features.has_native_uuid_field for each in users):
            found += _uuids(files, tables)
        # A new database on SQLite begins with the newest snapshot.
        newest = max((each.release for each in files if each.is_of_snapshot), default=0)
        if any(each.vendor != "sqlite" for each in users):
            newest = 0
        found += _columns([
            each for each in files if each.release > newest or
            (each.release == newest and each.is_of_snapshot)], tables)
    return found


def check_release(
    app_configs: Optional[Iterable[Any]] = None, databases: Any = None, **kwargs: Any
) -> List[Any]:
    """Whether there is one, before `migrate` makes tables. Other commands, which name no databases,
    come before the first release, such as `sqlmigrate`."""
    return [] if not databases else [
        checks.Error(
            f"SEEDBED: there is no release in '{catalog}'.",
            hint="Make the first one: manage.py seedbed make NAME --schema FILE.",
            id="seedbed.E005")
        for catalog in _catalogs() if catalog.is_dir() and not any(
            RELEASE.fullmatch(each.name) for each in catalog.iterdir() if each.is_dir())]


def _catalogs() -> Dict[Path, List[Any]]:
    """Each with the connections to its databases; none if the settings are wrong."""
    found: Dict[Path, List[Any]] = {}
    if _settings.check():
        return found
    for alias, given in _settings.databases().items():
        found.setdefault(Path(given["catalog"]), []).append(connections[alias])
    return found


def _models(registry: Any) -> Dict[str, Type[models.Model]]:
    """By their tables."""
    return {
        each._meta.db_table: each for each in registry.get_models(include_auto_created=True)
        if not each._meta.proxy}


def _files(catalog: Path) -> Iterator[File]:
    """Those of all releases, the oldest first, and then the sources."""
    folders, tables = {}, _tables(catalog)
    owners = {
        name.lower(): str(options["per"].get("column", "")).lower()
        for name, options in tables.items() if isinstance(options.get("per"), dict)}
    for each in catalog.iterdir():
        named = RELEASE.fullmatch(each.name)
        if named and each.is_dir():
            folders[int(named[1]), bool(named[2])] = each
    for (version, _), folder in sorted(folders.items()):
        for path in sorted(folder.iterdir()):
            rows = ROWS.fullmatch(path.name)
            if rows:
                yield File(path, rows[1], rows[2], version, owners.get(rows[1].lower(), ""))
    for table, options in tables.items():
        try:
            paths = sorted(catalog.glob(options["source"])) if options.get("source") else []
        except (NotImplementedError, ValueError, TypeError, AttributeError):
            continue
        for path in paths:
            yield File(path, table, None, 0, "")


def _tables(catalog: Path) -> Dict[str, Dict[str, Any]]:
    """The options of each table. What is wrong in the file, `make` says."""
    try:
        tables = json.loads((catalog / "catalog.json").read_text("utf-8"))["tables"]
        return {name: each for name, each in tables.items() if isinstance(each, dict)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


@contextlib.contextmanager
def _records(file: File) -> Iterator[Any]:
    """A reader of all records, the head first."""
    opened: Any = gzip.open if file.path.suffix == ".gz" else open
    limit = csv.field_size_limit(sys.maxsize)
    try:
        with opened(file.path, "rt", encoding="utf-8-sig", newline="") as text:
            yield csv.reader(text, strict=True)
    finally:
        csv.field_size_limit(limit)


def _heads(file: File) -> List[Tuple[str, bool]]:
    """By the field, the column that it fills, and whether it does so by a name."""
    try:
        with _records(file) as records:
            return [_head(each) for each in next(records, [])]
    except (OSError, EOFError, ValueError, csv.Error):
        return []  # `lint`, `make` and `migrate` say what is wrong there, with its place.


def _head(text: str) -> Tuple[str, bool]:
    found = HEAD.fullmatch(text)
    return (found[2], bool(found[3])) if found else (text, False)


# UUIDs


def _uuids(files: List[File], tables: Dict[str, Type[models.Model]]) -> Iterator[Any]:
    """Where a database has no type for them, Django finds only those that it could have written."""
    for file in files:
        model = tables.get(file.table)
        if model is None:
            continue
        names = {each.column for each in model._meta.local_concrete_fields if _is_uuid(each)}
        places = [
            place for place, (name, is_named) in enumerate(_heads(file))
            if name in names and not is_named]
        try:
            found = _other_uuid(file, places) if places else None
        except (OSError, EOFError, ValueError, csv.Error):
            continue
        if found:
            yield checks.Error(
                f"{file}:{found[0]}: '{found[1]}' is not how Django stores a UUID on SQLite, so "
                f"{model._meta.label} would not find the row.",
                hint="Write its 32 digits, in small letters and without dashes. PostgreSQL takes "
                     "them, too.",
                id="seedbed.E006")


def _other_uuid(file: File, places: List[int]) -> Optional[Tuple[int, str]]:
    """The line of the first one, and its text."""
    with _records(file) as records:
        line = 1
        for number, record in enumerate(records):
            for place in places if number else ():
                text = record[place] if place < len(record) else ""
                if text and not STORED.fullmatch(text):
                    return line, text
            line = records.line_num + 1
    return None


def _is_uuid(field: Any) -> bool:
    while field.remote_field:
        field = field.target_field
    return isinstance(field, models.UUIDField)


# Columns


class Gap(NamedTuple):
    """A column of a model that rows to add do not fill, or one of theirs that it does not have."""

    file: File
    column: str
    is_lacking: bool


def _columns(files: List[File], tables: Dict[str, Type[models.Model]]) -> Iterator[Any]:
    """A new installation makes the newest tables first, and then applies all releases. No other
    one would fail, so that nobody sees it before the first new customer."""
    added = [each for each in files if each.release and each.kind is None]
    gaps = [gap for file in added for gap in _gaps(file, tables.get(file.table))]
    if not gaps:
        return
    try:
        steps = list(_steps())
    except Exception:  # `migrate` and `makemigrations` say what is wrong with the migrations.
        steps = []
    for gap in gaps:
        file, column, is_lacking = gap
        older = [then.get(file.table) for version, then in steps if version >= file.release]
        if any(gap not in _gaps(file, model) for model in older):
            continue
        label = tables[file.table]._meta.label
        step = f"apply it before the migration that %s the column: up_to({file.release})."
        if is_lacking:
            yield checks.Warning(
                f"{file} has no '{column}', which is NOT NULL for {label}: a new installation "
                "would fail there.",
                hint="Give the field null=True or a db_default (Django 5), or " + step % "adds",
                id="seedbed.W001")
        else:
            yield checks.Warning(
                f"{file} has '{column}', which {label} does not have: a new installation would "
                "fail there.",
                hint=step[0].upper() + step[1:] % "renames or removes", id="seedbed.W002")


def _gaps(file: File, model: Optional[Type[models.Model]]) -> List[Gap]:
    if model is None or not model._meta.managed:
        return []
    filled = [name.lower() for names, _ in _heads(file) for name in names.split(",")]
    if not filled:
        return []
    fields = {each.column.lower(): each for each in model._meta.local_concrete_fields}
    lacking = [
        each.column for name, each in fields.items()
        if name not in (*filled, file.owner) and _must_be_given(each)]
    return [Gap(file, each, True) for each in lacking] + [
        Gap(file, each, False) for each in filled if each not in fields]


def _must_be_given(field: Any) -> bool:
    """Django's defaults are not in the database."""
    has_default = getattr(field, "db_default", models.NOT_PROVIDED) is not models.NOT_PROVIDED
    is_made = isinstance(field, models.AutoField) or getattr(field, "generated", False)
    return not (field.null or has_default or is_made)


def _steps() -> Iterator[Tuple[int, Dict[str, Type[models.Model]]]]:
    """By the release up to which it applies them, the models before each step `up_to`."""
    loader = MigrationLoader(None)
    for name, migration in loader.disk_migrations.items():
        for each in migration.operations:
            version = getattr(each.code, "up_to", None) if isinstance(each, RunPython) else None
            if version is not None:
                yield version, _models(loader.project_state([name], at_end=False).apps)
