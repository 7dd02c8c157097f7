#!/usr/bin/env python3
"""Proves the merge's laws from its rule, which Tests/Laws/rule.py states.

A law says what is assumed and what follows. Z3 looks for releases, rows, policies, columns and
values for which it does not follow; if there are none, the law is proved. So that a proof means
something, what is assumed must be possible, and each law must fail with a planted bug
(Tests/Laws/bugs.py).
"""

import argparse
import os
import pathlib
import re
import sys
import textwrap
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "Sources/Seedbed/Seedbed.docc/Safety.md"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "Tests/Laws"))
try:
    from z3 import And, If, Implies, Not, Or
except ImportError:
    python = ROOT / ".build/proofs/python/bin/python"
    if not python.exists() or sys.executable == str(python):
        sys.exit("Laws.py: Z3 is missing. Run Scripts/setup --with proofs.")
    os.execv(python, [python, *sys.argv])
import bugs
from rule import NO, SEEDS, UNTIL_GONE, YES, Row, Rule
from search import (
    ID, NULL, REFERENCE, UNIQUE, Unexpected, c, counterexample, keep_row, lost, named,
    overwrite_row, prefers, set_null, shipped, some, users, witness)


def same(row, other):
    return And(row.here == other.here, Implies(row.here, row.cell(c) == other.cell(c)))


def is_all(row, other):
    """Whether all columns are the same, and whose the key is."""
    differs = some(lambda c: row.cell(c) != other.cell(c))
    return And(row.here == other.here, row.key == other.key, Implies(row.here, Not(differs)))


def edited(mine, was):
    """Whether the user made the row, or what it has in `c`."""
    return And(mine.here, Or(Not(was.here), mine.cell(c) != was.cell(c)))


def rules(kind):
    """The rule, or a bug, under the default policies, and under any `onEdited` but `fail`."""
    columns = (NULL, UNIQUE, REFERENCE)
    return (kind(named, some, lambda c: NO, *columns, set_null=set_null),
            kind(named, some, prefers, *columns, keep_row, overwrite_row, set_null))


def row_laws(kind):
    defaults, policies = rules(kind)
    was, now, then, mine = shipped("was"), shipped("now"), shipped("then"), users("mine")
    end, any_end = defaults.one(was, now, mine), policies.one(was, now, mine)
    next_end = policies.one(now, then, any_end)
    sides = [("in release 1", was), ("in release 2", now), ("with the user", mine)]
    shown = {"a value": [*sides, ("afterwards", end)]}
    any_shown = {"a value": [*sides, ("afterwards", any_end)]}
    next_shown = {"a value": [
        *sides, ("afterwards", any_end), ("in release 3", then), ("at last", next_end)]}

    yield ("What the user edited stays",
           And(was.here, edited(mine, was)), And(end.here, end.cell(c) == mine.cell(c)), shown)
    yield ("What the user deleted stays deleted, in the next release too, under any policy",
           And(was.here, Not(mine.here), mine.key != UNTIL_GONE),
           Not(Or(any_end.here, next_end.here)), next_shown)
    yield ("A row that the user made stays, in the next release too, under any policy",
           And(Not(was.here), edited(mine, was), now.here, named(c), now.cell(c) != mine.cell(c)),
           And(next_end.here, next_end.cell(c) == mine.cell(c)), next_shown)
    yield ("A column that no file names is the user's, under any policy",
           And(mine.here, any_end.here, Not(named(c))), any_end.cell(c) == mine.cell(c), any_shown)
    yield ("A value that the release does not change stays, unless the policy is overwriteRow",
           And(was.here, now.here, mine.here, was.cell(c) == now.cell(c), Not(overwrite_row)),
           And(any_end.here, any_end.cell(c) == mine.cell(c)), any_shown)
    yield ("A correction arrives where the user did nothing, unless the policy is keepRow",
           And(was.here, now.here, mine.here, mine.key == SEEDS, named(c),
               mine.cell(c) == was.cell(c), Not(keep_row)),
           And(any_end.here, any_end.cell(c) == now.cell(c)), any_shown)
    yield ("What the user left alone ends as the release, without a conflict, under any policy",
           is_all(mine, was), And(is_all(any_end, now), Not(any_end.conflict)), any_shown)
    yield ("Every value is the user's or the release's, under any policy", any_end.here,
           Or(any_end.cell(c) == mine.cell(c), any_end.cell(c) == now.cell(c)), any_shown)
    yield ("Nothing of the user's gives way without a conflict, under any policy",
           And(edited(mine, was), Not(And(any_end.here, any_end.cell(c) == mine.cell(c)))),
           any_end.conflict, any_shown)
    yield ("A release that is applied again changes nothing, under any policy",
           YES, same(policies.one(was, now, any_end), any_end), any_shown)
    down = defaults.down(was, now, mine, end)
    back = defaults.one(was, now, down)
    yield ("up, down and up end like the first up",
           YES, is_all(back, end), {"a value": [
               *sides, ("after up", end), ("after down", down), ("after up again", back)]})
    name, assumed, claim, shown = squashed_law(kind)
    typed = And(mine.cell(c) == now.cell(c), mine.cell(c) != was.cell(c))
    yield f"{name}, unless the user typed the middle value", And(assumed, Not(typed)), claim, shown


