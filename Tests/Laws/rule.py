"""*How the merge decides* once more, table by table, in expressions of Z3.

A value is the same as another one or not, and nothing else is known of it; so is a column. What is
proved of this rule therefore holds for values of any type and for any number of columns.

Not here: keys that change, REALs that agree in 15 digits, collations, UNIQUE values and references
of several columns, CHECK, triggers, `fail`, `moveUser` and `replaceUser`.
"""

import dataclasses
import functools
import typing

from z3 import And, BoolVal, EnumSort, If, Not, Or

NO, YES = BoolVal(False), BoolVal(True)
# A key is the seed's, or left to the user: for good, or until its row is gone.
Key, (SEEDS, UNTIL_GONE, USERS) = EnumSort("Key", ["seeds", "until_gone", "users"])


@dataclasses.dataclass
class Row:
    """What is under one key, in a release or in the user's database."""

    here: typing.Any
    cell: typing.Callable
    key: typing.Any = SEEDS
    conflict: typing.Any = NO

    def __post_init__(self):
        self.cell = functools.cache(self.cell)  # It is asked again and again.


def first(*lines):
    """The row of the first line whose condition holds: a table, read from its top."""
    *lines, (_, result) = lines
    for condition, row in reversed(lines):
        result = either(condition, row, result)
    return result


def either(condition, one, other):
    return Row(
        If(condition, one.here, other.here),
        lambda c: If(condition, one.cell(c), other.cell(c)),
        If(condition, one.key, other.key),
        If(condition, one.conflict, other.conflict))


