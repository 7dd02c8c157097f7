"""Inserts what is absent, at each start.

Page: "The ON CONFLICT Clause", SQLite, https://www.sqlite.org/lang_conflict.html, in one
transaction as in "How to use the connection context manager", Python,
https://docs.python.org/3/library/sqlite3.html. On PostgreSQL: "INSERT", "Populating a Database",
https://www.postgresql.org/docs/current/populate.html: COPY, and one INSERT from there.
"""
import sqlite3

from files import TABLES, records, run

# The author's code, SQLite.


def start(number, folder, database):
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA foreign_keys = ON")
    with connection:
        for table, columns in TABLES.items():
            names = ", ".join(f":{column}" for column in columns)
            connection.executemany(
                f"INSERT OR IGNORE INTO {table} VALUES ({names})",
                records(f"{folder}/{number}", table))


# The author's code, PostgreSQL.


def start_server(number, folder, database):
    import psycopg
    with psycopg.connect(database) as connection:
        for table in TABLES:
            connection.execute(f"CREATE TEMP TABLE new_{table} (LIKE {table}) ON COMMIT DROP")
            with connection.cursor() as cursor, open(f"{folder}/{number}/{table}.csv") as file:
                with cursor.copy(f"COPY new_{table} FROM STDIN (FORMAT csv, HEADER)") as copy:
                    while text := file.read(1 << 20):
                        copy.write(text)
            connection.execute(
                f"INSERT INTO {table} SELECT * FROM new_{table} ON CONFLICT DO NOTHING")


# End.
run(start, start_server)
