"""Plays small cases by the program, and asks whether each ends as the rule says.

A key of a table is a case: what three releases have under it, and what the user makes of it before
the second and the third. So one catalog of three migrations plays them all.
"""

import csv
import functools
import itertools
import json
import pathlib
import random
import sqlite3
import subprocess
import tempfile

from rule import SEEDS, UNTIL_GONE, USERS, Key, Row, Rule
from z3 import And, Bool, BoolVal, Const, Implies, Int, IntVal, Or, is_true, simplify, substitute

POLICIES = ("keepEdits", "preferSeed", "keepRow", "overwriteRow")
COLUMNS = {  # What files have beside the key.
    **{policy: ("a", "b") for policy in POLICIES}, "three": ("number", "u"), "parent": ("a",),
    "child": ("parent",), "null_child": ("parent",)}
SCHEMA = """
CREATE TABLE three (id INTEGER PRIMARY KEY, number INTEGER, u, UNIQUE (number, u));
CREATE TABLE parent (id INTEGER PRIMARY KEY, a);
CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent);
CREATE TABLE null_child (
  id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE SET NULL);
""" + "".join(f"CREATE TABLE {policy} (id INTEGER PRIMARY KEY, a, b, note DEFAULT 0);\n"
              for policy in POLICIES)
AS_IT_IS = "as it is"


def play(program, seed=7):
    """How many cases were played, those that did not end as the rule says, and idle bugs."""
    cases = Cases(random.Random(seed))
    with tempfile.TemporaryDirectory() as folder:
        device = Device(pathlib.Path(folder), program, cases.sides)
        states = [device.release(1), device.release(2), device.back(), device.release(3)]
    bad = lambda rule: (
        check for check in cases.checks if not agrees(check, cases.sides, states, rule))
    idle = [bug.__doc__ for bug in Rule.__subclasses__() if not any(bad(bug))]
    return len(cases.checks), list(bad(Rule)), idle


class Cases:
    """By table and key, what it has in release 1, at the user, in 2, at the user, and in 3.

    A check is a number of a state, the rows that the rule sees together, and which rule.
    """

    def __init__(self, draw):
        self.sides, self.checks = {}, []
        for number in range(1000):
            self.three(draw, number)
        for child in ("child", "null_child"):
            for number in range(500):
                self.family(draw, child, number)
        for policy in POLICIES:
            self.rows(draw, policy)

    def add(self, table, key, was, mine, now, later=AS_IT_IS, last=AS_IT_IS):
        self.sides[table, key] = was, mine, now, later, now if last is AS_IT_IS else last

    def rows(self, draw, policy):
        seeds = [None, *itertools.product("xyz", "xyz")]
        users = [None, *[(*seed, note) for seed in seeds[1:] for note in (0, 1)]]
        for key in range(500):
            acts = [draw.choice([draw.choice(users), AS_IT_IS]) for _ in "12"]
            was, now, last = draw.choices(seeds, k=3)
            self.add(policy, key, was, acts[0], now, acts[1], last)
            self.checks += [(state, [(policy, key)], (policy,)) for state in (1, 3)]
            if policy == "keepEdits":  # So is every inverse merged.
                self.checks.append((2, [(policy, key)], ("down",)))

    def three(self, draw, number):
        was, mine, now = (draw.choices([*"wxyz", "", None], k=3) for _ in range(3))
        mine = [draw.choice(values) for values in zip(was, mine)]
        sides = [  # No two have one value.
            [None if value and value in side[:at] else value for at, value in enumerate(side)]
            for side in (was, mine, now)]
        keys = [("three", 3 * number + at) for at in range(3)]
        for key, values in zip(keys, zip(*sides)):
            self.add(*key, *[value if value is None else (number, value) for value in values])
        self.checks.append((1, keys, ("three",)))

    def family(self, draw, child, number):
        own, other = 4 * number + 2 * (child == "child"), 4 * number + 2 * (child == "child") + 1
        lost = draw.random() < 0.4
        ups = draw.choices([None, ("x",), ("y",)], k=3)
        downs = [draw.choice([None, ("",), *[(own,)] * 2 * bool(up), (other,)]) for up in ups]
        if lost and downs[1] == (other,):
            downs[1] = None
        self.add("parent", own, *ups)
        self.add("parent", other, ("x",), None if lost else AS_IT_IS, ("x",))
        self.add(child, own, *downs)
        self.checks.append((1, [("parent", own), (child, own)], (child, own, lost)))


