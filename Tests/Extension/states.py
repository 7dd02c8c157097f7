"""Whatever the host does with its connection, a call works or is refused in one sentence.

The function opens the caller's file once more: the states here are those that stand in the way
of a second connection, and those in which it could find another database than the caller's.
"""

import os
import sqlite3

import host
from host import CONFLICTS, call, connect, equal, refusal

WRITES = [
    ("up",), ("plan",), ("down", 0), ("pin", "elements", 1), ("unpin", "elements", 1),
    ("resolve", 1, "seed"), ("reseed", "elements", 1),
]
READS = [("status",), ("outlook",), ("origin", "elements", 1), ("absent",)]


def at_release_1(journal="delete", name="app.sqlite", **options):
    connection = connect(name, **options)
    equal(connection.execute(f"PRAGMA journal_mode = {journal}").fetchone(), (journal,))
    equal(call(connection, "up", {"to": 1})["outcome"], "applied")
    return connection


def name_of_113(connection, schema="main"):
    sql = f"SELECT name FROM {schema}.elements WHERE number = 113"
    return connection.execute(sql).fetchone()[0]


def only_reads(connection, *words):
    """What writes is refused with a sentence that has the words; what reads works."""
    for verb, *arguments in WRITES:
        sentence = refusal(call, connection, verb, *arguments)
        assert all(word in sentence for word in words), sentence
    for verb, *arguments in READS:
        assert call(connection, verb, *arguments)["schema"] == 1
    connection.execute(f"SELECT * FROM {CONFLICTS}").fetchall()


# Transactions and locks


def test_in_a_read_transaction():
    connection = at_release_1()
    connection.execute("BEGIN")
    equal(name_of_113(connection), "Ununtrium")
    before = host.locks()
    assert before, "a reader has no lock"
    only_reads(connection, "inside a transaction")
    equal(host.locks(), before)
    connection.execute("COMMIT")
    equal(call(connection, "up")["outcome"], "applied")


def test_in_a_read_transaction_of_wal():
    connection = at_release_1("wal")
    connection.execute("BEGIN")
    equal(name_of_113(connection), "Ununtrium")
    before = host.locks()
    assert before, "a reader has no lock"
    equal(call(connection, "up")["outcome"], "applied")
    # The caller still sees what it saw, and its locks guard it.
    equal(host.locks(), before)
    equal(name_of_113(connection), "Ununtrium")
    connection.execute("COMMIT")
    equal(name_of_113(connection), "Nihonium")


def test_beside_a_statement_that_is_partly_read():
    connection = at_release_1()
    rows = connection.execute("SELECT number FROM elements")
    rows.fetchone()
    only_reads(connection, "inside a transaction")
    equal(len(rows.fetchall()), 117)
    equal(call(connection, "up")["outcome"], "applied")


def in_a_write_transaction(journal):
    connection = at_release_1(journal)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE elements SET name = 'Mine' WHERE number = 1")
    only_reads(connection, "inside a transaction")
    equal(connection.in_transaction, True)
    connection.execute("ROLLBACK")
    equal(call(connection, "up")["outcome"], "applied")


def test_in_a_write_transaction():
    in_a_write_transaction("delete")


def test_in_a_write_transaction_of_wal():
    in_a_write_transaction("wal")


def test_while_another_connection_writes():
    connection, other = at_release_1(), connect()
    other.execute("BEGIN IMMEDIATE")
    sentence = refusal(call, connection, "up", {"lock-timeout": 0})
    assert "locked by another" in sentence, sentence
    other.execute("ROLLBACK")
    equal(call(connection, "up")["outcome"], "applied")


def test_locking_mode_exclusive():
    for journal in "delete", "wal":
        connection = at_release_1(journal, journal)
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchone()
        connection.execute("UPDATE elements SET name = 'Mine' WHERE number = 1")
        for verb, *arguments in WRITES:
            sentence = refusal(call, connection, verb, *arguments)
            assert "locking_mode is EXCLUSIVE" in sentence, sentence


def test_query_only():
    connection = at_release_1()
    connection.execute("PRAGMA query_only = 1")
    only_reads(connection, "query_only is on")
    connection.execute("PRAGMA query_only = 0")
    equal(call(connection, "up")["outcome"], "applied")


