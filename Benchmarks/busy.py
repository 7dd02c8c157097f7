"""An app at work during a run."""
import subprocess

import measure
from cancel import at
from load import fresh_database, moves_catalog, starting_database
from project import state, swift_program

READERS = 8
TIMEOUT = 5  # Seconds, of the writer.


def busy(options):
    """What the app's own threads notice of a load in wal, before, during and after it."""
    program = swift_program("busy")
    folder = moves_catalog(options.rows)
    others = options.rows // 10
    database = fresh_database(starting_database("wal", others, options.rows))
    output = subprocess.run(
        [program, folder, database, str(options.rows), str(READERS), str(TIMEOUT)],
        check=True, capture_output=True, text=True).stdout
    taken, facts = read(output)
    measure.heading(
        f"{options.rows:,} rows beside {others:,} others in wal, {READERS} readers and a writer "
        "with threads and connections of their own", state())
    measure.table(
        ["", "phase", "times", "median ms", "99 % ms", "most ms"],
        [[who, phase, f"{len(found):,}", *(f"{at(found, share):.2f}" for share in (0.5, 0.99, 1))]
         for (who, phase), found in taken.items()])
    print(f"The run took {facts['run']} ms and held the write lock for {facts['held']} ms at the "
          f"most, backup included. It left {int(facts['wal']) / 1e6:.0f} MB of WAL, which the "
          "writer's next COMMIT copied into the database.\n")
    return measure.verdicts([
        ("errors of readers", int(facts["readerErrors"]), 0, ""),
        ("reads of half a migration", int(facts["halves"]), 0, ""),
        (f"writes that were BUSY after {TIMEOUT} s", int(facts["busy"]), 0, ""),
        ("other errors of the writer", int(facts["writerErrors"]), 0, ""),
        ("rows of the writer that are missing", int(facts["missing"]), 0, ""),
        ("phases without reads or writes", sum(not found for found in taken.values()), 0, ""),
    ])


def read(output):
    """Milliseconds by who and when, and single numbers by their names."""
    taken = {(who, phase): [] for who in ("read", "write")
             for phase in ("before", "during", "after")}
    facts = {}
    for line in output.splitlines():
        words = line.split()
        if len(words) == 3:
            taken[words[0], words[1]].append(float(words[2]))
        else:
            facts[words[0]] = words[1]
    return taken, facts
