"""What Documentation/FromAnyLanguage.md says of a process: claims.py EXTENSION CATALOG."""
import os
import shutil
import sqlite3
import sys
import threading
import time

EXTENSION, CATALOG = sys.argv[1:]
held = []


def load(connection, extension=EXTENSION):
    connection.enable_load_extension(True)
    connection.load_extension(extension)
    return connection


def opened(name):
    return load(sqlite3.connect(name, isolation_level=None))


def up(connection, version):
    call = "SELECT seedbed_up(?, ?) ->> 'outcome'"
    return next(iter(connection.execute(call, (CATALOG, '{"to":%d}' % version))))[0]


def claim(sentence, holds):
    if not holds:
        sys.exit(f"not so: {sentence}")
    held.append(sentence)


def fails(connection, statement, words):
    try:
        connection.execute(statement).fetchall()
    except sqlite3.Error as error:
        return words in str(error)
    return False


def strangers(app):
    """A schema cannot call the functions, and SQL can."""
    app.execute("CREATE VIEW of_schema AS SELECT seedbed_version()")
    unsafe = "unsafe use of seedbed_version()"
    claim("a view of the schema cannot", fails(app, "SELECT * FROM of_schema", unsafe))
    app.execute("CREATE TRIGGER t AFTER UPDATE ON words BEGIN SELECT seedbed_version(); END")
    claim("nor a trigger", fails(app, "UPDATE words SET note = note WHERE id = 9", unsafe))
    app.execute("DROP TRIGGER t")
    app.execute("CREATE TEMP VIEW of_mine AS SELECT seedbed_version() AS version")
    claim("a TEMP view can", app.execute("SELECT version FROM of_mine").fetchone()[0])


def refusals(app):
    call = f"SELECT seedbed_up('{CATALOG}')"
    app.execute("BEGIN IMMEDIATE")
    claim("a transaction that writes is refused", fails(app, call, "inside a transaction"))
    app.execute("ROLLBACK")
    code = app.execute("SELECT seedbed_last_error() ->> '$.error.code'").fetchone()[0]
    claim("the last error is there", code == "usage")
    app.execute("PRAGMA query_only = 1")
    claim("query_only is refused", fails(app, call, "query_only"))
    claim("memory is refused", fails(opened(":memory:"), call, "seedbed.h"))


def forks():
    child = os.fork()
    outcome = up(opened("forked.sqlite" if child else "child.sqlite"), 1)
    if child == 0:
        os._exit(0 if outcome == "applied" else 1)
    claim("a parent goes on", outcome == "applied")
    claim("a child goes on", os.waitpid(child, 0)[1] == 0)


def threads():
    outcomes = []
    all_threads = [
        threading.Thread(target=lambda: outcomes.append(up(opened("threads.sqlite"), 1)))
        for _ in range(6)]
    for thread in all_threads:
        thread.start()
    for thread in all_threads:
        thread.join()
    claim("threads wait", sorted(outcomes) == ["applied"] + ["upToDate"] * 5)
    # join() returns a moment before the system's thread ends.
    end = time.monotonic() + 10
    while len(os.listdir("/proc/self/task")) > 1 and time.monotonic() < end:
        time.sleep(0.01)
    claim("no thread is left", len(os.listdir("/proc/self/task")) == 1)


def two_copies():
    try:
        import apsw
    except ImportError:
        return
    try:
        load(apsw.Connection("second.sqlite"))
        refusal = ""
    except apsw.Error as error:
        refusal = str(error)
    claim("a second copy of SQLite is refused", "Another copy of SQLite" in refusal)
    os.mkdir("copy")
    shutil.copy(EXTENSION, "copy/seedbed.so")
    second = load(apsw.Connection("second.sqlite"), "copy/seedbed.so")
    # This one can encrypt, and writes its file first.
    second.execute("PRAGMA user_version = 0")
    claim("a copy of the file serves it", up(second, 1) == "applied")
    claim("and the first goes on", up(opened("third.sqlite"), 1) == "applied")


first = opened("claims.sqlite")
claim("release 1 is applied", up(first, 1) == "applied")
strangers(first)
refusals(first)
forks()
threads()
two_copies()
print(f"{len(held)} claims hold")
