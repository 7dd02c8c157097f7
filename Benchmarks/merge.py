"""Releases that change a table: how the cost follows the change, and updates against SQL."""
import gzip
import shutil

import measure
from project import catalog, migrate, sql, state, work

TABLE = """
CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT NOT NULL, kind TEXT NOT NULL, score REAL,
  favourite INTEGER NOT NULL DEFAULT 0);
CREATE INDEX words_lemma ON words (lemma);
CREATE INDEX words_kind ON words (kind, score);
"""


def row(number, release=1):
    """The row with that key as a release has it."""
    return f"{number},lemma-{number * 7919 % 1000003},kind-{number % 8},{number % 1000 / release:.3f}"


def write(path, lines):
    with gzip.open(path, "wt", compresslevel=6) as file:
        file.write("\n".join(lines) + "\n")


def fill(database, rows):
    """The table as the first release left it, made by SQL: what is measured comes after."""
    sql(database, TABLE + f"""
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows})
      INSERT INTO words (id, lemma, kind, score)
      SELECT i, 'lemma-' || (i * 7919 % 1000003), 'kind-' || (i % 8), (i % 1000) / 1.0 FROM n;
      ANALYZE;""")


def score(number, release):
    return f"{number % 1000 / release:.3f}"


def updates(number):
    return f"{number},{score(number, 2)},{score(number, 1)}"


def release_catalog(held):
    """20,000 inserts, 300 updates and 40 deletes beside so many rows."""
    def make(folder):
        migration = folder / "0001_release"
        migration.mkdir()
        new = range(held + 1, held + 20_001)
        changed = range(1, held, held // 300)[:300]
        retired = [number + 1 for number in range(1, held, held // 40)][:40]
        changed = [number for number in changed if number not in set(retired)]
        write(migration / "words.csv.gz", ["id,lemma,kind,score"] + [row(n) for n in new])
        write(migration / "words.update.csv.gz", ["id,score,was:score"] + [
            updates(n) for n in changed])
        write(migration / "words.delete.csv.gz", ["id,lemma,kind,score"] + [
            row(n) for n in retired])
    return catalog(f"release-{held}", make)


def start(held):
    path = work / f"words-{held}.sqlite"
    if not path.exists():
        fill(path, held)
    return path


def fresh(source):
    database = work / "run.sqlite"
    for old in work.glob("run.sqlite*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    shutil.copyfile(source, database)
    sql(database, "SELECT count(*) FROM words")  # What was just copied is in memory for all.
    return str(database)


def up(folder, source, *more):
    database = fresh(source)
    words = [migrate, "up", "--migrations", str(folder), "--database", database, "--quiet"]
    return measure.run(words + list(more), work)[0]


def shell(source, text):
    """A script of the sqlite3 tool."""
    database = fresh(source)
    script = work / "script.sql"
    script.write_text(text)
    return measure.run(["sh", "-c", f'sqlite3 "{database}" < "{script}"'], work)[0]


def release_by_hand(folder, source):
    """The same change as a program without conflicts would make it."""
    files = folder / "0001_release"
    return shell(source, f"""
CREATE TEMP TABLE new (id INTEGER PRIMARY KEY, lemma TEXT, kind TEXT, score REAL);
CREATE TEMP TABLE old (id INTEGER PRIMARY KEY, lemma TEXT, kind TEXT, score REAL);
CREATE TEMP TABLE change (id INTEGER PRIMARY KEY, score REAL, was REAL);
.import --csv --skip 1 "|zcat {files}/words.csv.gz" new
.import --csv --skip 1 "|zcat {files}/words.delete.csv.gz" old
.import --csv --skip 1 "|zcat {files}/words.update.csv.gz" change
PRAGMA synchronous=EXTRA;
PRAGMA cache_size=-16384;
BEGIN IMMEDIATE;
UPDATE words SET score = change.score FROM change
  WHERE words.id = change.id AND words.score IS change.was;
DELETE FROM words WHERE id IN (SELECT id FROM old);
INSERT INTO words (id, lemma, kind, score) SELECT id, lemma, kind, score FROM new;
COMMIT;
""")


def release(options):
    """20,300 changed rows and 40 retired ones, beside 100,000, 1,000,000 and 10,000,000 others."""
    lines, targets = [], []
    for held in (100_000, 1_000_000, 10_000_000):
        folder, source = release_catalog(held), start(held)
        samples = measure.alternate(
            [("without a backup", lambda: up(folder, source, "--no-backup")),
             ("with a backup", lambda: up(folder, source)),
             ("by hand", lambda: release_by_hand(folder, source))], options.runs)
        for name, found in samples.items():
            lines.append([
                f"{held:,}", name, f"{measure.median(found):.3f}",
                f"{measure.median(found, 'busy'):.3f}",
                f"{max(sample.peak for sample in found):.1f}"])
        # Random places of an index cost more in a large table, by hand too: what counts is that
        # nothing of ours grows with the table.
        busy = [measure.median(samples[name], "busy") for name in ("without a backup", "by hand")]
        targets.append((f"CPU time beside {held:,} rows", busy[0] / busy[1], 1.5, "× by hand"))
    measure.heading("20,000 inserts, 300 updates and 40 deletes in a table with two indexes, "
                    f"{options.runs} runs in turn", state())
    measure.table(["other rows", "", "seconds", "CPU s", "peak MiB"], lines)
    return measure.verdicts(targets)


def update(options):
    """200,000 updates of a table with 1,000,000 rows, against a temporary table and UPDATE FROM."""
    held, changed = 1_000_000, 200_000

    def make(folder):
        migration = folder / "0001_scores"
        migration.mkdir()
        write(migration / "words.update.csv.gz", ["id,score,was:score"] + [
            updates(n) for n in range(1, held, held // changed)])

    folder, source = catalog("updates", make), start(held)
    file = folder / "0001_scores" / "words.update.csv.gz"

    def by_hand():
        return shell(source, f"""
CREATE TEMP TABLE change (id INTEGER PRIMARY KEY, score REAL, was REAL);
.import --csv --skip 1 "|zcat {file}" change
PRAGMA synchronous=EXTRA;
BEGIN IMMEDIATE;
UPDATE words SET score = change.score FROM change
  WHERE words.id = change.id AND words.score IS change.was;
COMMIT;
""")

    samples = measure.alternate(
        [("migrate up", lambda: up(folder, source, "--no-backup")),
         (".import and UPDATE FROM", by_hand)], options.runs)
    measure.heading(f"{changed:,} updates in a table of {held:,} rows with two indexes, "
                    f"{options.runs} runs in turn", state())
    measure.table(["", "seconds", "CPU s", "peak MiB"], [
        [name, f"{measure.median(found):.3f}", f"{measure.median(found, 'busy'):.3f}",
         f"{max(sample.peak for sample in found):.1f}"] for name, found in samples.items()])
    ours, theirs = (measure.median(found) for found in samples.values())
    return measure.verdicts([("time of 200,000 updates", ours / theirs, 1, "× by hand")])
