"""Who was away for long: many releases in one `up`, and what they leave in the file."""
import shutil
import sqlite3
import threading
import time

import measure
from merge import TABLE, fresh, row, start, write
from project import catalog, migrate, sql, state, work

RELEASES = 60
# Each release changes as many rows, and none that another does.
CHANGES = 1000


def score(number, release):
    return f"{number % 1000 / release:.3f}"


def releases(held, count, hasFirst=False):
    """Releases of CHANGES updates each, after one that has all rows."""
    def make(folder):
        if hasFirst:
            (folder / "0001_words").mkdir()
            (folder / "0001_words" / "up.sql").write_text(TABLE)
            lines = (row(number) for number in range(1, held + 1))
            write(folder / "0001_words" / "words.csv.gz", ["id,lemma,kind,score", *lines])
        for release in range(count):
            migration = folder / f"{release + 1 + hasFirst:04}_scores"
            migration.mkdir()
            changed = range(1 + release, held + 1, held // CHANGES)
            write(migration / "words.update.csv.gz", ["id,score,was:score"] + [
                f"{n},{score(n, 2)},{score(n, 1)}" for n in changed])
    return catalog(f"skipped-{held}-{count}{'-first' * hasFirst}", make)


def edited(held):
    """A user's database: some of the rows that change are edited, and some are gone."""
    path = work / f"edited-{held}.sqlite"
    if not path.exists():
        shutil.copyfile(start(held), path)
        sql(path, "UPDATE words SET score = -1 WHERE id % 5003 = 0; "
                  "DELETE FROM words WHERE id % 20011 = 0")
    return path


def run(folder, database, *more):
    return measure.run([migrate, "up", "--migrations", str(folder), "--database", database, "--quiet",
                        "--no-backup", *more], work)[0]


def difference(one, other):
    """The rows and conflicts that only one of two databases has."""
    columns = "version, table_name, key, kind, resolution, base, mine, seed"
    count = 0
    for table in ("SELECT * FROM {}words", f"SELECT {columns} FROM {{}}seedbed_conflicts"):
        mine, theirs = table.format("main."), table.format("b.")
        found = sql(one, f"ATTACH '{other}' AS b; "
                         f"SELECT (SELECT count(*) FROM ({mine} EXCEPT {theirs})) + "
                         f"(SELECT count(*) FROM ({theirs} EXCEPT {mine}))")
        count += int(found)
    return count


def skipped(options):
    """60 releases of 1,000 changes beside 1,000,000 rows: one `up`, against taking each."""
    held = options.rows
    folder, source = releases(held, RELEASES), edited(held)

    def one():
        return run(folder, fresh(source))

    def each():
        database = fresh(source)
        samples = [run(folder, database, "--to", str(number + 1)) for number in range(RELEASES)]
        return measure.Sample(
            sum(sample.seconds for sample in samples), sum(sample.busy for sample in samples),
            max(sample.peak for sample in samples))

    samples = measure.alternate([("one up", one), ("each by itself", each)], options.runs)
    measure.heading(f"{RELEASES} releases of {CHANGES:,} changes beside {held:,} rows, "
                    f"{options.runs} runs in turn", state())
    measure.table(["", "seconds", "CPU s", "peak MiB"], [
        [name, f"{measure.median(found):.3f}", f"{measure.median(found, 'busy'):.3f}",
         f"{max(sample.peak for sample in found):.1f}"] for name, found in samples.items()])

    kept = work / "one.sqlite"
    one()
    shutil.copyfile(work / "run.sqlite", kept)
    each()
    apart = difference(work / "run.sqlite", kept)
    print(f"Rows and conflicts that differ between the two: {apart}\n")
    ours, theirs = (measure.median(found) for found in samples.values())
    return measure.verdicts([("time of all at once", ours / theirs, 1, "× each by itself")]) and apart == 0


def used(database):
    """The bytes of the pages that hold something."""
    pages, free, size = (int(sql(database, f"PRAGMA {name}"))
                         for name in ("page_count", "freelist_count", "page_size"))
    return (pages - free) * size


def bytes_per_row(options):
    """What adoption and ten releases leave in a file, and what a release writes to the disk."""
    lines, targets = [], []
    for held in (10_000, 100_000, options.rows):
        folder = releases(held, 10, hasFirst=True)
        database = fresh(start(held))
        before = used(database)
        measure.run([migrate, "baseline", "1", "--migrations", str(folder), "--database", database,
                     "--quiet"], work)
        adopted = used(database) - before
        ours = [run(folder, database, "--to", str(number + 2)) for number in range(10)]
        added = used(database) - before
        by_hand, step = fresh(start(held)), held // CHANGES
        hand = [measure.run(
            ["sqlite3", by_hand, "PRAGMA synchronous=EXTRA; UPDATE words SET score = score / 2 "
             f"WHERE id % {step} = {(number + 1) % step}"], work)[0] for number in range(10)]
        written = [measure.median(found, "written") / 1024 for found in (ours, hand)]
        # The indexes of what a release changes grow in any case.
        grown = used(by_hand) - before
        lines.append([f"{held:,}", f"{adopted:,}", f"{added:,}", f"{grown:,}", f"{written[0]:,.0f}",
                      f"{written[1]:,.0f}"])
        targets.append((f"more than by UPDATE in a file of {held:,} rows", (added - grown) / 1024, 128, " KiB"))
    measure.heading(
        f"Adoption and ten releases of {CHANGES:,} changes: what they leave in the file, and what one "
        "writes", state())
    measure.table(["rows", "bytes after adoption", "and ten releases", "by UPDATE alone",
                   "KiB written by a release", "by UPDATE"], lines)
    return measure.verdicts(targets)


EDITIONS = 30
# Seconds between two writes of the app.
PAUSE = 0.005


def adopt(options):
    """30 editions of 100,000 rows, played on a database of the first, while the app writes."""
    held = options.rows // 10
    folder, source = releases(held, EDITIONS - 1, hasFirst=True), edited(held)
    waits = []

    def beside(database, go):
        """The longest that a writer waits meanwhile."""
        end, longest = threading.Event(), [0]

        def write():
            app = sqlite3.connect(database, timeout=600, isolation_level=None)
            app.execute("CREATE TABLE IF NOT EXISTS app (at)")
            while not end.is_set():
                began = time.perf_counter()
                app.execute("INSERT INTO app VALUES (1)")
                longest[0] = max(longest[0], time.perf_counter() - began)
                time.sleep(PAUSE)
            app.close()

        writer = threading.Thread(target=write)
        writer.start()
        sample = go()
        end.set()
        writer.join()
        return sample, longest[0]

    def last():
        database = fresh(source)
        sample, wait = beside(database, lambda: run(folder, database, "--adopt", str(EDITIONS)))
        waits.append(wait)
        return sample

    def first():
        database = fresh(source)
        return beside(database, lambda: run(folder, database, "--adopt", "1"))[0]

    samples = measure.alternate(
        [("adopted at the last", last), ("at the first, and brought up", first)], options.runs)
    measure.heading(f"{EDITIONS} editions of {held:,} rows, {CHANGES:,} changed by each, "
                    f"{options.runs} runs in turn", state())
    measure.table(["", "seconds", "CPU s", "peak MiB"], [
        [name, f"{measure.median(found):.2f}", f"{measure.median(found, 'busy'):.2f}",
         f"{measure.median(found, 'peak'):.0f}"] for name, found in samples.items()])
    return measure.verdicts([
        ("the app's writer waits, of the time of the adoption",
         max(waits) / measure.median(samples["adopted at the last"]), 1, ""),
        ("seconds that it waits", max(waits), 60, "")])