def squashed_law(kind=Rule):
    """Not true, so releases that users have may not be squashed into one."""
    defaults, _ = rules(kind)
    was, now, then, mine = shipped("was"), shipped("now"), shipped("then"), users("mine")
    turns = defaults.one(now, then, defaults.one(was, now, mine))
    squashed = defaults.one(was, then, mine)
    return ("Two releases in turn end like one release for both",
            And(was.here, now.here, then.here), same(turns, squashed),
            {"a value": [("in release 1", was), ("in release 2", now), ("in release 3", then),
                         ("with the user", mine), ("in turn", turns), ("at once", squashed)]})


def clash(rows):
    """Whether two of the rows have the same UNIQUE value."""
    return Or([
        And(one.here, other.here, one.cell(UNIQUE) == other.cell(UNIQUE), one.cell(UNIQUE) != NULL)
        for at, one in enumerate(rows) for other in rows[:at]])


def unique_laws(kind):
    defaults, policies = rules(kind)
    rows = [(shipped(f"was {n}"), shipped(f"now {n}"), users(f"mine {n}")) for n in "123"]
    end, any_end = defaults.under_unique(rows), policies.under_unique(rows)
    (was, now, mine), others = rows[0], rows[1:]
    fit = And(c == UNIQUE, *[Not(clash(side)) for side in zip(*rows)])
    sides = ("in release 1", "in release 2", "with the user", "afterwards")
    shown = {f"row {n}'s value": list(zip(sides, (*its, row)))
             for n, (its, row) in enumerate(zip(rows, any_end), 1)}

    yield ("Of three: no two have one UNIQUE value, under any policy",
           fit, Not(clash(any_end)), shown)
    yield ("Of three: a UNIQUE value of the user's stays", And(fit, edited(mine, was)),
           And(end[0].here, end[0].cell(c) == mine.cell(c)), shown)
    yield ("Of three: none is lost that the release does not retire, under any policy",
           And(fit, mine.here, Or(now.here, Not(was.here))), any_end[0].here, shown)
    yield ("Of three: whatever values they exchange, they end as the release if left alone",
           And(fit, *[is_all(mine, was) for was, _, mine in rows]),
           And([And(is_all(row, its[1]), Not(row.conflict)) for row, its in zip(any_end, rows)]),
           shown)
    yield ("Of three: a UNIQUE value that no other row has or gets arrives",
           And(fit, was.here, now.here, is_all(mine, was), *[
               now.cell(c) != row.cell(c) for other in others for row in other[1:]]),
           end[0].cell(c) == now.cell(c), shown)
    again = defaults.under_unique([(was, now, row) for (was, now, _), row in zip(rows, end)])
    yield ("Of three: a release that is applied again changes nothing",
           fit, same(again[0], end[0]), shown)


def parent_laws(kind):
    defaults, policies = rules(kind)
    parent = shipped("parent was"), shipped("parent now"), users("parent mine")
    child = shipped("child was"), shipped("child now"), users("child mine")
    up, end = defaults.with_parent(ID, parent, child, lost)
    any_up, any_end = policies.with_parent(ID, parent, child, lost)
    refers = lambda row: And(row.here, row.cell(REFERENCE) == ID)
    fit = And(c == REFERENCE, *[Implies(refers(row), up.here) for up, row in zip(parent, child)])
    sides = ("in release 1", "in release 2", "with the user", "afterwards")
    shown = {"the parent": list(zip(sides, [
        Row(row.here, lambda c: ID) for row in (*parent, any_up)])),
        "the child's reference": list(zip(sides, (*child, any_end)))}

    yield ("Parent: no reference dangles, under any policy",
           fit, Implies(refers(any_end), any_up.here), shown)
    yield ("Parent: what the user lets refer to a row refers to it afterwards",
           And(fit, refers(child[2]), edited(child[2], child[0])), And(refers(end), up.here), shown)
    yield ("Parent: a row to retire stays whole if a row that stays refers to it, under any policy",
           And(fit, parent[0].here, Not(parent[1].here), parent[2].here, refers(any_end)),
           And(any_up.here, Not(some(lambda c: any_up.cell(c) != parent[2].cell(c)))), shown)
    yield ("Parent: both end as the release if left alone, under any policy",
           And(fit, Not(lost), is_all(parent[2], parent[0]), is_all(child[2], child[0])),
           And(is_all(any_up, parent[1]), is_all(any_end, child[1]),
               Not(Or(any_up.conflict, any_end.conflict))), shown)
    again = policies.with_parent(ID, (*parent[:2], any_up), (*child[:2], any_end), lost)
    yield ("Parent: a release that is applied again changes nothing, under any policy",
           fit, And(same(again[0], any_up), same(again[1], any_end)), shown)
    gone = Row(NO, parent[2].cell)
    _, early = defaults.with_parent(ID, (*parent[:2], gone), child, lost)
    late = Row(end.here, lambda c: If(And(c == REFERENCE, refers(end)), NULL, end.cell(c)))
    yield ("Parent: deleted before a new child comes or after, they end the same, by SET NULL",
           And(fit, parent[0].here, parent[1].here, is_all(parent[2], parent[0]), set_null,
               Not(Or(child[0].here, child[2].here)), child[2].key == SEEDS, refers(child[1])),
           same(early, late), {**shown, "an orphan": [("afterwards", early)]})


