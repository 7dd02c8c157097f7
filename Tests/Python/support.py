"""What the tests share: catalogs, and the ways to a database."""

import gzip
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

import seedbed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Hosts" / "Main"))
import catalog as words  # noqa: E402

try:
    import apsw
except ImportError:
    apsw = None

LONG = 60
# One Python plays all tests, and the others what can differ between Pythons.
IS_WHOLE = os.environ.get("SEEDBED_WHOLE") != "0"
FORCED = os.environ.get("SEEDBED_INTERFACE") == "program"


def made(name, rows):
    """A catalog of three releases, made once; the third has so many rows."""
    folder = pathlib.Path(os.environ.get("SEEDBED_CATALOGS") or tempfile.gettempdir()) / name
    if not folder.exists():
        partial = folder.with_name(f"{name}.{os.getpid()}")
        words.ROWS = rows
        words.write_catalog(partial)
        try:
            partial.rename(folder)
        except OSError:  # Another process was faster.
            shutil.rmtree(partial)
    return str(folder)


CATALOG = made("seedbed-small", 100)
MEDIUM = made("seedbed-medium", 30_000)
LARGE = made("seedbed-large", 500_000)


def ways():
    """By a name, what makes a path or a connection to the file at a path."""
    found = {"path": str, "pathlib": pathlib.Path, "sqlite3": sqlite3.connect}
    if apsw:
        found["apsw"] = apsw.Connection
    try:
        import pysqlite3
        found["pysqlite3"] = pysqlite3.connect
    except ImportError:
        pass
    return found


def bad_catalog(folder):
    """Two releases; a line of the second has a field too many."""
    shutil.copytree(CATALOG, folder)
    shutil.rmtree(folder + "/0003_more")
    with gzip.open(folder + "/0002_notes/words.update.csv.gz", "wt") as file:
        file.write("id,note,was:note\n7,second,first\n8,second,first,last\n")
    return folder


def once(case):
    """A case that one Python plays for all of them."""
    return case if IS_WHOLE else None


class Case(unittest.TestCase):
    """A test in an empty folder."""

    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="seedbed-", dir=os.environ.get("SEEDBED_CATALOGS"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def tearDown(self):
        for file in pathlib.Path(".").glob("*.sqlite"):
            self.assertEqual(self.sql(file, "PRAGMA integrity_check"), [("ok",)])

    def sql(self, path, statement):
        """In a process of its own, so that no lock of this one is dropped."""
        code = (
            "import json, sqlite3, sys\n"
            "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
            "print(json.dumps(db.execute(sys.argv[2]).fetchall()))")
        words = ["-I", "-S", "-c", code, str(path), statement]
        rows = subprocess.check_output([sys.executable, *words])
        return [tuple(row) for row in json.loads(rows)]

    def refused(self, action, *arguments, **options):
        """The error of a call that must fail."""
        with self.assertRaises(seedbed.Error) as caught:
            action(*arguments, **options)
        return caught.exception

    def started(self, code, *arguments):
        """A Python of its own with this code, in a group of its own."""
        return subprocess.Popen(
            [sys.executable, "-c", "import sys, seedbed\n" + code, *arguments],
            stdout=subprocess.PIPE, start_new_session=True, text=True)

    def is_writing(self, path, process=None):
        """Waits until a release is being written: its journal is there for a while."""
        journal, first, since = pathlib.Path(path + "-journal"), None, 0
        end = time.monotonic() + LONG
        while time.monotonic() < end and not (process and process.poll() is not None):
            try:
                now = journal.stat().st_ino
            except FileNotFoundError:
                now = None
            if now is None or now != first:
                first, since = now, time.monotonic()
            elif time.monotonic() - since > 0.04:
                return
            time.sleep(0.005)
        self.fail("no release is being written")
