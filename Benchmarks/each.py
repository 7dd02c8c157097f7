"""Many small databases."""
import shutil

import measure
from merge import write
from project import catalog, migrate, sql, state, work

ROWS, CHANGES = 1_000, 20


def make(folder):
    first = folder / "0001_words"
    first.mkdir()
    (first / "up.sql").write_text(
        "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL, note TEXT);\n")
    write(first / "words.csv.gz", ["id,word"] + [f"{n},word-{n}" for n in range(1, ROWS + 1)])
    second = folder / "0002_june"
    second.mkdir()
    write(second / "words.update.csv.gz", ["id,was:word,word"] + [
        f"{n},word-{n},june-{n}" for n in range(1, CHANGES + 1)])


def databases(folder, count):
    """So many databases at release 1, in a folder of their own."""
    one = work / "each.sqlite"
    one.unlink(missing_ok=True)
    measure.run([migrate, "up", "--to", "1", "--migrations", str(folder), "--database", str(one)],
                work)
    tenants = work / "tenants"
    shutil.rmtree(tenants, ignore_errors=True)
    tenants.mkdir()
    for number in range(count):
        shutil.copyfile(one, tenants / f"{number}.sqlite")
    return tenants


def each(options):
    """A release of 20 changes for databases of 1,000 rows, against a loop, and against bare SQL."""
    folder = catalog("each", make)
    script = work / "each.sql"
    script.write_text("PRAGMA synchronous=EXTRA;\nBEGIN IMMEDIATE;\n" + "".join(
        f"UPDATE words SET word = 'june-{n}' WHERE id = {n} AND word = 'word-{n}';\n"
        for n in range(1, CHANGES + 1)) + "COMMIT;\n")
    up = f"'{migrate}' up --migrations '{folder}' --no-backup --quiet"

    def contender(command):
        def run():
            tenants = databases(folder, options.databases)
            sample = measure.run(["sh", "-c", command.format(tenants)], work)[0]
            stale = [path for path in (tenants / "0.sqlite", tenants / "1.sqlite")
                     if sql(path, "SELECT word FROM words WHERE id = 1") != "june-1"]
            assert not stale, stale
            return sample
        return run

    samples = measure.alternate([
        ("--each --jobs 1", contender(up + " --each '{}' --jobs 1")),
        ("--each --jobs 2", contender(up + " --each '{}' --jobs 2")),
        ("a loop of migrate up", contender(
            "for f in '{}'/*; do " + up + " --database \"$f\" || exit; done")),
        ("a loop of sqlite3", contender(
            f"for f in '{{}}'/*; do sqlite3 \"$f\" < '{script}' || exit; done")),
    ], options.runs)
    measure.heading(
        f"{options.databases:,} databases of {ROWS:,} rows, {CHANGES} changes, {options.runs} runs "
        "in turn", state())
    measure.table(
        ["", "databases/s", "seconds", "CPU s", "peak MiB"],
        [[name, f"{options.databases / measure.median(found):,.0f}",
          f"{measure.median(found):.2f}", f"{measure.median(found, 'busy'):.2f}",
          f"{max(sample.peak for sample in found):.1f}"] for name, found in samples.items()])
    loop, ours = (measure.median(samples[name])
                  for name in ("a loop of migrate up", "--each --jobs 2"))
    return measure.verdicts([("2 jobs", ours / loop, 1 / 3, "× a loop of migrate up")])
