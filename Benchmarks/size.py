"""What the library adds to an app."""
import subprocess

import measure
from project import state, swift_program, work

# MB. The size of the binary is the tenth requirement.
LIMIT = 3.0


def size(options):
    """A program that calls Catalog(locked:) and up(), and one that calls newest and up().

    Swift's own libraries are the system's.
    """
    megabytes = {name: stripped(name) for name in ("startup", "download")}
    measure.heading("a stripped release program that calls up()", state())
    measure.table(["program", "MB"], [
        ["with Seedbed", f"{megabytes['startup']:.2f}"],
        ["with SeedbedOverTheAir, too", f"{megabytes['download']:.2f}"]])
    return measure.verdicts([("size", megabytes["startup"], LIMIT, " MB")])


def stripped(name):
    program = work / f"{name}.stripped"
    subprocess.run(["strip", "-o", program, swift_program(name)], check=True)
    return program.stat().st_size / 1e6
