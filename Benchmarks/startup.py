"""Starting with nothing to do."""
import measure
from project import catalog, compile_c, migrate, sql, state, swift_program, work


def start_catalog(count):
    """So many migrations of one row each, all applied to a database."""
    def fill(folder):
        for version in range(1, count + 1):
            migration = folder / f"{version:04}_words_{version}"
            migration.mkdir()
            (migration / "words.csv").write_text(f"id,word\n{version},word {version}\n")
        table = "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL);\n"
        (folder / "0001_words_1" / "up.sql").write_text(table)

    folder = catalog(f"words-{count}", fill)
    database = work / f"words-{count}.sqlite"
    database.unlink(missing_ok=True)
    measure.run(
        [migrate, "up", "--migrations", str(folder), "--database", str(database)], work)
    return str(folder), str(database)


def start(options):
    """The verbs of every day as processes, with 1,000 migrations applied."""
    folder, database = start_catalog(1000)
    plain = str(work / "plain.sqlite")
    sql(plain, "CREATE TABLE IF NOT EXISTS t (a)")

    def process(*words):
        return lambda: measure.run(words, work)[0]

    place = ("--migrations", folder, "--database", database)
    samples = measure.alternate([
        ("sqlite3 'select 1'", process("sqlite3", plain, "select 1")),
        ("migrate --version", process(migrate, "--version")),
        ("migrate status", process(migrate, "status", *place)),
        ("migrate up", process(migrate, "up", *place)),
    ], options.starts)
    base = samples["sqlite3 'select 1'"]
    measure.heading(
        f"1,000 migrations applied, nothing pending, {options.starts} runs in turn", state())
    measure.table(
        ["process", "ms", "± half", "fastest ms", "CPU ms", "× sqlite3"],
        [[name, f"{measure.median(found) * 1e3:.2f}", f"{measure.spread(found) / 2:.0%}",
          f"{min(sample.seconds for sample in found) * 1e3:.2f}",
          f"{measure.median(found, 'busy') * 1e3:.2f}",
          f"{measure.median(found) / measure.median(base):.2f}"]
         for name, found in samples.items()])
    return measure.verdicts([
        (name, measure.median(samples[name]) / measure.median(base), 3, "× sqlite3")
        for name in ("migrate status", "migrate up")])



TIMES = "200"


def in_process(counts, runs):
    """Starts in an app's process after so many migrations: ours, and opening the database in C."""
    opening, startup = compile_c("open"), swift_program("startup")

    def microseconds(*words):
        def once():
            sample, text = measure.run([*words, TIMES], work)
            sample.seconds = float(text) / 1e6
            return sample
        return once

    for count in counts:
        folder, database = start_catalog(count)
        yield count, measure.alternate([
            ("up", microseconds(startup, folder, database)),
            ("open", microseconds(opening, database)),
        ], runs)


def library(options):
    """What an app pays at each start: flat, however many migrations there are."""
    lines = []
    for count, samples in in_process((10, 200, 1000), options.runs):
        ours, least = measure.median(samples["up"]), measure.median(samples["open"])
        lines.append([f"{count:,}", f"{ours * 1e6:.0f}", f"{least * 1e6:.0f}",
                      f"{ours / least:.2f}"])
    measure.heading(
        f"in one process, nothing pending, medians of {options.runs} × {TIMES}", state())
    measure.table(
        ["migrations", "Catalog(locked:) and up(), µs", "open and read one row in C, µs", "ratio"],
        lines)
    return True
