"""The tools that `story` plays; each is a file in `Benchmarks/story`."""
import pathlib
import re

import project

FOLDER = pathlib.Path(__file__).resolve().parent / "story"
PYTHON = project.root / ".build" / "story" / "python" / "bin" / "python"
BOTH, SQLITE = ("sqlite", "postgresql"), ("sqlite",)


class Tool:
    """What is played. `releases`: the author makes files for each edition; `records`: it keeps
    records in the database, so it has to write the first edition itself; `row_by_row`: it asks the
    database about each row, so it is played with a hundredth of the rows; `shares`: it also needs
    what this file does not keep to itself; `for_each`: each of ten organizations has a copy of a
    tenth of the rows."""

    def __init__(
            self, title, file, engines=BOTH, releases=False, records=False, row_by_row=False,
            shares=None, for_each=False):
        self.title, self.file, self.engines = title, FOLDER / file, engines
        self.releases, self.records, self.row_by_row = releases, records, row_by_row
        self.name, self.for_each = self.file.stem, for_each
        self.files = [self.file] + ([FOLDER / shares] if shares else [])

    def words(self, *words):
        program = "ruby" if self.file.suffix == ".rb" else str(PYTHON)
        return [program, str(self.file), *map(str, words)]

    def lines(self, engine):
        """The lines of the author's code that this engine needs, without blanks, comments and
        imports."""
        other = {"sqlite": "PostgreSQL", "postgresql": "SQLite"}[engine]
        count, counts, is_none = 0, False, re.compile(r'\s*(""".*"""$|#|(from|import) |$)')
        for file in self.files:
            for line in file.read_text().splitlines():
                if line.startswith("# The author's code"):
                    counts = other not in line and (file == self.file or "not shared" not in line)
                elif line.startswith("# End."):
                    counts = False
                else:
                    count += counts and not is_none.match(line)
        return count


TOOLS = [
    Tool("a new database file that replaces the old one", "new_file.py", SQLITE, releases=True),
    Tool("`INSERT OR IGNORE` at each start", "insert_or_ignore.py"),
    Tool("an upsert at each start", "upsert.py"),
    Tool("delete and insert", "delete_and_insert.py"),
    Tool("`upsert_all` of sqlite-utils", "sqlite_utils_upsert.py", SQLITE),
    Tool("SQLite's session extension, by apsw", "session.py", SQLITE, releases=True),
    Tool("DoltLite's `dolt_pull`", "doltlite_pull.py", SQLITE, releases=True, records=True),
    Tool("Alembic's migrations", "alembic_migration.py", releases=True, records=True),
    Tool("Alembic's migrations, with old values in each WHERE", "alembic_old_values.py",
         releases=True, records=True, shares="alembic_migration.py"),
    Tool("Rails' `upsert_all`", "upsert_all.rb"),
    Tool("Django's `bulk_create(ignore_conflicts)`", "bulk_create.py"),
    Tool("Django's `update_or_create`", "update_or_create.py", row_by_row=True),
    Tool("Django's `loaddata` with natural keys", "loaddata.py", releases=True, row_by_row=True),
    Tool("Seedbed without its backup", "seedbed_no_backup.py", SQLITE, releases=True, records=True,
         shares="seedbed.py"),
    Tool("Seedbed", "seedbed.py", releases=True, records=True),
]
FOR_EACH = [
    Tool("a copy at sign-up, and never again", "copy_at_sign_up.py", for_each=True),
    Tool("a loop that inserts what is absent, at each start", "insert_absent.py", for_each=True),
    Tool("a loop with an upsert, at each start", "upsert_each.py", for_each=True),
    Tool("a migration by hand, with old values in each WHERE", "migration_by_hand.py",
         releases=True, for_each=True),
    Tool("Seedbed with `per`", "seedbed_per.py", releases=True, records=True, for_each=True),
]
