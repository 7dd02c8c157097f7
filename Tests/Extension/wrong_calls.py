"""Wrong calls of the functions of seedbed.h: a code, a sentence, and an unharmed database."""

import ctypes
import os
import pathlib
import shutil
import sqlite3

import door
import host
from door import ON_CONNECTION, PROGRESS, VERBS, Database, Handle, call, refused
from host import CATALOG, at_release_3, each, equal, files

# Options with which each verb works at release 3.
RIGHT = {
    "down": {"to": 1}, "resolve": {"id": 1, "side": "seed"},
    "pin": {"table": "elements", "key": 2}, "unpin": {"table": "elements", "key": 7},
    "origin": {"table": "elements", "key": 2}, "reseed": {"table": "elements", "key": 2},
    "fill": {"owner": 7},
}


def loaded():
    """A database at release 3, and the extension known to its SQLite."""
    at_release_3().close()
    return "app.sqlite"


def unharmed(before):
    equal(files(), before)


# Before and without SQLite


def test_before_sqlite_has_loaded_it():
    pathlib.Path("app.sqlite").write_bytes(b"")
    for verb in VERBS:
        sentence = refused(2, verb, "app.sqlite", RIGHT.get(verb))
        assert "SQLite has not loaded Seedbed yet" in sentence, sentence
    sentence = refused(2, "up", Database(connection=ctypes.c_void_p(8)))
    assert "SQLite has not loaded Seedbed yet" in sentence, sentence
    equal((os.listdir("."), os.path.getsize("app.sqlite")), (["app.sqlite"], 0))
    equal(door.library.seedbed_abi(), 1)
    equal(door.library.seedbed_version().decode().count("."), 2)
    door.library.seedbed_free(None)


def test_loading_without_sqlites_table():
    code = door.library.sqlite3_seedbed_init(None, None, None)
    equal(code, 1)
    equal(door.library.sqlite3_seedbed_init(ctypes.c_void_p(8), None, None), 1)


# Arguments


def test_the_right_calls_are_right():
    for verb in VERBS:
        catalog = {"catalog": host.OWNERS} if verb == "fill" else {}
        host.with_owners("app.sqlite").close() if catalog else loaded()
        code, document = call(verb, "app.sqlite", RIGHT.get(verb), **catalog)
        equal((code, document["schema"]), (0, 1))
        pathlib.Path("app.sqlite").unlink()


def test_null_for_each_argument():
    path = loaded()
    before = files()
    for verb in VERBS:
        options = RIGHT.get(verb)
        assert "catalog" in refused(64, verb, path, options, catalog=None)
        assert "database" in refused(64, verb, None, options)
        assert "database" in refused(64, verb, Database(), options)
        if options:
            assert "is missing" in refused(64, verb, path, None)
        function = getattr(door.library, "seedbed_" + verb)
        # An error without a place for the answer.
        equal(function(None, None, None, None, None, None), 64)
        unharmed(before)
    place = Database(path=b"app.sqlite")
    equal(door.library.seedbed_outlook(
        CATALOG.encode(), ctypes.byref(place), None, None, None, None), 0)
    unharmed(before)


def test_a_path_and_a_connection():
    loaded()
    before, handle = files(), Handle("app.sqlite")
    both = Database(path=b"app.sqlite", connection=handle.handle)
    for verb in VERBS:
        assert "not both" in refused(64, verb, both, RIGHT.get(verb))
    handle.close()
    unharmed(before)


WRONG_TEXTS = {
    "empty": b"", "no UTF-8": b"\xff\xfe", "half a character": b"a\xe5\x85",
    "long": b"x" * 2_000_000, "deep": b"[" * 100_000, "broken": b'{"to": ',
    "an array": b"[]", "a number": b"7", "null": b"null", "a string": b'"to"',
    "two values": b"{} {}", "a byte order mark": b"\xef\xbb\xbf{}", "a comment": b"{} // to",
    "a comma": b'{"to": 1,}', "a lone surrogate": br'{"ledger": "\udc00"}',
    "a zero": br'{"ledger": "a\u0000b"}', "twice": b'{"to": 1, "to": 2}',
    "single quotes": b"{'to': 1}", "unknown": b'{"tos": 1}', "the SQL door's": b'{"database": "x"}',
}


def test_wrong_options():
    path = loaded()
    before = files()

    def check(verb, name):
        refused(64, verb, path, WRONG_TEXTS[name])
        unharmed(before)

    each([(verb, name) for verb in VERBS for name in WRONG_TEXTS], check)


def test_wrong_catalogs():
    path = loaded()
    before = files()
    os.mkfifo("pipe")
    texts = {**{name: WRONG_TEXTS[name] for name in ("empty", "no UTF-8", "long", "deep")},
             "nowhere": b"nowhere", "a file": b"app.sqlite", "a pipe": b"pipe", "a folder": b"/"}

    def check(verb, name):
        # What is no path is a wrong argument, and what is no catalog a failure.
        code = 64 if name in ("empty", "no UTF-8", "long", "deep") else 2
        refused(code, verb, path, RIGHT.get(verb), catalog=texts[name])
        unharmed(before)

    each([(verb, name) for verb in VERBS for name in texts], check)


