"""What is done to a database of Django's."""

import contextlib
import json
import os
import re
import sqlite3
import sys
import tempfile
from typing import Any, Dict, Iterator, Mapping, Optional, Tuple
from urllib.parse import quote, urlencode

from django.apps import apps
from django.core.management.base import CommandError
from django.db import DatabaseError, connections, transaction
from django.db.migrations.executor import MigrationExecutor

import seedbed

from .. import _extension, _program
from .._options import OF_EXTENSION, UpOptions
from .._remedies import AT
from .._types import Error, failure
from . import _settings, _tenants, applied

# Of these codes, as the command has them (exitCode in SeedbedError.swift); of all others, 1.
EXIT_CODES = {"busy": 4, "protected": 4, "newer": 5, "backup": 6, "diskFull": 6}
VERBS = (
    "(?=(?:backups|baseline|build|down|lock|make|new|reseed|restore|snapshot|status|unpin|up)\\b)")
# Not all names: seedbed.lock is a file.
CALLS = r"seedbed\.(?=(?:status|up)\b)"
# Remedies as messages for Python have them, and as a project of Django's does.
REMEDIES = [
    (AT + r"(\w+)=(True|SECONDS|FOLDER)\b", r"'\1': \2 in SEEDBED"),
    (AT + r"seedbed\.down\(db, catalog, (\d+)\)", r"manage.py seedbed down --to \1"),
    (AT + r"seedbed\.unpin of (.+) in (\w+)(?=\.$)", r"manage.py seedbed unpin \2 \1"),
    (AT + f"(?:(?:migrate|seedbed) {VERBS}|{CALLS})", "manage.py seedbed "),
    (r"'seedbed\.(up|status|conflicts)'", r"'manage.py seedbed \1'"),
    ("Name the folder of all migrations as the second argument", "Correct 'catalog' in SEEDBED"),
]


def after_migrate(
    sender: Any, using: str, plan: Any = None, verbosity: int = 1, stdout: Any = None,
    **kwargs: Any
) -> None:
    """Receives `post_migrate`, which is sent once for each app, when all tables are made. `flush`
    sends it without a plan, and so does whoever sends it by hand."""
    last = [each for each in apps.get_app_configs() if each.models_module is not None][-1]
    if sender is not last:
        return
    _settings.refuse_if_wrong()
    if using not in _settings.databases():
        return

    def say(sentence: str) -> None:
        if verbosity:
            (stdout or sys.stdout).write(f"  Seedbed: {sentence}\n")

    connection = connections[using]
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        say(f"applied no release: '{using}' still lacks migrations of Django's.")
        return
    if not _tenants.has_tables(connection, _settings.databases()[using]["catalog"]):
        say(f"the schema '{connection.schema_name}' has no table of the releases.")
        return

    def apply() -> None:
        with as_command(using):
            bring(using, say, refill=plan is None)

    if not (_tenants.schema(connection) and connection.in_atomic_block):
        apply()
        return
    # No other connection sees a tenant before the transaction that makes it ends.
    say("applies the releases when the transaction ends.")
    transaction.on_commit(_tenants.kept(connection, apply), using=using)


def up_to(using: str, version: int) -> None:
    """Applies the releases up to a version, in the middle of Django's migrations."""
    if using not in _settings.databases():
        return
    with as_command(using):
        with reached(using) as db:
            is_applied = seedbed.status(db, **_settings.options(using)).current >= version
        if not is_applied:
            _up(using, to=version)


@contextlib.contextmanager
def as_command(using: str) -> Iterator[None]:
    """Makes errors those of a command."""
    try:
        yield
    except Error as error:
        at = "" if using == "default" else f" (database '{using}')"
        done = ", ".join(map(str, error.applied))
        kept = f" The releases before it are applied: {done}." if done else ""
        code = EXIT_CODES.get(error.code, 1)
        raise CommandError(f"Seedbed{at}: {words(error)}{kept}", returncode=code) from error


def words(error: Error) -> str:
    """Its message, with remedies as a project of Django's has them."""
    text = str(error)
    for found, written in REMEDIES:
        text = re.sub(found, written, text)
    return text


def bring(using: str, say: Any, refill: bool) -> None:
    """Applies what is pending. With `refill`, tables without a row get those of the releases."""
    allow_newer = _settings.databases()[using].get("allow_newer", True)
    if connections[using].in_atomic_block and not refill and not _is_pending(using):
        return
    try:
        report = _up(using)
    except Error as error:
        # Django, too, runs older code on a newer database: when a deploy is taken back.
        if error.code == "newer" and allow_newer:
            say(f"the database stays as it is. {words(error)}")
            return
        raise
    for note in report.json.get("notes", ()):
        say(note)
    say(_summary(report))
    if refill and report.from_version and refilled(using):
        say("all rows of the releases are back.")


def _up(using: str, **more: Any) -> seedbed.Report:
    """Applies releases, and sends the signal, even if only the first ones could be applied."""
    options = {**_settings.options(using, UpOptions), **more}
    try:
        with reached(using) as db:
            report = seedbed.up(db, **options)
    except Error as error:
        if error.applied:
            changed(using)
        raise
    changed(using, report)
    return report


def _is_pending(using: str) -> bool:
    """Asked for in a transaction: tests call `migrate` there, and nothing is pending."""
    if _is_in_memory(connections[using]):
        return False  # Its data came when it was made.
    with reached(using, writes=False) as db:
        state = seedbed.status(db, **_settings.options(using)).state
    return state not in ("upToDate", "newer")


