"""Releases on a PostgreSQL server, against what psql can do."""
import atexit
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import measure
from application import application, check_client, referring
from load import make_rows
from merge import release_catalog, updates, write
from project import catalog, migrate, root, work

MOVES = """\
CREATE TABLE IF NOT EXISTS moves (
    id BIGINT PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, power BIGINT,
    accuracy DOUBLE PRECISION NOT NULL, description TEXT);
"""
WORDS = """\
CREATE TABLE words (id BIGINT PRIMARY KEY, lemma TEXT NOT NULL, kind TEXT NOT NULL,
    score DOUBLE PRECISION, favourite BIGINT NOT NULL DEFAULT 0);
CREATE INDEX words_lemma ON words (lemma);
CREATE INDEX words_kind ON words (kind, score);
"""
COLUMNS = "id BIGINT PRIMARY KEY, lemma TEXT, kind TEXT, score DOUBLE PRECISION"


class Server:
    """A server of its own with the settings that initdb gives, on a socket in a new folder."""

    def __init__(self):
        programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        if not programs:
            sys.exit("bench: There is no server: Scripts/setup --with postgresql")
        self.programs = programs[-1]
        # The server refuses to run as root, and its user has to come by.
        self.words = []
        place = work
        if os.geteuid() == 0:
            place = "/var/tmp"
            self.words = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="seedbed-bench-", dir=place))
        if self.words:
            shutil.chown(self.folder, "postgres")
        data = f"{self.folder}/data"
        self.control("initdb", "-D", data, "-A", "trust", "-U", "postgres")
        options = f"-c listen_addresses='' -k {self.folder}"
        self.control("pg_ctl", "-D", data, "-l", f"{self.folder}/log", "-w", "-o", options, "start")
        atexit.register(self.stop)

    def control(self, program, *words):
        subprocess.run(
            [*self.words, self.programs / program, *words], check=True,
            stdout=subprocess.DEVNULL, cwd=self.folder)

    def stop(self):
        self.control("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder)

    def uri(self, database):
        return f"postgresql:///{database}?host={self.folder}&user=postgres"

    def sql(self, database, text):
        words = ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", self.uri(database)]
        found = subprocess.run(
            words, input=text, check=True, stdout=subprocess.PIPE, text=True)
        return found.stdout.strip()

    def fresh(self, source):
        """A copy to be measured on; what was written for it is on the disk."""
        self.sql("postgres", "DROP DATABASE IF EXISTS run")
        self.sql("postgres", f"CREATE DATABASE run TEMPLATE {source}")
        self.sql("run", "CHECKPOINT")
        os.sync()
        return self.uri("run")


def server(options):
    """Loads, updates and releases on a server of its own, an application beside two of them, and a
    start with nothing to do."""
    check_client()
    program = build()
    place = Server()

    def up(folder, source):
        uri = place.fresh(source)
        return measure.run(
            [program, "up", "--migrations", str(folder), "--database", uri, "--quiet"], work)[0]

    def script(source, text):
        uri = place.fresh(source)
        file = work / "script.sql"
        file.write_text(text)
        return measure.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-f", str(file), uri], work)[0]

    lines, targets = [], []

    def compare(what, folder, source, by_hand, limit):
        samples = measure.alternate(
            [("migrate up", lambda: up(folder, source)), ("psql", lambda: script(source, by_hand))],
            options.runs)
        ours, theirs = (measure.median(found) for found in samples.values())
        spreads = [f"{measure.spread(found) / 2:.0%}" for found in samples.values()]
        lines.append([what, f"{ours:.3f}", f"{theirs:.3f}", *spreads])
        targets.append((what, ours / theirs, limit, "× psql"))

    rows = options.rows
    folder = moves(rows)
    copy = f"{MOVES}\\copy moves FROM PROGRAM 'zcat {folder}/0001_moves/moves.csv.gz' CSV HEADER\n"
    place.sql("postgres", "CREATE DATABASE used")
    others = work / "others.csv.gz"
    make_rows(others, rows + 1, rows + rows // 10)
    place.sql("used", f"{MOVES}\\copy moves FROM PROGRAM 'zcat {others}' CSV HEADER\n")
    compare(f"{rows:,} rows into an empty table", folder, "template1", copy, 1.3)
    compare(f"{rows:,} rows beside {rows // 10:,}", folder, "used", copy, 2.5)
    seen = application(options, place, program, folder)

    held = 1_000_000
    place.sql("postgres", "CREATE DATABASE words")
    place.sql("words", WORDS + f"""
        INSERT INTO words (id, lemma, kind, score)
        SELECT i, 'lemma-' || (i * 7919 % 1000003), 'kind-' || (i % 8), (i % 1000) / 1.0
        FROM generate_series(1::bigint, {held}) AS i;
        VACUUM ANALYZE words;""")
    folder = for_both("scores", lambda: scores(held))
    compare("200,000 updates of 1,000,000 rows", folder, "words", f"""
BEGIN;
CREATE TEMP TABLE change (id BIGINT PRIMARY KEY, score DOUBLE PRECISION, was DOUBLE PRECISION);
{copying("change", folder / "0001_scores" / "words.update.csv.gz")}
UPDATE words SET score = change.score FROM change
    WHERE words.id = change.id AND words.score IS NOT DISTINCT FROM change.was;
COMMIT;
""", 1.5)
    folder = for_both(f"release-{held}", lambda: release_catalog(held))
    files = folder / "0001_release"
    compare("20,000 inserts, 300 updates, 40 deletes", folder, "words", f"""
BEGIN;
CREATE TEMP TABLE new ({COLUMNS});
CREATE TEMP TABLE old ({COLUMNS});
CREATE TEMP TABLE change (id BIGINT PRIMARY KEY, score DOUBLE PRECISION, was DOUBLE PRECISION);
{copying("new", files / "words.csv.gz")}
{copying("old", files / "words.delete.csv.gz")}
{copying("change", files / "words.update.csv.gz")}
UPDATE words SET score = change.score FROM change
    WHERE words.id = change.id AND words.score IS NOT DISTINCT FROM change.was;
DELETE FROM words WHERE id IN (SELECT id FROM old);
INSERT INTO words (id, lemma, kind, score) SELECT id, lemma, kind, score FROM new;
COMMIT;
""", 2)
    seen += referring(place, program, folder, held)
    seen += uniques(options, place, program)
    version = place.sql("postgres", "SHOW server_version")
    measure.heading(f"On a server of its own, fsync on, {options.runs} runs in turn",
                    f"PostgreSQL {version}")
    measure.table(["", "migrate up, s", "psql, s", "± half", "± half of psql"], lines)
    start(options, place, program, folder)
    return measure.verdicts(targets + seen)


def uniques(options, place, program):
    """A release that changes UNIQUE values of half of the rows and retires the others, at two
    sizes: the time has to follow the rows, on both engines."""
    lines, targets, sizes = [], [], (options.rows // 20, options.rows // 5)
    for engine in ("SQLite", "PostgreSQL"):
        medians = []
        for rows in sizes:
            folder = unique_words(rows)
            one = ["--migrations", str(folder), "--quiet", "--no-backup"]
            if engine == "SQLite":
                uri = str(work / "uniques.sqlite")
            else:
                place.sql("postgres", "DROP DATABASE IF EXISTS uniques")
                place.sql("postgres", "CREATE DATABASE uniques")
                uri = place.uri("uniques")

            def up(uri=uri, one=one):
                if engine == "SQLite":
                    for path in work.glob("uniques.sqlite*"):
                        path.unlink()
                else:
                    place.sql("uniques", "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
                words = [migrate if engine == "SQLite" else program, "up", *one, "--database", uri]
                measure.run([*words, "--to", "1"], work)
                return measure.run(words, work)[0]

            found = [up() for _ in range(options.runs)]
            medians.append(measure.median(found))
            lines.append([engine, f"{rows:,}", f"{medians[-1]:.3f}"])
        ratio = medians[1] / medians[0] / (sizes[1] / sizes[0])
        targets.append((f"UNIQUE values on {engine}, by the rows", ratio, 1.5, "×"))
    measure.table(["UNIQUE values of half of the rows change, the others go", "rows", "s"], lines)
    return targets


def unique_words(rows):
    def fill(folder):
        sql = "CREATE TABLE words (id BIGINT PRIMARY KEY, word TEXT UNIQUE);\n"
        half = rows // 2
        for name in ("0001_words", "0002_words"):
            (folder / name).mkdir()
        (folder / "catalog.json").write_text('{"engines": ["sqlite", "postgresql"]}\n')
        for name in ("up.sql", "up.postgresql.sql"):
            (folder / "0001_words" / name).write_text(sql)
        old = [f"{number},word-{number}" for number in range(1, rows + 1)]
        write(folder / "0001_words" / "words.csv.gz", ["id,word", *old])
        write(folder / "0002_words" / "words.delete.csv.gz", ["id,word", *old[:half]])
        write(folder / "0002_words" / "words.update.csv.gz", ["id,word,was:word"] + [
            f"{number},new-{number},word-{number}" for number in range(half + 1, rows + 1)])

    return catalog(f"uniques-{rows}", fill)


def start(options, place, program, folder):
    """Nothing pending: a process, and its questions to the server."""
    uri = place.fresh("words")
    words = [program, "up", "--migrations", str(folder), "--database", uri, "--quiet"]
    measure.run(words, work)
    question = ["psql", "-X", uri, "-c", "select 1"]
    samples = measure.alternate(
        [("migrate up", lambda: measure.run(words, work)[0]),
         ("psql -c 'select 1'", lambda: measure.run(question, work)[0])], options.starts)
    measure.table(["nothing pending", "ms", "CPU ms"], [
        [name, f"{measure.median(found) * 1e3:.2f}", f"{measure.median(found, 'busy') * 1e3:.2f}"]
        for name, found in samples.items()])


def build():
    """The program for servers, as it ships."""
    built = subprocess.run(
        [root / "Scripts" / "build", "--ship", "migrate-postgresql"], check=True,
        capture_output=True, text=True)
    return built.stdout.strip()


def copying(table, file):
    return f"\\copy {table} FROM PROGRAM 'zcat {file}' CSV HEADER"


def moves(rows):
    def fill(folder):
        migration = folder / "0001_moves"
        migration.mkdir()
        (folder / "catalog.json").write_text('{"engines": ["sqlite", "postgresql"]}\n')
        (migration / "up.sql").write_text(MOVES)
        (migration / "up.postgresql.sql").write_text(MOVES)
        make_rows(migration / "moves.csv.gz", 1, rows)

    return catalog(f"server-moves-{rows}", fill)


def scores(held):
    def fill(folder):
        migration = folder / "0001_scores"
        migration.mkdir()
        write(migration / "words.update.csv.gz", ["id,score,was:score"] + [
            updates(number) for number in range(1, held, held // 200_000)])

    return catalog("updates", fill)


def for_both(name, make):
    """The same catalog for both engines."""
    source = make()

    def fill(folder):
        shutil.copytree(source, folder, dirs_exist_ok=True)
        (folder / "catalog.json").write_text('{"engines": ["sqlite", "postgresql"]}\n')
        (folder / "seedbed.lock").unlink()

    return catalog(f"server-{name}", fill)
