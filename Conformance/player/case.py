"""A case: its file as steps, and what a step must lead to."""
import dataclasses
import difflib
import json
import re

# What a section may be, by its first word.
FILES = ("catalog.json", "release")
ACTIONS = ("user", "up", "down", "fill", "pin", "unpin", "resolve", "reseed")
CHECKS = ("after", "counts", "conflicts", "adopted", "error", "refused", "changed-since")


class Wrong(Exception):
    """The case does not end as its file says, or its file is not one."""


@dataclasses.dataclass
class Check:
    kind: str
    argument: str
    text: str
    line: int


@dataclasses.dataclass
class Step:
    verb: str
    words: list
    line: int
    sql: str = ""
    files: dict = dataclasses.field(default_factory=dict)
    checks: list = dataclasses.field(default_factory=list)


class Case:
    def __init__(self, path, name):
        self.name = name
        text = path.read_text()
        head, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
        self.only = found[1] if (found := re.search(r"^Only: (\w+)", head, re.M)) else None
        if not head.startswith("# ") or not re.search(r"^Rule: ", head, re.M):
            raise Wrong(f"{name}: it begins with '# TITLE', and has a line 'Rule: PAGE'")
        self.steps, self.given, line = [], [], 1 + head.count("\n")
        for part in parts:
            title, _, body = part.partition("\n")
            self.add(title.strip(), body.strip("\n"), line)
            line += part.count("\n")

    def add(self, title, body, line):
        kind, _, rest = title.partition(" ")
        kind, rest = kind.rstrip(":"), rest.strip()
        last = self.steps[-1] if self.steps else None
        if kind in FILES:
            # Files that follow one another come with one 'up'.
            if not last or not last.files or last.checks:
                last = Step("up", [], line)
                self.steps.append(last)
            name = title.partition(": ")[2] if kind == "release" else "catalog.json"
            folder = "" if kind != "release" else f"{int(rest.partition(':')[0]):04}_release/"
            last.files[folder + name] = body + "\n" if body else ""
        elif kind in ACTIONS:
            self.steps.append(Step(kind, rest.split(), line, sql=body))
        elif kind in CHECKS and last:
            last.checks.append(Check(kind, rest, body, line))
            self.given.append(last.checks[-1])
        else:
            raise Wrong(f"{self.name}:{line}: no section is '## {title}'")

    def verbs(self):
        return {step.verb for step in self.steps} - {"user"}


def play(case, interface, database):
    """Plays all steps of a case; raises Wrong at the first that ends otherwise."""
    logged, report = [], None
    for step in case.steps:
        if step.verb == "user":
            database.run(step.sql)
            report = {}
        else:
            database.write(step.files)
            report = interface.call(database, step.verb, operands(step, logged, case))
            logged += conflicts_of(report)
        for check in checks(step, report, database):
            compare(case, check, found(check, report, database))
    # Law 3: a second 'up' changes nothing.
    if step.verb != "down" and not report.get("error"):
        again = interface.call(database, "up", [])
        if again.get("outcome") != "upToDate":
            raise Wrong(f"{case.name}: another 'up' is not upToDate: {json.dumps(again)}")


def operands(step, logged, case):
    """The words of a verb. A conflict has a number in each database, so a case names its row."""
    if step.verb != "resolve":
        return step.words
    side, table, key = step.words[0], step.words[1], " ".join(step.words[2:])
    ids = [each["id"] for each in logged if (each["table"], key_of(each)) == (table, key)]
    if not ids:
        raise Wrong(f"{case.name}:{step.line}: no conflict was about {table} {key}")
    return [side, ids[-1]]


def checks(step, report, database):
    """Those of the step, and what holds without a word: no error, no conflict, all settled."""
    given = {check.kind for check in step.checks}
    for kind in ("error", "conflicts", "refused", "changed-since"):
        if kind not in given:
            yield Check(kind, "", "", step.line)
    yield from step.checks


def found(check, report, database):
    if check.kind == "error":
        error = report.get("error")
        return f"{error['code']}: {error['message']}" if error else ""
    if check.kind == "after":
        columns = check.text.partition("\n")[0]
        return "\n".join([columns, *database.rows(check.argument, columns)])
    if check.kind == "refused":
        return "\n".join(each["reason"] for each in report.get("refused", []))
    if check.kind == "changed-since":
        return "\n".join(map(str, report.get("changedSince", [])))
    rows = {"conflicts": conflict_rows, "counts": count_rows, "adopted": adopted_rows}[check.kind]
    header, lines = rows(report)
    return "\n".join([header, *sorted(lines)]) if lines else ""


def compare(case, check, text):
    expected = check.text
    # A code is fixed, and so is that there is a reason; the sentence is the engine's own.
    if check.kind == "error" and check.argument:
        expected, text = check.argument, text.split(":")[0]
    if check.kind in ("refused", "changed-since") and check in case.given:
        expected, text = check.kind, check.kind if text else ""
    if expected != text:
        lines = difflib.ndiff(expected.splitlines(), text.splitlines())
        shown = "\n".join("    " + line for line in lines if line[0] != "?")
        what = f"{check.kind} {check.argument}".strip()
        raise Wrong(f"{case.name}:{check.line}: {what} (- expected, + found)\n{shown}")


def conflicts_of(report):
    parts = [*report.get("migrations", []), report.get("adopted", {})]
    return [each for part in parts for each in part.get("conflicts", [])]


def key_of(conflict):
    return " ".join(field(value) for value in conflict["key"].values())


def conflict_rows(report):
    """A line for each column of a conflict; '-' where a side has no such row or column."""
    lines = []
    for each in conflicts_of(report):
        moved = each.get("movedTo")
        resolution = each["resolution"] + (
            " to " + " ".join(field(value) for value in moved.values()) if moved else "")
        row = [str(each["version"]), each["table"], key_of(each), each["kind"],
               each["policy"] or "-", resolution]
        sides = [each[name] for name in ("base", "mine", "seed")]
        columns = {name: None for side in sides if side for name in side}
        for column in columns or ["-"]:
            values = [field(side[column]) if side and column in side else "-" for side in sides]
            lines.append(",".join([*row, column, *values]))
    return "release,table,key,kind,policy,resolution,column,base,mine,seed", lines


def count_rows(report):
    names = ["inserted", "updated", "deleted", "unchanged", "kept"]
    return "release,table," + ",".join(names), [
        ",".join([str(each["version"]), table["table"], *(str(table[name]) for name in names)])
        for each in report.get("migrations", []) for table in each["tables"]]


def adopted_rows(report):
    names = ["unchanged", "refreshed", "edited", "inserted", "retired", "deleted"]
    return "table," + ",".join(names), [
        ",".join([table["table"], *(str(table[name]) for name in names)])
        for table in report.get("adopted", {}).get("tables", [])]


def field(value):
    """A value as in the row files: nothing is NULL, and \"\" is the empty text."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value)
    return '"' + text.replace('"', '""') + '"' if text == "" or set(text) & set(',"\n') else text
