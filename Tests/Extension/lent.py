"""Connections that are lent to the functions of seedbed.h, in states that do not allow it."""

import ctypes
import pathlib

import door
import host
from door import VERBS, Database, Handle, call
from host import equal, files
from wrong_calls import RIGHT, loaded, unharmed, version_and_rows


def test_a_lent_connection_in_a_transaction():
    loaded()
    for sql in ("BEGIN", "BEGIN IMMEDIATE", "SAVEPOINT one"):
        handle = Handle("app.sqlite")
        handle.one(sql)
        handle.one("SELECT count(*) FROM elements")
        for verb in ("up", "plan", "down", "resolve", "pin", "unpin"):
            code, document = call(verb, handle.lent(), RIGHT.get(verb))
            assert code in (2, 4, 64), (verb, code, document)
            assert "transaction" in document["error"]["message"], document
            host.check_sentence(document["error"]["message"])
        for verb in ("status", "outlook", "conflicts"):
            equal(call(verb, handle.lent())[0], 0)
        handle.one("ROLLBACK")
        handle.close()
    equal(version_and_rows(), (3, "Mine"))


def test_a_lent_connection_that_is_read_only():
    loaded()
    handle = Handle("file:app.sqlite?mode=ro")
    handle.close()
    flags = ctypes.c_void_p()
    equal(door.sqlite.sqlite3_open_v2(b"app.sqlite", ctypes.byref(flags), 1, None), 0)
    before = files()
    for verb in ("up", "down", "resolve", "pin", "unpin"):
        code, document = call(verb, Database(connection=flags), RIGHT.get(verb))
        assert code == 2, (verb, code, document)
        host.check_sentence(document["error"]["message"])
        unharmed(before)
    equal(call("status", Database(connection=flags))[1]["current"], 3)
    equal(door.sqlite.sqlite3_close(flags), 0)


def test_a_lent_connection_is_left_as_it_was():
    names = ["foreign_keys", "busy_timeout", "synchronous", "cache_size", "recursive_triggers",
             "temp_store", "query_only", "locking_mode", "journal_mode", "trusted_schema",
             "defer_foreign_keys", "writable_schema", "cell_size_check", "ignore_check_constraints"]
    for verb in VERBS:
        catalog = {"catalog": host.OWNERS} if verb == "fill" else {}
        host.with_owners("app.sqlite").close() if catalog else loaded()
        handle = Handle("app.sqlite")
        before = [handle.one("PRAGMA " + name) for name in names]
        equal(call(verb, handle.lent(), RIGHT.get(verb), **catalog)[0], 0)
        equal([handle.one("PRAGMA " + name) for name in names], before)
        equal(handle.one("SELECT count(*) FROM temp.sqlite_master"), "0")
        attached = "SELECT name FROM pragma_database_list WHERE name NOT IN ('main', 'temp')"
        equal(handle.one(attached), None)
        handle.close()
        pathlib.Path("app.sqlite").unlink()