class Device:
    """A catalog and a database to which it comes."""

    def __init__(self, folder, program, sides):
        self.folder, self.program, self.sides = folder, program, sides
        for version, (before, after) in enumerate(((None, 0), (0, 2), (2, 4)), 1):
            self.write(folder / f"Migrations/{version:04}_release", before, after)
        (folder / "Migrations/0001_release/up.sql").write_text(SCHEMA)
        options = {policy: {"onEdited": policy} for policy in POLICIES}
        (folder / "Migrations/catalog.json").write_text(json.dumps({"tables": options}))
        self.migrate("lock")

    def write(self, folder, before, after):
        files = {}
        for (table, key), sides in self.sides.items():
            was, now = None if before is None else sides[before], sides[after]
            if was is None and now is not None:
                files.setdefault((table, ""), []).append([key, *now])
            elif was is not None and now is None:
                files.setdefault((table, ".delete"), []).append([key, *was])
            elif was != now:
                files.setdefault((table, ".update"), []).append([key, *now, *was])
        folder.mkdir(parents=True)
        for (table, kind), rows in files.items():
            names = ["id", *COLUMNS[table]]
            names += [f"was:{name}" for name in COLUMNS[table] if kind == ".update"]
            with open(folder / f"{table}{kind}.csv", "w", newline="") as file:
                csv.writer(file).writerows([names, *rows])

    def migrate(self, *words):
        done = subprocess.run(
            [self.program, *words], cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"migrate {' '.join(words)}: {done.stderr}")
        return done.stdout

    def release(self, version):
        """The rows before and after it, once the user has acted."""
        if version > 1:
            self.act(2 * version - 3)
        before = self.rows(version)
        self.migrate("up", "--to", str(version), "--no-backup")
        return before, self.rows(version)

    def back(self):
        """The rows before and after `down`. Then the release comes again."""
        before = self.rows(2)
        self.migrate("down", "--to", "1", "--no-backup")
        after = self.rows(2)
        self.migrate("up", "--to", "2", "--no-backup")
        return before, after

    def act(self, side):
        acts = {
            place: its[side] for place, its in self.sides.items() if its[side] is not AS_IT_IS}
        with sqlite3.connect(self.folder / "app.sqlite") as database:
            for table, key in acts:
                database.execute(f"DELETE FROM {table} WHERE id = ?", [key])
            for (table, key), row in acts.items():
                values = [None if value == "" else value for value in row or []]
                marks = ", ".join("?" for _ in [key, *values])
                names = ["id", *COLUMNS[table], "note"][:1 + len(values)]
                if row:
                    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"
                    database.execute(sql, [key, *values])
        database.close()

    def rows(self, version):
        """By table and key: the row or None, whose the key is, and whether there was a conflict."""
        database = sqlite3.connect(self.folder / "app.sqlite")
        ask = lambda sql: database.execute(sql).fetchall()
        if not ask("SELECT 1 FROM sqlite_schema WHERE name = 'three'"):
            return {}
        place = lambda table, key: (table, json.loads(key)["id"])
        rows = {
            (table, key): row for table in COLUMNS for key, *row in ask(f"SELECT * FROM {table}")}
        left = {}
        for table, key, kind in ask("SELECT table_name, key, kind FROM seedbed_left_to_user"):
            left.setdefault(place(table, key), set()).add(kind)
        met = {place(*one) for one in ask(
            f"SELECT table_name, key FROM seedbed_conflicts WHERE version = {version}")}
        database.close()
        return {at: (rows.get(at), whose(left.get(at, set())), at in met) for at in self.sides}


def whose(kinds):
    return USERS if kinds & {"keyTaken", "deletedByUser"} else UNTIL_GONE if kinds else SEEDS


# The rule, built once for all cases of a kind, with unknowns that a case fills in.


def agrees(check, sides, states, rule):
    state, places, kind = check
    pairs = [(Int("own"), IntVal(kind[1])), (Bool("lost"), BoolVal(kind[2]))] if kind[1:] else []
    for number, place in enumerate(places):
        was, now = (sides[place][at] for at in ((2, 4) if state == 3 else (0, 2)))
        mine, seen = (its[place] for its in states[state])
        known = {"was": (was, SEEDS, False), "now": (now, SEEDS, False), "mine": mine, "seen": seen}
        if kind == ("down",):
            known.update(mine=states[1][0][place], up=mine)
        for name, (values, key, met) in known.items():
            row, cells = unknown(name, number), [code(value) for value in values or ()]
            pairs += [(row.here, constant(values is not None)), (row.key, key)]
            pairs += [(row.cell(c), constant(cell)) for c, cell in enumerate([*cells, 0, 0, 0][:3])]
            pairs += [(row.conflict, constant(met))]
    return is_true(simplify(substitute(built(rule, kind[0], len(places)), *pairs)))


@functools.lru_cache(None, typed=True)
def constant(value):
    return BoolVal(value) if isinstance(value, bool) else IntVal(value)


def code(value):
    return -ord(value) if isinstance(value, str) and value else value or 0


@functools.cache
def unknown(name, number):
    cells = [Int(f"{name} {number} {c}") for c in range(3)]
    return Row(Bool(f"{name} {number}"), lambda c: cells[c], Const(f"{name} {number}'s", Key),
               Bool(f"{name} {number} met"))


@functools.cache
def built(rule, kind, count):
    rule = rule(
        named=lambda c: BoolVal(c < 2), some=lambda holds: Or([holds(c) for c in range(3)]),
        prefers=lambda c: BoolVal(kind == "preferSeed"), null=IntVal(0), unique=1, reference=0,
        keep_row=BoolVal(kind == "keepRow"), overwrite_row=BoolVal(kind == "overwriteRow"),
        set_null=BoolVal(kind == "null_child"))
    rows = [[unknown(name, number) for name in ("was", "now", "mine")] for number in range(count)]
    if kind == "three":
        ends = rule.under_unique(rows)
    elif count == 2:
        ends = rule.with_parent(Int("own"), *rows, Bool("lost"))
    elif kind == "down":
        ends = [rule.down(*rows[0], unknown("up", 0))]
    else:
        ends = [rule.one(*rows[0])]
    seen = [unknown("seen", number) for number in range(count)]
    return And([
        And(end.here == row.here, end.key == row.key,
            Or(end.conflict == row.conflict, BoolVal(kind == "down")),  # It has no log of its own.
            *[Implies(end.here, end.cell(c) == row.cell(c)) for c in range(3)])
        for end, row in zip(ends, seen)])
