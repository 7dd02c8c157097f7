"""Signed downloads, by the SQL functions, on a path and on a connection that is lent."""

import json
import os
import pathlib
import sqlite3
import sys

import door
import host
from door import Handle
from host import ROOT, connect, each, equal, files

sys.path.append(str(ROOT / "Tests/Hosts/Main"))
from author import Author  # noqa: E402


def author(folder="."):
    program = os.environ.get("SEEDBED_PROGRAM", "")
    assert os.path.isfile(program), f"no '{program}'. Build it: Scripts/build --ship migrate."
    return Author(program, folder).words()


# The doors: each answers with the document, also of an error.


def by_sql(path, catalog, verb, options, *operands):
    connection = connect(path)
    values = [catalog, *operands, json.dumps(options)]
    marks = ", ".join("?" * len(values))
    try:
        text, = connection.execute(f"SELECT seedbed_{verb}({marks})", values).fetchone()
    except sqlite3.OperationalError as error:
        host.check_sentence(str(error))
        text, = connection.execute("SELECT seedbed_last_error()").fetchone()
    connection.close()
    return json.loads(text)


def named(verb, operands):
    return dict(zip(["to"] if verb == "down" else ["table", "key"], operands))


def by_path(path, catalog, verb, options, *operands):
    connect(path).close()
    return door.call(verb, path, {**options, **named(verb, operands)}, catalog=catalog)[1]


def by_handle(path, catalog, verb, options, *operands):
    handle = Handle(path)
    options = {**options, **named(verb, operands)}
    document = door.call(verb, handle.lent(), options, catalog=catalog)[1]
    handle.close()
    return document


DOORS = {"sql": by_sql, "path": by_path, "handle": by_handle}


def trusted(key, *paths, **more):
    return {"signed-by": [key], "downloaded": list(paths), **more}


def reasons(document):
    for other in document.get("passedOver", []):
        assert other["path"] in other["message"], other
        host.check_sentence(other["message"])
    return {os.path.basename(other["path"]): other["reason"]
            for other in document.get("passedOver", [])}


# What comes


def test_a_download_is_applied():
    """And every verb knows its release."""
    made = author()
    app, june = str(made.app), trusted(made.key, made.june)

    def check(name):
        def call(verb, options, *operands):
            return DOORS[name](name + ".sqlite", app, verb, options, *operands)

        report = call("up", june)
        equal((report["from"], report["to"], reasons(report)), (0, 3, {}))
        equal(call("up", june)["outcome"], "upToDate")
        status = call("status", june)
        equal((status["current"], status["target"], status["state"]), (3, 3, "upToDate"))
        [head] = status["signedHeads"]
        equal((head["key"], head["version"], head["lock"][:7]), (made.key, 3, "sha256:"))
        equal(len(head["signedAt"]), len("2026-11-26T10:00:00Z"))
        equal(call("outlook", june)["outlook"], "upToDate")
        equal(call("origin", june, "words", 150)["origin"], "seed")
        for verb, number in (("pin", 1), ("unpin", 0)):
            equal(len(call(verb, june, "words", 150)["pinned"]), number)
        equal(call("down", june, 2)["to"], 2)
        equal(call("plan", june)["to"], 3)
        equal(call("up", june)["to"], 3)
        # The download is gone: no error, but for whoever knows of no downloads.
        gone = call("up", trusted(made.key, made.june + ".gone"))
        equal((gone["outcome"], gone["to"]), ("upToDate", 3))
        equal(reasons(gone), {"june.seedbed.gone": "missing"})
        equal(call("up", trusted(made.key))["outcome"], "upToDate")
        equal(call("up", {})["error"]["code"], "newer")

    each([(name,) for name in DOORS], check)


def test_a_release_at_a_time():
    made = author()
    options = trusted(made.key, made.june, made.july)
    for name, call in DOORS.items():
        path = name + ".sqlite"
        equal(call(path, str(made.app), "up", {})["to"], 2)
        report = call(path, str(made.app), "up", options)
        equal((report["to"], reasons(report)), (3, {"july.seedbed": "holdsSQL"}))
        report = call(path, str(made.app), "up", {**options, "allow-sql": True})
        equal((report["from"], report["to"], reasons(report)), (3, 4, {}))
        # What the database has seen, it does not take back for news.
        report = call(path, str(made.app), "up", trusted(made.key, made.june))
        equal((report["to"], reasons(report)), (4, {"june.seedbed": "older"}))


def test_the_spellings():
    made = author()
    for number, options in enumerate((
        {"signed-by": made.key, "downloaded": made.july, "allow-sql": True},
        {"signedBy": [made.key], "downloaded": [made.july], "allowSQL": True},
        {"signedBy": made.key, "downloaded": "july.seedbed", "allowSql": True, "known": {}},
    )):
        equal(by_sql(f"{number}.sqlite", str(made.app), "up", options)["to"], 4)


