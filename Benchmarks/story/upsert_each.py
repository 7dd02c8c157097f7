"""At each start, goes through the organizations, and inserts each row of each of them, or
updates it if it differs.

Page: "UPSERT", SQLite, https://www.sqlite.org/lang_upsert.html, and "INSERT", PostgreSQL,
https://www.postgresql.org/docs/current/sql-insert.html, both with DO UPDATE … WHERE, in one
transaction.
"""
from files import connect, records, run

# The author's code.
WORD = """
    INSERT INTO words (organization_id, slug, word, kind, rank) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (organization_id, slug)
    DO UPDATE SET word = excluded.word, kind = excluded.kind, rank = excluded.rank
    WHERE (words.word, words.kind, words.rank)
      IS DISTINCT FROM (excluded.word, excluded.kind, excluded.rank)"""
SENSE = """
    INSERT INTO senses (word_id, position, text, example) VALUES (?, ?, ?, ?)
    ON CONFLICT (word_id, position)
    DO UPDATE SET text = excluded.text, example = excluded.example
    WHERE (senses.text, senses.example) IS DISTINCT FROM (excluded.text, excluded.example)"""


def start(number, folder, database):
    with connect(database) as connection:
        for organization, in connection.execute("SELECT id FROM organizations").fetchall():
            fill(connection, f"{folder}/{number}", organization)


def sign_up(number, folder, database, organization):
    with connect(database) as connection:
        fill(connection, f"{folder}/{number}", organization)


def fill(connection, edition, organization):
    connection.execute_many(
        WORD, ([organization, *row.values()] for row in records(edition, "words")))
    ids = dict(connection.execute(
        "SELECT slug, id FROM words WHERE organization_id = ?", [organization]).fetchall())
    connection.execute_many(
        SENSE, ([ids[slug], *values]
                for slug, *values in map(dict.values, records(edition, "senses"))))


# End.
run(start, start, sign_up=sign_up)
