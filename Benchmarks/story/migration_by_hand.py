"""A migration by hand for all organizations, with the old values in the WHERE of each statement.

Page: "UPDATE", SQLite, https://www.sqlite.org/lang_update.html, and PostgreSQL,
https://www.postgresql.org/docs/current/sql-update.html, in one transaction with the number of the
migration. A cell that an organization edited has another value, so the statement leaves it alone;
a row that it deleted is not there. A word is deleted only if it is as it was and no sense is left,
or those that organizations added would go with it. `release` writes the statements, one for each
change: nobody types so many. With `organization_id IN`, SQLite can use the UNIQUE index.
"""
import pathlib
import shutil

from files import connect, records, run

# The author's code.
WORD = "organization_id IN (SELECT id FROM organizations) AND slug = {slug}"
SENSE = f"word_id IN (SELECT id FROM words WHERE {WORD}) AND position = {{position}}"
WHERE = {"words": WORD, "senses": SENSE}
INSERT = {
    "words": "INSERT INTO words (organization_id, slug, word, kind, rank) "
             "SELECT id, {slug}, {word}, {kind}, {rank} FROM organizations",
    "senses": "INSERT INTO senses (word_id, position, text, example) "
              f"SELECT id, {{position}}, {{text}}, {{example}} FROM words WHERE {WORD}"}
COLUMNS = {"words": ["word", "kind", "rank"], "senses": ["text", "example"]}
UNUSED = " AND NOT EXISTS (SELECT * FROM senses WHERE word_id = words.id)"


def release(number, editions, folder):
    shutil.copytree(f"{editions}/{number}", f"{folder}/{number}")
    if number > 1:
        changes = [changes_of(table, f"{editions}/{number - 1}", f"{editions}/{number}")
                   for table in ("words", "senses")]
        # A sense comes after its word, and goes before it.
        pathlib.Path(folder, f"{number}.sql").write_text(";\n".join(
            changes[0][0] + changes[1][0] + changes[1][1] + changes[0][1]))


def changes_of(table, before, after):
    old, new = rows(before, table), rows(after, table)
    added, changed = [INSERT[table].format(**new[key]) for key in new if key not in old], []
    for key, row in old.items():
        where = WHERE[table].format(**row)
        same = {column: f"{column} = {row[column]}" for column in COLUMNS[table]}
        if key not in new:
            changed.append(f"DELETE FROM {table} WHERE {' AND '.join([where, *same.values()])}"
                           + (UNUSED if table == "words" else ""))
        else:
            changed += [
                f"UPDATE {table} SET {column} = {new[key][column]} WHERE {where} AND {same[column]}"
                for column in same if row[column] != new[key][column]]
    return added, changed


def rows(edition, table):
    """The rows by their keys, with values as SQL has them."""
    return {(row["slug"], row.get("position")): {
        name: value if name in ("rank", "position") else "'" + value.replace("'", "''") + "'"
        for name, value in row.items()} for row in records(edition, table)}


def start(number, folder, database):
    with connect(database) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS migrations (number INTEGER NOT NULL)")
        last = connection.execute("SELECT coalesce(max(number), 1) FROM migrations").fetchone()[0]
        for each in range(last + 1, number + 1):
            for statement in pathlib.Path(folder, f"{each}.sql").read_text().split(";\n"):
                connection.execute(statement)
            connection.execute("INSERT INTO migrations VALUES (?)", [each])


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
run(start, start, release, sign_up)
