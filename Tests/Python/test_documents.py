"""One run by the command, SQL, C, Python and other packages: the documents are the same."""

import ctypes
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import unittest.mock

import seedbed
from seedbed import _extension, _options, _program, _types
from support import CATALOG, Case, apsw, bad_catalog, once

from author import Author  # support knows its folder
from owners import make_app, write_owners

# They differ from run to run, and from file to file.
VARYING = {
    "at", "appliedAt", "startedAt", "settledAt", "durationMs", "freeBytes", "database",
    "backup", "catalog"}


def host():
    """A class of connections that can load the extension; None if there is none."""
    with unittest.mock.patch.dict(os.environ):
        os.environ.pop("SEEDBED_INTERFACE", None)
        for module in (sqlite3, apsw):
            if module and not isinstance(_extension.extension(module.Connection), str):
                return module.Connection
    return None


HOST = host()
PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "Documentation" / "JSON.md"


def documented():
    """The keys of each document on the page, and those that may be left out."""
    sections = {}
    for section in PAGE.read_text().split("\n## ")[1:]:
        title, _, text = section.partition("\n")
        keys = re.findall(r"^\| `([^`]+)`( \?)? \|", text, re.MULTILINE)
        for verb in re.split(r", | and ", title):
            sections[verb] = {key: bool(mark) for key, mark in keys}
    return sections


def keys_of(value, path=""):
    """Each key in a document as a path; those of rows are the catalog's, and not ours."""
    rows = r"(key|[kK]eys\[\]|row|base|mine|seed|original|movedTo)$"
    if isinstance(value, dict) and not re.search(rows, path):
        for name, each in value.items():
            inner = f"{path}.{name}" if path else name
            if not isinstance(each, dict) or inner == "lastRun":
                yield inner
            yield from keys_of(each, inner)
    elif isinstance(value, list):
        for each in value:
            yield from keys_of(each, path + "[]")
    elif isinstance(value, dict):
        yield path[:-2] if path.endswith("[]") else path


def same(value):
    """The document without what may differ; that there is something stays."""
    if isinstance(value, dict):
        return {
            name: each is not None if name in VARYING else same(each)
            for name, each in value.items()}
    return [same(each) for each in value] if isinstance(value, list) else value


def by_command(path, catalog, verb, words, options, operands):
    answer = subprocess.run(
        [_program.PROGRAM, verb, *words, "--database", path, "--migrations", catalog, "--json"],
        stdout=subprocess.PIPE)
    return json.loads(answer.stdout)


def by_c(path, catalog, verb, words, options, operands):
    with unittest.mock.patch.dict(os.environ):
        os.environ.pop("SEEDBED_INTERFACE", None)
        library = _extension.extension(HOST)
    options = {**options, **{name: each for name, each in operands.items() if each is not None}}
    answer = ctypes.c_char_p()
    where = (ctypes.c_char_p * 3)(path.encode(), None, None)
    getattr(library, "seedbed_" + verb)(
        catalog.encode(), where, json.dumps(options).encode(), None, None,
        ctypes.byref(answer))
    document = json.loads(answer.value)
    library.seedbed_free(answer)
    return document


def by_sql(path, catalog, verb, words, options, operands):
    connection = HOST(path)
    connection.enable_load_extension(True)
    # The package's file serves the SQLite that loaded it first, which is this one.
    connection.load_extension(str(_extension.EXTENSION))
    values = [catalog, *operands.values(), json.dumps(options)]
    marks = ", ".join("?" * len(values))
    try:
        text = next(iter(connection.execute(f"SELECT seedbed_{verb}({marks})", values)))[0]
    except Exception:
        text = next(iter(connection.execute("SELECT seedbed_last_error()")))[0]
    finally:
        connection.close()
    return json.loads(text)


def by_python(path, catalog, verb, words, options, operands):
    names = {name.replace("-", "_"): value for name, value in options.items()}
    try:
        return getattr(seedbed, verb)(path, catalog, *operands.values(), **names).json
    except seedbed.Error as error:
        return error.json


def by_node(path, catalog, verb, words, options, operands):
    names = {re.sub("-(.)", lambda match: match[1].upper(), name): value
             for name, value in options.items()}
    arguments = json.dumps([path, catalog, *operands.values(), names])
    return json.loads(subprocess.check_output(
        ["node", os.path.join(os.environ["SEEDBED_NODE"], "call.cjs"), verb, arguments]))


def by_program(program):
    def way(path, catalog, verb, words, options, operands):
        given = [path, catalog, verb, json.dumps(options), json.dumps(operands)]
        return json.loads(subprocess.check_output([*program, *given]))
    return way


