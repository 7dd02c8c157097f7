"""`fill`: a new owner gets its rows in the transaction that adds it, where that can be."""

import os
import pathlib
import sqlite3
import sys
import unittest

import seedbed
from support import FORCED, Case, apsw, once, ways

from owners import ROWS, make_app, write_owners  # support knows its folder

LABELS = "SELECT name, colour FROM labels WHERE organization_id = ? ORDER BY name"
ADD = "INSERT INTO organizations (id) VALUES (?)"
WITHOUT_SIGHT = (
    "another process does not see what is not committed. Commit the owner first, or leave it to "
    "the next 'up'.")


class OwnersCase(Case):
    def setUp(self):
        super().setUp()
        self.app("app.sqlite")

    def app(self, path, type="INTEGER"):
        """A database at the last release, which no organization has."""
        catalog = f"Catalog {type}"
        if not os.path.exists(catalog):
            write_owners(pathlib.Path(catalog), type)
        make_app(path, type)
        seedbed.up(path, catalog)
        self.catalog = catalog

    def labels(self, owner, path="app.sqlite"):
        statement = LABELS.replace("?", "'{}'".format(str(owner).replace("'", "''")))
        return self.sql(path, statement)


class Fill(OwnersCase):
    def in_a_transaction(self, opened):
        db = opened("app.sqlite")
        if isinstance(db, (str, pathlib.Path)):
            self.skipTest("a path has no transaction")
        if seedbed.interface(db) == "program":
            self.refused_by_the_program(db)
            return
        cursor = db.cursor()
        for end in ("ROLLBACK", "COMMIT"):
            cursor.execute("BEGIN")
            cursor.execute(ADD, (7,))
            report = seedbed.fill(db, self.catalog, 7)
            self.assertEqual((report.outcome, report.to_version), ("applied", 2))
            self.assertEqual(report.touched_tables, ("labels",))
            self.assertTrue(db.in_transaction)
            self.assertEqual(cursor.execute(LABELS, (7,)).fetchall(), ROWS)
            cursor.execute(end)
            self.assertEqual(self.labels(7), ROWS if end == "COMMIT" else [])
        # Outside a transaction it has one of its own.
        cursor.execute(ADD, (8,))
        if db.in_transaction:
            cursor.execute("COMMIT")
        self.assertEqual(seedbed.fill(db, self.catalog, 8).outcome, "applied")
        self.assertFalse(db.in_transaction)
        self.assertEqual(self.labels(8), ROWS)
        again = seedbed.fill(db, self.catalog, 8)
        self.assertEqual((again.outcome, len(again["notes"])), ("upToDate", 1))
        db.close()

    def refused_by_the_program(self, db):
        cursor = db.cursor()
        cursor.execute("BEGIN")
        cursor.execute(ADD, (7,))
        error = self.refused(seedbed.fill, db, self.catalog, 7)
        self.assertEqual(error.code, "needsConnection")
        self.assertTrue(str(error).endswith(WITHOUT_SIGHT), error)
        cursor.execute("COMMIT")
        self.assertEqual(seedbed.fill(db, self.catalog, 7).outcome, "applied")
        self.assertEqual(self.labels(7), ROWS)
        db.close()


def named(opened):
    return lambda self: self.in_a_transaction(opened)


for name, opened in ways().items():
    setattr(Fill, f"test_in_a_transaction_by_{name}", named(opened))


