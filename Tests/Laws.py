#!/usr/bin/env python3
"""Proves the merge's laws from its rule, which Tests/Laws/rule.py states.

A law says what is assumed and what follows. Z3 looks for releases, rows, policies, columns and values
for which it does not follow, and a law is proved if there are none. So that a proof means something,
what is assumed must be possible, and each law must fail under a planted bug (Tests/Laws/bugs.py).
"""

import argparse
import pathlib
import re
import sys
import time

from z3 import (
    And, Bool, BoolSort, Const, DeclareSort, Distinct, Exists, Function, If, Implies, Not, Or,
    Solver, is_true, sat, unsat)

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "Sources/Seedbed/Seedbed.docc/Safety.md"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "Tests/Laws"))
import bugs
from rule import NO, SEEDS, UNTIL_GONE, YES, Key, Row, Rule

# Values and columns are only the same or not. `c` is any column, and two have a meaning.
Value, Column = DeclareSort("Value"), DeclareSort("Column")
NULL, ID = Const("NULL", Value), Const("ID", Value)
c, k, UNIQUE, REFERENCE = (Const(name, Column) for name in ("c", "k", "UNIQUE", "REFERENCE"))
named, prefers = (Function(name, Column, BoolSort()) for name in ("named", "prefers"))
default = Function("default", Column, Value)
keep_row, overwrite_row, set_null, lost = map(Bool, ("keepRow", "overwriteRow", "setNull", "lost"))
ALWAYS = And(
    ID != NULL, named(UNIQUE), named(REFERENCE), UNIQUE != REFERENCE,
    Not(And(keep_row, overwrite_row)))


def shipped(name):
    """A row of a release, or none. In columns that no file sets it is at its DEFAULT."""
    values = Function(name, Column, Value)
    return Row(Bool(f"{name} is there"), lambda c: If(named(c), values(c), default(c)))


def users(name):
    """Whatever the user has under a key, and whoever's the key is."""
    values = Function(name, Column, Value)
    return Row(Bool(f"{name} is there"), lambda c: values(c), Const(f"{name}'s key", Key))


def some(holds):
    return Exists([k], holds(k))


def same(row, other):
    return And(row.here == other.here, Implies(row.here, row.cell(c) == other.cell(c)))


def is_all(row, other):
    differs = some(lambda c: row.cell(c) != other.cell(c))
    return And(row.here == other.here, row.key == other.key, Implies(row.here, Not(differs)))


def edited(mine, was):
    """Whether the user made the row, or what it has in `c`."""
    return And(mine.here, Or(Not(was.here), mine.cell(c) != was.cell(c)))


def rules(kind):
    """The rule, or a bug, under the default policies, and under any but `fail`."""
    columns = (NULL, UNIQUE, REFERENCE)
    return (kind(named, some, lambda c: NO, *columns, set_null=set_null),
            kind(named, some, prefers, *columns, keep_row, overwrite_row, set_null))


def row_laws(kind):
    defaults, policies = rules(kind)
    was, now, then, mine = shipped("was"), shipped("now"), shipped("then"), users("mine")
    end, any_end = defaults.one(was, now, mine), policies.one(was, now, mine)
    next_end = policies.one(now, then, any_end)
    sides = [("release 1", was), ("release 2", now), ("the user", mine)]
    shown = [*sides, ("afterwards", end)]
    any_shown = [*sides, ("afterwards", any_end)]
    next_shown = [*sides, ("release 3", then), ("afterwards", any_end), ("then", next_end)]

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
    yield ("A row that the user left alone ends as the release, and is no conflict, under any policy",
           is_all(mine, was), And(is_all(any_end, now), Not(any_end.conflict)), any_shown)
    yield ("Every value is the user's or the release's, under any policy", any_end.here,
           Or(any_end.cell(c) == mine.cell(c), any_end.cell(c) == now.cell(c)), any_shown)
    yield ("Nothing of the user's gives way without a conflict, under any policy",
           And(edited(mine, was), Not(And(any_end.here, any_end.cell(c) == mine.cell(c)))),
           any_end.conflict, any_shown)
    yield ("A release that is applied again changes nothing, under any policy",
           YES, same(policies.one(was, now, any_end), any_end), any_shown)
    down = defaults.down(was, now, mine, end)
    yield ("up, down and up end like the first up",
           YES, is_all(defaults.one(was, now, down), end), [*shown, ("after down", down)])
    name, assumed, claim, shown = squashed_law(kind)
    typed = And(mine.cell(c) == now.cell(c), mine.cell(c) != was.cell(c))
    yield f"{name}, unless the user had typed what is between", And(assumed, Not(typed)), claim, shown


def squashed_law(kind=Rule):
    """Not true by itself, so that a catalog cannot be squashed for those who have its beginning."""
    defaults, _ = rules(kind)
    was, now, then, mine = shipped("was"), shipped("now"), shipped("then"), users("mine")
    turns = defaults.one(now, then, defaults.one(was, now, mine))
    squashed = defaults.one(was, then, mine)
    return ("Two releases in turn end like one that does both",
            And(was.here, now.here, then.here), same(turns, squashed),
            [("release 1", was), ("release 2", now), ("release 3", then), ("the user", mine),
             ("end", turns), ("one", squashed)])


def clash(rows):
    """Whether two of the rows have the same UNIQUE value."""
    return Or([
        And(one.here, other.here, one.cell(UNIQUE) == other.cell(UNIQUE), one.cell(UNIQUE) != NULL)
        for at, one in enumerate(rows) for other in rows[:at]])


