"""The story, as one row of the table."""
import os
import pathlib
import shutil
import signal
import subprocess
import time

from catalog import ROWS
from hosts import LONG, Wrong
from process import App, State, locks

COLUMNS = [
    "host", "SQLite", "rows", "edits kept", "conflicts", "killed", "locks", "handlers", "threads"]
WIDTHS = dict(zip(COLUMNS, [17, 6, 6, 10, 20, 8, 5, 8, 7]))


class Story:
    def __init__(self, host, extension, catalog, folder):
        self.host, self.catalog, self.folder = host, catalog, folder
        self.database = folder / "app.sqlite"
        self.wrong = []
        self.cells = dict.fromkeys(COLUMNS, "")
        self.cells["host"] = host.name
        shutil.copy(extension, folder / "seedbed.so")

    def check(self, column, value, expected):
        """Fills a cell, and notes if it is wrong."""
        self.cells[column] = str(value) if len(str(value)) <= WIDTHS[column] else "WRONG"
        if str(value) != str(expected):
            self.wrong.append(f"{column}: {value}, not {expected}")

    def expect(self, what, found, expected):
        if found != expected:
            self.wrong.append(f"{what}: {found!r}, not {expected!r}")

    def start(self, options, command=None):
        self.app = App(self.host, command or self.host.run, self.folder, self.catalog, options)
        return self.app

    def play(self):
        self.app = None
        try:
            self.host.made()
            self.mistake()
            self.first_two_releases()
            self.killed_release()
        except (Wrong, subprocess.TimeoutExpired, BrokenPipeError, OSError) as error:
            said = self.app.said() if self.app and not isinstance(error, Wrong) else ""
            self.wrong.append(f"{error} {said}".strip())
        finally:
            if self.app:
                self.app.stop()
        return self

    def mistake(self):
        """An error of Seedbed is one of the language, with its sentence."""
        app = self.start('{"too":1}')
        app.before_loading()
        app.go_on()
        app.process.stdin.close()
        app.process.wait(timeout=LONG)
        if app.process.returncode == 0 or "'too' is not an option of 'up'" not in app.said():
            self.wrong.append(f"a mistake ended with {app.process.returncode}: {app.said()}")
        app.stop()

    def first_two_releases(self):
        app = self.start(self.host.up_to(1), self.host.main)
        before = app.before_loading()
        app.go_on()
        self.expect("release 1", app.line(), self.host.done)
        self.cells["SQLite"] = app.ask("SELECT sqlite_version()")
        first = State(app)
        app.tell("UPDATE words SET note = 'mine' WHERE id = 7")
        app.tell("DELETE FROM words WHERE id = 8")
        app.tell("INSERT INTO words VALUES (1000000, 'mine', 'mine')")
        if self.host.lends:
            app.end()
            app.stop()
            app = self.start(self.host.up_to(2))
            before = first = app.before_loading()
            app.go_on()
            self.expect("release 2", app.line(), self.host.done)
            self.cells["locks"] = "-"
        else:
            self.second_release_beside_a_reader(app)
        after = State(app)
        self.check("handlers", same(after.handlers, before.handlers), "same")
        # Go starts some when it likes; there a second call must find enough.
        threads = first.threads if self.host.threads == "own" else before.threads
        self.check("threads", same(after.threads, threads), "same")
        self.expect("open files", after.open_files, [])
        self.check("conflicts", app.ask(
            "SELECT group_concat(DISTINCT kind) FROM seedbed_conflict_columns"), "edited,deletedByUser")
        self.expect("the journal's mode", app.ask("PRAGMA journal_mode = delete"), "delete")
        rest = app.end()
        app.stop()
        if self.host.main:
            self.expect("what the runtime did afterwards", rest[-1:], ["well"])

    def second_release_beside_a_reader(self, app):
        """A second reader of the file is in the process, whose locks are the process's, too."""
        self.expect("the journal's mode", app.ask("PRAGMA journal_mode = wal"), "wal")
        app.tell(f"ATTACH '{self.database}' AS reader")
        app.tell("BEGIN")
        self.expect("rows of release 1", app.ask("SELECT count(*) FROM reader.words"), "100")
        held = locks(app, self.folder)
        # Of a file and of the index of its WAL; without any, nothing is compared.
        held_files = {name for name, *_ in held}
        self.expect("release 2", app.ask(
            f"SELECT seedbed_up('{self.catalog}', '{self.host.up_to(2)}') ->> 'outcome'"),
            self.host.done)
        now = locks(app, self.folder)
        self.check(
            "locks", same(now, held) if held_files == {"app.sqlite", "app.sqlite-shm"}
            else f"only {sorted(held_files)} before", "same")
        self.expect("rows that the reader sees", app.ask(
            "SELECT count(*) FROM reader.words"), "100")
        app.tell("COMMIT")
        app.tell("DETACH reader")

    def killed_release(self):
        app = self.start(self.host.up_to(3))
        app.before_loading()
        size = self.database.stat().st_size
        app.go_on()
        journal = pathlib.Path(f"{self.database}-journal")
        # Its rows are being written once the file grows under a journal.
        while not (journal.exists() and self.database.stat().st_size > size + (1 << 20)):
            if app.process.poll() is not None or app.text:
                raise Wrong(f"release 3 was over before it was killed: {app.said()}")
            time.sleep(0.001)
        os.kill(app.number, signal.SIGKILL)
        self.expect("the killed process", app.process.wait(), -signal.SIGKILL)
        self.expect("what it had said", app.process.stdout.read(), b"")
        self.expect("its journal was there", journal.exists(), True)
        app.stop()
        app = self.start(self.host.up_to(3))
        app.before_loading()
        app.go_on()
        self.check("killed", "finished" if app.line() == self.host.done else "failed", "finished")
        self.expect("the version", app.ask("SELECT max(version) FROM seedbed_migrations"), "3")
        self.expect("the database", app.ask("PRAGMA integrity_check"), "ok")
        # 100 and the third release's, one retired, one deleted and one added by the user.
        self.check("rows", app.ask("SELECT count(*) FROM words"), 100 + ROWS - 1)
        kept = app.ask(
            "SELECT (SELECT note = 'mine' FROM words WHERE id = 7)"
            " + (SELECT count(*) = 0 FROM words WHERE id = 8)"
            " + (SELECT note = 'mine' FROM words WHERE id = 1000000)")
        self.check("edits kept", f"{kept} of 3", "3 of 3")
        self.expect("another row", app.ask("SELECT note FROM words WHERE id = 9"), "second")
        app.end()
        app.stop()


def same(found, expected):
    return "same" if found == expected else f"now {found}, was {expected}"
