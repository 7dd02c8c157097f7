"""Releases come, a user works, a process is killed: the same by every way to the database."""

import os
import pathlib
import signal

import seedbed
from support import MEDIUM, Case, FORCED, once, ways

KILLED = "seedbed.up(sys.argv[1], sys.argv[2])"


class Story(Case):
    def play(self, opened):
        path = "app.sqlite"
        db = opened(path)
        first = seedbed.up(db, MEDIUM, to=1)
        self.assertEqual((first.outcome, first.from_version, first.to_version), ("applied", 0, 1))
        self.assertEqual(first.touched_tables, ("words",))
        self.assertEqual(first.migrations[0]["tables"][0]["inserted"], 100)
        self.assertIsNone(first.backup)

        self.sql(path, "UPDATE words SET note = 'mine' WHERE id = 7")
        self.sql(path, "DELETE FROM words WHERE id = 8")
        self.sql(path, "INSERT INTO words VALUES (1000000, 'mine', 'mine')")
        second = seedbed.up(db, MEDIUM, to=2)
        self.assertEqual(second["outcome"], "applied")
        self.assertTrue(pathlib.Path(second.backup).exists())
        kinds = [(each.key, each.kind) for each in second.conflicts]
        self.assertEqual(kinds, [({"id": 7}, "edited"), ({"id": 8}, "deletedByUser")])
        logged = seedbed.conflicts(db, MEDIUM)
        self.assertEqual(tuple(logged), second.conflicts)
        self.assertEqual(len(logged), 2)
        self.assertEqual((logged.json["conflicts"][0]["mine"]), {"note": "mine"})
        state = seedbed.status(db, MEDIUM)
        self.assertEqual((state.state, state.current, state.target), ("pending", 2, 3))

        child = self.started(KILLED, path, MEDIUM)
        self.is_writing(path, child)
        os.killpg(child.pid, signal.SIGKILL)
        self.assertEqual(child.wait(), -signal.SIGKILL)
        child.stdout.close()
        self.assertEqual(self.sql(path, "SELECT count(*) FROM words"), [(99,)])
        third = seedbed.up(db, MEDIUM)
        self.assertEqual((third.outcome, third.to_version), ("applied", 3))
        self.assertEqual(self.sql(path, "SELECT count(*) FROM words"), [(30_099,)])
        self.assertEqual(
            self.sql(path, "SELECT id, note FROM words WHERE id IN (7, 8, 9, 1000000)"),
            [(7, "mine"), (9, "second"), (1000000, "mine")])
        self.assertEqual(seedbed.up(db, MEDIUM).outcome, "upToDate")

        back = seedbed.down(db, MEDIUM, 1, no_backup=True)
        self.assertEqual((back.outcome, back.to_version, back.backup), ("reverted", 1, None))
        if hasattr(db, "close"):
            db.close()


def named(name, opened):
    return lambda self: self.play(opened)


for name, opened in ways().items():
    # A Path is a path: one of both is enough for the whole story.
    if name != "pathlib":
        setattr(Story, f"test_by_{name}", named(name, opened))


