"""What a newcomer does with an installed program: the first page, a kill, the extension."""
import pathlib
import re
import time

from machine import ROOT, must

ROWS = 4_000_000  # Takes about a second, with ten reports of progress.
EMULATED_ROWS = 400_000  # So do these.


def masked(text):
    """Without times, sizes and durations."""
    text = re.sub(r"\d{4}-?\d\d-?\d\dT[\d:.]+Z", "MOMENT", text)
    return re.sub(r" +[\d.]+ m?s\b|\([\d.]+ kB", "", text)


def play_page(machine, folder, program):
    """*Getting started* as it stands: its commands, and what they print."""
    machine.shell(f"mkdir -p {folder}")
    page = (ROOT / "Sources/Seedbed/Seedbed.docc/GettingStarted.md").read_text()
    page = page.split("### See a merge")[1].split("\n### ")[0]
    played = 0
    for block in re.findall(r"```sh\n([^`]*)```|((?:    [^\n]*\n)+)", page):
        if block[0]:
            machine.shell(block[0], folder)
            continue
        for step in re.split(r"^    \$ ", block[1], flags=re.MULTILINE)[1:]:
            line, *expected = [line.removeprefix("    ") for line in step.splitlines()]
            printed = machine.shell(re.sub(r"^migrate\b", program, line) + " 2>&1", folder)
            wanted = "\n".join(expected) + "\n" if expected else ""
            printed = printed.replace(pathlib.Path(program).name + " ", "migrate ")
            must(masked(printed) == masked(wanted), f"'{line}' prints\n{printed}and not\n{wanted}")
            played += 1
    must(played >= 8, f"Getting started has only {played} commands.")


def write_large_catalog(folder, rows):
    """Two releases, the second of which takes long enough to be killed in."""
    for name, text in (
        ("0001_words/up.sql", "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, note TEXT);"),
        ("0001_words/words.csv", "id,word\n" + "".join(f"{n},word {n}\n" for n in range(1, 1001))),
        ("0002_more/words.csv", "id,word\n" + "".join(
            f"{n},word {n}\n" for n in range(1001, 1001 + rows))),
    ):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def play_kill(machine, folder, program):
    """A user's row and edit, a kill -9 within release 2, and the next start."""
    rows = EMULATED_ROWS if machine.platform.is_crossed else ROWS
    write_large_catalog(machine.folder / folder.lstrip("/") / "Migrations", rows)
    machine.shell(f"{program} up --to 1 --quiet", folder)
    machine.shell("sqlite3 app.sqlite \"UPDATE words SET word = 'mine' WHERE id = 7; "
                  "INSERT INTO words VALUES (0, 'my own', '')\"", folder)
    process = machine.start(
        ["sh", "-c", f"cd {folder} && exec {program} up --progress json"])
    for line in process.stdout:
        if '"phase":"applying"' in line and '"rows":0}' not in line:
            break
    process.kill()
    process.wait()
    must(process.returncode == -9, f"it ended with {process.returncode} before it was killed")
    must("1 applied, 1 pending" in machine.shell(f"{program} status", folder), "half is applied")
    machine.shell(f"{program} up", folder)
    printed = machine.shell(
        "sqlite3 app.sqlite \"SELECT count(*), (SELECT word FROM words WHERE id = 7), "
        "(SELECT word FROM words WHERE id = 0) FROM words; PRAGMA integrity_check\"", folder)
    must(printed == f"{rows + 1001}|mine|my own\nok\n", f"after the next start: {printed}")
    machine.shell(f"{program} report report.html", folder)
    page = (machine.folder / folder.lstrip("/") / "report.html").read_text()
    must("<html" in page and str(rows) in page, "the report does not have the number of rows")


def fill(machine, program, begun):
    """The sample catalog, and the time from nothing to a filled database."""
    machine.copy(ROOT / "Migrations", "/tmp/fill/Migrations")
    printed = machine.shell(f"{program} up", "/tmp/fill")
    must("Database is at 4" in printed, printed)
    print(f"  from nothing to a filled database: {time.monotonic() - begun:.1f} s")


def play_extension(machine, name):
    """The shell of SQLite, which loads it."""
    machine.shell("mkdir -p /tmp/loaded && cp -r /tmp/walk/Migrations /tmp/loaded")
    printed = machine.shell(
        f"sqlite3 app.sqlite \".load {name}\" \"SELECT seedbed_up('Migrations') ->> 'outcome'\"",
        "/tmp/loaded")
    must(printed == "applied\n", f"the shell says: {printed}")
