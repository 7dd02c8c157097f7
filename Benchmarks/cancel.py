"""Cancelling a run."""
import math
import subprocess

import measure
from load import moves_catalog, starting_database
from project import state, swift_program, work


def cancel(options):
    """From the request until every lock is free, at random instants of a load."""
    program = swift_program("cancel")
    folder = moves_catalog(options.rows)
    others = options.rows // 10
    lines, targets = [], []
    for journal in ("delete", "wal"):
        start = starting_database(journal, others, options.rows)
        output = subprocess.run(
            [program, folder, start, work / "run.sqlite", str(options.instants), "1"],
            check=True, capture_output=True, text=True).stdout
        found = {"cancelled": [], "applied": [], "whole": []}
        for line in output.splitlines():
            outcome, seconds = line.split()
            found[outcome].append(float(seconds) * 1e3)
        stopped, late = found["cancelled"], found["applied"]
        lines.append([
            journal, f"{found['whole'][0]:.0f}", len(stopped), *quantiles(stopped), len(late),
            f"{max(late):.1f}" if late else ""])
        if journal == "wal":
            targets.append(("99 % of what was cancelled in wal", at(stopped, 0.99), 100, " ms"))
    measure.heading(
        f"{options.rows:,} rows beside {others:,} others, cancelled at {options.instants} random "
        "instants", state())
    measure.table(
        ["journal", "whole run ms", "cancelled", "median ms", "99 % ms", "most ms", "too late",
         "most ms"], lines)
    return measure.verdicts(targets)


def quantiles(samples):
    return [f"{at(samples, share):.1f}" for share in (0.5, 0.99, 1)]


def at(samples, share):
    """The least that so large a share of the samples does not exceed."""
    ordered = sorted(samples)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0
