"""Applies a changeset from one edition to the next, by SQLite's session extension.

Page: "The Session Extension", SQLite, https://www.sqlite.org/sessionintro.html, and "Session
extension", apsw, https://rogerbinns.github.io/apsw/session.html. `Session.diff` makes the
changeset, and `Changeset.apply` asks a function of the author about each conflict. This one keeps
what users have, as far as it can: the answer is for a whole row. Senses of words that users deleted
come, too; the author removes them in the same transaction.
"""
import apsw

from files import TABLES, run

# The author's code, SQLite.


def release(number, editions, folder):
    """Compares the finished databases of two editions."""
    if number > 1:
        connection = apsw.Connection(f"{editions}/{number}.sqlite")
        connection.execute("ATTACH ? AS before", [f"{editions}/{number - 1}.sqlite"])
        session = apsw.Session(connection, "main")
        session.attach()
        for table in TABLES:
            session.diff("before", table)
        with open(f"{folder}/{number}.changeset", "wb") as file:
            session.changeset_stream(file.write)


def keep_users(reason, change):
    return apsw.SQLITE_CHANGESET_OMIT


def start(number, folder, database):
    connection = apsw.Connection(database)
    connection.execute("PRAGMA foreign_keys = ON")
    with connection:
        version = connection.pragma("user_version") or 1
        for each in range(version + 1, number + 1):
            with open(f"{folder}/{each}.changeset", "rb") as file:
                apsw.Changeset.apply(file.read, connection, conflict=keep_users)
            connection.execute("DELETE FROM senses WHERE word_id NOT IN (SELECT id FROM words)")
        connection.pragma("user_version", number)


# End.
run(start, release=release)
