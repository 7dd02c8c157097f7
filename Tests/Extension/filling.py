"""A new owner gets its rows on the connection that calls, in the transaction that adds it."""

import json
import os
import signal
import sqlite3

import door
import host
from door import Handle
from host import OWNERS, equal, refusal, with_owners
from owners import ROWS

ADD = "INSERT INTO organizations (id) VALUES (8)"
HAS = "SELECT name, colour FROM labels WHERE organization_id = ? ORDER BY name"


def fill(connection, owner, options=None, catalog=OWNERS):
    values = [value for value in (catalog, owner, options) if value is not None]
    marks = ", ".join("?" * len(values))
    return json.loads(connection.execute(f"SELECT seedbed_fill({marks})", values).fetchone()[0])


def rows(connection, owner):
    return connection.execute(HAS, (owner,)).fetchall()


def test_in_the_callers_transaction():
    for journal in ("delete", "wal"):
        connection, other = with_owners(journal), sqlite3.connect(journal)
        connection.execute(f"PRAGMA journal_mode = {journal}").fetchone()
        for begin in ("BEGIN", "BEGIN IMMEDIATE", "SAVEPOINT one"):
            connection.execute(begin)
            connection.execute(ADD)
            equal(fill(connection, 8)["outcome"], "applied")
            equal((rows(connection, 8), connection.in_transaction), (ROWS, True))
            equal(rows(other, 8), [])
            connection.execute("ROLLBACK")
            equal(rows(connection, 8), [])
        connection.execute("BEGIN")
        connection.execute(ADD)
        fill(connection, 8)
        connection.execute("COMMIT")
        equal(rows(other, 8), ROWS)
        equal(fill(connection, 8)["outcome"], "upToDate")


def test_one_after_another():
    """What a call leaves on the connection is not in the way of the next one."""
    connection = with_owners()
    for owner in range(8, 12):
        connection.execute("INSERT INTO organizations (id) VALUES (?)", (owner,))
        equal(fill(connection, owner)["outcome"], "applied")
        equal(rows(connection, owner), ROWS)


def test_in_a_transaction_of_its_own():
    connection = with_owners()
    equal(fill(connection, "7", '{"lock-timeout": 0}')["outcome"], "applied")
    equal((rows(connection, 7), connection.in_transaction), (ROWS, False))
    equal(rows(sqlite3.connect("owners.sqlite"), 7), ROWS)


def test_an_owner_that_is_in_no_transaction_of_this_connection():
    connection, other = with_owners(), host.connect("owners.sqlite")
    other.execute("BEGIN IMMEDIATE")
    other.execute(ADD)
    sentence = refusal(fill, connection, 8, '{"lock-timeout": 0}')
    assert "locked" in sentence, sentence
    other.execute("COMMIT")
    equal(fill(connection, 8)["outcome"], "applied")


def test_an_error_leaves_the_transaction():
    connection = with_owners()
    connection.execute("BEGIN")
    connection.execute(ADD)
    for owner in (9, "", "[8, 9]", "{}"):
        refusal(fill, connection, owner)
    assert "one value" in refusal(fill, connection, '{"code": 8}')
    assert "no catalog" in refusal(fill, connection, 8, None, "nowhere")
    assert '"per"' in refusal(fill, connection, 8, None, host.CATALOG)
    # The app's own rule refuses a row, after another one came.
    connection.execute(
        "CREATE TEMP TRIGGER t BEFORE INSERT ON labels WHEN new.name = 'idea' "
        "BEGIN SELECT RAISE(ABORT, 'no ideas'); END")
    assert "no ideas" in refusal(fill, connection, 8)
    connection.execute("DROP TRIGGER t")
    equal((rows(connection, 8), connection.in_transaction), ([], True))
    fill(connection, 8)
    connection.execute("COMMIT")
    equal(rows(connection, 8), ROWS)


def test_a_kill_leaves_neither_owner_nor_rows():
    with_owners().close()
    for instant in ("idea", "COMMIT"):
        child = os.fork()
        if child == 0:
            connection = host.connect("owners.sqlite")
            connection.create_function("die", 0, lambda: os.kill(os.getpid(), signal.SIGKILL))
            connection.execute(
                "CREATE TEMP TRIGGER t BEFORE INSERT ON labels "
                f"WHEN new.name = '{instant}' BEGIN SELECT die(); END")
            connection.execute("BEGIN")
            connection.execute(ADD)
            fill(connection, 8)
            connection.execute("SELECT die()")
        equal(os.WTERMSIG(os.waitpid(child, 0)[1]), signal.SIGKILL)
        after = host.connect("owners.sqlite")
        equal(after.execute("SELECT count(*) FROM organizations WHERE id = 8").fetchone(), (0,))
        equal(rows(after, 8), [])
        equal(after.execute("PRAGMA integrity_check").fetchone(), ("ok",))
        after.close()


def test_beside_a_statement_that_is_partly_read():
    connection = with_owners()
    for begin in ("BEGIN", None):
        if begin:
            connection.execute(begin)
        half = connection.execute("SELECT 1 UNION SELECT 2")
        half.fetchone()
        sentence = refusal(fill, connection, 7)
        assert "in the middle of 'SELECT 1 UNION SELECT 2'" in sentence, sentence
        equal(len(half.fetchall()), 1)
        equal(fill(connection, 7)["outcome"], "applied")
        if begin:
            connection.execute("ROLLBACK")


def test_on_another_database():
    connection = with_owners()
    connection.execute("ATTACH 'other.sqlite' AS other")
    sentence = refusal(fill, connection, 7, '{"database": "other"}')
    assert "Leave 'database' out" in sentence, sentence
    equal(fill(connection, 7, '{"database": "main"}')["outcome"], "applied")


def test_in_memory():
    connection = host.connect(":memory:")
    with_owners().backup(connection)
    connection.execute("BEGIN")
    equal(fill(connection, 7)["outcome"], "applied")
    connection.execute("COMMIT")
    equal(rows(connection, 7), ROWS)


def test_read_only():
    with_owners().close()
    for query in "mode=ro", "immutable=1":
        connection = host.connect(f"file:owners.sqlite?{query}", uri=True)
        for sql in ("PRAGMA user_version", "BEGIN"):
            connection.execute(sql)
            assert "readonly" in refusal(fill, connection, 7)
    connection = host.connect("owners.sqlite")
    connection.execute("PRAGMA query_only = 1")
    assert "readonly" in refusal(fill, connection, 7)


def test_a_lent_connection_beside_others():
    """By C, an owner that another connection has not committed yet is none."""
    with_owners().close()
    one, two = Handle("owners.sqlite"), Handle("owners.sqlite")
    one.one("PRAGMA journal_mode = wal")
    one.one("BEGIN")
    one.one(ADD)
    options = {"owner": 8, "lock-timeout": 0}
    equal(door.call("fill", two.lent(), options, catalog=OWNERS)[0], 4)
    equal(door.call("fill", one.lent(), options, catalog=OWNERS)[0], 0)
    one.one("COMMIT")
    equal(two.one("SELECT count(*) FROM labels WHERE organization_id = 8"), "2")
    equal(door.call("fill", two.lent(), options, catalog=OWNERS)[1]["outcome"], "upToDate")
    one.close()
    two.close()
