"""What cannot be done is said before anything is done."""

import multiprocessing
import os
import pathlib
import pickle
import sqlite3
import sys
import threading
import time
import typing
import unittest
import unittest.mock

import seedbed
from seedbed import _options, _program, _remedies, _types
from support import CATALOG, Case, apsw, bad_catalog

IN_TRANSACTION = "The connection is inside a transaction. Commit it or roll it back first."
READ_ONLY = "This connection is read-only. Pass one that may write."
NO_FILE = (
    "The database of this connection has no file, and Seedbed opens the file once more. Use a "
    "file, or a connection of apsw and the extension.")


class Connections(Case):
    def setUp(self):
        super().setUp()
        seedbed.up("app.sqlite", CATALOG, to=1)
        self.before = pathlib.Path("app.sqlite").read_bytes()

    def tearDown(self):
        self.assertEqual(pathlib.Path("app.sqlite").read_bytes(), self.before)
        super().tearDown()

    def says(self, db, sentence, code):
        """What writes is refused with this sentence."""
        for call in (seedbed.up, seedbed.plan):
            error = self.refused(call, db, CATALOG)
            self.assertEqual((str(error), error.code), (sentence, code))
        self.refused(seedbed.down, db, CATALOG, 0)
        self.refused(seedbed.pin, db, CATALOG, "words", 1)
        self.assertTrue(error.database_unchanged)

    def test_inside_a_transaction(self):
        db = sqlite3.connect("app.sqlite")
        db.execute("UPDATE words SET note = 'mine' WHERE id = 1")
        self.says(db, IN_TRANSACTION, "usage")
        self.assertTrue(db.in_transaction)
        self.assertEqual(seedbed.status(db, CATALOG).current, 1)
        db.rollback()

    @unittest.skipIf(sys.version_info < (3, 12), "autocommit needs Python 3.12")
    def test_without_autocommit(self):
        db = sqlite3.connect("app.sqlite", autocommit=False)
        rest = " With autocommit=False one is always open: pass the path."
        self.says(db, IN_TRANSACTION + rest, "usage")
        db.close()

    def test_in_memory(self):
        self.says(sqlite3.connect(":memory:"), NO_FILE, "needsConnection")
        self.says(sqlite3.connect(""), NO_FILE, "needsConnection")
        for name in (":memory:", "file:other.sqlite?mode=memory"):
            error = self.refused(seedbed.up, name, CATALOG)
            sentence = f"'{name}' is not a file. Pass a path, or a connection of apsw."
            self.assertEqual(str(error), sentence)
        self.assertEqual(os.listdir("."), ["app.sqlite"])

    def test_read_only(self):
        for query in ("mode=ro", "immutable=1"):
            db = sqlite3.connect("file:app.sqlite?" + query, uri=True)
            self.says(db, READ_ONLY, "needsConnection")
            self.assertEqual(seedbed.status(db, CATALOG).current, 1)
            self.assertFalse(db.in_transaction)
        db = sqlite3.connect("app.sqlite")
        db.execute("PRAGMA query_only = 1")
        self.says(db, READ_ONLY, "needsConnection")

    def test_closed(self):
        db = sqlite3.connect("app.sqlite")
        db.close()
        sentence = (
            "The connection cannot be used (Cannot operate on a closed database). Pass one that "
            "is open.")
        self.says(db, sentence, "usage")

    def test_of_another_thread(self):
        db = sqlite3.connect("app.sqlite")
        errors = []
        thread = threading.Thread(
            target=lambda: errors.append(self.refused(seedbed.up, db, CATALOG)))
        thread.start()
        thread.join()
        self.assertIn("can only be used in that same thread", str(errors[0]))
        sentence = "Pass a connection of this thread, or the path."
        self.assertTrue(str(errors[0]).endswith(sentence), errors[0])

    @unittest.skipUnless(apsw, "apsw is not here")
    def test_of_apsw(self):
        db = apsw.Connection("app.sqlite")
        db.execute("BEGIN IMMEDIATE")
        self.says(db, IN_TRANSACTION, "usage")
        db.execute("ROLLBACK")
        db.close()
        self.assertIn("cannot be used", str(self.refused(seedbed.up, db, CATALOG)))
        db = apsw.Connection("app.sqlite", flags=apsw.SQLITE_OPEN_READONLY)
        self.says(db, READ_ONLY, "needsConnection")

    def test_something_else(self):
        for db in (1, None, object(), []):
            error = self.refused(seedbed.up, db, CATALOG)
            self.assertIn("is not a database. Pass a path or a connection.", str(error))
        for path, catalog in (("a\0b", CATALOG), ("app.sqlite", "a\0b")):
            self.assertIn("NUL", str(self.refused(seedbed.up, path, catalog)))


