"""A call works on the caller's database and on no other, or is refused in one sentence.

The function opens the caller's file once more, by its name: here are the names and the places by
which it could find or create another one.
"""

import os
import sqlite3

from host import call, connect, equal, refusal
from states import READS, WRITES, at_release_1, name_of_113


def test_attached_databases():
    connection = at_release_1()
    connection.execute("""ATTACH 'other.sqlite' AS "o'th""er" """)
    answer = call(connection, "up", {"database": "o'th\"er"})
    equal((answer["outcome"], answer["from"]), ("applied", 0))
    equal(name_of_113(connection, '"o\'th""er"'), "Nihonium")
    equal(name_of_113(connection), "Ununtrium")
    assert "'nobody'" in refusal(call, connection, "up", {"database": "nobody"})
    assert "no file" in refusal(call, connection, "up", {"database": "temp"})


def test_a_transaction_on_the_attached_database():
    connection = at_release_1()
    connection.execute("ATTACH 'other.sqlite' AS other")
    connection.execute("BEGIN")
    connection.execute("CREATE TABLE other.t (x)")
    assert "transaction" in refusal(call, connection, "up", {"database": "other"})
    equal(call(connection, "up", {"database": "main"})["outcome"], "applied")
    connection.execute("COMMIT")


def no_file(connection):
    for verb, *arguments in WRITES + READS:
        sentence = refusal(call, connection, verb, *arguments)
        assert "seedbed.h" in sentence, f"{verb}: {sentence}"


def test_in_memory():
    no_file(connect(":memory:"))


def test_temporary():
    no_file(connect(""))


def test_in_memory_with_a_name():
    no_file(connect("file:name?mode=memory&cache=shared", uri=True))


def test_in_memory_with_a_path():
    if sqlite3.sqlite_version_info >= (3, 36):
        no_file(connect("file:/path.sqlite?vfs=memdb", uri=True))


def test_a_file_that_has_gone():
    connection = connect()
    connection.execute("CREATE TABLE t (x)")
    os.unlink("app.sqlite")
    no_file(connection)
    equal(os.listdir("."), [])


def test_a_file_in_the_place_of_the_callers():
    connection = connect()
    connection.execute("CREATE TABLE t (x)")
    os.rename("app.sqlite", "moved.sqlite")
    sqlite3.connect("app.sqlite").execute("CREATE TABLE another (x)").connection.close()
    content = open("app.sqlite", "rb").read()
    no_file(connection)
    equal(open("app.sqlite", "rb").read(), content)
    equal(sorted(os.listdir(".")), ["app.sqlite", "moved.sqlite"])


def test_names_of_files():
    names = [
        "it's", 'say "x"', "a b", "50%", "%41", "a#b", "a?mode=ro", "a&b=c", "a;b", "file:x",
        "-x", "new\nline", "*", "\\", "元素", "é", "e\u0301", "x" * 200,
    ]
    for name in names:
        connection = at_release_1(name="./" + name)
        connection.execute("UPDATE elements SET name = 'Mine' WHERE number = 1")
        equal(call(connection, "up")["database"], os.path.abspath(name))
        equal(call(connection, "down", 1)["outcome"], "reverted")
        connection.close()
    expected = [name + end for name in names for end in ("", ".backups")]
    equal(sorted(os.listdir(".")), sorted(expected))


def test_a_name_that_is_no_utf_8():
    connection = connect(b"\xff.sqlite")
    connection.execute("CREATE TABLE t (x)")
    refusal(call, connection, "up")
    equal(os.listdir(b"."), [b"\xff.sqlite"])


def test_a_uri():
    connection = connect("file:a%20b.sqlite?mode=rwc&psow=0", uri=True)
    equal(call(connection, "up")["database"], os.path.abspath("a b.sqlite"))
    equal(name_of_113(connection), "Nihonium")
