"""Copies the defaults when an organization signs up, and never again.

Page: "INSERT", SQLite, https://www.sqlite.org/lang_insert.html, and PostgreSQL,
https://www.postgresql.org/docs/current/populate.html. It is what most apps do, in the code or in a
signal of the framework that runs after an organization is saved.
"""
from files import connect, records, run


def start(number, folder, database):
    """Nothing: what an organization has is its own."""


# The author's code.


def sign_up(number, folder, database, organization):
    with connect(database) as connection:
        connection.insert(
            "words", ["organization_id", "slug", "word", "kind", "rank"],
            ([organization, *row.values()] for row in records(f"{folder}/{number}", "words")))
        ids = dict(connection.execute(
            "SELECT slug, id FROM words WHERE organization_id = ?", [organization]).fetchall())
        connection.insert(
            "senses", ["word_id", "position", "text", "example"],
            ([ids[slug], *values] for slug, *values in
             map(dict.values, records(f"{folder}/{number}", "senses"))))


# End.
run(start, start, sign_up=sign_up)
