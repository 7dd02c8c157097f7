"""Wrong input through the SQL functions: one sentence, and not a byte of the database changes."""

import hashlib
import json
import sqlite3

import host
from host import CATALOG, CONFLICTS, at_release_3, each, equal, files, refusal

OPTIONS = '{"lock-timeout": 0}'
# A right call of each function: the name and its arguments.
RIGHT = {
    "up": [CATALOG, OPTIONS],
    "plan": [CATALOG, OPTIONS],
    "status": [CATALOG, OPTIONS],
    "outlook": [CATALOG, OPTIONS],
    "down": [CATALOG, 1, OPTIONS],
    "resolve": [CATALOG, 1, "seed", OPTIONS],
    "pin": [CATALOG, "elements", 7, OPTIONS],
    "unpin": [CATALOG, "elements", 7, OPTIONS],
    "origin": [CATALOG, "elements", 7, OPTIONS],
    "absent": [CATALOG, "elements", OPTIONS],
    "reseed": [CATALOG, "elements", 7, OPTIONS],
    "fill": [host.OWNERS, 7, OPTIONS],
}
DEEP = 100_000
# SQL expressions, with the values of their parameters.
WRONG = {
    "NULL": ("NULL",),
    "a number": ("7",),
    "a negative number": ("-9223372036854775808",),
    "a real": ("1.5",),
    "infinity": ("9e999",),
    "a blob": ("?", b"Migrations"),
    "an empty text": ("''",),
    "a long text": ("?", "x" * 10_000_000),
    "a long path": ("?", "x/" * 3000),
    "a longer path": ("?", "x/" * 30_000),
    "a zero byte": ("'a' || char(0) || 'b'",),
    "no UTF-8": ("CAST(x'ff' AS TEXT)",),
    "half a character": ("CAST(x'e58583e7b4' AS TEXT)",),
    "a surrogate": ("CAST(x'eda080' AS TEXT)",),
    "broken JSON": ("""'{"to": '""",),
    "JSON that is no object": ("'[[]]'",),
    "JSON that names nothing": ("""'{"": 1}'""",),
    "deep arrays": ("?", "[" * DEEP),
    "closed deep arrays": ("?", "[" * DEEP + "]" * DEEP),
    "deep objects": ("?", '{"a":' * DEEP + "1" + "}" * DEEP),
    "a lone surrogate in JSON": (r"""'{"to": "\ud800"}'""",),
    "a key twice": ("""'{"keep": 1, "keep": 2}'""",),
}
# What is right by accident: the function, the argument's number, and the value. Any key is one
# that a row could have, and seedbed_origin() says that none has it.
RIGHT_TOO = (
    {(verb, len(RIGHT[verb]) - 1, name) for verb in RIGHT for name in ("NULL", "an empty text")}
    | {(verb, 2, "a number") for verb in ("pin", "unpin", "reseed")}
    | {("absent", 1, "NULL")}
    | {("origin", 2, name) for name in (
        "a number", "a negative number", "a real", "infinity", "an empty text", "a long path",
        "a longer path")}
    | {("fill", 1, "a number")}
)


def ready(verb, name="app.sqlite"):
    """A connection to a database on which the right call of a function works."""
    connection = host.with_owners(name) if verb == "fill" else at_release_3(name)
    if verb == "reseed":  # The row is pinned, for seedbed_unpin().
        host.call(connection, "unpin", "elements", 7)
    return connection


def refused(connection, sql, parameters=()):
    """Fails if the call works, answers no sentence, or changes a file."""
    before = files()
    sentence = refusal(connection.execute, sql, parameters)
    equal(files(), before)
    document = json.loads(connection.execute("SELECT seedbed_last_error()").fetchone()[0])
    message = document["error"]["message"]
    assert message in sentence, f"the error's text {sentence!r} has no {message!r}"
    equal(document["databaseUnchanged"], True)
    return sentence


