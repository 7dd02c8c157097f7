"""Deletes the rows of the app, and inserts those of the new edition.

Page: "DELETE", SQLite, https://www.sqlite.org/lang_delete.html, in one transaction as in "How to
use the connection context manager", Python, https://docs.python.org/3/library/sqlite3.html. On
PostgreSQL: "Populating a Database", https://www.postgresql.org/docs/current/populate.html. Users'
rows have ids of a range of their own, and so are not deleted, unless a reference takes them along.
"""
import sqlite3

from files import TABLES, records, run

# The author's code, SQLite.


def start(number, folder, database):
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA foreign_keys = ON")
    with connection:
        for table in reversed(TABLES):
            connection.execute(f"DELETE FROM {table} WHERE id < 1000000000")
        for table, columns in TABLES.items():
            names = ", ".join(f":{column}" for column in columns)
            connection.executemany(
                f"INSERT INTO {table} VALUES ({names})", records(f"{folder}/{number}", table))


# The author's code, PostgreSQL.


def start_server(number, folder, database):
    import psycopg
    with psycopg.connect(database) as connection:
        for table in reversed(TABLES):
            connection.execute(f"DELETE FROM {table} WHERE id < 1000000000")
        for table in TABLES:
            with connection.cursor() as cursor, open(f"{folder}/{number}/{table}.csv") as file:
                with cursor.copy(f"COPY {table} FROM STDIN (FORMAT csv, HEADER)") as copy:
                    while text := file.read(1 << 20):
                        copy.write(text)


# End.
run(start, start_server)
