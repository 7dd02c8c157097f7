"""Inserts each row, or updates the one that is there if it differs, at each start.

Page: "UPSERT", SQLite, https://www.sqlite.org/lang_upsert.html, with DO UPDATE … WHERE, in one
transaction as in "How to use the connection context manager", Python,
https://docs.python.org/3/library/sqlite3.html. On PostgreSQL: "INSERT", with the same WHERE,
https://www.postgresql.org/docs/current/sql-insert.html, from a table that COPY fills.
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
            old, new = (", ".join(f"{row}.{column}" for column in columns[1:])
                        for row in (table, "excluded"))
            connection.executemany(
                f"INSERT INTO {table} VALUES ({names}) ON CONFLICT (id) DO UPDATE "
                f"SET ({', '.join(columns[1:])}) = ({new}) WHERE ({old}) IS NOT ({new})",
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
            old, new = (", ".join(f"{row}.{column}" for column in columns[1:])
                        for row in (table, "excluded"))
            connection.execute(
                f"INSERT INTO {table} SELECT * FROM new_{table} ON CONFLICT (id) DO UPDATE "
                f"SET ({', '.join(columns[1:])}) = ({new}) WHERE ({old}) IS DISTINCT FROM ({new})")


# End.
run(start, start_server)