class Folders(Case):
    def test_a_working_folder_that_is_gone(self):
        os.mkdir("gone")
        os.chdir("gone")
        os.rmdir("../gone")
        error = self.refused(seedbed.up, "app.sqlite", CATALOG)
        self.assertEqual(error.code, "io")
        self.assertRegex(str(error), "Pass an absolute path|Check that")
        path = os.path.join(self.folder, "app.sqlite")
        self.assertEqual(seedbed.up(path, CATALOG).to_version, 3)
        os.chdir(self.folder)


class Guests(Case):
    """A connection is as it was."""

    def test_with_factories(self):
        db = sqlite3.connect("app.sqlite")
        db.row_factory = lambda cursor, row: {"row": row}
        db.text_factory = bytes
        self.assertEqual(seedbed.up(db, CATALOG).to_version, 3)
        if apsw:
            other = apsw.Connection("other.sqlite")
            other.row_trace = lambda cursor, row: {"row": row}
            self.assertEqual(seedbed.up(other, CATALOG).to_version, 3)

    def test_of_a_class_of_the_callers(self):
        class Mine(sqlite3.Connection):
            def __init__(self, path, *more, needed):
                super().__init__(path)

        db = Mine("app.sqlite", needed=1)
        self.assertEqual(seedbed.interface(db), seedbed.interface("app.sqlite"))
        self.assertEqual(seedbed.up(db, CATALOG).to_version, 3)

    def test_that_is_left_as_it_was(self):
        db = sqlite3.connect("app.sqlite")
        names = ("foreign_keys", "busy_timeout", "journal_mode", "auto_vacuum", "user_version")

        def settings():
            pragmas = [db.execute("PRAGMA " + name).fetchone() for name in names]
            return pragmas, db.in_transaction, db.isolation_level, db.total_changes

        before = settings()
        seedbed.up(db, CATALOG)
        self.assertEqual(settings(), before)
        with self.assertRaisesRegex(sqlite3.OperationalError, "no such function"):
            db.execute("SELECT seedbed_version()")
        with db:
            db.execute("UPDATE words SET note = 'mine' WHERE id = 1")

    def test_that_reads_meanwhile(self):
        db = sqlite3.connect("app.sqlite")
        db.execute("PRAGMA journal_mode = wal")
        seedbed.up(db, CATALOG, to=1)
        rows = db.execute("SELECT id FROM words ORDER BY id")
        self.assertEqual(rows.fetchone(), (1,))
        self.assertEqual(seedbed.up(db, CATALOG, to=2).outcome, "applied")
        self.assertEqual(len(rows.fetchall()), 99)

    def test_a_name_that_a_shell_would_change(self):
        os.mkdir("a b;$(x)")
        name = "a b;$(x)/--d'ä\".sqlite"
        self.assertEqual(seedbed.up(name, CATALOG).to_version, 3)
        self.assertTrue(os.path.exists(name))
        self.assertEqual(seedbed.up(sqlite3.connect(name), CATALOG).outcome, "upToDate")


