"""How speed and memory follow the number of rows, releases and changes: the data of the plots."""
import json
import os
import platform
import sys
import time

import load
import measure
import merge
from project import catalog, root, sql, state, work
from rows import TABLE
from startup import in_process

SEED_SCRIPT = """
import csv, gzip, sqlite3, sys
database = sqlite3.connect(sys.argv[2])
with gzip.open(sys.argv[1], "rt", newline="") as file:
    rows = csv.reader(file)
    names = next(rows)
    marks = ", ".join("?" for _ in names)
    database.executemany(
        f"INSERT INTO moves ({', '.join(names)}) VALUES ({marks})",
        ([value or None for value in row] for row in rows))
database.commit()
"""


def curves(options):
    """Writes .build/bench/curves.json, which Scripts/plots draws."""
    most = options.rows * 10 if options.rows >= 1_000_000 else options.rows
    sizes = [10 ** power for power in range(3, 8) if 10 ** power <= most]
    data = {
        "state": state(),
        "machine": f"{processor()}, {os.cpu_count()} cores, {platform.system()}",
        "date": time.strftime("%Y-%m-%d"),
        "runs": options.runs,
        "loads": loads(sizes, options.runs),
        "starts": starts(options.runs),
        "releases": releases(min(1_000_000, most), options.runs),
    }
    file = work / "curves.json"
    file.write_text(json.dumps(data, indent=1) + "\n")
    print(f"Wrote {file.relative_to(root)}. Draw it: Scripts/plots {file.relative_to(root)}")
    return True


def processor():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return " ".join(line.split(":")[1].split())
    return platform.machine()


def seconds_of(samples):
    return round(measure.median(samples), 7)


def loads(sizes, runs):
    """A first release of so many rows."""
    script = work / "seed.py"
    script.write_text(SEED_SCRIPT)
    found = {}
    for rows in sizes:
        folder = load.moves_catalog(rows)
        file = folder / "0001_moves" / "moves.csv.gz"
        start = load.starting_database("delete", 0, rows)

        def seeded():
            database = load.fresh_database(start)
            sql(database, TABLE)
            return measure.run([sys.executable, str(script), str(file), str(database)], work)[0]

        ours, pipe, _ = load.contenders(folder, file, "", start)
        contenders = [("migrate up", ours[1]), ("zcat | sqlite3 .import", pipe[1]),
                      ("a script with executemany", seeded)]
        samples = measure.alternate(contenders, max(1, runs if rows <= 1_000_000 else 1))
        for name, each in samples.items():
            # Less than this program itself has cannot be measured.
            peak = round(max(sample.peak for sample in each), 1)
            found.setdefault(name, []).append(
                {"rows": rows, "seconds": seconds_of(each), "peak": peak})
    return found


def starts(runs):
    """A start with nothing to apply, in an app's process, after so many releases."""
    names = {"up": "up(), nothing to apply", "open": "opening it in C"}
    found = {}
    for count, samples in in_process((1, 10, 100, 1000), runs):
        for name, each in samples.items():
            found.setdefault(names[name], []).append(
                {"releases": count, "seconds": seconds_of(each)})
    return found


def releases(held, runs):
    """A release that changes so many rows of a table."""
    found = {}
    source = merge.start(held)
    for power in range(1, 7):
        count = 10 ** power
        if count > held:
            break
        folder = catalog(f"changes-{held}-{count}", lambda folder: changes(folder, held, count))
        file = folder / "0001_changes" / "words.update.csv.gz"
        samples = measure.alternate([
            ("migrate up", lambda: merge.up(folder, source)),
            ("migrate up --no-backup", lambda: merge.up(folder, source, "--no-backup")),
            ("by hand, .import and UPDATE FROM", lambda: by_hand(file, source)),
        ], runs)
        for name, each in samples.items():
            found.setdefault(name, []).append({"changes": count, "seconds": seconds_of(each)})
    return found


def changes(folder, held, count):
    migration = folder / "0001_changes"
    migration.mkdir()
    step = held // count
    merge.write(migration / "words.update.csv.gz", ["id,score,was:score"] + [
        merge.updates(number) for number in range(1, step * count + 1, step)])


def by_hand(file, source):
    return merge.shell(source, f"""
CREATE TEMP TABLE change (id INTEGER PRIMARY KEY, score REAL, was REAL);
.import --csv --skip 1 "|zcat {file}" change
PRAGMA synchronous=EXTRA;
PRAGMA cache_size=-16384;
BEGIN IMMEDIATE;
UPDATE words SET score = change.score FROM change
  WHERE words.id = change.id AND words.score IS change.was;
COMMIT;
""")
