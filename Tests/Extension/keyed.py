"""A database with a key, in a SQLite that has SQLCipher."""

import pathlib

import host
from host import call, equal, load

KEY = "PRAGMA key = 'secret'"


class Keyed:
    """A connection of SQLCipher's own module, with the key."""

    def __init__(self, key=KEY):
        import sqlcipher3.dbapi2 as sqlcipher

        self.error = sqlcipher.DatabaseError
        self.connection = sqlcipher.connect("app.sqlite", isolation_level=None)
        # It would write each wrong key to standard error.
        self.connection.execute("PRAGMA cipher_log_level = NONE")
        load(self.connection)
        if key:
            self.connection.execute(key)
            # The first page of the file has the key's salt.
            self.connection.execute("PRAGMA user_version = 0")

    def call(self, verb, *arguments, **options):
        more = {"connection-sql": "PRAGMA cipher_log_level = NONE; " + KEY, **options}
        return call(self.connection, verb, *arguments, more)

    def refusal(self, *arguments):
        try:
            answer = call(self.connection, *arguments)
        except self.error as error:
            host.check_sentence(str(error))
            return str(error)
        raise AssertionError(f"not refused: {answer}")


def test_each_verb_with_the_key():
    app = Keyed()
    equal(app.call("up", to=1)["outcome"], "applied")
    app.connection.execute("UPDATE elements SET name = 'Bobium' WHERE number = 113")
    equal(app.call("plan")["outcome"], "planned")
    backups = [app.call("up")["backup"]]
    equal(app.call("resolve", 1, "seed")["settled"], [1])
    name = "SELECT name FROM elements WHERE number = 113"
    equal(app.connection.execute(name).fetchall(), [("Nihonium",)])
    equal(app.call("origin", "elements", 113)["origin"], "seed")
    backups.append(app.call("down", 1)["backup"])
    equal(app.call("status")["current"], 1)
    equal(app.connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
    # The backups have the key, too.
    for file in ["app.sqlite", *backups]:
        assert not pathlib.Path(file).read_bytes().startswith(b"SQLite format"), file


def test_a_new_file_is_written_by_the_caller_first():
    app = Keyed(None)
    for sentence in [app.refusal("up"), app.refusal("up", {"connection-sql": KEY})]:
        assert "user_version" in sentence, sentence
    # Without a key, as with one.
    app.connection.execute("PRAGMA user_version = 0")
    equal(call(app.connection, "up")["outcome"], "applied")
    assert pathlib.Path("app.sqlite").read_bytes().startswith(b"SQLite format")


def test_the_wrong_key_changes_nothing_and_is_in_no_message():
    app = Keyed()
    app.call("up", to=1)
    before = pathlib.Path("app.sqlite").read_bytes()
    quiet = "PRAGMA cipher_log_level = NONE; "
    for sql in [quiet, quiet + "PRAGMA key = 'other'", quiet + "PRAGMA key = 'other"]:
        sentence = app.refusal("up", {"connection-sql": sql})
        assert "other" not in sentence, sentence
    equal(pathlib.Path("app.sqlite").read_bytes(), before)