class Options(Case):
    def test_a_wrong_name(self):
        cases = [
            (seedbed.up, (), {"tow": 2}, "'tow' is not an option of 'up'. Did you mean 'to'?"),
            (seedbed.up, (), {"lock_timout": 2}, "Did you mean 'lock_timeout'?"),
            (seedbed.down, (1,), {"discard_rows": True}, "Did you mean 'discard_user_rows'?"),
            (seedbed.status, (), {"json": True}, "Options are on_edited, on_taken, "),
            (seedbed.conflicts, (), {"prune": True}, "'prune' is not an option of 'conflicts'."),
        ]
        for call, operands, options, sentence in cases:
            error = self.refused(call, "app.sqlite", CATALOG, *operands, **options)
            self.assertEqual(error.code, "usage")
            self.assertIn(sentence, str(error))
        self.assertEqual(os.listdir("."), [])

    def test_a_wrong_value(self):
        error = self.refused(seedbed.up, "app.sqlite", CATALOG, on_edited="keepAll")
        self.assertIn("not 'keepAll'", str(error))
        self.assertIn("'keepEdits', 'preferSeed', 'keepRow', 'overwriteRow'", str(error))
        self.assertEqual(error.code, "usage")

    def test_a_value_of_another_type(self):
        """It is refused before the extension or the program could take it for something else."""
        db = "app.sqlite"
        cases = [
            (seedbed.up, (), {"to": "1"}, "not '1'."),
            (seedbed.up, (), {"to": True}, "not True."),
            (seedbed.up, (), {"to": 1.0}, "not 1.0."),
            (seedbed.up, (), {"to": -1}, "'to' must be a finite number from 0 on, not -1."),
            (seedbed.up, (), {"keep": "2"}, "not '2'."),
            (seedbed.up, (), {"lock_timeout": "2"}, "not '2'."),
            (seedbed.up, (), {"lock_timeout": -1}, "from 0 on, not -1."),
            (seedbed.up, (), {"lock_timeout": float("nan")}, "from 0 on, not nan."),
            (seedbed.up, (), {"lock_timeout": float("inf")}, "from 0 on, not inf."),
            (seedbed.up, (), {"must_exist": 1}, "'must_exist' must be True or False, not 1."),
            (seedbed.up, (), {"backups": b"kept"}, "not b'kept'."),
            (seedbed.up, (), {"cancel": 1}, "threading.Event"),
            (seedbed.up, (), {"progress": 1}, "'progress' must be a function, not 1."),
            (seedbed.down, ("1",), {}, "'to' must be an integer, not '1'."),
            (seedbed.down, (None,), {}, "'to' must be an integer, not None."),
            (seedbed.resolve, ("1", "seed"), {},
             "'id' must be an integer or a sequence of them, not '1'."),
            (seedbed.resolve, ([], "seed"), {}, "not []."),
            (seedbed.resolve, (["1"], "seed"), {}, "not ['1']."),
            (seedbed.resolve, (True, "seed"), {}, "not True."),
            (seedbed.resolve, (1, None), {}, "'side' must be 'mine' or 'seed', not None."),
            (seedbed.pin, ("words", True), {}, "not True."),
            (seedbed.pin, ("words", None), {}, "not None."),
            (seedbed.pin, ("words", b"1"), {}, "not b'1'."),
            (seedbed.pin, ("words", [None]), {}, "not [None]."),
            (seedbed.pin, ("words", []), {}, "not []."),
            (seedbed.pin, ("words", {"id": None}), {}, "'key' must be a string, an integer, a number, "),
            (seedbed.pin, (1, 1), {}, "'table' must be a string, not 1."),
        ]
        for call, operands, options, end in cases:
            error = self.refused(call, db, CATALOG, *operands, **options)
            self.assertEqual(error.code, "usage")
            self.assertIn(end, str(error))
        self.refused(seedbed.up, db, CATALOG, ledger="a\0b")
        self.refused(seedbed.pin, db, CATALOG, "words\0", "a\0b")
        for catalog in (None, 1, b"Migrations"):
            self.assertIn("'catalog' must be ", str(self.refused(seedbed.up, db, catalog)))
        self.assertEqual(os.listdir("."), [])

    def test_values_of_the_same_type(self):
        """Each sequence and path will do, and so will each whole number for a number."""
        seedbed.up("app.sqlite", CATALOG, to=1)
        self.sql("app.sqlite", "UPDATE words SET note = 'mine' WHERE id IN (7, 9)")

        class Folder:
            def __init__(self, path):
                self.path = path

            def __fspath__(self):
                return self.path

        report = seedbed.up(
            "app.sqlite", Folder(CATALOG), to=2, backups=Folder("kept"), lock_timeout=2,
            cancel=threading.Event())
        self.assertIn("/kept/", report.backup)
        settled = seedbed.resolve("app.sqlite", CATALOG, range(1, 3), "mine").settled
        self.assertEqual(settled, (1, 2))
        self.assertEqual(len(seedbed.pin("app.sqlite", CATALOG, "words", range(3, 4)).pinned), 1)

    def test_options_that_reach_the_library(self):
        report = seedbed.up("app.sqlite", CATALOG, to=1, no_backup=True, keep=3, ledger="mine",
                            backups=pathlib.Path("kept"), lock_timeout=0.25, on_taken=None,
                            must_exist=False)
        self.assertEqual(report.to_version, 1)
        tables = self.sql("app.sqlite", "SELECT name FROM sqlite_master")
        self.assertIn("mine_", str(tables))
        report = seedbed.up(
            "app.sqlite", CATALOG, ledger="mine", backups=pathlib.Path("kept"))
        self.assertIn("/kept/", report.backup)
        self.refused(seedbed.up, "new.sqlite", CATALOG, must_exist=True)
        self.assertFalse(os.path.exists("new.sqlite"))

    def test_options_of_the_extension(self):
        options = {
            "locked": True, "connection_sql": "PRAGMA user_version", "allow_newer": True,
            "reporting": "outcome"}
        if seedbed.interface("app.sqlite") == "program":
            for name, value in {**options, "first": "first.sqlite"}.items():
                error = self.refused(seedbed.up, "app.sqlite", CATALOG, **{name: value})
                self.assertEqual(error.code, "usage")
                self.assertIn(f"'{name}' needs the extension, and ", str(error))
            self.assertEqual(seedbed.up("app.sqlite", CATALOG, locked=False).to_version, 3)
        else:
            del options["locked"]
            self.assertEqual(seedbed.up("app.sqlite", CATALOG, **options).to_version, 3)
            error = self.refused(seedbed.up, "app.sqlite", CATALOG, locked=True)
            self.assertIn("seedbed.lock", str(error))