# What is passed over


def test_a_download_that_cannot_be_trusted():
    """The app's own releases are applied, and the report says why no more are."""
    made = author()
    stranger = made.new_key("stranger.pem")
    other = author("other")
    cases = {
        "a stranger's": (trusted(stranger, made.june), "wrongKey"),
        "none": (trusted(made.key, "none.seedbed"), "missing"),
        "cut": (trusted(made.key, made.cut(made.june)), "damaged"),
        "spoiled": (trusted(made.key, made.spoiled(made.june)), "damaged"),
        "SQL": (trusted(made.key, made.july), "holdsSQL"),
        "old": (trusted(made.key, made.june, known={made.key: 4}), "older"),
        "another app's": (trusted(other.key, other.june), "otherCatalog"),
    }

    def check(name, door):
        options, reason = cases[name]
        path = f"{name} {door}.sqlite"
        report = DOORS[door](path, str(made.app), "up", options)
        equal((report["outcome"], report["to"]), ("applied", 2))
        equal(list(reasons(report).values()), [reason])
        status = DOORS[door](path, str(made.app), "status", options)
        equal(status["current"], 2)
        assert "signedHeads" not in status, status

    each([(name, door) for name in cases for door in DOORS], check)


def test_the_next_best():
    """A damaged download does not keep a good one from being used."""
    made = author()
    for name, call in DOORS.items():
        report = call(name + ".sqlite", str(made.app), "up", trusted(
            made.key, made.spoiled(made.june), made.cut(made.june), made.june))
        equal((report["to"], reasons(report)), (3, {
            "spoiled.seedbed": "damaged", "cut.seedbed": "damaged"}))


def test_nothing_is_left_open():
    made = author()
    connect().close()
    door.call("up", "first.sqlite", catalog=str(made.app))
    before = host.state()
    for number, path in enumerate((
        made.june, made.july, made.cut(made.june), made.spoiled(made.june), "none.seedbed",
    )):
        code, _ = door.call(
            "up", f"{number}.sqlite", trusted(made.key, path), catalog=str(made.app))
        equal(code, 0)
    host.unchanged(before, "a download")


# What is refused


def test_one_option_without_the_other():
    made = author()
    connect().close()
    before = files()
    for name, call in DOORS.items():
        for verb in ("up", "plan", "status", "outlook"):
            for options, missing in (
                ({"signed-by": made.key}, "downloaded"), ({"signedBy": [made.key]}, "downloaded"),
                ({"downloaded": made.june}, "signed-by"), ({"downloaded": []}, "signed-by"),
                ({"allow-sql": True}, "signed-by"), ({"known": {made.key: 3}}, "signed-by"),
            ):
                error = call("app.sqlite", str(made.app), verb, options)["error"]
                equal(error["code"], "usage")
                assert f"'{missing}' is missing" in error["message"], error
                host.check_sentence(error["message"])
    equal(files(), before)
    # What has no effect is no mistake.
    equal(by_sql("app.sqlite", str(made.app), "up", {"allow-sql": False, "known": {}})["to"], 2)


def test_wrong_values():
    made = author()
    connect().close()
    before = files()
    private = pathlib.Path("author.pem").read_text()
    values = [
        *({"signed-by": key} for key in (
            [], "", "ed25519:", made.key[:-1], made.key + "=", [made.key, "x"], [[made.key]],
            {}, 7, None, private, made.key.replace("ed25519", "rsa"), "x" * 100_000)),
        *({"downloaded": path} for path in ("", [""], [7], {}, None, [[]], "x" * 100_000)),
        *({"known": known} for known in (
            [], 7, None, "x", {made.key: -1}, {made.key: "1"}, {made.key: 1.5}, {"": []})),
        *({name: 1} for name in ("allow-sql", "allowSQL")),
    ]

    def check(options, door):
        options = {**trusted(made.key, made.june), **options}
        error = DOORS[door]("app.sqlite", str(made.app), "up", options)["error"]
        equal(error["code"], "usage")
        host.check_sentence(error["message"])
        secret = private.splitlines()[1]
        assert secret not in error["message"], "a private key is in the message"
        equal(files(), before)

    each([(options, door) for options in values for door in DOORS], check)


def test_a_catalog_without_a_lock():
    """What a download continues is known by the lock alone."""
    made = author()
    (made.app / "seedbed.lock").unlink()
    for name, call in DOORS.items():
        error = call(name + ".sqlite", str(made.app), "up", trusted(made.key, made.june))["error"]
        equal(error["code"], "catalog")
        host.check_sentence(error["message"])
