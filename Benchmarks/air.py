"""Releases over the air: reading a bundle in place, and what a download costs each start."""
import os
import re
import shutil
import sys

import measure
from load import make_rows
from project import catalog, migrate, sql, state, swift_program, work
from rows import TABLE

KEY = work / "author.pem"
TIMES = "200"


def bundle(options):
    """The same rows from the folder that an app ships, and from a download in one file."""
    program = swift_program("download")
    whole, shipped, key, file = releases(options.rows)
    samples = measure.alternate([
        ("folder", loads(program, whole, key)),
        ("bundle", loads(program, shipped, key, file)),
    ], options.runs)
    floor = measure.median(samples["folder"])
    measure.heading(
        f"{options.rows:,} rows from a folder and from a bundle of "
        f"{file.stat().st_size / 1e6:.0f} MB, {options.runs} runs in turn", state())
    measure.table(
        ["", "seconds", "± half", "CPU s", "peak MiB", "× folder"],
        [[name, f"{measure.median(found):.3f}", f"{measure.spread(found) / 2:.0%}",
          f"{measure.median(found, 'busy'):.3f}", f"{max(sample.peak for sample in found):.1f}",
          f"{measure.median(found) / floor:.3f}"] for name, found in samples.items()])
    return measure.verdicts([
        ("time from the bundle", measure.median(samples["bundle"]) / floor, 1.03, "× folder")])


def newest(options):
    """Starts with nothing to do, of an app with a large download and of one without any."""
    program = swift_program("download")
    _, shipped, key, file = releases(options.rows)
    databases = {}
    for name, files in (("without a download", []), ("with one", [file])):
        databases[name] = work / f"newest-{len(files)}.sqlite"
        fill(program, shipped, databases[name], key, *files)

    def starts(name, *files):
        def once():
            words = [program, str(shipped), str(databases[name]), key, TIMES, *map(str, files)]
            sample, text = measure.run(words, work)
            sample.seconds = float(text)
            return sample
        return once

    samples = measure.alternate([
        ("without a download", starts("without a download")),
        ("with one", starts("with one", file)),
    ], options.runs)
    least = measure.median(samples["without a download"])
    measure.heading(
        f"nothing pending, a download of {file.stat().st_size / 1e6:.0f} MB, medians of "
        f"{options.runs} × {TIMES} starts", state())
    measure.table(
        ["newest and up", "ms", "± half", "more ms"],
        [[name, f"{measure.median(found) * 1e3:.3f}", f"{measure.spread(found) / 2:.0%}",
          f"{(measure.median(found) - least) * 1e3:.3f}"] for name, found in samples.items()])
    more = (measure.median(samples["with one"]) - least) * 1e3
    return measure.verdicts([("what a download costs a start", more, 0.3, " ms")])


def releases(rows):
    """The catalog, what the app ships of it, the key that signed it, and a bundle of all."""
    def first(folder):
        (folder / "catalog.json").write_text('{"id": "00112233445566778899aabbccddeeff"}\n')
        migration = folder / "0001_table"
        migration.mkdir()
        (migration / "up.sql").write_text(TABLE)

    def both(folder):
        print(f"Making {rows:,} rows; only the first time.", file=sys.stderr)
        first(folder)
        migration = folder / "0002_moves"
        migration.mkdir()
        make_rows(migration / "moves.csv.gz", 1, rows)

    whole, shipped = catalog(f"air-{rows}", both), catalog("air-shipped", first)
    file = work / f"air-{rows}.seedbed"
    for old in (KEY, whole / "seedbed.lock.sig", file):
        old.unlink(missing_ok=True)
    _, printed = measure.run([migrate, "sign", "--new-key", str(KEY)], work)
    key = re.search(r"ed25519:[\w+/]+=", printed).group()
    measure.run([migrate, "sign", "--key", str(KEY), "--migrations", str(whole)], work)
    measure.run([migrate, "bundle", str(file), "--migrations", str(whole)], work)
    return whole, shipped, key, file


def loads(program, folder, key, *files):
    """One first start, which the program itself times."""
    def once():
        database = work / "air.sqlite"
        remove(database)
        # What earlier runs wrote must not reach the disk during this one.
        os.sync()
        sample, text = measure.run(
            [program, str(folder), str(database), key, "1", *map(str, files)], work)
        sample.seconds = float(text)
        check(database)
        return sample
    return once


def fill(program, folder, database, key, *files):
    remove(database)
    measure.run([program, str(folder), str(database), key, "1", *map(str, files)], work)
    if files:
        check(database)


def check(database):
    if sql(database, "SELECT count(*) > 0 FROM moves") != "1":
        sys.exit("bench: the rows of the release are missing")


def remove(database):
    for old in database.parent.glob(database.name + "*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
