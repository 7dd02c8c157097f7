"""Users' rows that make way for the seed's, with all that refers to them."""
import json

import measure
from merge import shell, up, write
from project import catalog, sql, state, work

MOVED, CHILDREN = 10_000, 100_000


def start(name, index):
    """The user has the seed's ids, and ten notes on each of them."""
    path = work / f"rekey-{name}.sqlite"
    if not path.exists():
        numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <"
        sql(path, f"""
          CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT NOT NULL);
          CREATE TABLE notes (id INTEGER PRIMARY KEY, word INTEGER NOT NULL
            REFERENCES words ON UPDATE CASCADE, text TEXT);
          {index}
          INSERT INTO words {numbers} {MOVED}) SELECT i, 'mine-' || i FROM n;
          INSERT INTO notes {numbers} {CHILDREN})
            SELECT i, i * 7919 % {MOVED} + 1, 'note-' || i FROM n;""")
    return path


def make(folder):
    (folder / "catalog.json").write_text(
        json.dumps({"tables": {"words": {"onTaken": "moveUser"}}}))
    migration = folder / "0001_words"
    migration.mkdir()
    write(migration / "words.csv.gz", ["id,lemma"] + [
        f"{number},lemma-{number}" for number in range(1, MOVED + 1)])


def by_hand(folder, source):
    """What a program would do that knows the schema, and needs neither log nor checks."""
    return shell(source, f"""
CREATE TEMP TABLE new (id INTEGER PRIMARY KEY, lemma TEXT);
.import --csv --skip 1 "|zcat {folder}/0001_words/words.csv.gz" new
PRAGMA foreign_keys=0;
PRAGMA synchronous=EXTRA;
BEGIN IMMEDIATE;
UPDATE notes SET word = word + {MOVED};
UPDATE words SET id = id + {MOVED};
INSERT INTO words SELECT id, lemma FROM new;
COMMIT;
""")


def rekey(options):
    """10,000 users' rows with 100,000 rows that refer to them, with an index on those and without."""
    folder = catalog("rekey", make)
    lines, ours, theirs = [], [], []
    for name, index in (
            ("indexed", "CREATE INDEX notes_word ON notes (word);"), ("not indexed", "")):
        source = start(name.replace(" ", "-"), index)
        samples = measure.alternate(
            [("migrate up", lambda: up(folder, source, "--no-backup")),
             ("by hand", lambda: by_hand(folder, source))], options.runs)
        for contender, found in samples.items():
            lines.append([
                name, contender, f"{measure.median(found):.3f}",
                f"{measure.median(found, 'busy'):.3f}",
                f"{max(sample.peak for sample in found):.1f}"])
        for seconds, found in zip((ours, theirs), samples.values()):
            seconds.append(measure.median(found, "busy"))
    measure.heading(f"{MOVED:,} users' rows make way, {CHILDREN:,} rows refer to them, "
                    f"{options.runs} runs in turn", state())
    measure.table(["references", "", "seconds", "CPU s", "peak MiB"], lines)
    # Without an index SQLite would look through all notes for each word, were it left to do so.
    return measure.verdicts([
        ("CPU time with an index", ours[0] / theirs[0], 3, "× by hand"),
        ("CPU time without one", ours[1] / ours[0], 1.5, "× with one")])
