"""`upsert_all` of sqlite-utils, at each start.

Page: "sqlite_utils Python library", `upsert_all` and `atomic`, sqlite-utils,
https://sqlite-utils.datasette.io/en/stable/python-api.html. Its command `sqlite-utils upsert` does
the same for one table, so two tables are two transactions there; this is the better way.
"""
import sqlite_utils

from files import TABLES, records, run

# The author's code, SQLite.


def start(number, folder, database):
    database = sqlite_utils.Database(database)
    database.execute("PRAGMA foreign_keys = ON")
    with database.atomic():
        for table in TABLES:
            database[table].upsert_all(records(f"{folder}/{number}", table), pk="id")


# End.
run(start)