def laws(kind):
    return [*row_laws(kind), *unique_laws(kind), *parent_laws(kind)]


def report():
    """Every law proved, the refutation worth knowing, and each bug with what it does."""
    all_laws, broken = laws(Rule), set()
    for name, *law, shown in all_laws:
        if found := counterexample(*law):
            raise Unexpected(f"'{name}' does not hold: {in_words(witness(found, shown))}")
        yield f"proved   {name}"
    name, *law, shown = squashed_law()
    found = counterexample(*law)
    if not found:
        raise Unexpected(f"'{name}' holds")
    its = witness(found, shown)["a value"]
    yield f"refuted  {name}"
    yield indented(
        f"A value is {its['in release 1']} in release 1, {its['in release 2']} in release 2 and"
        f" {its['in release 3']} in release 3. A user of release 1 typed {its['with the user']}."
        f" Both releases in turn end with {its['in turn']}, one for both with {its['at once']}.")
    for bug in Rule.__subclasses__():
        breaks = []
        for name, *law, shown in laws(bug):
            if found := counterexample(*law):
                breaks.append((name, found, shown))
        if not breaks:
            raise Unexpected(f"no law notices the bug '{bug.__doc__}'")
        broken |= {name for name, *_ in breaks}
        name, found, shown = breaks[0]
        yield f"refuted  {len(breaks)} of {len(all_laws)}, with a bug: {bug.__doc__}"
        yield indented(f"{name}: no, {in_words(witness(found, shown))}")
    idle = [name for name, *_ in all_laws if name not in broken]
    if idle:
        raise Unexpected(f"no bug breaks {idle}")


def in_words(words):
    return "; ".join(
        f"{whose} is " + ", ".join(f"{word} {side}" for side, word in its.items())
        for whose, its in words.items())


def indented(text):
    return textwrap.fill(text, 100, initial_indent=" " * 9, subsequent_indent=" " * 9)


def played(program):
    import played
    count, bad, idle = played.play(pathlib.Path(program).resolve())
    if bad:
        raise Unexpected(f"{len(bad)} of {count:,} cases end otherwise, the first {bad[0]}")
    if idle:
        raise Unexpected(f"no case notices {idle}")
    return f"played   {count:,} small cases: each ends in the program as the rule says"


def on_page(lines):
    """Whether the page shows the same, whatever the seconds."""
    text = re.sub(r"in \d+ s", "in N s", "".join(f"    {line}\n" for line in lines))
    if text not in re.sub(r"in \d+ s", "in N s", PAGE.read_text()):
        raise Unexpected(f"{PAGE.relative_to(ROOT)} shows another output")


def main():
    parser = argparse.ArgumentParser(prog="Laws.py", description=__doc__.split("\n")[0])
    parser.add_argument("--against", metavar="MIGRATE", help="play small cases by it, too")
    parser.add_argument("--check", action="store_true", help="compare the output with Safety.md")
    arguments = parser.parse_args()
    if arguments.check and not arguments.against:
        parser.error("--check needs --against, as the page has it")
    started, lines = time.monotonic(), []

    def show(line):
        print(line, flush=True)
        lines.extend(line.splitlines())

    try:
        for line in report():
            show(line)
        if arguments.against:
            show(played(arguments.against))
        show(f"in {time.monotonic() - started:.0f} s")
        if arguments.check:
            on_page(lines)
    except Unexpected as error:
        sys.exit(f"Laws.py: {error}.")


if __name__ == "__main__":
    main()
