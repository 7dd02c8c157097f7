"""Random calls through both doors, by a seed: the process lives, and every answer can be read.

Scripts/checks/fuzz doors plays it for minutes. SEEDBED_SEED replays what a failure names.
"""

import json
import os
import pathlib
import random
import shutil
import sqlite3
import time

import door
import host
from door import ON_CONNECTION, PROGRESS, VERBS, Database
from host import CATALOG, at_release_3, load
from wrong_input import KINDS, NO_TEXT, WRONG

SEED = int(os.environ.get("SEEDBED_SEED") or time.time())
SECONDS = int(os.environ.get("SEEDBED_SECONDS") or (300 if host.LONG else 8))
NAMES = [
    *KINDS, "discard-user-rows", "id", "side", "table", "key", "owner", "known", "on_edited", "x", ""]
VALUES = [
    *NO_TEXT, 0, 1, 2, 3, 4, 113, 2**63 - 1, -(2**63), 2**64, 1e308, "elements", "notes", "mine",
    "seed", "keepEdits", "nothing", "seedbed", "other", "main", "temp", "backups", "app.sqlite",
    [1, 2], [113], {"number": 113}, {"number": None}, ["x", 1], {"name": "Nihonium"}, True, False,
    "BEGIN", "PRAGMA foreign_keys = 1", "ed25519:vwelG/rt32teNaqNujo+k71pw/PQH/SWekmEL5i/f+Q=",
]
# Those that SQL takes as an argument.
SCALARS = [
    value for value in VALUES
    if isinstance(value, (str, float)) or isinstance(value, int) and abs(value) < 2**63
]
CATALOGS = ["nowhere", "", "app.sqlite", "/", ".", "catalog", "damaged", host.OWNERS]
# Out of WAL mode SQLite takes along what a connection read before others committed, and writes it
# over theirs. What it reads first is new.
LEAVE_WAL = "SELECT 1 FROM sqlite_schema; PRAGMA journal_mode = delete"
# What a host does between the calls.
STATES = [
    "BEGIN", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK", "PRAGMA query_only = 1",
    "PRAGMA query_only = 0", "PRAGMA journal_mode = wal", LEAVE_WAL,
    "SELECT * FROM elements", f"SELECT * FROM {host.CONFLICTS}", "SELECT seedbed_last_error()",
    "UPDATE elements SET name = number", "DELETE FROM elements WHERE number > 110", "VACUUM",
    "PRAGMA foreign_keys = 1", "DROP TABLE notes", "CREATE TABLE other (x)",
    "INSERT INTO organizations (id) VALUES (8)", "DELETE FROM organizations",
]


