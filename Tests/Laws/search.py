"""Any release, row, policy, column and value, and the search for those that break a law."""

from rule import NO, YES, Key, Row
from z3 import (
    And, Bool, BoolSort, Const, DeclareSort, Distinct, Exists, Function, If, Not, Solver, sat,
    unsat)

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


def counterexample(assumed, claim):
    """A solver that has one, or None."""
    solver = Solver()
    solver.set("timeout", 60_000)
    solver.add(ALWAYS, assumed)
    if solver.check() != sat:
        raise Unexpected("what it assumes is not possible")
    solver.add(Not(claim))
    answer = solver.check()
    if answer not in (sat, unsat):
        raise Unexpected("Z3 does not know")
    return solver if answer == sat else None


def witness(solver, shown):
    """The values in `c`, chosen one after the other, so that each Z3 shows the same."""
    letters = [Const(letter, Value) for letter in "ABCDEFGHI"]
    solver.add(Distinct(NULL, ID, *letters))
    for wish in (Not(overwrite_row), Not(keep_row), Not(prefers(c)), named(c), Not(set_null)):
        choose(solver, [(wish, ""), (YES, "")])
    used = []
    for rows in shown.values():
        for _, row in rows:
            letters.sort(key=lambda letter: str(letter) in used)  # A new one, if possible.
            used.append(choose(solver, [
                *[(And(row.here, row.cell(c) == value), str(value))
                  for value in (*letters, NULL, ID)],
                (Not(row.here), "none")]))
    words = iter(used)
    return {whose: {side: next(words) for side, _ in rows} for whose, rows in shown.items()}


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
