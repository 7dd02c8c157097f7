"""What a host does, and what the tests look at. No tests."""

import ctypes
import hashlib
import json
import os
import pathlib
import re
import resource
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Hosts" / "Main"))
from owners import make_app, write_owners  # noqa: E402

EXTENSION = os.environ.get("SEEDBED_EXTENSION", "seedbed.so")
LONG = bool(os.environ.get("SEEDBED_LONG"))
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Four releases of the table `elements`. The third renames number 113 to Nihonium.
CATALOG = str(ROOT / "Migrations")
# Two releases, of which each organization has its own rows: see with_owners().
OWNERS = "owners"
# The table of conflicts.
CONFLICTS = "seedbed_conflict_columns"


def load(connection, file=EXTENSION):
    connection.enable_load_extension(True)
    connection.load_extension(file)
    connection.enable_load_extension(False)
    return connection


def connect(name="app.sqlite", **options):
    """A connection with the extension that is in no transaction unless the test begins one."""
    return load(sqlite3.connect(name, isolation_level=None, **options))


def call(connection, verb, *arguments):
    """The answer of seedbed_VERB(CATALOG, …), with options as a dictionary."""
    values = [CATALOG, *arguments]
    values = [json.dumps(value) if isinstance(value, dict) else value for value in values]
    marks = ", ".join("?" * len(values))
    return json.loads(connection.execute(f"SELECT seedbed_{verb}({marks})", values).fetchone()[0])


def refusal(action, *arguments):
    """The sentence with which a call is refused."""
    try:
        answer = action(*arguments)
    except (sqlite3.OperationalError, sqlite3.DataError) as error:
        check_sentence(str(error))
        return str(error)
    raise AssertionError(f"not refused: {answer}")


def check_sentence(text):
    """Fails for what no person should read."""
    assert text.endswith(".") or re.search(r" Did you mean '[^']*'\?$", text), f"no end: {text!r}"
    inner = re.search(r"Optional\(|\bnil\b|\bSwift\.|Error\(|\\x00|\n|\b0x[0-9a-f]{6,}", text)
    assert not inner, f"{inner[0]!r} in {text!r}"
    # Names of the Swift package, which no other language has.
    swift = re.search(r"\bonConnection\b|\w\(\w+:", text)
    assert not swift, f"{swift[0]!r} in {text!r}"
    # A path may be in it, and no longer argument.
    assert len(text) < 5000, f"{len(text)} characters: {text[:60]!r}…"


# The folder of the test, with databases in it.


def files():
    """The content of all files of the folder, by name."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in pathlib.Path(".").rglob("*") if path.is_file()
    }


def at_release_3(name="app.sqlite"):
    """A database with a conflict, a pin and a release to come."""
    connection = connect(name)
    call(connection, "up", {"to": 2, "no-backup": True})
    connection.execute("UPDATE elements SET name = 'Mine' WHERE number = 113")
    call(connection, "up", {"to": 3, "no-backup": True})
    call(connection, "pin", "elements", 7)
    equal(call(connection, "outlook")["outlook"], "pending")
    return connection


def with_owners(name="owners.sqlite"):
    """A database at the last release of OWNERS, whose organization 7 has no rows yet."""
    if not os.path.exists(OWNERS):
        write_owners(pathlib.Path(OWNERS))
    make_app(name)
    connection = connect(name)
    connection.execute("SELECT seedbed_up(?)", (OWNERS,)).fetchone()
    connection.execute("INSERT INTO organizations (id) VALUES (7)")
    return connection


def each(cases, check):
    """Plays all cases, and then fails with a list of those that failed."""
    failures = []
    for case in cases:
        try:
            check(*case)
        except AssertionError as error:
            failures.append(f"{case!r:.200}: {error!s:.300}")
    assert not failures, f"{len(failures)} cases failed:\n" + "\n".join(failures)


def equal(found, expected):
    assert found == expected, f"\n   found {found!r}\nexpected {expected!r}"


# The process, as the extension must leave it.

libc = ctypes.CDLL(None, use_errno=True)
libc.setlocale.restype = ctypes.c_char_p


def status(*names):
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    fields = dict(line.split(":\t", 1) for line in lines)
    return {name: fields[name] for name in names}


def signals():
    """Handler, mask and flags of each signal, and what this thread blocks."""
    found = {}
    action = ctypes.create_string_buffer(256)
    for number in range(1, 65):
        # glibc refuses those that it keeps for itself.
        if libc.sigaction(number, None, action) == 0:
            # The rest of its 128 bytes of mask is never written.
            found[number] = (action.raw[:16].hex(), action.raw[136:140].hex())
    stack = ctypes.create_string_buffer(24)
    libc.sigaltstack(None, stack)
    found["alternate stack"] = stack.raw.hex()
    # Signals 32 to 34 are glibc's: it takes them as its threads first need them.
    for name, mask in status("SigCgt", "SigIgn", "SigBlk").items():
        found[name] = hex(int(mask, 16) & ~(7 << 31))
    return found


def environment():
    words = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
    found = []
    while words[len(found)] is not None:
        found.append(words[len(found)])
    return found


def open_files():
    """Numbers and targets, without the one that reads the folder."""
    found = {}
    for number in os.listdir("/proc/self/fd"):
        try:
            found[number] = os.readlink(f"/proc/self/fd/{number}")
        except FileNotFoundError:
            pass
    return found


def threads():
    return sorted(os.listdir("/proc/self/task"))


def mapped_files():
    lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
    return {line.split(None, 5)[5] for line in lines if "/" in line}


def locks():
    """The POSIX locks of this process: kind, file and range."""
    lines = pathlib.Path("/proc/locks").read_text().splitlines()
    fields = [line.split() for line in lines]
    mine = str(os.getpid())
    return sorted(tuple(field[3:]) for field in fields if field[1] != "->" and field[4] == mine)


def state():
    """All that a guest leaves as it is, by name."""
    return {
        "signals": signals(),
        "threads": threads(),
        "open files": open_files(),
        "locale": libc.setlocale(6, None),
        "environment": environment(),
        "folder": os.getcwd(),
        "umask and the like": status("Umask", "Name", "NoNewPrivs", "Cpus_allowed"),
        "limits": [resource.getrlimit(kind) for kind in range(16)],
        "rounding": libc.fegetround() if hasattr(libc, "fegetround") else None,
        "mapped files": mapped_files(),
        "locks": locks(),
    }


def unchanged(before, what):
    """Fails if anything of `state()` is another than before."""
    after = state()
    for name, value in before.items():
        assert after[name] == value, f"{what} changed the {name}: {difference(value, after[name])}"


def difference(old, new):
    if isinstance(old, dict):
        return {key: (old.get(key), new.get(key)) for key in {*old, *new}
                if old.get(key) != new.get(key)}
    if isinstance(old, (list, set)):
        return {"lost": [each for each in old if each not in new],
                "new": [each for each in new if each not in old]}
    return f"{old!r} is now {new!r}"
