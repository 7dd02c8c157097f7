"""Ships seed data to SQLite databases and keeps what users changed in them.

    seedbed.up("app.sqlite", "Migrations")

The first argument is the database: a path, or an open connection of sqlite3, apsw or pysqlite3
(apsw's may be in memory). The connection must be in no transaction, and stays as it is: Seedbed
opens the file once more, with the connection's SQLite, or with that of sqlite3 for a path. `fill`
alone works on the connection itself, in its transaction. The second argument is the catalog, the
folder of all releases. Where the extension cannot be loaded, the program of this package does the
same in another process. help(seedbed.up) has all options.
"""

from __future__ import annotations

import os
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any, Dict, Literal, Optional, Protocol, Union

from . import _extension, _program
from ._arguments import checked
from ._options import DownOptions, Options, PlanOptions, ReseedOptions, UpOptions
from ._types import (
    Absent, AbsentRow, Cancelled, Conflict, Conflicts, Counts, Error, Ids, Key, Origin, PassedOver,
    Path, Pins, Place, Progress, Report, Reseeded, Result, Settlement, Side, SignedHead, Status,
    Value, failure)

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Absent", "AbsentRow", "Cancelled", "Conflict", "Conflicts", "Counts", "Error", "Origin",
    "PassedOver", "Pins", "Place", "Progress", "Report", "Reseeded", "Result", "Settlement",
    "SignedHead", "Status", "absent", "conflicts", "counts", "down", "fill", "interface", "origin",
    "pin", "plan", "reseed", "resolve", "status", "unpin", "up"]
__version__ = _version("seedbed")
for _name in filter(globals().get, __all__):
    globals()[_name].__module__ = __name__  # The functions below have it.


class Connection(Protocol):
    @property
    def in_transaction(self) -> bool: ...
    def cursor(self) -> Any: ...


Database = Union[Path, Connection]


def up(db: Database, catalog: Path, **options: Unpack[UpOptions]) -> Report:
    """Applies the pending releases, each in one transaction, after a backup.

    to: the version to stop at. no_backup: make no backup. must_exist: create no database.
    allow_out_of_order: also apply releases below the last applied one.
    adopt: the release at which a database is adopted that has rows and was never released to.
    progress: a function that gets a `Progress`, at most 30 times a second, on this thread. If it
    raises, or on Ctrl-C, the call is cancelled, and then the exception is raised.
    cancel: a threading.Event. Once it is set, the call is cancelled, and raises `Cancelled`.

    All functions take:
    on_edited, on_taken: what happens if the user edited what a release changes, or has a row where
    it adds one, instead of "keepEdits" and "keepUser".
    backups: their folder. keep: of how many versions they stay (2; 0: all).
    ledger: the prefix of Seedbed's own tables. lock_timeout: how many seconds to wait (5).
    beside: the folders of the database's other catalogs: of a pack, its base; of a base, packs.
    signed_by, downloaded: public keys, and files that one of them may have signed. The newest that
    continues the catalog is used, and `passed_over` of the result has the others. The catalog's
    seedbed.lock is trusted then. allow_sql: also use a file with SQL.

    Only the extension takes:
    known: a version for each key, below which no download is news, from `Status.signed_heads`.
    locked: trust the catalog's seedbed.lock. connection_sql: SQL that Seedbed's own connections
    begin with, such as PRAGMA key. allow_newer: leave a database alone that is newer.
    first: a ready-made database to begin with. reporting: "outcome", "counts" or "keys".
    """
    return Report.of(_call("up", UpOptions, db, catalog, options))


def plan(db: Database, catalog: Path, **options: Unpack[PlanOptions]) -> Report:
    """Does all that `up` would do, and rolls it back: the conflicts before they happen."""
    return Report.of(_call("plan", PlanOptions, db, catalog, options))


def down(db: Database, catalog: Path, to: int, **options: Unpack[DownOptions]) -> Report:
    """Takes back all releases above the version `to`, after a backup. discard_user_rows: also drop
    tables and columns with users' data."""
    return Report.of(_call("down", DownOptions, db, catalog, options, to=to))


def status(db: Database, catalog: Path, **options: Unpack[Options]) -> Status:
    """What is applied and pending. Changes nothing."""
    return Status.of(_call("status", Options, db, catalog, options))


