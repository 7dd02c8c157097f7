"""Loading many rows."""
import os
import shutil
import subprocess
import sys

import measure
from project import catalog, compile_c, migrate, root, sql, state, work
from rows import TABLE


def load(options):
    """One migration with many rows, in two journal modes, into an empty and a used table."""
    floor = compile_c("floor")
    folder = moves_catalog(options.rows)
    file = folder / "0001_moves" / "moves.csv.gz"
    others = options.rows // 10
    lines, targets = [], []
    for journal in ("delete", "wal"):
        for used in (False, True):
            start = starting_database(journal, others if used else 0, options.rows)
            samples = measure.alternate(contenders(folder, file, floor, start), options.runs)
            note(lines, targets, journal, others if used else 0, samples)
    measure.heading(f"{options.rows:,} rows from {file.stat().st_size / 1e6:.0f} MB of gzip, "
                    f"{options.runs} runs in turn", state())
    measure.table(
        ["journal", "other rows", "", "seconds", "± half", "CPU s", "peak MiB", "× floor",
         "× faster than import"], lines)
    holds = measure.verdicts(targets)
    if options.profile:
        profile(folder, starting_database("delete", 0, options.rows))
    return holds


def moves_catalog(rows):
    """One migration with so many rows."""
    def fill(folder):
        print(f"Making {rows:,} rows; only the first time.", file=sys.stderr)
        migration = folder / "0001_moves"
        migration.mkdir()
        (migration / "up.sql").write_text(TABLE)
        make_rows(migration / "moves.csv.gz", 1, rows)

    return catalog(f"moves-{rows}", fill)


def make_rows(path, first, last):
    # In a process of its own: the memory that this one has once had counts for all its children.
    program = root / "Benchmarks" / "rows.py"
    subprocess.run([sys.executable, program, path, str(first), str(last)], check=True)


def starting_database(journal, others, first):
    """What a run begins with: the table, where others have rows in it with keys above the seed's."""
    path = work / f"start-{journal}-{others}.sqlite"
    if not path.exists():
        sql(path, f"PRAGMA journal_mode={journal}; PRAGMA user_version=1;")
        if others:
            csv = work / "others.csv.gz"
            make_rows(csv, first + 1, first + others)
            sql(path, TABLE)
            pipe(csv, path)
    return path


def pipe(file, database):
    """What people do today."""
    command = f'zcat "{file}" | sqlite3 "{database}" ".import --csv --skip 1 /dev/stdin moves"'
    return measure.run(["sh", "-c", command], work)[0]


def fresh_database(start):
    database = work / "run.sqlite"
    for old in work.glob("run.sqlite*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    shutil.copyfile(start, database)
    # What earlier runs wrote must not reach the disk during this one.
    os.sync()
    return database


def contenders(folder, file, floor, start):
    def migrated():
        database = fresh_database(start)
        return measure.run(
            [migrate, "up", "--migrations", str(folder), "--database", str(database)], work)[0]

    def imported():
        database = fresh_database(start)
        sql(database, TABLE)
        return pipe(file, database)

    def floored():
        database = fresh_database(start)
        sample, text = measure.run([floor, str(database), str(file)], work)
        # Its peak is that of holding all rows in memory, which says nothing.
        sample.seconds, sample.busy = map(float, text.split())
        sample.peak = 0
        return sample

    return [("migrate up", migrated), ("zcat | .import", imported), ("floor", floored)]


def note(lines, targets, journal, others, samples):
    floor = measure.median(samples["floor"])
    pipe = measure.median(samples["zcat | .import"])
    for name, found in samples.items():
        seconds = measure.median(found)
        peak = max(sample.peak for sample in found)
        lines.append([
            journal, f"{others:,}", name, f"{seconds:.3f}", f"{measure.spread(found) / 2:.0%}",
            f"{measure.median(found, 'busy'):.3f}", f"{peak:.1f}" if peak else "",
            f"{seconds / floor:.2f}", f"{pipe / seconds:.2f}"])
    ours = samples["migrate up"]
    place = f"with {others:,} other rows in mode {journal}"
    targets.append((f"time {place}", measure.median(ours) / floor, 1.25, "× floor"))
    targets.append((f"peak {place}", max(sample.peak for sample in ours), 64, " MiB"))


def profile(folder, start):
    """Where the time goes: by thread, then by function."""
    if not shutil.which("perf"):
        return print("No profile: there is no 'perf'. On Debian it is in linux-perf.")
    data, database = work / "perf.data", fresh_database(start)
    subprocess.run(
        ["perf", "record", "-q", "-F", "2000", "-o", data, migrate, "up", "--migrations", folder,
         "--database", database, "--quiet"], check=True)
    # By `pid` perf means the thread.
    for keys, limit in (("pid,dso", 12), ("pid,sym", 40)):
        report = subprocess.run(
            ["perf", "report", "-i", data, "--stdio", "--sort", keys], capture_output=True,
            text=True).stdout
        readable = subprocess.run(
            ["swift", "demangle", "--simplified"], input=report, capture_output=True,
            text=True).stdout
        found = [line[:120] for line in readable.splitlines() if line.strip() and line[0] != "#"]
        print("\n".join(found[:limit]), end="\n\n")
