"""The extension, which works with the SQLite of a connection: the functions of seedbed.h."""

import contextlib
import ctypes
import functools
import json
import os
import pathlib
import shutil
import sqlite3
import tempfile
import threading
from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence, Union

from ._types import Listener, Progress, failure
from ._watch import watched

EXTENSION = pathlib.Path(__file__).with_name("seedbed.so")


class Database(NamedTuple):
    path: str
    pointer: Optional[int]  # the sqlite3 * of a connection that is lent
    interface: Union[ctypes.CDLL, str]  # the extension, or why the program does the work
    connection: Any = None  # does the work itself, by SQL


def found(db: Any, writes: bool, joins: bool = False) -> Database:
    """What a path or a connection names. Raises an error if Seedbed cannot open it once more.

    joins: the work belongs to the connection's transaction, and is done on the connection."""
    if isinstance(db, (str, bytes, os.PathLike)):
        path = os.fsdecode(db)
        if path == ":memory:" or path.startswith("file:"):
            raise failure(f"'{path}' is not a file. Pass a path, or a connection of apsw.")
        if path.startswith(("postgres://", "postgresql://")):
            return Database(path, None, "it does not reach servers")
        return Database(path, None, extension(sqlite3.Connection))
    if not all(hasattr(type(db), name) for name in ("cursor", "in_transaction")):
        raise failure(f"'{type(db).__name__}' is not a database. Pass a path or a connection.")
    try:
        file = next(row[2] for row in _rows(db, "PRAGMA database_list") if row[0] == 0)
    except Exception as error:
        other = "a connection of this thread, or the path" if "thread" in str(error) else (
            "one that is open")
        reason = str(error).rstrip(".")
        raise failure(f"The connection cannot be used ({reason}). Pass {other}.") from error
    # The caller's own classes may need other arguments than the module's.
    interface = extension(type(db).__mro__[-2])
    if joins and not isinstance(interface, str):
        if hasattr(db, "sqlite3_pointer"):
            return Database("", db.sqlite3_pointer(), interface)
        return Database("", None, interface, db)
    if writes and db.in_transaction:
        always = getattr(db, "autocommit", None) is False
        if joins:
            raise failure(
                f"The connection is inside a transaction, and {interface}: another process does "
                "not see what is not committed. Commit the owner first, or leave it to the next "
                "'up'.", "needsConnection")
        raise failure(
            "The connection is inside a transaction. Commit it or roll it back first."
            + " With autocommit=False one is always open: pass the path." * always)
    if writes and _is_read_only(db):
        raise failure("This connection is read-only. Pass one that may write.", "needsConnection")
    if file:
        return Database(os.fsdecode(file), None, interface)
    if not hasattr(db, "sqlite3_pointer") or isinstance(interface, str):
        raise failure(
            "The database of this connection has no file, and Seedbed opens the file once more. "
            "Use a file, or a connection of apsw and the extension.", "needsConnection")
    return Database("", db.sqlite3_pointer(), interface)


def _is_read_only(db: Any) -> bool:
    if hasattr(db, "readonly"):
        return bool(db.readonly("main"))
    # sqlite3 does not say. This needs the right to write, and changes nothing. If the database is
    # locked, the call itself says so.
    [[timeout]] = _rows(db, "PRAGMA busy_timeout")
    try:
        _rows(db, "PRAGMA busy_timeout = 0")
        _rows(db, "BEGIN")
        _rows(db, "PRAGMA main.incremental_vacuum(1)")
    except Exception as error:
        return "readonly" in str(error)
    finally:
        if db.in_transaction:
            _rows(db, "ROLLBACK")
        _rows(db, f"PRAGMA busy_timeout = {timeout}")
    return False


def _rows(db: Any, sql: str, values: Sequence[Any] = ()) -> Any:
    """All rows, as tuples, whatever factory the caller has set."""
    cursor = db.cursor()
    if hasattr(cursor, "row_trace"):
        cursor.row_trace = lambda cursor, row: row
    else:
        cursor.row_factory = None
    return cursor.execute(sql, values).fetchall()


