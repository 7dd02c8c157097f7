"""At each start, goes through the organizations, and inserts the rows that each of them lacks.

Page: "SELECT" and "INSERT", SQLite, https://www.sqlite.org/lang.html, in one transaction. It does
what seed scripts with `find_or_create_by` do, but one SELECT asks about all rows of one owner.
"""
from files import connect, records, run

# The author's code.


def start(number, folder, database):
    with connect(database) as connection:
        for organization, in connection.execute("SELECT id FROM organizations").fetchall():
            fill(connection, f"{folder}/{number}", organization)


def sign_up(number, folder, database, organization):
    with connect(database) as connection:
        fill(connection, f"{folder}/{number}", organization)


def fill(connection, edition, organization):
    words = words_of(connection, organization)
    connection.insert(
        "words", ["organization_id", "slug", "word", "kind", "rank"],
        ([organization, *row.values()] for row in records(edition, "words")
         if row["slug"] not in words))
    words = words_of(connection, organization)
    there = set(connection.execute(
        "SELECT word_id, position FROM senses WHERE word_id IN "
        "(SELECT id FROM words WHERE organization_id = ?)", [organization]).fetchall())
    connection.insert(
        "senses", ["word_id", "position", "text", "example"],
        ([words[row["slug"]], row["position"], row["text"], row["example"]]
         for row in records(edition, "senses")
         if (words[row["slug"]], int(row["position"])) not in there))


def words_of(connection, organization):
    return dict(connection.execute(
        "SELECT slug, id FROM words WHERE organization_id = ?", [organization]).fetchall())


# End.
run(start, start, sign_up=sign_up)
