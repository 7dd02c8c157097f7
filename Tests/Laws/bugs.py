"""Planted bugs: each is the rule with one part of it forgotten."""

from rule import NO, SEEDS, YES, Row, Rule
from z3 import And, If, Not, Or


class Upsert(Rule):
    """an upsert, which compares with nothing"""

    def untouched(self, c, was, now, mine):
        return YES


class SeedForBase(Rule):
    """compares with the seed, not with the base"""

    def untouched(self, c, was, now, mine):
        return mine.cell(c) == now.cell(c)


class TakesBack(Rule):
    """gives back the base if the user has the seed"""

    def change(self, was, now, mine, held, orphan):
        row = super().change(was, now, mine, held, orphan)
        there = lambda c: And(mine.here, mine.cell(c) == now.cell(c))
        cell = lambda c: If(there(c), was.cell(c), row.cell(c))
        return Row(row.here, cell, row.key, row.conflict)


class EmptiesEdits(Rule):
    """empties a value on which the two sides disagree"""

    def change(self, was, now, mine, held, orphan):
        row = super().change(was, now, mine, held, orphan)
        empty = lambda c: And(row.here, self.edited(c, was, now, mine))
        cell = lambda c: If(empty(c), self.null, row.cell(c))
        return Row(row.here, cell, row.key, row.conflict)


class ForgetsDeletions(Rule):
    """adds a row to change that is gone"""

    def deleted(self, now, mine):
        return Row(YES, now.cell)


class ForgetsWhatIsLeft(Rule):
    """forgets which keys are left to the user"""

    def is_left(self, mine):
        return NO


class ReplacesTaken(Rule):
    """adds a row in place of the user's"""

    def taken(self, now, mine):
        return Row(YES, now.cell, SEEDS, YES)


class GoesBackBlindly(Rule):
    """puts back by down what release 1 had"""

    def down(self, was, now, mine, up):
        return was


class AsksOnce(Rule):
    """asks once what holds a UNIQUE value, and not again"""

    def rounds(self, rows):
        return 1


class ReplacesHolder(Rule):
    """removes a row that holds a UNIQUE value, as INSERT OR REPLACE does"""

    def under_unique(self, rows):
        after = [self.one(*row) for row in rows]
        gone = [
            Or([self.holds(mine, row, coming.cell(self.unique))
                for coming in after if coming is not row])
            for row, (_, _, mine) in zip(after, rows)]
        return [
            Row(And(row.here, Not(its)), row.cell, row.key, row.conflict)
            for row, its in zip(after, gone)]


class AsksNoChild(Rule):
    """retires a row without asking what refers to it"""

    def is_referred(self, child, key):
        return NO
