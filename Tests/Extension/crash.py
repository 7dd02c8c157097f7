"""A host that is killed at each system call of seedbed_up(): nothing is half done.

The host is the sqlite3 shell, since it makes few calls of its own; strace kills it as it is about
to make the n-th call of a kind. Then the database is at a whole release with the user's rows, and
the next seedbed_up() ends as an undisturbed one does.
"""

import collections
import pathlib
import re
import shutil
import sqlite3
import subprocess

import host
from host import CATALOG, EXTENSION, call, connect, equal

START, LAST = 2, 4
# Opening what is not there shows where the call begins and ends.
SCRIPT = f"""
.load {EXTENSION}
SELECT readfile('call-begins');
SELECT seedbed_up('{CATALOG}') ->> 'outcome';
SELECT readfile('call-ends');
"""
OURS = {
    "elements": "SELECT * FROM elements ORDER BY number",
    "conflicts": 'SELECT version, "key", kind, resolution, base, mine, seed FROM seedbed_conflicts',
    "left to the user": "SELECT * FROM seedbed_left_to_user",
}
USERS = [
    "SELECT * FROM notes", "SELECT * FROM mine",
    "SELECT name FROM elements WHERE number IN (1, 113) ORDER BY number",
]


def run(*tracer):
    """The exit code and the output of the shell, under strace with more words if there are any."""
    words = ["strace", "-f", "-qq", *tracer] if tracer else []
    shell = subprocess.run(
        [*words, "sqlite3", "-batch", "app.sqlite"], input=SCRIPT.encode(),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return shell.returncode, shell.stdout.decode()


def make_start(journal):
    """A database at the start, with what a user made and changed, closed."""
    connection = connect("start.sqlite")
    connection.execute(f"PRAGMA journal_mode = {journal}")
    call(connection, "up", {"to": START})
    connection.executescript("""
        UPDATE elements SET name = 'Mine' WHERE number = 113;
        UPDATE elements SET name = 'Water stuff' WHERE number = 1;
        INSERT INTO notes (element, text) VALUES (113, 'a note'), (1, 'another');
        CREATE TABLE mine (x); INSERT INTO mine VALUES ('mine');
        """)
    connection.close()


def begin():
    """Puts the database back to the start."""
    for path in pathlib.Path(".").glob("app.sqlite*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copy("start.sqlite", "app.sqlite")


def read(connection, queries):
    return [connection.execute(sql).fetchall() for sql in queries]


def contents():
    """Integrity, version, our rows and the user's, as another program reads them."""
    connection = sqlite3.connect("app.sqlite")
    equal(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
    equal(connection.execute("PRAGMA foreign_key_check").fetchall(), [])
    version, = connection.execute("SELECT max(version) FROM seedbed_migrations").fetchone()
    ours, users = read(connection, OURS.values()), read(connection, USERS)
    connection.close()
    return version, ours, users


def undisturbed():
    """What each release leaves, by its number."""
    found = {}
    for version in range(START, LAST + 1):
        begin()
        connection = connect("app.sqlite")
        call(connection, "up", {"to": version})
        connection.close()
        found[version] = contents()
    return found


def calls_between():
    """The system calls of seedbed_up() as pairs: a name, and which call of that name it is."""
    begin()
    code, output = run("-o", "trace")
    equal((code, output.split()), (0, ["applied"]))
    counts, pairs, inside = collections.Counter(), [], False
    lines = pathlib.Path("trace").read_text().splitlines()
    shell = lines[0].split()[0]
    for line in lines:
        found = re.match(rf"{shell} +(\w+)\(", line)
        if not found:
            continue
        counts[found[1]] += 1
        if '"call-ends"' in line:
            break
        if inside:
            pairs.append((found[1], counts[found[1]]))
        inside = inside or '"call-begins"' in line
    assert len(pairs) > 300, f"only {len(pairs)} calls"
    for name in ("pwrite64", "fdatasync", "fsync", "openat", "fcntl", "close"):
        assert any(name == pair[0] for pair in pairs), f"no {name} in {pairs}"
    return pairs


def check_backups(releases):
    for path in pathlib.Path("app.sqlite.backups").glob("*.sqlite"):
        backup = sqlite3.connect(path)
        equal(backup.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        equal(read(backup, USERS), releases[START][2])
        equal(backup.execute("SELECT max(version) FROM seedbed_migrations").fetchone(), (START,))
        backup.close()


def sweep(journal):
    make_start(journal)
    releases = undisturbed()
    assert len({str(release) for release in releases.values()}) == LAST - START + 1
    pairs = calls_between()
    points = pairs if host.LONG else pairs[::len(pairs) // 100 + 1]
    reached, killed = collections.Counter(), 0
    for name, number in points:
        begin()
        code, output = run(
            "-o", "/dev/null", "-e", f"trace={name}", "-e",
            f"inject={name}:signal=KILL:when={number}")
        killed += code in (-9, 137)
        where = f"killed at {name} {number}: "
        try:
            version, *rows = contents()
            equal((version, *rows), releases[version])
            check_backups({START: releases[START]})
            connection = connect("app.sqlite")
            outcome = call(connection, "up")["outcome"]
            equal(outcome, "upToDate" if version == LAST else "applied")
            connection.close()
            equal(contents(), releases[LAST])
        except Exception as error:
            raise AssertionError(where + str(error)) from error
        left = [path.name for path in pathlib.Path(".").rglob("*")
                if re.search(r"-journal$|-wal$|-shm$", path.name)]
        equal(left, [])
        reached[version] += 1
    # A call more or less depends on the time that something takes.
    assert killed >= len(points) * 0.97, f"{killed} of {len(points)} calls were reached"
    assert set(reached) == set(releases), reached


def test_killed_at_each_system_call():
    sweep("delete")


def test_killed_at_each_system_call_in_wal():
    sweep("wal")