def test_opened_read_only():
    at_release_1().close()
    for query in "mode=ro", "immutable=1":
        only_reads(connect("file:app.sqlite?" + query, uri=True), "is read-only")


def test_the_connection_keeps_its_settings():
    connection = at_release_1()
    names = [
        "foreign_keys", "recursive_triggers", "busy_timeout", "synchronous", "cache_size",
        "journal_mode", "temp_store", "trusted_schema", "case_sensitive_like", "user_version",
        "application_id", "locking_mode", "defer_foreign_keys", "secure_delete", "auto_vacuum",
    ]

    def settings():
        return {name: connection.execute("PRAGMA " + name).fetchone() for name in names}

    before = settings()
    call(connection, "up")
    equal(settings(), before)
    equal(connection.execute("SELECT count(*) FROM temp.sqlite_master").fetchone(), (0,))
    equal(connection.execute("SELECT changes(), last_insert_rowid()").fetchone(), (0, 0))


# Other ways to open and guard a database


def test_an_authorizer_guards_only_its_connection():
    connection = connect()
    asked = []

    def allow(action, *details):
        asked.append(action)
        reads = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_READ)
        return sqlite3.SQLITE_OK if action in reads else sqlite3.SQLITE_DENY

    connection.set_authorizer(allow)
    equal(call(connection, "up")["outcome"], "applied")
    assert sqlite3.SQLITE_FUNCTION in asked and sqlite3.SQLITE_INSERT not in asked, asked
    connection.set_authorizer(None)
    equal(name_of_113(connection), "Nihonium")


def test_a_vfs_of_the_callers_locks_our_connection():
    name = "file:app.sqlite?vfs=unix-dotfile"
    connection, other = connect(name, uri=True), connect(name, uri=True)
    equal(call(connection, "up", {"to": 1})["outcome"], "applied")
    other.execute("BEGIN IMMEDIATE")
    # A lock that only this VFS heeds.
    assert os.path.exists("app.sqlite.lock")
    equal(host.locks(), [])
    sentence = refusal(call, connection, "up", {"lock-timeout": 0})
    assert "locked by another" in sentence, sentence
    other.execute("ROLLBACK")
    equal(call(connection, "up", {"no-backup": True})["outcome"], "applied")
    equal(name_of_113(connection), "Nihonium")


def test_a_vfs_of_the_callers_that_keeps_the_wal_index_in_memory():
    connection = connect("file:app.sqlite?vfs=unix-excl", uri=True)
    equal(connection.execute("PRAGMA journal_mode = wal").fetchone(), ("wal",))
    equal(call(connection, "up")["outcome"], "applied")
    equal(name_of_113(connection), "Nihonium")
    # The default VFS would have made it.
    assert not os.path.exists("app.sqlite-shm")


def test_shared_cache():
    for journal in "delete", "wal":
        connection = connect(f"file:{journal}.sqlite?cache=shared", uri=True)
        connection.execute(f"PRAGMA journal_mode = {journal}").fetchone()
        equal(call(connection, "up")["outcome"], "applied")
        equal(name_of_113(connection), "Nihonium")


def test_journals_of_other_kinds():
    for journal in "truncate", "persist", "memory", "off", "wal":
        connection = at_release_1(journal, journal)
        equal(call(connection, "up")["outcome"], "applied")
        equal(connection.execute("PRAGMA journal_mode").fetchone(), (journal,))


def test_utf_16():
    for encoding in "UTF-16le", "UTF-16be":
        connection = connect(encoding)
        connection.execute(f"PRAGMA encoding = '{encoding}'")
        equal(call(connection, "up")["outcome"], "applied")
        equal(connection.execute("PRAGMA encoding").fetchone(), (encoding,))
        equal(name_of_113(connection), "Nihonium")


def test_what_only_the_caller_has_is_named():
    connection = at_release_1()
    connection.create_collation("mine", lambda one, other: (one > other) - (one < other))
    connection.execute("CREATE INDEX by_name ON elements (name COLLATE mine)")
    sentence = refusal(call, connection, "up")
    assert "no such collation sequence: mine" in sentence, sentence
    equal(name_of_113(connection), "Ununtrium")