def wrong_arguments(verb):
    connection = ready(verb)
    right_too = [each for each in RIGHT_TOO if each[0] == verb]
    connections = [ready(verb, f"right{number}") for number in range(len(right_too))]

    def check(number, name):
        marks, parameters = ["?"] * len(RIGHT[verb]), list(RIGHT[verb])
        marks[number], *parameters[number:number + 1] = WRONG[name]
        sql = f"SELECT seedbed_{verb}({', '.join(marks)})"
        if (verb, number, name) in RIGHT_TOO:
            json.loads(connections.pop().execute(sql, parameters).fetchone()[0])
        else:
            refused(connection, sql, parameters)

    each([(number, name) for number in range(len(RIGHT[verb])) for name in WRONG], check)


def test_wrong_arguments_of_up():
    wrong_arguments("up")


def test_wrong_arguments_of_plan():
    wrong_arguments("plan")


def test_wrong_arguments_of_status():
    wrong_arguments("status")


def test_wrong_arguments_of_outlook():
    wrong_arguments("outlook")


def test_wrong_arguments_of_down():
    wrong_arguments("down")


def test_wrong_arguments_of_resolve():
    wrong_arguments("resolve")


def test_wrong_arguments_of_pin():
    wrong_arguments("pin")


def test_wrong_arguments_of_unpin():
    wrong_arguments("unpin")


def test_wrong_arguments_of_origin():
    wrong_arguments("origin")


def test_wrong_arguments_of_absent():
    wrong_arguments("absent")


def test_wrong_arguments_of_reseed():
    wrong_arguments("reseed")


def test_wrong_arguments_of_fill():
    wrong_arguments("fill")


def test_too_few_and_too_many_arguments():
    connection = at_release_3()
    for verb, arguments in RIGHT.items():
        # The table and the key may be left out.
        few = 0 if verb in ("absent", "reseed") else len(arguments) - 2
        for count in (0, few, len(arguments) + 1, 100):
            sentence = refused(
                connection, f"SELECT seedbed_{verb}({', '.join('?' * count)})", ["1"] * count)
            assert "argument" in sentence, sentence


def test_the_right_calls_are_right():
    # So that no refusal above is for another reason.
    for verb, arguments in RIGHT.items():
        connection = ready(verb, verb)
        sql = f"SELECT seedbed_{verb}({', '.join('?' * len(arguments))})"
        equal(json.loads(connection.execute(sql, arguments).fetchone()[0])["schema"], 1)


def test_the_table_of_conflicts():
    connection = at_release_3()
    sql = f'SELECT "column", base, mine, seed, version, "key" FROM {CONFLICTS}'
    equal(connection.execute(sql).fetchall(),
          [("name", "Ununtrium", "Mine", "Nihonium", 3, '{"number":113}')])
    before = files()
    for name, (expression, *parameters) in WRONG.items():
        sql = f"SELECT * FROM {CONFLICTS}({expression})"
        try:
            equal(connection.execute(sql, parameters).fetchall(), [])
        except sqlite3.OperationalError as error:
            host.check_sentence(str(error))
    equal(files(), before)
    for sql in (
        f"INSERT INTO {CONFLICTS} (id) VALUES (1)", f"UPDATE {CONFLICTS} SET id = 1",
        f"DELETE FROM {CONFLICTS}", f"SELECT * FROM {CONFLICTS}(1, 2)",
    ):
        try:
            connection.execute(sql)
        except sqlite3.OperationalError:
            continue
        raise AssertionError(f"allowed: {sql}")
    equal(files(), before)


# Options