NOT_THERE = (b"nowhere/app.sqlite", b"x" * 100_000)


def test_wrong_paths():
    loaded()
    os.mkfifo("pipe")
    before = files()

    def check(verb, path):
        code, document = call(verb, path, {**RIGHT.get(verb, {}), "lock-timeout": 0})
        assert code in (2, 64), f"{code}: {document}"
        host.check_sentence(document["error"]["message"])
        unharmed(before)

    each([
        (verb, path) for verb in VERBS
        for path in (b"", b"\xff", b"/", b".", b"pipe", b"/dev/null", *NOT_THERE)
        # They tell what would be done with a database that is not there yet.
        if not (verb in ("status", "outlook", "plan") and path in NOT_THERE)
    ], check)


# Functions of the caller


def cancelled(database):
    before, calls = sqlite3.connect("app.sqlite").iterdump(), []
    before = list(before)

    @PROGRESS
    def stop(context, fraction, phase, table, rows):
        calls.append((context, fraction, phase, table, rows))
        return 1

    code, document = call("up", database, {"no-backup": True}, progress=stop, context=42)
    equal(code, 130)
    host.check_sentence(document["error"]["message"])
    assert calls and calls[0][0] == 42, calls
    equal(version_and_rows(), (3, "Mine"))
    equal([line for line in sqlite3.connect("app.sqlite").iterdump() if "_runs" not in line],
          [line for line in before if "_runs" not in line])


def version_and_rows():
    connection = sqlite3.connect("app.sqlite")
    version, = connection.execute("SELECT max(version) FROM seedbed_migrations").fetchone()
    name, = connection.execute("SELECT name FROM elements WHERE number = 113").fetchone()
    connection.close()
    return version, name


def test_progress_that_stops_at_once():
    cancelled(loaded())
    equal(call("up", "app.sqlite")[1]["outcome"], "applied")


def test_progress_that_stops_at_once_on_a_lent_connection():
    loaded()
    handle = Handle("app.sqlite")
    cancelled(handle.lent())
    equal(handle.one("SELECT 1"), "1")
    equal(call("up", handle.lent())[1]["outcome"], "applied")
    handle.close()


def test_progress_that_stops_later():
    codes = set()
    for stop_at in range(2, 8):
        loaded()
        calls = []

        @PROGRESS
        def stop(_, fraction, phase, table, rows):
            calls.append(fraction)
            return len(calls) >= stop_at

        code, document = call("up", "app.sqlite", {"no-backup": True}, progress=stop)
        # After COMMIT it is too late.
        assert code in (0, 130), (code, calls, document)
        equal(version_and_rows(), (3 if code else 4, "Mine"))
        codes.add((code, len(calls) >= 3))
        pathlib.Path("app.sqlite").unlink()
    assert (130, True) in codes, codes


def test_progress_may_use_sqlite():
    """On another connection to the same file, which is busy, and on the same thread."""
    loaded()
    other, seen = sqlite3.connect("app.sqlite", timeout=0), []

    @PROGRESS
    def read(*_):
        seen.append(other.execute("SELECT count(*) FROM elements").fetchone()[0])
        return 0

    equal(call("up", "app.sqlite", progress=read)[1]["outcome"], "applied")
    assert seen and set(seen) == {118}, seen


def test_on_connection_that_fails():
    loaded()
    before = files()
    for verb in VERBS:
        for code in (1, 5, 26, -1, 2**31 - 1):
            setup = ON_CONNECTION(lambda *_: code)
            place = Database(path=b"app.sqlite", on_connection=setup)
            sentence = refused(2, verb, place, RIGHT.get(verb))
            assert str(code) in sentence, sentence
            unharmed(before)


def test_on_connection_gets_each_connection():
    loaded()
    seen = []

    @ON_CONNECTION
    def setup(handle, context):
        seen.append((bool(handle), context))
        return 0

    place = Database(path=b"app.sqlite", on_connection=setup)
    equal(call("up", place, context=7)[1]["outcome"], "applied")
    assert seen and set(seen) == {(True, 7)}, seen


def test_a_newer_database():
    loaded()
    call("up", "app.sqlite")
    shutil.copytree(CATALOG, "catalog")
    shutil.rmtree("catalog/0004_weights_2021")
    os.unlink("catalog/seedbed.lock")
    for verb in ("up", "plan"):
        assert "newer" in refused(5, verb, "app.sqlite", catalog="catalog")


def test_a_busy_database():
    loaded()
    other = sqlite3.connect("app.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for verb in ("up", "down", "pin", "unpin", "resolve"):
        options = {**RIGHT.get(verb, {}), "lock-timeout": 0}
        assert "locked" in refused(4, verb, "app.sqlite", options)
    other.execute("ROLLBACK")
    equal(call("up", "app.sqlite", {"lock-timeout": 0})[0], 0)
