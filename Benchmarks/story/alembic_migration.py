"""Alembic's migrations, each with the rows that its edition adds, changes and retires.

Page: "Operation Reference", `op.bulk_insert` and `op.execute`,
https://alembic.sqlalchemy.org/en/latest/ops.html, and "Data Migrations - General Techniques",
https://alembic.sqlalchemy.org/en/latest/cookbook.html. `env.py` is short for what `alembic init`
writes, with SQLite's foreign keys and with `transactional_ddl`, which makes one transaction of all;
its lines do not count. alembic_old_values.py shares all but CHANGES, the end of a migration.
A sense of a word that a user deleted is left out, or the migration would fail at its reference.
"""
import json
import pathlib

from alembic import command
from alembic.config import Config

from files import TABLES, records, run

ENVIRONMENT = '''\
from alembic import context
from sqlalchemy import create_engine, event

engine = create_engine(context.config.get_main_option("sqlalchemy.url"))
if engine.dialect.name == "sqlite":
    @event.listens_for(engine, "connect")
    def connected(connection, _):
        connection.execute("PRAGMA foreign_keys = ON")

with engine.connect() as connection:
    context.configure(connection=connection, transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()
'''

MIGRATION = '''\
# The author's code.
import json
import pathlib
from alembic import op
from sqlalchemy import BigInteger, Text, column, exists, false, select, table

revision = "{number}"
down_revision = {before}
words = table(
    "words", column("id", BigInteger), column("slug", Text), column("word", Text),
    column("kind", Text), column("rank", BigInteger))
senses = table(
    "senses", column("id", BigInteger), column("word_id", BigInteger),
    column("position", BigInteger), column("text", Text), column("example", Text))


def upgrade():
    edition = json.loads(pathlib.Path(__file__).with_suffix(".json").read_text())
    op.bulk_insert(words, edition["words"]["added"])
    there = set(op.get_bind().scalars(select(words.c.id)))
    op.bulk_insert(
        senses, [row for row in edition["senses"]["added"] if row["word_id"] in there])
# End.
'''
CHANGES = '''\
# The author's code, not shared.
    for rows in (senses, words):
        for old, values in edition[rows.name]["changed"]:
            op.execute(rows.update().where(rows.c.id == old["id"]).values(values))
        for old in edition[rows.name]["retired"]:
            op.execute(rows.delete().where(rows.c.id == old["id"]))
# End.
'''

# The author's code.


def release(number, editions, folder, changes):
    edition = {}
    for table in TABLES:
        old, new = {}, {row["id"]: row for row in typed(f"{editions}/{number}", table)}
        if number > 1:
            old = {row["id"]: row for row in typed(f"{editions}/{number - 1}", table)}
        edition[table] = {
            "added": [row for key, row in new.items() if key not in old],
            "changed": [(old[key], {name: row[name] for name in row if row[name] != old[key][name]})
                        for key, row in new.items() if key in old and row != old[key]],
            "retired": [row for key, row in old.items() if key not in new]}
    versions = pathlib.Path(folder, "versions")
    versions.mkdir(exist_ok=True)
    before = f'"{number - 1}"' if number > 1 else None
    (versions / f"{number}.py").write_text(
        MIGRATION.format(number=number, before=before) + changes)
    (versions / f"{number}.json").write_text(json.dumps(edition))


def typed(folder, table):
    for row in records(folder, table):
        yield {name: int(value) if name in ("id", "word_id", "position", "rank") else value
               for name, value in row.items()}


def start(number, folder, database):
    config = Config()
    config.set_main_option("script_location", folder)
    config.set_main_option("sqlalchemy.url", database)
    command.upgrade(config, str(number))


# End.


def play(changes):
    def release_all(number, editions, folder):
        pathlib.Path(folder, "env.py").write_text(ENVIRONMENT)
        release(number, editions, folder, changes)

    def start_any(number, folder, database):
        url = database.replace("postgresql:", "postgresql+psycopg:")
        start(number, folder, url if url != database else f"sqlite:///{database}")

    run(start_any, start_any, release_all)


if __name__ == "__main__":
    play(CHANGES)
