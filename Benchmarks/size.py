"""What the library adds to an app."""
import subprocess

import measure
from project import state, swift_program, work

# MB. The size of the binary is the tenth requirement.
LIMIT = 3.0


def size(options):
    """A program that calls Catalog(locked:) and up(); Swift's own libraries are the system's."""
    stripped = work / "startup.stripped"
    subprocess.run(["strip", "-o", stripped, swift_program("startup")], check=True)
    megabytes = stripped.stat().st_size / 1e6
    measure.heading("a stripped release program that calls up()", state())
    measure.table(["program", "MB"], [["with Seedbed", f"{megabytes:.2f}"]])
    return measure.verdicts([("size", megabytes, LIMIT, " MB")])