NO_TEXT = [1, 1.5, True, None, [], ["a"], {}, {"a": 1}, "a\0b"]
WRONG_OPTIONS = {
    "choice": NO_TEXT + ["", "nonsense", "Keep", "x" * 100_000],
    "text": NO_TEXT,
    "path": NO_TEXT + ["", "x/" * 3000],
    "true or false": [0, 1, "true", "", None, [], {}],
    "number": [-1, 1.5, 10**19, 10**400, -(10**400), "1", True, None, [], {}, float("inf")],
    "seconds": [-1, -0.5, -(10**400), "1", True, None, [], {}, float("-inf")],
}
KINDS = {
    "on-edited": "choice", "onEdited": "choice", "on-taken": "choice", "reporting": "choice",
    "backups": "path", "first": "path", "ledger": "text", "database": "text",
    "connection-sql": "text", "lock-timeout": "seconds", "lockTimeout": "seconds",
    "keep": "number", "to": "number", "adopt": "number",
    "locked": "true or false", "no-backup": "true or false", "must-exist": "true or false",
    "allow-out-of-order": "true or false", "allow-newer": "true or false",
    "allow-sql": "true or false", "allowSQL": "true or false", "signed-by": "text",
    "signedBy": "text", "downloaded": "path",
}


def test_options_of_wrong_kinds():
    connection = at_release_3()

    def check(name, value):
        options = json.dumps({name: value}).replace("Infinity", "1e400")
        refused(connection, "SELECT seedbed_up(?, ?)", (CATALOG, options))

    each([(name, value) for name, kind in KINDS.items() for value in WRONG_OPTIONS[kind]], check)


def test_options_of_no_function():
    connection = at_release_3()
    for name, nearest in (
        ("tos", "'to'"), ("no_backup", "'no-backup'"), ("nonsense", "Options are"),
        ("side", "side"), ("", "Options are"), ("TO", "TO"), ("x" * 5000, "Options are"),
        ("\u202e", "Options are"), ("a\nb", "Options are"),
    ):
        sentence = refused(
            connection, "SELECT seedbed_up(?, ?)", (CATALOG, json.dumps({name: 1})))
        assert nearest in sentence, f"{nearest!r} is not in {sentence!r}"


def test_no_conflict_at_all():
    sentence = refused(at_release_3(), "SELECT seedbed_resolve(?, '[]', 'mine')", (CATALOG,))
    assert "'id' is not one value, or an array of at least one" in sentence, sentence


def test_names_that_are_no_ledger():
    connection = at_release_3()
    for name in ("", "a b", 'a"b', "sqlite_x", "é", "main.x", "a;DROP TABLE x", "1"):
        sentence = refused(
            connection, "SELECT seedbed_up(?, ?)", (CATALOG, json.dumps({"ledger": name})))
        assert "ledger's name" in sentence, sentence


def test_sql_for_each_connection_that_does_not_run():
    connection = at_release_3()
    for sql in (
        "nonsense", "SELECT nowhere", "SELECT 1; nonsense", "SELECT '", "ROLLBACK",
        "ATTACH '/nowhere/x' AS x", "SELECT load_extension('x')", "(" * 50_000, "SELECT abs(-9e999",
    ):
        refused(connection, "SELECT seedbed_up(?, ?)",
                (CATALOG, json.dumps({"connection-sql": "SELECT 'secret'; " + sql})))


def test_a_key_is_in_no_message():
    """The SQL for each connection may hold one, and messages end in logs."""
    connection = at_release_3()
    for sql in ("PRAGMA key = 'secret'; nonsense", "PRAGMA key = 'secret", 'PRAGMA key = "secret'):
        sentence = refused(
            connection, "SELECT seedbed_up(?, ?)", (CATALOG, json.dumps({"connection-sql": sql})))
        assert "secret" not in sentence, sentence
        last, = connection.execute("SELECT seedbed_last_error()").fetchone()
        assert "secret" not in last, last


def test_enormous_numbers_that_are_allowed():
    for options in (
        '{"lock-timeout": 1e308}', '{"lock-timeout": 1e400}', '{"lock-timeout": 9e18}',
        '{"lock-timeout": 0.0000001}', '{"keep": 1000000}', '{"keep": 0}',
    ):
        connection = at_release_3(hashlib.md5(options.encode()).hexdigest())
        sql = "SELECT seedbed_up(?, ?) ->> 'outcome'"
        equal(connection.execute(sql, (CATALOG, options)).fetchone(), ("applied",))