@dataclasses.dataclass
class Rule:
    named: typing.Callable  # Whether a file ever sets the column.
    some: typing.Callable  # Whether something holds for some column.
    prefers: typing.Callable  # Whether the policy of the column is preferSeed, and not keepEdits.
    null: typing.Any
    unique: typing.Any  # A column that is UNIQUE,
    reference: typing.Any  # and one that refers to another row.
    keep_row: typing.Any = NO
    overwrite_row: typing.Any = NO
    set_null: typing.Any = NO  # ON DELETE SET NULL

    # One row. The release before has `was`, the new one `now`, and the user `mine`.

    def one(self, was, now, mine, held=NO, orphan=NO, emptied=NO, referred=NO):
        changes = self.some(lambda c: was.cell(c) != now.cell(c))
        return first(
            (And(Not(was.here), now.here), self.add(now, mine, held, orphan, emptied)),
            (And(was.here, Not(now.here)), self.retire(was, mine, referred)),
            (And(was.here, changes), self.change(was, now, mine, held, orphan)),
            (YES, Row(mine.here, mine.cell, mine.key)))

    def add(self, now, mine, held, orphan, emptied):
        new = lambda c: If(And(emptied, c == self.reference), self.null, now.cell(c))
        differs = self.some(lambda c: And(self.named(c), mine.cell(c) != now.cell(c)))
        return first(
            (And(Not(mine.here), mine.key == USERS), Row(NO, mine.cell, USERS)),
            (And(Not(mine.here), orphan, Not(emptied)), Row(NO, mine.cell, mine.key, YES)),
            (And(Not(mine.here), held), Row(NO, mine.cell, UNTIL_GONE, YES)),  # uniqueTaken
            (Not(mine.here), Row(YES, new, SEEDS, emptied)),
            (Not(differs), Row(YES, mine.cell, SEEDS)),
            (self.is_left(mine), Row(YES, mine.cell, mine.key)),
            (YES, self.taken(now, mine)))

    def taken(self, now, mine):
        return Row(YES, mine.cell, USERS, YES)  # keyTaken

    def change(self, was, now, mine, held, orphan):
        edited = lambda c: self.edited(c, was, now, mine)
        stopped = lambda c: Or(  # uniqueTaken, parentDeleted
            And(held, c == self.unique), And(orphan, c == self.reference))
        takes = lambda c: Or(
            And(self.untouched(c, was, now, mine), Not(And(self.keep_row, self.some(edited)))),
            And(edited(c), self.gives(c)))
        wished = lambda c: And(self.named(c), mine.cell(c) != now.cell(c), takes(c))
        merged = lambda c: If(And(wished(c), Not(stopped(c))), now.cell(c), mine.cell(c))
        conflict = self.some(lambda c: Or(edited(c), And(wished(c), stopped(c))))
        return first(
            (self.is_left(mine), Row(mine.here, mine.cell, mine.key)),
            (Not(mine.here), self.deleted(now, mine)),
            (YES, Row(YES, merged, SEEDS, conflict)))

    def untouched(self, c, was, now, mine):
        return mine.cell(c) == was.cell(c)

    def edited(self, c, was, now, mine):
        return And(
            self.named(c), mine.cell(c) != now.cell(c), Not(self.untouched(c, was, now, mine)),
            Or(was.cell(c) != now.cell(c), self.overwrite_row))

    def gives(self, c):
        return And(Not(self.keep_row), Or(self.overwrite_row, self.prefers(c)))

    def deleted(self, now, mine):
        return Row(NO, mine.cell, USERS, YES)  # deletedByUser

    def retire(self, was, mine, referred):
        # In a column that no file sets, `was` has the DEFAULT.
        edited = lambda c: mine.cell(c) != was.cell(c)
        kept = self.some(lambda c: And(edited(c), Not(self.gives(c))))
        return first(
            (self.is_left(mine), Row(mine.here, mine.cell, mine.key)),
            (Not(mine.here), Row(NO, mine.cell, USERS)),
            (Or(kept, referred), Row(YES, mine.cell, UNTIL_GONE, YES)),  # editedRetired, referenced
            (YES, Row(NO, mine.cell, SEEDS, self.some(edited))))

    def is_left(self, mine):
        return mine.key != SEEDS

    def down(self, was, now, mine, up):
        """The inverse: what this release left to the user ends, but for what the user deleted."""
        ends = And(mine.key == SEEDS, mine.here)
        return first(
            (up.key != SEEDS, Row(up.here, up.cell, If(ends, SEEDS, up.key))),
            (YES, self.one(now, was, up)))

    # Rows under UNIQUE, each as (was, now, mine). What stays holds its value. If one stays for
    # that, it may hold what another was to take, so the question is asked again.

    def under_unique(self, rows):
        held = [NO for _ in rows]
        for _ in range(self.rounds(rows)):
            after = [self.one(*row, held=its) for row, its in zip(rows, held)]
            held = [
                Or(its, *[
                    self.holds(other[2], stays, row[1].cell(self.unique))
                    for other, stays in zip(rows, after) if other is not row])
                for row, its in zip(rows, held)]
        return [self.one(*row, held=its) for row, its in zip(rows, held)]

    def holds(self, before, after, value):
        return And(
            value != self.null, before.here, after.here,
            before.cell(self.unique) == value, after.cell(self.unique) == value)

    def rounds(self, rows):
        return len(rows)

    # A parent with this key, and a child. If `lost`, any other row to which the release lets the
    # child refer is gone.

    def with_parent(self, key, parent, child, lost):
        refers = child[1].cell(self.reference)
        elsewhere = And(refers != key, refers != self.null, lost)
        wished = self.one(*child, orphan=elsewhere, emptied=And(elsewhere, self.set_null))
        stays = self.one(*parent, referred=self.is_referred(wished, key))
        orphan = Or(elsewhere, And(refers == key, Not(And(stays.here, stays.key == SEEDS))))
        emptied = And(orphan, self.set_null, Or(elsewhere, Not(parent[2].here)))
        return stays, self.one(*child, orphan=orphan, emptied=emptied)

    def is_referred(self, child, key):
        return And(child.here, child.cell(self.reference) == key)