@once
class Rows(Case):
    """What is done with single rows and conflicts."""

    def setUp(self):
        super().setUp()
        seedbed.up("app.sqlite", MEDIUM, to=1)
        self.sql("app.sqlite", "UPDATE words SET note = 'mine' WHERE id IN (7, 9)")

    def note(self, number):
        return self.sql("app.sqlite", f"SELECT note FROM words WHERE id = {number}")[0][0]

    def test_plan(self):
        before = pathlib.Path("app.sqlite").read_bytes()
        planned = seedbed.plan("app.sqlite", MEDIUM, to=2, on_edited="preferSeed")
        self.assertEqual(planned.outcome, "planned")
        self.assertEqual([each.resolution for each in planned.conflicts], ["tookSeed"] * 2)
        self.assertEqual(pathlib.Path("app.sqlite").read_bytes(), before)

    def test_resolve(self):
        seedbed.up("app.sqlite", MEDIUM, to=2)
        settled = seedbed.resolve("app.sqlite", MEDIUM, 1, "seed")
        self.assertEqual((settled.settled, settled.touched_tables), ((1,), ("words",)))
        self.assertEqual((self.note(7), self.note(9)), ("second", "mine"))
        settled = seedbed.resolve("app.sqlite", MEDIUM, [1, 2], "mine")
        self.assertEqual(settled.settled, (1, 2))
        self.assertEqual((self.note(7), self.note(9)), ("mine", "mine"))
        sides = [each.settled for each in seedbed.conflicts("app.sqlite", MEDIUM)]
        self.assertEqual(sides, ["mine", "mine"])

    def test_resolve_with_no_such_conflict_or_side(self):
        seedbed.up("app.sqlite", MEDIUM, to=2)
        error = self.refused(seedbed.resolve, "app.sqlite", MEDIUM, 99, "seed")
        self.assertEqual(error.code, "usage")
        self.assertIn("There is no conflict 99.", str(error))
        error = self.refused(seedbed.resolve, "app.sqlite", MEDIUM, 1, "theirs")
        self.assertEqual(
            str(error), "'side' must be 'mine' or 'seed', not 'theirs'.")
        self.assertEqual(self.note(7), "mine")

    def test_pin(self):
        row = {"table": "words", "key": {"id": 8}}
        for key in (8, [8], (8,)):
            self.assertEqual(seedbed.pin("app.sqlite", MEDIUM, "words", key).pinned, (row,))
            self.assertEqual(seedbed.unpin("app.sqlite", MEDIUM, "words", key).pinned, ())
        seedbed.pin("app.sqlite", MEDIUM, "words", 8)
        seedbed.up("app.sqlite", MEDIUM, to=2)
        self.assertEqual(self.note(8), "first")
        self.assertEqual(seedbed.unpin("app.sqlite", MEDIUM, "words", 8).pinned, ())

    def test_keys_of_several_columns(self):
        os.makedirs("Places/0001_places")
        pathlib.Path("Places/0001_places/up.sql").write_text(
            "CREATE TABLE places (name TEXT, n INTEGER, PRIMARY KEY (name, n));\n")
        pathlib.Path("Places/0001_places/down.sql").write_text("DROP TABLE places;\n")
        pathlib.Path("Places/0001_places/places.csv").write_text(
            'name,n\n"a, ""b""",-1\n-x,2\n')
        seedbed.up("places.sqlite", "Places")
        for name, number in (('a, "b"', -1), ("-x", 2)):
            row = {"table": "places", "key": {"name": name, "n": number}}
            pins = seedbed.pin("places.sqlite", "Places", "places", [name, number])
            self.assertEqual(pins.pinned, (row,))
            seedbed.unpin("places.sqlite", "Places", "places", (name, number))
        columns = {"n": 2, "name": "-x"}
        self.assertEqual(len(seedbed.pin("places.sqlite", "Places", "places", columns).pinned), 1)

    def test_keys_by_names(self):
        """A wrong name is no key."""
        names = {"id": 3}
        self.assertEqual(len(seedbed.pin("app.sqlite", MEDIUM, "words", names).pinned), 1)
        seedbed.unpin("app.sqlite", MEDIUM, "words", names)
        names = {"idd": 3}
        for call in (seedbed.pin, seedbed.unpin, seedbed.origin):
            error = self.refused(call, "app.sqlite", MEDIUM, "words", names)
            self.assertEqual(error.code, "usage")
            words = "by id, and not by idd|is not pinned"
            self.assertRegex(str(error), words)
        seedbed.pin("app.sqlite", MEDIUM, "words", 7)
        self.assertEqual(
            [row["key"] for row in seedbed.unpin("app.sqlite", MEDIUM, "words", 7).pinned], [])

    def test_keys_with_ids_that_the_database_chose(self):
        files = {
            "catalog.json": '{"tables": {"land": {"key": ["code"]}, '
                            '"rate": {"key": ["land_id", "plan"]}}}',
            "0001_rates/up.sql":
                "CREATE TABLE land (id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT UNIQUE);\n"
                "INSERT INTO land (code) VALUES ('XX'), ('YY');\n"
                "CREATE TABLE rate (id INTEGER PRIMARY KEY, land_id INTEGER REFERENCES land, "
                "plan TEXT, price INTEGER, UNIQUE (land_id, plan));\n",
            "0001_rates/land.csv": "code\nCZ\nDE\n",
            "0001_rates/rate.csv": "land_id:land.code,plan,price\nCZ,pro,20\nDE,pro,30\n",
            "0002_june/rate.update.csv":
                "land_id:land.code,plan,price,was:price\nCZ,pro,21,20\n"}
        for name, text in files.items():
            os.makedirs(os.path.dirname(f"Rates/{name}"), exist_ok=True)
            pathlib.Path(f"Rates/{name}").write_text(text)
        seedbed.up("rates.sqlite", "Rates", to=1)
        self.sql("rates.sqlite", "UPDATE land SET id = id + 10")
        self.sql("rates.sqlite", "UPDATE rate SET land_id = land_id + 10, price = 99")
        seedbed.up("rates.sqlite", "Rates")
        (conflict,) = seedbed.conflicts("rates.sqlite", "Rates")
        self.assertEqual(conflict.key, {"land_id": 13, "plan": "pro"})
        self.assertEqual(conflict.names, {"land_id:land.code": "CZ", "plan": "pro"})
        for key in ([13, "pro"], ["CZ", "pro"], conflict.key, conflict.names):
            found = seedbed.origin("rates.sqlite", "Rates", "rate", key)
            self.assertEqual((found.origin, found.original["price"]), ("editedSeed", 21))
            self.assertEqual(
                seedbed.pin("rates.sqlite", "Rates", "rate", key)["pinned"],
                [{"table": "rate", "key": conflict.key}])
            self.assertEqual(seedbed.unpin("rates.sqlite", "Rates", "rate", key).pinned, ())
        done = seedbed.resolve("rates.sqlite", "Rates", conflict.id, "seed")
        self.assertEqual(done.settled, (conflict.id,))

    def test_origin(self):
        self.assertEqual(seedbed.origin("app.sqlite", MEDIUM, "words", 1).origin, "seed")
        edited = seedbed.origin("app.sqlite", MEDIUM, "words", [7])
        self.assertEqual((edited.origin, edited.is_pinned), ("editedSeed", False))
        self.assertEqual(edited.original["note"], "first")
        self.assertIsNone(seedbed.origin("app.sqlite", MEDIUM, "words", 99_999_999).origin)


