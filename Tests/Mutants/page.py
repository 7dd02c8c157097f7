"""Tests/Mutants.md, from what was played, and the sentences of Tests/Mutants/same.txt."""

import datetime
import pathlib
import re
import subprocess

from sites import AREAS

KINDS = ("condition", "comparison", "call", "sql")


def sentences(root):
    """For each mutant that is the same program: why. Or, after "on a server:" or "no test:", why it is
    not noticed here."""
    file = pathlib.Path(root, "Tests/Mutants/same.txt")
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return dict(line.split(" ", 1) for line in lines if re.match(r"[0-9a-f]{6} ", line))


def one_line(text, most=110):
    plain = " ".join(text.split()).replace("|", "\\|").replace("`", "'")
    return plain if len(plain) <= most else plain[:most - 1] + "…"


def difference(site):
    """What the mutant changes, in a line: of a long string, only the part that differs."""
    if site.kind == "call":
        return f"`{one_line(site.original)}` left out"
    before, after = site.original, site.changed
    if site.kind == "sql":
        start = next(at for at, pair in enumerate(zip(before, after)) if pair[0] != pair[1])
        stop = next(at for at, pair in enumerate(zip(before[::-1], after[::-1])) if pair[0] != pair[1])
        stop = min(stop, len(before) - start, len(after) - start)
        begin = max(before.rfind(" ", 0, max(start - 4, 0)), 0)
        before, after = before[begin:len(before) - stop], after[begin:len(after) - stop]
    return f"`{one_line(before)}` → `{one_line(after)}`"


def counts(sites, results, key, names):
    rows = []
    for name in [*names, "all"]:
        own = [results[site.identifier] for site in sites if name in (key(site), "all")]
        killed = [each for each in own if each["outcome"] == "killed"]
        by = [sum(each["how"] == how for each in killed) for how in ("test", "trap", "time")]
        rows.append([name, len(own), *by, len(own) - len(killed)])
    return rows


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def spared(root):
    """The folders of the library, and the other targets, in which no mutant is made."""
    sources = pathlib.Path(root, "Sources")
    places = [*(sources / "Seedbed").iterdir(), *(each for each in sources.iterdir() if each.name != "Seedbed")]
    names = (str(place.relative_to(sources.parent)) for place in places if any(place.rglob("*.swift")))
    return sorted(name.removeprefix("Sources/") for name in names if name not in AREAS.values())


def made(root, sites, results, unfit, suites):
    """The page."""
    reasons = sentences(root)
    played = [site for site in sites if site.identifier in results]
    survivors = [site for site in played if results[site.identifier]["outcome"] != "killed"]
    words = {site.identifier: reasons.get(site.identifier, "no test") for site in survivors}
    same = [site for site in survivors if not words[site.identifier].startswith(("no test", "on a server"))]
    elsewhere = [site for site in survivors if words[site.identifier].startswith("on a server")]
    killed = len(played) - len(survivors)
    commit = subprocess.run(["git", "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty"], cwd=root,
                            capture_output=True, text=True, check=True).stdout.strip()
    killers = {}
    for site in played:
        if results[site.identifier]["outcome"] == "killed":
            suite = results[site.identifier].get("suite", "").split(".")[0] or "several of them"
            killers[suite] = killers.get(suite, 0) + 1
    head = ["", "mutants", "killed by a failure", "by a trap", "by time", "survived"]
    lines = [
        "# Mutants", "",
        "`Scripts/checks/mutants` changes one small place of the program at a time, and runs the tests that reach it. In",
        "each file of the merge, the runs, the ledger, the backups and the downloads it inverts one condition, shifts one",
        "comparison, leaves out one call, and lets one condition of SQL always hold. Tests that do not notice do not test",
        "that place. All other places are not tried: the score is none of all rules.", "",
        f"No mutants are made in {', '.join(spared(root))}.", "",
        f"Played on {datetime.date.today()}, up to {commit}, against {suites} suites: **{killed} of {len(played)} "
        f"mutants die**, and {len(survivors)} survive.",
        f"{'' if len(played) == len(sites) else f'{len(sites) - len(played)} more are still to be played. '}Of the "
        f"survivors, {len(same)} are the same program, for the reasons below, and {len(elsewhere)} are in code that only a "
        "server runs. Its",
        f"suites are not played here. Of the {len(played) - len(same) - len(elsewhere)} that these suites can notice, "
        f"{killed / max(len(played) - len(same) - len(elsewhere), 1):.1%} die. {len(unfit)} more do not compile and are not",
        "counted.", "",
        table(head, counts(played, results, lambda site: site.area, AREAS)), "",
        table(head, counts(played, results, lambda site: site.kind, KINDS)), "",
        "A mutant dies if an expectation fails, if the process traps, or if a test that took seconds does not end.",
        "Noticed first by " + ", ".join(f"{name} {count}" for name, count in sorted(
            killers.items(), key=lambda item: -item[1])) + ".", "",
        "## Survivors", "",
        "`Scripts/checks/mutants --show ID` prints the whole difference, and `Scripts/checks/mutants ID` plays it again.", "",
        table(["id", "place", "difference", "why"], [
            [site.identifier, f"{site.path.removeprefix('Sources/')}:{site.line}", difference(site),
             reasons.get(site.identifier, missing(results[site.identifier]))] for site in survivors]), "",
    ]
    return "\n".join(lines)


def missing(result):
    if result["outcome"] == "not reached":
        return "no test comes along here"
    return "no test" if result["is_whole"] else f"no test among the {result['suites']} nearest suites"
