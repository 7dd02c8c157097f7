"""The first start of an app: filling its database, and copying a finished one."""
import os
import shutil
import sys

import measure
from load import make_rows
from project import catalog, compile_c, migrate, state, swift_program, work
from rows import TABLE


def first(options):
    """The same rows by `up`, by a snapshot, by the ready-made database, and by copy and open."""
    program, copy = swift_program("first"), compile_c("copy")
    plain = releases(options.rows)
    short = with_more(plain, "snapshot")
    ready = with_more(plain, "build")
    file = ready / "data" / "first.sqlite"
    samples = measure.alternate([
        ("up", seconds(program, plain)),
        ("up, from a snapshot", seconds(program, short)),
        ("up, from the ready-made database", seconds(program, ready, file)),
        ("copy, fsync and open, in C", seconds(copy, file, after=["moves"])),
    ], options.runs)
    database = work / "first.sqlite"
    sizes = {
        "up": [size(plain), filled(program, plain, database)],
        "up, from a snapshot": [size(short), filled(program, short, database)],
        "up, from the ready-made database": [size(ready), filled(program, ready, database, file)],
        "copy, fsync and open, in C": [file.stat().st_size, file.stat().st_size],
    }
    floor = measure.median(samples["copy, fsync and open, in C"])
    measure.heading(
        f"first start with {options.rows:,} rows of two releases, {options.runs} runs in turn",
        state())
    measure.table(
        ["", "seconds", "± half", "× copy", "ships MB", "database MB"],
        [[name, f"{measure.median(found):.3f}", f"{measure.spread(found) / 2:.0%}",
          f"{measure.median(found) / floor:.2f}", *(f"{count / 1e6:.1f}" for count in sizes[name])]
         for name, found in samples.items()])
    ours = measure.median(samples["up, from the ready-made database"])
    return measure.verdicts([("time from the ready-made database", ours / floor, 1.3, "× copy")])


def releases(rows):
    """Two releases of half the rows each."""
    def fill(folder):
        print(f"Making {rows:,} rows; only the first time.", file=sys.stderr)
        half = rows // 2
        for number, first_key, last in ((1, 1, half), (2, half + 1, rows)):
            migration = folder / f"{number:04}_moves"
            migration.mkdir()
            make_rows(migration / "moves.csv.gz", first_key, last)
        (folder / "0001_moves" / "up.sql").write_text(TABLE)

    return catalog(f"first-{rows}", fill)


def with_more(plain, verb):
    """The same catalog, and what the verb adds to it."""
    folder = catalog(
        f"{plain.name}-{verb}", lambda folder: shutil.copytree(plain, folder, dirs_exist_ok=True))
    measure.run([migrate, verb, "--migrations", str(folder)], work)
    return folder


def seconds(program, *arguments, after=()):
    """One first start, which the program itself times."""
    def once():
        database = work / "first.sqlite"
        remove(database)
        words = [program, *map(str, arguments)]
        words.insert(2, str(database))
        # What earlier runs wrote must not reach the disk during this one.
        os.sync()
        sample, text = measure.run([*words, *after], work)
        sample.seconds = float(text)
        return sample
    return once


def filled(program, folder, database, *file):
    remove(database)
    measure.run([program, str(folder), str(database), *map(str, file)], work)
    return database.stat().st_size


def remove(database):
    for old in database.parent.glob(database.name + "*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()


def size(folder):
    """Of what an app ships; a source CSV would not count."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
