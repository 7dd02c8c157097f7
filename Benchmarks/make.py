"""Releases that are made from a readable CSV, and read by people."""
import os
import shutil
import subprocess
import sys

import dictionary
import measure
from project import catalog, migrate, root, state, work


def csv(rows, release):
    """The source CSV of a release, compressed; made once."""
    path = work / f"dictionary-{rows}-{release}.csv.gz"
    if not path.exists():
        print(f"Making {rows:,} rows; only the first time.", file=sys.stderr)
        # In a process of its own: the memory that this one has once had counts for its children.
        program, partial = root / "Benchmarks" / "dictionary.py", work / "partial"
        subprocess.run([sys.executable, program, str(rows), release, partial], check=True)
        partial.rename(path)
    return path


def table_catalog(rows):
    """The table without rows."""
    def fill(folder):
        (folder / "0001_table").mkdir()
        (folder / "0001_table" / "up.sql").write_text(dictionary.TABLE)
        (folder / "0001_table" / "down.sql").write_text("DROP TABLE words;\n")
        (folder / "catalog.json").write_text("{}")
    return catalog(f"dictionary-{rows}-table", fill)


def made_catalog(rows, releases):
    """With a migration for each of these releases, as `make` writes it."""
    source = table_catalog(rows)

    def fill(folder):
        shutil.copytree(source, folder, dirs_exist_ok=True)
        for release in releases:
            make(folder, csv(rows, release))
    return catalog("-".join(["dictionary", str(rows)] + releases), fill)


def make(folder, source, *more, exits=(0,)):
    words = [migrate, "make", "next", f"words={source}", "--migrations", str(folder), "--quiet"]
    return measure.run(words + list(more), work, exits)[0]


def make_in_copy(folder, source):
    copy = work / "made"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    os.sync()
    return make(copy, source)


def shell(text, exits=(0,)):
    return measure.run(["bash", "-c", text], work, exits)[0]


def table(samples, first, base):
    """One line for each contender, beside the one that is called so."""
    measure.table([first, "seconds", "± half", "CPU s", "peak MiB", f"× {base}"], [
        [name, f"{measure.median(found):.2f}", f"{measure.spread(found) / 2:.0%}",
         f"{measure.median(found, 'busy'):.2f}", f"{max(sample.peak for sample in found):.0f}",
         f"{measure.median(found) / measure.median(samples[base]):.2f}"]
        for name, found in samples.items()])


def peaks(samples, limit):
    return [(f"peak of '{name}'", max(sample.peak for sample in samples[name]), limit, " MiB")
            for name in samples if name.startswith("migrate")]


def make_release(options):
    """`make` of a release of 1 %, and of the first one, which is all rows."""
    rows = options.rows
    empty, held = table_catalog(rows), made_catalog(rows, ["old"])
    old, new = csv(rows, "old"), csv(rows, "new")
    samples = measure.alternate([
        ("migrate make", lambda: make_in_copy(held, new)),
        ("migrate make --check", lambda: make(held, new, "--check", exits=(3,))),
        ("zcat, diff", lambda: shell(f"zcat '{old}' | diff - <(zcat '{new}')", exits=(1,))),
    ], options.runs)
    measure.heading(f"1 % of {rows:,} rows changed, {options.runs} runs in turn", state())
    table(samples, "", "zcat, diff")
    first = measure.alternate([
        ("migrate make", lambda: make_in_copy(empty, old)),
        ("zcat, gzip -9", lambda: shell(f"zcat '{old}' | gzip -9 | wc -c")),
    ], options.runs)
    measure.heading(f"a first release of {rows:,} rows, {options.runs} runs in turn", state())
    table(first, "", "zcat, gzip -9")
    # What is asked of it is not to need more than that; the time is for comparison.
    return measure.verdicts(peaks(samples, 1536) + peaks(first, 1536))


def review(options):
    """What reads a release or a catalog, against reading its file and throwing it away."""
    rows = options.rows
    changed, held = made_catalog(rows, ["old", "all"]), made_catalog(rows, ["old"])
    file = changed / "0003_next" / "words.update.csv.gz"

    def verb(*words, folder=changed):
        return lambda: measure.run(
            [migrate, *words, "--migrations", str(folder)], work)[0]

    def bundle():
        shutil.rmtree(work / "bundle", ignore_errors=True)
        return verb("bundle", str(work / "bundle"))()

    samples = measure.alternate([
        ("migrate show", verb("show", "3")),
        ("migrate show --limit 0", verb("show", "3", "--limit", "0")),
        ("migrate show --limit 0 --json", verb("show", "3", "--limit", "0", "--json")),
        ("migrate show --limit 0 --markdown", verb("show", "3", "--limit", "0", "--markdown")),
        ("zcat", lambda: shell(f"zcat '{file}' | cat")),
    ], options.runs)
    measure.heading(f"a release of {rows:,} updates, {options.runs} runs in turn", state())
    table(samples, "", "zcat")
    whole = measure.alternate([
        ("migrate export words", verb("export", "words", folder=held)),
        ("migrate lint", verb("lint", folder=held)),
        ("migrate bundle", bundle),
        ("migrate up", lambda: up(held)),
    ], options.runs)
    measure.heading(f"a catalog of {rows:,} rows, {options.runs} runs in turn", state())
    table(whole, "", "migrate up")
    return measure.verdicts(peaks(samples, 64) + peaks(whole, 1536))


def up(folder):
    database = work / "run.sqlite"
    for old in work.glob("run.sqlite*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    return measure.run(
        [migrate, "up", "--migrations", str(folder), "--database", str(database)], work)[0]
