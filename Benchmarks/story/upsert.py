"""Inserts each row, or updates the one that is there, at each start.

Page: "UPSERT", SQLite, https://www.sqlite.org/lang_upsert.html, in one transaction as in "How to
use the connection context manager", Python, https://docs.python.org/3/library/sqlite3.html. On
PostgreSQL: "INSERT", https://www.postgresql.org/docs/current/sql-insert.html, from a table that
COPY fills.
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
            changes = ", ".join(f"{column} = excluded.{column}" for column in columns[1:])
            connection.executemany(
                f"INSERT INTO {table} VALUES ({names}) ON CONFLICT (id) DO UPDATE SET {changes}",
                records(f"{folder}/{number}", table))


# The author's code, PostgreSQL.


def start_server(number, folder, database):
    import psycopg
    with psycopg.connect(database) as connection:
        for table, columns in TABLES.items():
            connection.execute(f"CREATE TEMP TABLE new_{table} (LIKE {table}) ON COMMIT DROP")
            with connection.cursor() as cursor, open(f"{folder}/{number}/{table}.csv") as file:
                with cursor.copy(f"COPY new_{table} FROM STDIN (FORMAT csv, HEADER)") as copy:
                    while text := file.read(1 << 20):
                        copy.write(text)
            changes = ", ".join(f"{column} = excluded.{column}" for column in columns[1:])
            connection.execute(
                f"INSERT INTO {table} SELECT * FROM new_{table} "
                f"ON CONFLICT (id) DO UPDATE SET {changes}")


# End.
run(start, start_server)