class Interfaces(Case):
    def test_the_interface_that_is_asked_for(self):
        import sqlite3
        can = hasattr(sqlite3.Connection, "enable_load_extension") and not FORCED
        self.assertEqual(seedbed.interface("app.sqlite"), "extension" if can else "program")
        from support import apsw
        if apsw:
            interface = seedbed.interface(apsw.Connection("app.sqlite"))
            self.assertEqual(interface, "program" if FORCED else "extension")

    def test_a_database_in_memory(self):
        from support import apsw
        if not apsw:
            self.skipTest("apsw is not here")
        db = apsw.Connection(":memory:")
        if FORCED:
            self.assertEqual(self.refused(seedbed.up, db, MEDIUM).code, "needsConnection")
            return
        self.assertEqual(seedbed.up(db, MEDIUM, to=2).to_version, 2)
        self.assertEqual(db.execute("SELECT count(*) FROM words").fetchall(), [(99,)])
        self.assertEqual(seedbed.status(db, MEDIUM).current, 2)

    def test_the_program(self):
        import subprocess
        import sys
        for command in ([sys.executable, "-m", "seedbed"],
                        [os.path.join(os.path.dirname(sys.executable), "seedbed")]):
            said = subprocess.run(
                [*command, "upp"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertEqual(said.returncode, 64)
            self.assertIn("See 'seedbed help'.", said.stderr)

    def test_the_version(self):
        import subprocess
        from seedbed._program import PROGRAM
        said = subprocess.check_output([PROGRAM, "--version"], text=True)
        self.assertIn(seedbed.__version__, said)