class Player:
    """Plays the calls of one seed, the same ones each time."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.number = 0
        self.make()

    def make(self):
        """New databases, and a catalog with damage."""
        for name in ("app.sqlite", "other.sqlite", "new.sqlite", "owners.sqlite"):
            for each in pathlib.Path(".").glob(name + "*"):
                shutil.rmtree(each) if each.is_dir() else each.unlink()
        at_release_3().close()
        at_release_3("other.sqlite").close()
        host.with_owners().close()
        for catalog in ("catalog", "damaged"):
            shutil.rmtree(catalog, ignore_errors=True)
            shutil.copytree(CATALOG, catalog)
        files = sorted(path for path in pathlib.Path("damaged").rglob("*") if path.is_file())
        path = self.dice.choice(files)
        content = bytearray(path.read_bytes())
        for _ in range(self.dice.randint(1, 8)):
            if content:
                content[self.dice.randrange(len(content))] = self.dice.randrange(256)
        path.write_bytes(content)
        self.connection, self.owners = [
            load(sqlite3.connect(name, isolation_level=None, timeout=0))
            for name in ("app.sqlite", "owners.sqlite")]
        self.handles = [door.Handle("other.sqlite"), door.Handle(":memory:")]

    def close(self):
        self.connection.close()
        self.owners.close()
        for handle in self.handles:
            handle.close()

    # Arguments

    def options(self, verb):
        dice = self.dice
        if dice.random() < 0.1:
            return dice.choice([None, *(each[-1] for each in WRONG.values() if len(each) > 1)])
        right = {
            "down": {"to": dice.randrange(5)}, "resolve": {"id": dice.randrange(3), "side": "seed"},
            "fill": {"owner": dice.randrange(6, 9)},
        }.get(verb, {"table": "elements", "key": dice.randrange(130)})
        takes_none = ("up", "plan", "status", "outlook", "conflicts", "absent")
        options = {} if verb in takes_none else right
        options["lock-timeout"] = 0
        for _ in range(dice.choice([0, 0, 0, 1, 2])):
            name, value = dice.choice(NAMES), dice.choice(VALUES)
            # Another handle may hold the lock, and then a call waits for as long as it was told.
            waits = name in ("lock-timeout", "lockTimeout") and isinstance(value, (int, float))
            options[name] = 0 if waits else value
        text = json.dumps(options)
        if dice.random() < 0.1:
            place = dice.randrange(len(text))
            text = text[:place] + dice.choice('{}[]",:\\ \0é1e-') + text[place + 1:]
        return text

    def catalog(self, verb):
        right = host.OWNERS if verb == "fill" else CATALOG
        return right if self.dice.random() < 0.7 else self.dice.choice(CATALOGS)

    # Calls

    def call_sql(self):
        dice = self.dice
        if dice.random() < 0.3:
            db = dice.choice([self.connection, self.owners])
            for statement in dice.choice(STATES).split("; "):
                self.sql(statement, (), db)
            return
        verb = dice.choice([verb for verb in VERBS if verb != "conflicts"])
        arguments = [self.catalog(verb)]
        counts = {
            "down": 1, "resolve": 2, "pin": 2, "unpin": 2, "origin": 2, "absent": dice.randrange(2),
            "reseed": 2, "fill": 1}
        for _ in range(counts.get(verb, 0)):
            arguments.append(dice.choice(SCALARS))
        if dice.random() < 0.8:
            arguments.append(self.options(verb) if dice.random() < 0.5 else '{"lock-timeout": 0}')
        marks = ["?"] * len(arguments)
        if dice.random() < 0.2:
            place = dice.randrange(len(marks))
            marks[place], *arguments[place:place + 1] = WRONG[dice.choice(list(WRONG))]
        db = self.owners if verb == "fill" and dice.random() < 0.8 else self.connection
        answer = self.sql(f"SELECT seedbed_{verb}({', '.join(marks)})", arguments, db)
        if answer:
            json.loads(answer[0][0])

    def sql(self, sql, arguments, db):
        try:
            return db.execute(sql, arguments).fetchall()
        except sqlite3.Error as error:
            if sql.startswith("SELECT seedbed_"):
                check(str(error))

    def call_door(self):
        dice = self.dice
        verb, stop_at, calls = dice.choice(VERBS), dice.choice([0, 0, 1, 2, 5]), []
        progress = PROGRESS(lambda *_: calls.append(1) or len(calls) == stop_at)
        setup = ON_CONNECTION(lambda *_: dice.choice([0, 0, 0, 1]))
        handle = dice.choice(self.handles)
        place = dice.choice([
            Database(path=b"app.sqlite"), Database(path=b"other.sqlite"), handle.lent(),
            Database(path=b"owners.sqlite"),
            Database(path=b"new.sqlite", on_connection=setup),
            Database(connection=handle.handle, on_connection=setup), Database(), None,
        ])
        if dice.random() < 0.1:
            door.sqlite.sqlite3_exec(
                handle.handle, dice.choice(STATES).encode(), None, None, None)
        options = self.options(verb)
        if isinstance(options, str):
            options = options.encode(errors="surrogatepass").replace(b"\0", b"\xff")
        code, document = door.call(
            verb, place, options, self.catalog(verb) or None, progress if stop_at else None)
        if "error" in document:
            check(document["error"]["message"])

    def play(self, log):
        self.number += 1
        os.pwrite(log, f"call {self.number:>9}".encode(), 0)
        self.dice.choice([self.call_sql, self.call_door])()
        if self.number % 200 == 0:
            for name in ("app.sqlite", "other.sqlite", "owners.sqlite"):
                found = sqlite3.connect(name).execute("PRAGMA integrity_check").fetchone()
                assert found == ("ok",), f"{name}: {found}"
            self.close()
            self.make()


def check(message):
    """Lighter than host.check_sentence: SQLite's own words may be in it."""
    assert message and message[-1] in ".?", f"no end: {message!r:.500}"
    assert "Optional(" not in message and "Swift." not in message, f"{message!r:.500}"


def test_random_calls():
    log = os.open("last", os.O_RDWR | os.O_CREAT)
    child = os.fork()
    if child == 0:
        end = time.monotonic() + SECONDS
        try:
            player = Player(SEED)
            while time.monotonic() < end:
                player.play(log)
            os._exit(0)
        except BaseException:
            import traceback
            traceback.print_exc()
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    last = os.pread(log, 100, 0).decode()
    how = f"died by signal {-code}" if code < 0 else f"ended with {code}"
    assert code == 0, f"{how} in {last}; replay it by SEEDBED_SEED={SEED}"
