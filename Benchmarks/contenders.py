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
    database about each row, so it is played with a hundredth of the rows; `for_each`: each of ten
    organizations has a copy of a tenth of the rows."""

    def __init__(
            self, title, file, engines=BOTH, releases=False, records=False, row_by_row=False,
            for_each=False):
        self.title, self.file, self.engines = title, FOLDER / file, engines
        self.releases, self.records, self.row_by_row = releases, records, row_by_row
        self.name, self.for_each = self.file.stem, for_each

    def words(self, *words):
        program = "ruby" if self.file.suffix == ".rb" else str(PYTHON)
        return [program, str(self.file), *map(str, words)]

    def lines(self, engine):
        """The lines of the author's code that this engine needs, without blanks and comments."""
        count, counts, is_docstring = 0, False, re.compile(r'^\s*""".*"""$')
        for line in self.file.read_text().splitlines():
            if line.startswith("# The author's code"):
                other = {"sqlite": "PostgreSQL", "postgresql": "SQLite"}[engine]
                counts = other not in line
            elif line.startswith("# End."):
                counts = False
            elif counts and line.strip() and not line.lstrip().startswith("#"):
                count += not is_docstring.match(line)
        return count


TOOLS = [
    Tool("a new database file that replaces the old one", "new_file.py", SQLITE, releases=True),
    Tool("`INSERT OR IGNORE` at each start", "insert_or_ignore.py"),
    Tool("an upsert at each start", "upsert.py"),
    Tool("delete and insert", "delete_and_insert.py"),
    Tool("`upsert_all` of sqlite-utils", "sqlite_utils_upsert.py", SQLITE),
    Tool("SQLite's session extension, by apsw", "session.py", SQLITE, releases=True),
    Tool("Alembic's migrations", "alembic_migration.py", releases=True, records=True),
    Tool("Rails' `upsert_all`", "upsert_all.rb"),
    Tool("Django's `bulk_create(ignore_conflicts)`", "bulk_create.py"),
    Tool("Django's `update_or_create`", "update_or_create.py", row_by_row=True),
    Tool("Django's `loaddata` with natural keys", "loaddata.py", releases=True, row_by_row=True),
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