def fails(path):
    seedbed.up(path, "bad")


class Errors(Case):
    def test_a_bad_file(self):
        bad_catalog("bad")
        error = self.refused(seedbed.up, "app.sqlite", "bad")
        self.assertEqual(error.code, "csv")
        self.assertEqual(error.place.file, "0002_notes/words.update.csv.gz")
        self.assertEqual(error.place.line, 3)
        self.assertEqual((error.version, error.applied), (2, (1,)))
        self.assertFalse(error.database_unchanged)
        self.assertTrue(str(error).startswith("0002_notes/words.update.csv.gz:3:"), str(error))
        self.assertTrue(str(error).endswith(error.message))
        self.assertEqual(error.json["error"]["code"], "csv")
        self.assertEqual(seedbed.status("app.sqlite", "bad").current, 1)

    def test_an_error_can_be_sent_to_another_process(self):
        bad_catalog("bad")
        error = self.refused(seedbed.up, "app.sqlite", "bad")
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(copy), copy.place, copy.applied), (str(error), error.place, (1,)))
        with multiprocessing.get_context("fork").Pool(1) as pool:
            with self.assertRaises(seedbed.Error) as caught:
                pool.apply(fails, ("other.sqlite",))
        self.assertEqual(caught.exception.code, "csv")

    def test_busy(self):
        seedbed.up("app.sqlite", CATALOG, to=1)
        db = sqlite3.connect("app.sqlite", isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
        start = time.monotonic()
        self.refused(seedbed.up, sqlite3.connect("app.sqlite"), CATALOG, lock_timeout=0)
        # And not the time that the connection would wait.
        self.assertLess(time.monotonic() - start, 4)
        error = self.refused(seedbed.up, "app.sqlite", CATALOG, lock_timeout=0)
        self.assertEqual((error.code, error.applied, error.place), ("busy", (), None))
        self.assertTrue(error.database_unchanged)
        db.execute("ROLLBACK")
        self.assertEqual(seedbed.up("app.sqlite", CATALOG).to_version, 3)

    def test_remedies(self):
        """What to write is Python, or the command of this package."""
        cases = [
            ('{"backups": FOLDER} or {"no-backup": true}', "backups=FOLDER or no_backup=True"),
            ("--backups DIR or --no-backup", "backups=FOLDER or no_backup=True"),
            ('{"lock-timeout": SECONDS}', "lock_timeout=SECONDS"),
            ("--lock-timeout SECONDS", "lock_timeout=SECONDS"),
            ('{"allow-out-of-order": true}', "allow_out_of_order=True"),
            ("seedbed up --allow-out-of-order", "allow_out_of_order=True"),
            ('{"discard-user-rows": true}', "discard_user_rows=True"),
            ("--discard-user-rows", "discard_user_rows=True"),
            ('seedbed_down with {"to": 3}, in SQL seedbed_down(catalog, 3)', "seedbed.down(db, catalog, 3)"),
            ("seedbed down --to 3", "seedbed.down(db, catalog, 3)"),
            ("seedbed_up", "seedbed.up"),
            ("seedbed up", "seedbed.up"),
            ("seedbed_status or seedbed_up", "seedbed.status or seedbed.up"),
            ("seedbed_unpin of 8 in words", "seedbed.unpin of 8 in words"),
            ("seedbed unpin words 8", "seedbed unpin words 8"),
            ("seedbed_reseed of 8 in words", "seedbed.reseed of 8 in words"),
            ("migrate lock", "seedbed lock"),
            ("migrate restore FILE, migrate backups lists them",
             "seedbed restore FILE, seedbed backups lists them"),
            ("migrate reseed words 8", "seedbed reseed words 8"),
            ("migrate baseline N --check", "seedbed baseline N --check"),
        ]
        for words, python in cases:
            self.assertEqual(_remedies.of_python(f"Do it: {words}."), f"Do it: {python}.")
        for sentence in (
            "There is no file 'migrate lock'.", 'The value is {"no-backup": true}.',
            "no such table: seedbed_conflicts", "Use --no-backup-at-all.", "Try: migrate locks."):
            self.assertEqual(_remedies.of_python(sentence), sentence)

    def test_remedies_of_calls(self):
        seedbed.up("app.sqlite", CATALOG, to=1)
        db = sqlite3.connect("app.sqlite", isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
        error = self.refused(seedbed.up, "app.sqlite", CATALOG, lock_timeout=0)
        db.close()
        self.assertTrue(str(error).endswith("wait longer: lock_timeout=SECONDS."), error)
        self.assertRegex(error.json["error"]["message"], "lock-timeout.* SECONDS")
        error = self.refused(seedbed.up, "app.sqlite", CATALOG, backups="/dev/null/x")
        self.assertIn(": backups=FOLDER or no_backup=True.", str(error))
        error = self.refused(seedbed.up, "new.sqlite", CATALOG, must_exist=True)
        self.assertIn("seedbed.up", str(error))
        self.assertNotIn("--", str(error))
        error = self.refused(seedbed.resolve, "app.sqlite", CATALOG, 99, "seed")
        self.assertIn("'seedbed.conflicts' lists them.", str(error))
        pathlib.Path("junk").write_bytes(b"x" * 5000)
        error = self.refused(seedbed.up, "junk", CATALOG)
        self.assertRegex(str(error), "connection_sql=|as the first argument")
        self.assertNotIn("seedbed.h", str(error))

    def test_remedies_of_handles(self):
        for end in ("seedbed.h", "up(on:)"):
            for words, python in (
                ("For one in memory, lend its handle: ", "pass a connection of apsw."),
                ("Open it with its key, or open it with its key and lend that handle: ",
                 "pass its connection and connection_sql='PRAGMA key = …'."),
                ("Register it in on_connection, or apply the migrations on the app's own handle, "
                 "with ", "Lend its connection by ctypes: see the page 'From any language'.")):
                self.assertTrue(_remedies.of_python(words + end + ".").endswith(python), words)

    def test_no_catalog(self):
        error = self.refused(seedbed.up, "app.sqlite", "nowhere")
        self.assertEqual(error.code, "catalog")
        self.assertIn("nowhere", str(error))

    def test_a_server(self):
        # Only the second wheel has the program for servers. A password is in no message.
        error = self.refused(seedbed.up, "postgresql://me:secret@localhost/app", CATALOG)
        self.assertEqual(error.code, "io")
        self.assertIn("Install the package seedbed-postgresql", str(error))
        self.assertNotIn("secret", str(error.json))
        self.assertEqual(seedbed.interface("postgres://localhost/app"), "program")

    def test_a_password_is_in_no_argument(self):
        program = pathlib.Path("program")
        program.write_text(
            '#!/bin/sh\necho "$@" >arguments\n'
            'echo "{\\"settled\\":[\\"$MIGRATE_DATABASE\\"],\\"changedSince\\":[],'
            '\\"refused\\":[],\\"touchedTables\\":[]}"\n')
        program.chmod(0o755)
        url = "postgres://me:secret@localhost/app"
        with unittest.mock.patch.object(_program, "PROGRAM", program.resolve()):
            self.assertEqual(seedbed.resolve(url, CATALOG, [3, 4], "mine").settled, (url,))
        arguments = pathlib.Path("arguments").read_text()
        self.assertNotIn("secret", arguments)
        self.assertTrue(arguments.endswith("--mine --migrations=" + CATALOG + " --json "
                                           "--progress=none -- 3 4\n"), arguments)


class Names(unittest.TestCase):
    def test_all_is_there(self):
        for name in seedbed.__all__:
            self.assertTrue(getattr(seedbed, name).__doc__, name)

    def test_each_option_is_described(self):
        text = seedbed.up.__doc__
        for name in _options.UpOptions.__annotations__:
            self.assertRegex(text, rf"\b{name}(:|,)", name)
        self.assertNotRegex(text, "seedbed.h|as the command's")

    def test_the_module_of_names(self):
        for name in seedbed.__all__:
            self.assertEqual(getattr(seedbed, name).__module__, "seedbed", name)
        self.assertEqual(typing.get_type_hints(seedbed.Report)["outcome"], str)

    def test_the_fields_are_those_of_the_document(self):
        document = {"settled": [1], "changedSince": [], "refused": [], "touchedTables": ["a"]}
        made = _types.Settlement.of(document)
        self.assertEqual((made.settled, made.changed_since), ((1,), ()))
        self.assertEqual(made["touchedTables"], ["a"])
        with self.assertRaises(AttributeError):
            made.settled = ()
