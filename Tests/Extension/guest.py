"""A guest in a host's process: nothing of the host changes, in whatever state it is."""

import json
import os
import shutil
import sqlite3
import threading

import host
from host import (
    CATALOG, CONFLICTS, EXTENSION, call, connect, equal, load, refusal, state, unchanged)


# What a call leaves


def every_call(connection, check):
    """Each function once, in an order in which all of them have something to do."""
    calls = [
        ("outlook",), ("plan", {"to": 2}), ("up", {"to": 2}), ("pin", "elements", 1),
        ("unpin", "elements", 1), ("origin", "elements", 113), ("absent",),
        ("reseed", "elements", 113), ("up",), ("status",),
        ("resolve", 1, "seed"), ("down", 1), ("up",),
    ]
    for verb, *arguments in calls:
        if verb == "up" and not arguments:
            connection.execute("UPDATE elements SET name = 'Mine' WHERE number = 113")
        call(connection, verb, *arguments)
        check(f"seedbed_{verb}()")
    for sql in (
        f"SELECT * FROM {CONFLICTS}", "SELECT seedbed_version()",
        "SELECT seedbed_last_error()",
    ):
        connection.execute(sql).fetchall()
        check(sql)
    refusal(connection.execute, "SELECT seedbed_up('nowhere')")
    check("an error")


def play():
    """Loads the extension and calls everything, and compares the process before and after."""
    connection = sqlite3.connect("app.sqlite", isolation_level=None)
    connection.execute("PRAGMA user_version").fetchall()
    before = state()
    load(connection)
    before["mapped files"] = before["mapped files"] | {EXTENSION}
    unchanged(before, "Loading")
    every_call(connection, lambda what: unchanged(before, what))
    connection.close()


def test_nothing_of_the_process_changes():
    play()


def test_nothing_changes_whatever_the_environment_asks_of_swift():
    os.environ.update(
        SWIFT_BACKTRACE="enable=yes,color=yes,output-to=stdout", SWIFT_DEBUG_HELP="1",
        SWIFT_DEBUG_ENABLE_METADATA_ALLOCATION_ITERATION="1", LIBDISPATCH_LOG="stderr",
        LC_ALL="tr_TR.UTF-8", TZ="Pacific/Apia")
    play()


def test_a_call_leaves_nothing_in_the_folder():
    connection = connect()
    every_call(connection, lambda what: None)
    call(connection, "down", 0, {"no-backup": True, "discard-user-rows": True})
    connection.close()
    names = sorted(os.listdir("."))
    equal([name for name in names if name not in ("app.sqlite", "app.sqlite.backups")], [])


# Loading


def test_loading_again_and_again():
    first = connect()
    before = state()
    for _ in range(60):
        connection = connect()
        load(connection)
        equal(call(connection, "outlook")["outlook"], "pending")
        connection.close()
    unchanged(before, "Loading 60 times")
    equal(call(first, "up")["outcome"], "applied")


def test_the_functions_of_two_connections():
    one, two = connect("one.sqlite"), connect("two.sqlite")
    equal(call(one, "up")["database"], os.path.abspath("one.sqlite"))
    equal(call(two, "outlook")["outlook"], "pending")
    one.close()
    equal(call(two, "up")["database"], os.path.abspath("two.sqlite"))


def test_the_last_error_is_of_its_connection():
    one, two = connect("one.sqlite"), connect("two.sqlite")
    refusal(one.execute, "SELECT seedbed_up('nowhere')")
    equal(two.execute("SELECT seedbed_last_error()").fetchone(), (None,))
    document = json.loads(one.execute("SELECT seedbed_last_error()").fetchone()[0])
    equal(document["error"]["code"], "catalog")
    equal(document["databaseUnchanged"], True)


def test_no_view_and_no_trigger_calls_a_function():
    connection = connect()
    connection.execute(f"CREATE VIEW v AS SELECT seedbed_up('{CATALOG}')")
    try:
        connection.execute("SELECT * FROM v").fetchall()
    except sqlite3.OperationalError as error:
        assert "unsafe use" in str(error), error
    else:
        raise AssertionError("a view called seedbed_up()")


# Two copies of SQLite


def with_two(first, second):
    """Both connections are to files of their own; the second SQLite is refused."""
    first.enable_load_extension(True)
    first.load_extension(EXTENSION)
    second.enable_load_extension(True)
    try:
        second.load_extension(EXTENSION)
    except Exception as error:
        assert "Another copy of SQLite in this process" in str(error), error
        host.check_sentence(str(error))
    else:
        raise AssertionError("one SQLite's functions for the handles of another")
    rows = list(second.execute("SELECT name FROM pragma_function_list WHERE name = 'seedbed_up'"))
    equal(rows, [])
    equal(one_answer(first, "first"), "applied")
    os.mkdir("copy")
    second.load_extension(os.path.abspath(shutil.copy(EXTENSION, "copy/seedbed.so")))
    equal(one_answer(second, "second"), "applied")
    equal(one_answer(first, "first"), "upToDate")