def unique_laws(kind):
    defaults, policies = rules(kind)
    rows = [(shipped(f"was {n}"), shipped(f"now {n}"), users(f"mine {n}")) for n in "ABC"]
    end, any_end = defaults.under_unique(rows), policies.under_unique(rows)
    (was, now, mine), others = rows[0], rows[1:]
    fit = And(c == UNIQUE, *[Not(clash(side)) for side in zip(*rows)])
    shown = [(f"{name} {n}", row) for n, its in zip("ABC", zip(*zip(*rows), any_end))
             for name, row in zip(("release 1", "release 2", "the user", "afterwards"), its)]

    yield "Of three: no two have one UNIQUE value, under any policy", fit, Not(clash(any_end)), shown
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
    yield "Of three: a release that is applied again changes nothing", fit, same(again[0], end[0]), shown


def parent_laws(kind):
    defaults, policies = rules(kind)
    parent = shipped("parent was"), shipped("parent now"), users("parent mine")
    child = shipped("child was"), shipped("child now"), users("child mine")
    up, end = defaults.with_parent(ID, parent, child, lost)
    any_up, any_end = policies.with_parent(ID, parent, child, lost)
    refers = lambda row: And(row.here, row.cell(REFERENCE) == ID)
    fit = And(c == REFERENCE, *[Implies(refers(row), up.here) for up, row in zip(parent, child)])
    there = [Row(row.here, lambda c: ID) for row in (*parent, any_up)]
    shown = [(f"{name} {which}", row)
             for which, its in (("parent", there), ("child", (*child, any_end)))
             for name, row in zip(("release 1's", "release 2's", "the user's", "afterwards the"), its)]

    yield ("Parent: no reference dangles, under any policy",
           fit, Implies(refers(any_end), any_up.here), shown)
    yield ("Parent: what the user lets refer to a row refers to it afterwards",
           And(fit, refers(child[2]), edited(child[2], child[0])), And(refers(end), up.here), shown)
    yield ("Parent: a row to retire to which a row refers that stays, stays whole, under any policy",
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
    yield ("Parent: before a new child or after it, a deletion ends the same, by SET NULL",
           And(fit, parent[0].here, parent[1].here, is_all(parent[2], parent[0]), set_null,
               Not(Or(child[0].here, child[2].here)), child[2].key == SEEDS, refers(child[1])),
           same(early, late), [*shown, ("after an early deletion the child", early)])


def laws(kind):
    return [*row_laws(kind), *unique_laws(kind), *parent_laws(kind)]


def counterexample(assumed, claim, seconds=60):
    """A solver that has one, or None. Without an answer in time, the law is neither."""
    solver = Solver()
    solver.set("timeout", 1000 * seconds)
    solver.add(ALWAYS, assumed)
    if solver.check() != sat:
        raise Unexpected("what it assumes is not possible")
    solver.add(Not(claim))
    answer = solver.check()
    if answer not in (sat, unsat):
        raise Unexpected("Z3 does not know")
    return solver if answer == sat else None


def witness(solver, shown):
    """The values in `c`. One after the other is chosen, so that each version of Z3 shows the same."""
    letters = [Const(letter, Value) for letter in "abcdefghi"]
    solver.add(Distinct(NULL, ID, *letters))
    for wish in (Not(overwrite_row), Not(keep_row), Not(prefers(c)), named(c), Not(set_null)):
        choose(solver, [(wish, ""), (YES, "")])
    found = {}
    for name, row in shown:
        letters.sort(key=lambda letter: str(letter) in found.values())  # A new one, if possible.
        found[name] = choose(solver, [
            *[(And(row.here, row.cell(c) == value), str(value)) for value in (*letters, NULL, ID)],
            (Not(row.here), "none")])
    return found


def choose(solver, choices):
    for fact, word in choices:
        solver.push()
        solver.add(fact)
        if solver.check() == sat:
            return word
        solver.pop()
    raise Unexpected("a witness is too large to show")


class Unexpected(Exception):
    """What must not be."""


def report():
    """Prints every law and every bug, each as it must be."""
    all_laws, broken = laws(Rule), set()
    for name, assumed, claim, shown in all_laws:
        found = counterexample(assumed, claim)
        if found:
            raise Unexpected(f"'{name}' does not hold: {witness(found, shown)}")
        yield f"proved   {name}"
    name, assumed, claim, shown = squashed_law()
    found = counterexample(assumed, claim)
    if not found:
        raise Unexpected(f"'{name}' holds")
    its = witness(found, shown)
    yield f"refuted  {name}"
    yield (f"         A value is {its['release 1']} in release 1, {its['release 2']} in release 2 and"
           f" {its['release 3']} in release 3, and a user of")
    yield (f"         release 1 had typed {its['the user']}. Two releases end with {its['end']}, one"
           f" that does both with {its['one']}.")
    for bug in Rule.__subclasses__():
        breaks = []
        for name, assumed, claim, shown in laws(bug):
            found = counterexample(assumed, claim, seconds=2)
            breaks += [(name, found, shown)] if found else []
        if not breaks:
            raise Unexpected(f"no law sees the bug '{bug.__doc__}'")
        broken |= {name for name, *_ in breaks}
        name, found, shown = breaks[0]
        yield f"refuted  With a bug: {bug.__doc__}. {len(breaks)} of the laws fail, the first"
        yield f"         {name}: " + ", ".join(map(" ".join, witness(found, shown).items()))
    idle = [name for name, *_ in all_laws if name not in broken]
    if idle:
        raise Unexpected(f"no bug breaks {idle}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.parse_args()
    started = time.monotonic()
    try:
        for line in report():
            print(line, flush=True)
    except Unexpected as error:
        sys.exit(f"Laws.py: {error}.")
    print(f"in {time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    main()