def extension(base: Any) -> Union[ctypes.CDLL, str]:
    """The extension, loaded by the SQLite of a class of connections; or why it cannot be."""
    forced = os.environ.get("SEEDBED_INTERFACE") == "program"
    return "SEEDBED_INTERFACE=program leaves it out" if forced else _loaded(base)


@functools.lru_cache(None)
def _loaded(base: Any) -> Union[ctypes.CDLL, str]:
    try:
        # On a connection of our own: the caller's gets no functions.
        with contextlib.closing(base(":memory:")) as connection:
            connection.enable_load_extension(True)
            try:
                connection.load_extension(str(EXTENSION))
                return ctypes.CDLL(str(EXTENSION))
            except Exception as error:
                if "Another copy of SQLite" not in str(error):
                    raise
            # Each SQLite in the process needs its own file. It stays mapped when it is deleted.
            with tempfile.TemporaryDirectory() as folder:
                copy = shutil.copy(EXTENSION, folder)
                connection.load_extension(copy)
                return ctypes.CDLL(copy)
    except Exception as error:
        return f"this Python cannot load it ({error})"


def _load(db: Any, interface: ctypes.CDLL) -> None:
    """Gives the caller's connection the functions, if it does not have them."""
    with contextlib.suppress(Exception):
        _rows(db, "SELECT seedbed_version()")
        return
    with contextlib.suppress(Exception):
        db.load_extension(interface._name)  # if the caller allows it to all
        return
    db.enable_load_extension(True)
    try:
        db.load_extension(interface._name)
    except Exception as error:
        raise failure(
            f"The connection cannot load the extension ({error}). Commit the owner first and pass "
            "the path, or leave it to the next 'up'.", "needsConnection") from error
    finally:
        db.enable_load_extension(False)


def _by_sql(db: Any, verb: str, values: Sequence[Any]) -> Any:
    """The answer of a function of SQL, in the connection's transaction."""
    try:
        [[text]] = _rows(db, f"SELECT seedbed_{verb}({', '.join('?' * len(values))})", values)
    except Exception as error:
        [[text]] = _rows(db, "SELECT seedbed_last_error()")
        # It may be about an earlier call.
        if not text or json.loads(text)["error"]["message"] not in str(error):
            raise failure(f"{error}. Nothing was done.", "sql") from error
    return json.loads(text)


def _plain(value: Any) -> Any:
    kind = os.fspath if isinstance(value, os.PathLike) else (
        dict if isinstance(value, Mapping) else list)
    return kind(value)


class _Database(ctypes.Structure):
    _fields_ = [("path", ctypes.c_char_p), ("connection", ctypes.c_void_p), ("on", ctypes.c_void_p)]


_OnProgress = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_double, ctypes.c_char_p, ctypes.c_char_p,
    ctypes.c_longlong)


def call(
    verb: str, catalog: str, database: Database, options: Dict[str, Any],
    progress: Optional[Listener], cancel: Optional[threading.Event]) -> Any:
    stopped = threading.Event()
    names = {name.replace("_", "-"): value for name, value in options.items()}
    if database.connection is not None and not isinstance(database.interface, str):
        # A text that begins like JSON would be read as JSON.
        owner = json.dumps([names.pop("owner")])
        _load(database.connection, database.interface)
        values = (catalog, owner, json.dumps(names, default=_plain))
        return _by_sql(database.connection, verb, values)
    text = json.dumps(names, default=_plain).encode()
    where = _Database(os.fsencode(database.path) or None, database.pointer, None)

    def work(say: Listener) -> bytes:
        def on_progress(
            context: object, fraction: float, phase: bytes, table: Optional[bytes], rows: int
        ) -> bool:
            say(Progress(fraction, phase.decode(), table.decode() if table else None, rows))
            return stopped.is_set()

        answer = ctypes.c_char_p()
        getattr(database.interface, "seedbed_" + verb)(
            os.fsencode(catalog), ctypes.byref(where), text, _OnProgress(on_progress), None,
            ctypes.byref(answer))
        try:
            return answer.value or b""
        finally:
            getattr(database.interface, "seedbed_free")(answer)

    return json.loads(watched(work, stopped.set, progress, cancel))