WAYS = {"command": by_command, "c": by_c, "sql": by_sql, "python": by_python}
# The folder in which the package for Node is installed.
if os.environ.get("SEEDBED_NODE"):
    WAYS["node"] = by_node
# Such as {"ruby": ["ruby", "document.rb"]}.
for _name, _program_of_it in json.loads(os.environ.get("SEEDBED_OTHER_WAYS", "{}")).items():
    WAYS[_name] = by_program(_program_of_it)


@once
class Documents(Case):
    def setUp(self):
        super().setUp()
        self.found = {}

    def compare(self, verb, words=(), options={}, operands={}, catalog=CATALOG, without=(),
                kind=None):
        """Compares the documents on copies of app.sqlite, and goes on with what it is then."""
        answers = {}
        for name, way in WAYS.items():
            if name in without or HOST is None and name in ("c", "sql"):
                continue
            path = os.path.join(self.folder, name + ".sqlite")
            shutil.copy("app.sqlite", path)
            answers[name] = same(way(path, catalog, verb, words, options, operands))
        first = list(answers)[-1]
        for name, answer in answers.items():
            self.assertEqual(answer, answers[first], f"{name} and {first} differ in {verb}")
        shutil.copy(first + ".sqlite", "app.sqlite")
        kind = "Errors" if "error" in answers[first] else kind or verb
        self.found.setdefault(kind, set()).update(keys_of(answers[first]))
        return answers[first]

    def compare_counts(self):
        """Python has a function of its own for it."""
        document = self.compare(
            "status", ["--counts"], {"counts": True}, without={"python"}, kind="Counts")
        self.assertEqual(seedbed.counts("app.sqlite", CATALOG).json, document)
        return document["conflicts"]

    def compare_outlook(self, outlook):
        """Only C and SQL have such a verb."""
        if HOST:
            document = self.compare("outlook", without=WAYS.keys() - {"c", "sql"})
            self.assertEqual(document["outlook"], outlook)

    def check_page(self):
        """What was found is on the page, and what is on the page was found."""
        page = documented()
        for verb, found in self.found.items():
            # A conflict has the same keys in a report as in the log.
            found = {key for key in found if not re.match(
                r"(migrations\[\]|adopted)\.conflicts\[\]", key)}
            self.assertEqual(found - set(page[verb]), set(), f"not documented: {verb}")
            always = {key for key, may_be_left_out in page[verb].items() if not may_be_left_out}
            # A list that was empty shows nothing of its elements.
            seen = {
                key for key in always if "[]" not in key
                or any(each.startswith(key[:key.rindex("[]") + 3]) for each in found)}
            self.assertEqual(seen - found, set(), f"documented, and not there: {verb}")

    def test_documents(self):
        open("app.sqlite", "w").close()
        self.assertEqual(self.compare("up", ["--to", "1"], {"to": 1})["outcome"], "applied")
        self.sql("app.sqlite", "UPDATE words SET note = 'mine' WHERE id IN (7, 10)")
        self.sql("app.sqlite", "DELETE FROM words WHERE id = 8")
        self.assertEqual(self.compare("plan", ["--to", "2"], {"to": 2})["outcome"], "planned")
        report = self.compare("up", ["--to", "2"], {"to": 2})
        self.assertEqual(len(report["migrations"][0]["conflicts"]), 3)
        self.assertEqual(self.compare("status")["current"], 2)
        self.assertEqual(sum(each["count"] for each in self.compare_counts()), 3)
        self.compare_outlook("pending")
        self.assertEqual(len(self.compare("conflicts", without=["sql"])["conflicts"]), 3)
        for words, id, side in ((["1", "--seed"], 1, "seed"), (["1", "--mine"], 1, "mine")):
            document = self.compare("resolve", words, operands={"id": id, "side": side})
            self.assertEqual(document["settled"], [1])
        row = {"table": "words", "key": 3}
        self.assertEqual(len(self.compare("pin", ["words", "3"], operands=row)["pinned"]), 1)
        self.assertTrue(self.compare("origin", ["words", "3"], operands=row)["isPinned"])
        self.assertEqual(self.compare("unpin", ["words", "3"], operands=row)["pinned"], [])
        absent, = self.compare("absent", operands={"table": None})["absent"]
        self.assertEqual((absent["key"], absent["reason"]), ({"id": 8}, "deletedByUser"))
        table = {"table": "words"}
        self.assertEqual(self.compare("absent", ["words"], operands=table)["absent"], [absent])
        lost = {"table": "words", "key": 8}
        document = self.compare("reseed", ["words", "8"], operands=lost)
        self.assertEqual(document["tables"][0]["keys"], [absent["key"]])
        self.sql("app.sqlite", "DELETE FROM words WHERE id = 8")
        missing = ["words", "--missing"], {"missing": True}, {"table": "words", "key": None}
        self.assertEqual(self.compare("reseed", *missing)["outcome"], "reseeded")
        self.assertEqual(self.compare("reseed", *missing)["outcome"], "upToDate")
        document = self.compare("down", ["--to", "1"], {}, {"to": 1})
        self.assertEqual(document["outcome"], "reverted")
        self.assertEqual(self.compare("up")["migrations"][1]["version"], 3)
        self.assertEqual(self.compare("up")["outcome"], "upToDate")
        self.compare_outlook("upToDate")
        self.check_page()

    def test_owners(self):
        write_owners(pathlib.Path(self.folder, "owners"))
        make_app("app.sqlite")
        catalog = str(pathlib.Path(self.folder, "owners"))
        self.compare("up", catalog=catalog)
        self.sql("app.sqlite", "INSERT INTO organizations (id) VALUES (7)")
        for outcome in ("applied", "upToDate"):
            document = self.compare("fill", ["7"], operands={"owner": 7}, catalog=catalog)
            self.assertEqual(document["outcome"], outcome)
        document = self.compare("fill", ["8"], operands={"owner": "8"}, catalog=catalog)
        self.assertEqual(document["error"]["code"], "usage")
        self.sql("app.sqlite", "INSERT INTO organizations (id) VALUES (8)")
        self.assertEqual(self.compare("up", catalog=catalog)["outcome"], "applied")
        self.check_page()

    def test_downloads(self):
        open("app.sqlite", "w").close()
        made = Author(_program.PROGRAM).words()
        paths, app = [made.cut(made.june), made.june], str(made.app)
        words = ["--signed-by", made.key]
        for path in paths:
            words += ["--downloaded", path]
        options = {"signed-by": [made.key], "downloaded": paths}
        for verb in ("plan", "up", "status"):
            document = self.compare(verb, words, options, catalog=app)
            self.assertEqual([each["reason"] for each in document["passedOver"]], ["damaged"])
        self.assertEqual(document["signedHeads"][0]["version"], 3)
        self.assertRegex(document["signedHeads"][0]["signedAt"], r"^20\d\d-\d\d-\d\dT")
        self.check_page()

    def make_old(self, edit):
        open("app.sqlite", "w").close()
        self.compare("up", ["--to", "1"], {"to": 1})
        self.sql("app.sqlite", edit)
        for table in ("left_to_user", "conflicts", "runs", "migrations", "ledger", "applying"):
            self.sql("app.sqlite", f"DROP TABLE IF EXISTS seedbed_{table}")

    def test_conflicts_of_an_adoption(self):
        self.make_old("UPDATE words SET lemma = 'mine ' || id")
        report = seedbed.plan("app.sqlite", CATALOG, adopt=2)
        adopted = report.json["adopted"]["conflicts"]
        later = sum(len(each["conflicts"]) for each in report.migrations)
        self.assertTrue(adopted)
        self.assertEqual(len(report.conflicts), len(adopted) + later)

    def test_adoption(self):
        self.make_old("UPDATE words SET note = 'mine' WHERE id = 7")
        for verb in ("plan", "up"):
            document = self.compare(verb, ["--adopt", "1"], {"adopt": 1})
            found = document["adopted"]["tables"][0]
            self.assertEqual((found["edited"], found["edits"][0]["mine"]), (1, "mine"))
        self.check_page()

    def test_errors(self):
        open("app.sqlite", "w").close()
        catalog = bad_catalog(os.path.join(self.folder, "bad"))
        document = self.compare("up", catalog=catalog)
        self.assertEqual((document["error"]["code"], document["applied"]), ("csv", [1]))
        self.check_page()

    def test_errors_of_python(self):
        """They have the same keys as the library's."""
        error = self.refused(seedbed.up, "app.sqlite", CATALOG, tow=2)
        always = [key for key, may_be_left_out in documented()["Errors"].items()
                  if not may_be_left_out]
        self.assertEqual(sorted(keys_of(error.json)), sorted(always))
        self.assertEqual(error.json["schema"], 1)

    def test_options(self):
        """The names are the library's."""
        if HOST is None:
            self.skipTest("nothing here can load the extension")
        kinds = {
            "up": _options.UpOptions, "plan": _options.PlanOptions, "down": _options.DownOptions,
            "status": _options.Options}
        for verb, kind in kinds.items():
            message = by_c("app.sqlite", CATALOG, verb, [], {"zzzzzzzz": 1}, {})["error"]["message"]
            names = message.partition("Options are ")[2].rstrip(".").split(", ")
            known = {name.replace("_", "-") for name in kind.__annotations__}
            # 'counts' is a function of its own.
            self.assertEqual(
                set(names) - {"to", "counts"}, known - {"progress", "cancel", "to"}, verb)