def refilled(using: str) -> bool:
    """Puts the rows of the releases back into the tables that have none, as `flush` leaves them.
    A table with rows stays as it is: they may be edited. Only the program can do it."""
    options = _settings.options(using)
    catalog = os.fspath(options.pop("catalog"))
    for name in OF_EXTENSION:
        options.pop(name, None)
    with reached(using) as db:
        where = _extension.found(db, writes=True)._replace(
            pointer=None, interface="reseed is not in it")

        def call(verb: str, **more: Any) -> Any:
            document = _program.call(verb, catalog, where, {**options, **more}, None, None)
            if "error" in document:
                raise Error(document)
            return document

        tables = [each["table"] for each in call("verify").get("emptied", [])]
        if tables:
            call("reseed", tables=True, no_backup=True, operands=tables)
        if tables:
            # What they were about is gone: the rows are those of the releases now.
            open_ones = [
                each.id for each in seedbed.conflicts(db, **_settings.options(using))
                if each.settled is None and each.table in tables]
            if open_ones:
                seedbed.resolve(db, id=open_ones, side="seed", **_settings.options(using))
    if tables:
        changed(using)
    return bool(tables)


def _summary(report: seedbed.Report) -> str:
    if report.outcome == "upToDate":
        return "no release is pending."
    tables = [row for each in report.migrations for row in each["tables"]]
    counts = {name: sum(row[key] for row in tables) for name, key in (
        ("added", "inserted"), ("changed", "updated"), ("retired", "deleted"), ("kept", "kept"))}
    rows = ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "none changed"
    owners = sum(each.get("newOwners", 0) for each in report.migrations)
    done = f"release {report.to_version} is applied"
    if report.from_version == report.to_version:
        done = f"owners without rows got those of release {report.to_version}: {owners}"
    number = len(report.conflicts)
    ending = f" Conflicts: {number}. See 'manage.py seedbed conflicts'." if number else ""
    return f"{done}; rows: {rows}.{ending}"


class Pins:
    """What is pinned, as the ledger has it. To ask the program takes as long as any other call."""

    def __init__(self, using: str) -> None:
        connection = connections[using]
        prefix = _settings.options(using).get("ledger") or "seedbed"
        table = connection.ops.quote_name(f"{prefix}_left_to_user")
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT table_name, key FROM {table} WHERE kind = 'pinned'")
                self.found: Any = [(table, json.loads(key)) for table, key in cursor.fetchall()]
        except DatabaseError:
            self.found = None  # Its ledger may be in another schema.

    def has(self, table: str, key: Mapping[str, Any]) -> Optional[bool]:
        """Whether it has a row. None if only `seedbed.origin` knows, as by a column's collation."""
        if self.found is None:
            return None
        if (table, dict(key)) in self.found:
            return True
        return None if any(_folded(table, key) == _folded(*each) for each in self.found) else False


def _folded(table: str, key: Mapping[str, Any]) -> Any:
    return table.casefold(), [str(each).rstrip().casefold() for each in key.values()]


def changed(using: str, report: Any = None) -> None:
    """Sends the signal. Without a report, all tables count as touched."""
    from .apps import SeedbedConfig

    tables: Tuple[str, ...] = report.touched_tables if report else _tables(using)
    if tables:
        applied.send(SeedbedConfig, using=using, report=report, touched_tables=tables)


def _tables(using: str) -> Tuple[str, ...]:
    """All tables. None if there is no database: that may be why a command failed."""
    connection = connections[using]
    is_file = connection.vendor == "sqlite" and not _is_in_memory(connection)
    if is_file and not os.path.exists(connection.settings_dict["NAME"]):
        return ()  # Django would make the file.
    try:
        return tuple(connection.introspection.table_names())
    except DatabaseError:
        return ()


@contextlib.contextmanager
def reached(using: str, writes: bool = True) -> Iterator[Any]:
    """What the functions of `seedbed` take for a database."""
    connection = connections[using]
    # A database in memory cannot be copied then, either.
    if connection.in_atomic_block and (writes or _is_in_memory(connection)):
        raise failure(
            "Django is inside a transaction, and Seedbed needs one of its own. Call it outside "
            "atomic(); in a test, use TransactionTestCase.")
    if connection.vendor == "postgresql":
        yield url(connection)
        return
    connection.ensure_connection()
    if not _is_in_memory(connection):
        yield connection.connection
        return
    # No other connection reaches it. Seedbed works on a copy in a file, which then replaces it.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "memory.sqlite")
        with contextlib.closing(sqlite3.connect(path)) as copy:
            connection.connection.backup(copy)
        try:
            yield path
        finally:  # The releases before one that fails are whole, and stay.
            if writes:
                with contextlib.closing(sqlite3.connect(path)) as copy:
                    copy.backup(connection.connection)


def _is_in_memory(connection: Any) -> bool:
    return connection.vendor == "sqlite" and bool(connection.is_in_memory_db())


def url(connection: Any) -> str:
    """Where libpq finds the server. It may have a password: never pass it as an argument."""
    given: Dict[str, Any] = connection.get_connection_params()
    ours = ("client_encoding", "prepare_threshold")  # Django's and psycopg's, and not libpq's
    found = {
        name: str(value) for name, value in given.items()
        if (type(value) in (str, int) or isinstance(value, os.PathLike)) and name not in ours}
    role: Optional[str] = connection.settings_dict["OPTIONS"].get("assume_role")
    if role:
        escaped = role.replace("\\", "\\\\").replace(" ", "\\ ")
        found["options"] = f"{found.get('options', '')} -c role={escaped}".strip()
    schema = _tenants.schema(connection)
    if schema:
        found["schema"] = schema
    name = quote(found.pop("dbname", ""), safe="")
    return f"postgresql:///{name}?{urlencode(found, quote_via=quote, safe='')}"
