"""The functions of seedbed.h through ctypes. No tests."""

import ctypes
import json
import os

import host

PROGRESS = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_double, ctypes.c_char_p, ctypes.c_char_p,
    ctypes.c_longlong)
ON_CONNECTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
VERBS = [
    "up", "plan", "status", "outlook", "down", "conflicts", "resolve", "pin", "unpin", "origin",
    "absent", "reseed", "fill",
]


class Database(ctypes.Structure):
    _fields_ = [
        ("path", ctypes.c_char_p), ("connection", ctypes.c_void_p),
        ("on_connection", ON_CONNECTION),
    ]


library = ctypes.CDLL(host.EXTENSION)
library.seedbed_version.restype = ctypes.c_char_p
library.seedbed_free.argtypes = [ctypes.c_void_p]
library.seedbed_free.restype = None
for verb in VERBS:
    getattr(library, "seedbed_" + verb).argtypes = [
        ctypes.c_char_p, ctypes.POINTER(Database), ctypes.c_char_p, ctypes.c_void_p,
        ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p),
    ]


def encoded(value):
    if isinstance(value, dict):
        value = json.dumps(value)
    return os.fsencode(value) if isinstance(value, str) else value


def call(verb, database, options=None, catalog=host.CATALOG, progress=None, context=None):
    """The result and the answer as JSON. `database`: a path, a `Database`, or None."""
    if isinstance(database, (str, bytes)):
        database = Database(path=encoded(database))
    answer = ctypes.c_void_p(1)  # So that it shows whether it is written.
    progress = ctypes.cast(progress, ctypes.c_void_p) if progress else None
    code = getattr(library, "seedbed_" + verb)(
        encoded(catalog), ctypes.byref(database) if database is not None else None,
        encoded(options), progress, context, ctypes.byref(answer))
    assert answer.value not in (None, 1), f"no answer ({answer.value}), code {code}"
    text = ctypes.string_at(answer.value)
    library.seedbed_free(answer)
    document = json.loads(text.decode())
    # A conflict that is not settled is told in the report.
    is_error = code != 0 and not (code == 3 and verb == "resolve" and document.get("refused"))
    assert is_error == ("error" in document), f"{code}: {document}"
    return code, document


def refused(code, verb, database, options=None, **others):
    """The sentence with which a call is refused that must answer `code`."""
    found, document = call(verb, database, options, **others)
    assert found == code, f"{found} and not {code}: {document}"
    message = document["error"]["message"]
    host.check_sentence(message)
    assert document["databaseUnchanged"] is True, document
    return message


# SQLite itself, for handles that Python's module does not show.

sqlite = ctypes.CDLL("libsqlite3.so.0")
for name in ("sqlite3_errmsg", "sqlite3_column_text", "sqlite3_libversion"):
    getattr(sqlite, name).restype = ctypes.c_char_p


class Handle:
    """A connection of libsqlite3, which is also that of Debian's Python."""

    def __init__(self, path):
        self.handle = ctypes.c_void_p()
        assert sqlite.sqlite3_open(encoded(path), ctypes.byref(self.handle)) == 0
        sqlite.sqlite3_enable_load_extension(self.handle, 1)
        message = ctypes.c_char_p()
        code = sqlite.sqlite3_load_extension(
            self.handle, encoded(host.EXTENSION), None, ctypes.byref(message))
        assert code == 0, message.value

    def one(self, sql):
        """The first column of the first row as text; None if there is no row."""
        statement = ctypes.c_void_p()
        code = sqlite.sqlite3_prepare_v2(
            self.handle, encoded(sql), -1, ctypes.byref(statement), None)
        assert code == 0, sqlite.sqlite3_errmsg(self.handle)
        code = sqlite.sqlite3_step(statement)
        value = sqlite.sqlite3_column_text(statement, 0) if code == 100 else None
        sqlite.sqlite3_finalize(statement)
        assert code in (100, 101), sqlite.sqlite3_errmsg(self.handle)
        return value.decode() if value is not None else None

    def lent(self):
        return Database(connection=self.handle)

    def close(self):
        assert sqlite.sqlite3_close(self.handle) == 0, "something is left open"