def counts(db: Database, catalog: Path, **options: Unpack[Options]) -> Counts:
    """What an app may send to its author: numbers, and nothing that the user made."""
    return Counts.of(_call("status", Options, db, catalog, options, counts=True))


def conflicts(db: Database, catalog: Path, **options: Unpack[Options]) -> Conflicts:
    """The log of conflicts, the oldest first."""
    return Conflicts.of(_call("conflicts", Options, db, catalog, options))


def resolve(
    db: Database, catalog: Path, id: Ids, side: Side, **options: Unpack[Options]
) -> Settlement:
    """Settles one or more conflicts for the user ("mine") or the release ("seed")."""
    return Settlement.of(_call("resolve", Options, db, catalog, options, id=id, side=side))


def pin(db: Database, catalog: Path, table: str, key: Key, **options: Unpack[Options]) -> Pins:
    """Leaves a row of the catalog to the user for good.

    key: a value, those of several columns in their order, or a mapping with the columns' names. An
    id that this database chose is taken, and so is the name for it in the row files."""
    return Pins.of(_call("pin", Options, db, catalog, options, table=table, key=key))


def unpin(db: Database, catalog: Path, table: str, key: Key, **options: Unpack[Options]) -> Pins:
    """Ends a `pin`. The row stays as it is until a release changes it."""
    return Pins.of(_call("unpin", Options, db, catalog, options, table=table, key=key))


def origin(db: Database, catalog: Path, table: str, key: Key, **options: Unpack[Options]) -> Origin:
    """Whether a row is the seed's or the user's, and its values in the catalog."""
    return Origin.of(_call("origin", Options, db, catalog, options, table=table, key=key))


def absent(
    db: Database, catalog: Path, table: Optional[str] = None, **options: Unpack[Options]
) -> Absent:
    """The rows of the catalog that are not in the database, and why; of one table or of all."""
    return Absent.of(_call("absent", Options, db, catalog, options, **_given(table=table)))


def reseed(
    db: Database, catalog: Path, table: Optional[str] = None, key: Optional[Key] = None,
    **options: Unpack[ReseedOptions]
) -> Reseeded:
    """Puts a row back as the catalog has it, whatever the user did to it, after a backup.

    key: of the row, as `absent` has it. missing=True, without a key: all rows that are absent, of
    the table or of all, and no row that is there changes."""
    if (key is None) is not options.get("missing", False) or (table is None and key is not None):
        raise failure("Give a table and the key of a row, or missing=True for all absent rows.")
    operands = _given(table=table, key=key)
    return Reseeded.of(_call("reseed", ReseedOptions, db, catalog, options, **operands))


def fill(db: Database, catalog: Path, owner: Value, **options: Unpack[Options]) -> Report:
    """Gives a new owner a copy of the catalog's rows: of each table with the option "per".

    owner: its key. A connection does it in the transaction that adds the owner, or in one of its
    own, and keeps the SQL functions of the extension. A path, a server and the program need an
    owner that is committed. `up` fills owners that have no copy."""
    return Report.of(_call("fill", Options, db, catalog, options, owner=owner))


def interface(db: Database) -> Literal["extension", "program"]:
    """What works on the database. SEEDBED_INTERFACE=program asks for the program."""
    found = _extension.found(db, writes=False)
    return "program" if isinstance(found.interface, str) else "extension"


def _given(**operands: Any) -> Dict[str, Any]:
    return {name: each for name, each in operands.items() if each is not None}


def _call(verb: str, kind: Any, db: Database, catalog: Path, given: Any, **operands: Any) -> Any:
    options = checked(verb, kind, given, {"catalog": catalog, **operands})
    watch = (options.pop("progress", None), options.pop("cancel", None))
    folder = os.fspath(options.pop("catalog"))
    database = _extension.found(
        db, writes=verb not in ("status", "conflicts", "origin", "absent"), joins=verb == "fill")
    if "\0" in folder + database.path:
        raise failure("The path of the catalog or the database has a NUL in it. Pass another.")
    call = _program.call if isinstance(database.interface, str) else _extension.call
    document = call(verb, folder, database, options, *watch)
    if "error" in document:
        raise (Cancelled if document["error"]["code"] == "cancelled" else Error)(document)
    return document