@once
class Owners(OwnersCase):
    def test_by_a_path(self):
        self.sql("app.sqlite", "INSERT INTO organizations (id) VALUES (-1)")
        for path in ("app.sqlite", pathlib.Path("app.sqlite")):
            report = seedbed.fill(path, self.catalog, -1, lock_timeout=1)
        self.assertEqual((report.outcome, self.labels(-1)), ("upToDate", ROWS))

    def test_an_owner_of_the_next_up(self):
        """What another process fills must be committed, and `up` fills what was forgotten."""
        self.sql("app.sqlite", "INSERT INTO organizations (id) VALUES (7)")
        self.assertEqual(seedbed.up("app.sqlite", self.catalog).outcome, "applied")
        self.assertEqual(self.labels(7), ROWS)

    def test_a_wrong_owner(self):
        db = sqlite3.connect("app.sqlite")
        with db:
            db.execute(ADD, (7,))
        for owner in (8, "8", "", "{}", 1.5):
            error = self.refused(seedbed.fill, db, self.catalog, owner)
            self.assertEqual(error.code, "usage")
            self.assertIn("'organizations' has no row with", str(error))
        for owner in (None, True, b"7", [7], (7,), {"id": 7}, object()):
            error = self.refused(seedbed.fill, db, self.catalog, owner)
            self.assertEqual(error.code, "usage")
            self.assertIn("'owner' must be a string, an integer or a number, not ", str(error))
        error = self.refused(seedbed.fill, db, self.catalog, 7, to=1)
        self.assertIn("'to' is not an option of 'fill'.", str(error))
        self.assertEqual(self.labels(7), [])
        self.assertEqual(self.refused(seedbed.fill, db, "nowhere", 7).code, "catalog")

    def test_owners_that_are_texts(self):
        owners = ["{0b0e1c5e}", '{"id": 1}', "[1]", "a,b", 'c"d', " -e", "-f", "007", "ü\n"]
        self.app("texts.sqlite", "TEXT")
        db = sqlite3.connect("texts.sqlite")
        with db:
            db.executemany(ADD, [(owner,) for owner in owners])
        for number, owner in enumerate(owners):
            way = db if number % 2 else "texts.sqlite"
            self.assertEqual(seedbed.fill(way, self.catalog, owner).outcome, "applied")
            self.assertEqual(db.execute(LABELS, (owner,)).fetchall(), ROWS)

    def test_a_transaction_that_goes_on_after_an_error(self):
        db = sqlite3.connect("app.sqlite")
        if seedbed.interface(db) == "program":
            self.skipTest("the program is in no transaction")
        db.execute(ADD, (7,))
        self.refused(seedbed.fill, db, self.catalog, 8)
        self.refused(seedbed.fill, db, "nowhere", 7)
        self.assertTrue(db.in_transaction)
        rows = db.execute("SELECT 1 UNION SELECT 2")
        rows.fetchone()
        error = self.refused(seedbed.fill, db, self.catalog, 7)
        self.assertEqual(error.code, "busy")
        self.assertIn("SELECT 1 UNION SELECT 2", str(error))
        rows.fetchall()
        seedbed.fill(db, self.catalog, 7)
        db.commit()
        self.assertEqual(self.labels(7), ROWS)

    def test_a_connection_keeps_its_ways(self):
        class Mine(sqlite3.Connection):
            def __init__(self, path, *more, needed):
                super().__init__(path)

        db = Mine("app.sqlite", needed=1)
        if seedbed.interface(db) == "program":
            self.skipTest("the connection does not do it")
        db.row_factory = lambda cursor, row: {"row": row}
        db.text_factory = bytes
        db.execute(ADD, (7,))
        self.assertEqual(seedbed.fill(db, self.catalog, 7).outcome, "applied")
        db.rollback()
        for allowed in (True, False):
            db.enable_load_extension(allowed)
            self.assertEqual(seedbed.up(db, self.catalog).outcome, "upToDate")
            db.execute(ADD, (9,))
            seedbed.fill(db, self.catalog, 9)
            db.rollback()
        with self.assertRaisesRegex(sqlite3.OperationalError, "not authorized"):
            db.load_extension("nowhere")

    def test_in_memory_and_read_only(self):
        if seedbed.interface("app.sqlite") == "program":
            self.skipTest("the program needs a file")
        db = sqlite3.connect(":memory:")
        with sqlite3.connect("app.sqlite") as other:
            other.backup(db)
        db.execute(ADD, (7,))
        seedbed.fill(db, self.catalog, 7)
        self.assertEqual(db.execute(LABELS, (7,)).fetchall(), ROWS)
        self.sql("app.sqlite", "INSERT INTO organizations (id) VALUES (7)")
        db = sqlite3.connect("file:app.sqlite?mode=ro", uri=True)
        error = self.refused(seedbed.fill, db, self.catalog, 7)
        self.assertRegex(str(error), "read-?only")

    @unittest.skipIf(sys.version_info < (3, 12), "autocommit needs Python 3.12")
    def test_without_autocommit(self):
        db = sqlite3.connect("app.sqlite", autocommit=False)
        if seedbed.interface(db) == "extension":
            db.execute(ADD, (7,))
            seedbed.fill(db, self.catalog, 7)
            db.commit()
            self.assertEqual(self.labels(7), ROWS)
        db.close()

    def test_a_second_sqlite_in_the_process(self):
        """Each connection is served by its own."""
        if not apsw or FORCED:
            self.skipTest("there is one SQLite")
        code = (
            "import apsw, sqlite3\n"
            "first, second = apsw.Connection('app.sqlite'), sqlite3.connect('other.sqlite')\n"
            "if seedbed.interface(first) == seedbed.interface(second) == 'extension':\n"
            "    for db in (first, second):\n"
            f"        db.cursor().execute({ADD!r}, (7,))\n"
            f"        print(seedbed.fill(db, {self.catalog!r}, 7).outcome)\n")
        self.app("other.sqlite")
        process = self.started(code)
        said, _ = process.communicate()
        if not said:
            self.skipTest("one of them loads no extension")
        self.assertEqual(said.splitlines(), ["applied", "applied"])
