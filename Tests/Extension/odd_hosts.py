"""Hosts with little stack, memory or files, with signals, hooks and settings of their own.

A call works there too, or is refused in one sentence and leaves the database whole.
"""

import ctypes
import os
import pathlib
import resource
import signal
import sqlite3
import threading

import door
import host
from door import PROGRESS, Database, Handle
from host import CATALOG, at_release_3, call, connect, each, equal, refusal

ROWS = "SELECT * FROM elements ORDER BY number"
APPLIED = '{"no-backup": true, "lock-timeout": 0}'


def rows_of(name):
    connection = sqlite3.connect(name)
    equal(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
    rows = connection.execute(ROWS).fetchall()
    connection.close()
    return rows


def expected():
    """The rows at release 3 with a user's edit, and after an undisturbed seedbed_up()."""
    connection = at_release_3("expected.sqlite")
    before = rows_of("expected.sqlite")
    call(connection, "up", {"no-backup": True})
    after = rows_of("expected.sqlite")
    assert before != after
    return before, after


def applied_or_refused(code, document, name, before, after):
    """Whether it was applied; the file has all of the release, or nothing."""
    if code:
        message = document["error"]["message"]
        assert message[-1] in ".?" and "Optional(" not in message, message
    equal(rows_of(name), before if code else after)
    return code == 0


# Threads and signals


def test_threads_with_small_stacks():
    at_release_3().close()
    for size in 1024, 512, 256, 128:
        threading.stack_size(size * 1024)
        found = []

        def work():
            connection = connect()
            found.append(call(connection, "down", 1)["outcome"])
            found.append(call(connection, "up")["outcome"])
            for deep in ("[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000):
                refusal(connection.execute, "SELECT seedbed_up(?, ?)", (CATALOG, deep))
            found.append("end")

        worker = threading.Thread(target=work)
        worker.start()
        worker.join()
        equal((size, found), (size, ["reverted", "applied", "end"]))


def test_signals_all_the_time():
    """Each system call may be interrupted, and none is restarted by the kernel."""
    seen = []
    signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
    signal.siginterrupt(signal.SIGALRM, True)
    for number in range(8):
        connection = connect(f"{number}.sqlite")
        signal.setitimer(signal.ITIMER_REAL, 0.0003, 0.0003)
        equal(call(connection, "up", {"to": 2})["outcome"], "applied")
        equal(call(connection, "up")["outcome"], "applied")
        signal.setitimer(signal.ITIMER_REAL, 0)
        connection.close()
    # Python's own handler runs after the call, once for many.
    assert len(seen) > 8, len(seen)


def test_a_call_within_the_progress_of_another():
    before, after = expected()
    at_release_3("app.sqlite").close()
    seen = set()

    @PROGRESS
    def again(*_):
        other = door.call("up", f"other{len(seen)}.sqlite", {"to": 1})
        same = door.call("up", "app.sqlite", {"lock-timeout": 0})
        seen.add((other[1]["outcome"], same[0]))
        seen.add(door.call("status", "app.sqlite")[1]["current"])
        return 0

    equal(door.call("up", "app.sqlite", {"no-backup": True}, progress=again)[0], 0)
    # The inner call is either busy or, in a phase without a transaction, the one that applies.
    assert ("applied", 4) in seen or ("applied", 0) in seen, seen
    equal(rows_of("app.sqlite"), after)


# Little of everything


def test_no_standard_streams():
    connection = connect()
    saved = [os.dup(number) for number in range(3)]
    for number in range(3):
        os.close(number)
    outcome = call(connection, "up")["outcome"]
    # SQLite itself opens /dev/null in their places, so that no database is among them.
    found = {os.readlink(f"/proc/self/fd/{number}") for number in range(3)}
    for number in range(3):
        os.dup2(saved[number], number)
    equal((outcome, found), ("applied", {"/dev/null"}))


def test_few_files():
    before, after = expected()
    outcomes = set()
    for free in range(1, 16):
        at_release_3("app.sqlite").close()
        handle = connect("app.sqlite")
        kept = []
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        while True:
            try:
                kept.append(os.open("/dev/null", os.O_RDONLY))
            except OSError:
                break
        for number in kept[:free]:
            os.close(number)
        try:
            outcomes.add(call(handle, "up")["outcome"])
        except sqlite3.OperationalError as error:
            assert str(error)[-1] in ".?", error
            outcomes.add("refused")
        for number in kept[free:]:
            os.close(number)
        handle.close()
        assert rows_of("app.sqlite") in (before, after)
        for path in pathlib.Path(".").glob("app.sqlite"):
            path.unlink()
    equal(outcomes, {"applied", "refused"})


def test_a_limit_on_the_size_of_files():
    before, after = expected()
    size, outcomes = os.path.getsize("expected.sqlite"), set()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for limit in range(4096, 3 * size, size // 8):
        at_release_3("app.sqlite").close()
        connection = connect("app.sqlite")
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        try:
            outcomes.add(call(connection, "up")["outcome"])
        except sqlite3.OperationalError as error:
            assert str(error)[-1] in ".?", error
            outcomes.add("refused")
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        connection.close()
        assert rows_of("app.sqlite") in (before, after), limit
        os.unlink("app.sqlite")
    equal(outcomes, {"applied", "refused"})


def test_little_memory_for_sqlite():
    """SQLite's limit of its heap makes any of its calls fail."""
    before, after = expected()
    at_release_3("start.sqlite").close()
    door.sqlite.sqlite3_memory_used.restype = ctypes.c_longlong
    door.sqlite.sqlite3_hard_heap_limit64.argtypes = [ctypes.c_longlong]
    outcomes = []
    for more in [*range(1000, 400_000, 3000 if host.LONG else 12_000), 4_000_000]:
        at_release_3("app.sqlite").close()
        handle = Handle("app.sqlite") if more % 2000 else None
        place = handle.lent() if handle else Database(path=b"app.sqlite")
        door.sqlite.sqlite3_hard_heap_limit64(door.sqlite.sqlite3_memory_used() + more)
        code, document = door.call("up", place, APPLIED.encode())
        door.sqlite.sqlite3_hard_heap_limit64(0)
        if handle:
            handle.close()
        outcomes.append(applied_or_refused(code, document, "app.sqlite", before, after))
        os.unlink("app.sqlite")
    equal((outcomes[0], outcomes[-1]), (False, True))


def test_a_folder_that_has_gone():
    path = os.path.abspath("app.sqlite")
    connection = connect(path)
    os.mkdir("gone")
    os.chdir("gone")
    os.rmdir("../gone")
    equal(call(connection, "up")["database"], path)
    refusal(connection.execute, "SELECT seedbed_up('Migrations')")
    equal(door.call("status", path)[0], 0)
    code, document = door.call("up", "relative.sqlite")
    assert code, document
    host.check_sentence(document["error"]["message"])


def test_no_environment():
    os.environ.clear()
    host.libc.clearenv()
    equal(call(connect(), "up")["outcome"], "applied")


# A lent connection with limits, settings and hooks


def with_lent(prepare, before, after):
    """Calls seedbed_up() on a connection that `prepare` has changed."""
    at_release_3("app.sqlite").close()
    handle = Handle("app.sqlite")
    prepare(handle)
    code, document = door.call("up", handle.lent(), APPLIED.encode())
    is_autocommit = door.sqlite.sqlite3_get_autocommit(handle.handle)
    handle.close()
    equal(is_autocommit, 1)
    is_applied = applied_or_refused(code, document, "app.sqlite", before, after)
    os.unlink("app.sqlite")
    return is_applied


def test_limits_of_a_lent_connection():
    before, after = expected()
    outcomes = []

    def check(limit, value):
        outcomes.append(with_lent(
            lambda handle: door.sqlite.sqlite3_limit(handle.handle, limit, value), before, after))

    each([(limit, value) for limit in range(12) for value in (0, 1, 5, 100, 1000)], check)
    equal(set(outcomes), {True, False})


def test_settings_of_a_lent_connection():
    before, after = expected()

    def check(setting):
        assert with_lent(lambda handle: handle.one("PRAGMA " + setting), before, after)

    each([(setting,) for setting in (
        "count_changes = 1", "full_column_names = 1", "short_column_names = 0",
        "empty_result_callbacks = 1", "reverse_unordered_selects = 1", "case_sensitive_like = 1",
        "automatic_index = 0", "recursive_triggers = 1", "ignore_check_constraints = 1",
        "legacy_alter_table = 1", "foreign_keys = 1", "synchronous = 0", "temp_store = 2",
        "read_uncommitted = 1", "cache_size = 1", "cache_spill = 0", "mmap_size = 1000000",
        "trusted_schema = 0", "cell_size_check = 1", "secure_delete = 1", "busy_timeout = 1",
        "journal_mode = memory", "journal_mode = off", "journal_mode = wal", "threads = 4",
        "analysis_limit = 1", "locking_mode = exclusive", "checkpoint_fullfsync = 1",
    )], check)


def test_an_authorizer_of_a_lent_connection():
    """Each action is denied in turn, and ignored."""
    before, after = expected()
    kind = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_void_p, ctypes.c_int, *[ctypes.c_char_p] * 4)
    outcomes, kept = [], []

    def check(action, answer):
        kept.append(kind(lambda _, found, *names: answer if found == action else 0))
        outcomes.append(with_lent(
            lambda handle: door.sqlite.sqlite3_set_authorizer(handle.handle, kept[-1], None),
            before, after))

    each([(action, 1) for action in range(1, 34)], check)
    equal(set(outcomes), {True, False})


def test_hooks_of_a_lent_connection_that_refuse():
    before, after = expected()
    veto = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda _: 1)
    sqlite = door.sqlite
    sqlite.sqlite3_commit_hook.restype = ctypes.c_void_p
    equal(with_lent(
        lambda handle: sqlite.sqlite3_commit_hook(handle.handle, veto, None), before, after), False)
    for every in 1, 100, 10_000:
        with_lent(
            lambda handle: sqlite.sqlite3_progress_handler(handle.handle, every, veto, None),
            before, after)