def one_answer(connection, name):
    text, = list(connection.execute("SELECT seedbed_up(?)", (CATALOG,)))[0]
    equal(json.loads(text)["database"], os.path.abspath(name + ".sqlite"))
    return json.loads(text)["outcome"]


def test_another_sqlite_after_pythons():
    import apsw
    with_two(sqlite3.connect("first.sqlite"), apsw.Connection("second.sqlite"))


def test_pythons_sqlite_after_another():
    import apsw
    with_two(apsw.Connection("first.sqlite"), sqlite3.connect("second.sqlite"))


# Processes and threads


def in_a_child(action):
    """Runs `action` in a fork; its exit code says whether it succeeded."""
    child = os.fork()
    if child == 0:
        try:
            action()
            os._exit(0)
        except BaseException:
            import traceback
            traceback.print_exc()
            os._exit(1)
    return child


def test_fork_after_loading():
    connect("master.sqlite").close()
    children = [
        in_a_child(lambda: equal(call(connect("shared.sqlite"), "up")["to"], 4)) for _ in range(4)
    ]
    equal(call(connect("shared.sqlite"), "up")["to"], 4)
    for child in children:
        equal(os.waitpid(child, 0)[1], 0)
    runs = sqlite3.connect("shared.sqlite").execute("SELECT count(*) FROM elements").fetchone()
    equal(runs, (118,))


def test_fork_after_a_call():
    equal(call(connect("parent.sqlite"), "up")["outcome"], "applied")
    child = in_a_child(lambda: equal(call(connect("child.sqlite"), "up")["outcome"], "applied"))
    equal(os.waitpid(child, 0)[1], 0)
    equal(call(connect("parent.sqlite"), "up")["outcome"], "upToDate")


def answers_to_eight(name_of):
    """What seedbed_up() answers to eight threads that begin at the same time."""
    start, answers = threading.Barrier(8), [None] * 8

    def work(number):
        try:
            connection = connect(name_of(number))
            start.wait()
            answers[number] = call(connection, "up", {"lock-timeout": 60})
            connection.close()
        except Exception as error:
            answers[number] = {"outcome": repr(error), "to": None, "migrations": []}

    workers = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for worker in workers:
        worker.start()
    names = [str(worker.native_id) for worker in workers]
    for worker in workers:
        worker.join()
    # Python does not wait until the kernel has ended them.
    while not set(names).isdisjoint(host.threads()):
        pass
    return answers


def test_eight_threads_on_eight_databases():
    before = state()
    answers = answers_to_eight(lambda number: f"{number}.sqlite")
    equal([answer["outcome"] for answer in answers], ["applied"] * 8)
    unchanged({**before, "mapped files": before["mapped files"] | {EXTENSION}}, "Eight threads")


def eight_threads_on_one_database():
    """Each release is applied once; two threads may have taken turns between two of them."""
    answers = answers_to_eight(lambda _: "one.sqlite")
    assert {answer["outcome"] for answer in answers} == {"applied", "upToDate"}, answers
    equal([answer["to"] for answer in answers], [4] * 8)
    applied = [each["version"] for answer in answers for each in answer["migrations"]]
    equal(sorted(applied), [1, 2, 3, 4])


def test_eight_threads_on_one_database():
    eight_threads_on_one_database()


def test_eight_threads_on_one_database_in_wal():
    sqlite3.connect("one.sqlite").execute("PRAGMA journal_mode = wal").connection.close()
    eight_threads_on_one_database()


def test_an_interrupt_cancels_the_call():
    import apsw
    if apsw.SQLITE_VERSION_NUMBER < 3_041_000:
        return
    connection = apsw.Connection("app.sqlite")
    connection.enable_load_extension(True)
    connection.load_extension(EXTENSION)
    ended = threading.Event()

    def interrupt():
        while not ended.wait(0.0005):
            connection.interrupt()

    other = threading.Thread(target=interrupt)
    other.start()
    try:
        one_answer(connection, "app")
    except apsw.Error as error:
        assert "Interrupted" in str(error) or "interrupted" in str(error), error
        host.check_sentence(str(error))
    else:
        raise AssertionError("not interrupted")
    finally:
        ended.set()
        other.join()
    equal(one_answer(connection, "app"), "applied")
