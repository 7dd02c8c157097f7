"""DoltLite: the author commits each edition, and the app pulls it into what users have.

Page: "AGENT.md - DoltLite Database Operations Guide", which its library has: "Remotes", and "Merge
Conflicts", which are settled by `--ours`. "Constraint Violations on Merge", README of
https://github.com/dolthub/doltlite, says to delete the rows that break a constraint, here senses of
words that are gone. All rows are written for each edition, and equal ones are no change. `import
doltlite` puts its SQLite in the place of Python's. No other SQLite reads its file.
"""
import doltlite  # noqa: F401, before sqlite3
import shutil
import sqlite3

from files import TABLES, records, run, schema

# The author's code, SQLite.


def release(number, editions, folder):
    if number > 1:
        shutil.copyfile(f"{folder}/{number - 1}.doltlite", f"{folder}/{number}.doltlite")
    connection = sqlite3.connect(f"{folder}/{number}.doltlite", isolation_level=None)
    if number == 1:
        connection.executescript(schema("sqlite"))
    connection.execute("BEGIN")
    for table, columns in TABLES.items():
        names = ", ".join(f":{column}" for column in columns)
        connection.execute(f"DELETE FROM {table}")
        connection.executemany(
            f"INSERT INTO {table} VALUES ({names})", records(f"{editions}/{number}", table))
    connection.execute(f"SELECT dolt_commit('-A', '-m', 'edition {number}')")


def start(number, folder, database):
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("SELECT dolt_commit('-A', '--skip-empty', '-m', 'users')")
    is_new = not connection.execute("SELECT * FROM dolt_remotes").fetchone()
    if not is_new:
        connection.execute("SELECT dolt_remote('remove', 'app')")
    connection.execute(f"SELECT dolt_remote('add', 'app', 'file://{folder}/{number}.doltlite')")
    if is_new:
        connection.execute("SELECT dolt_fetch('app', 'main')")
        connection.execute("SELECT dolt_reset('--hard', 'app/main')")
        return
    connection.execute("BEGIN")
    try:
        connection.execute("SELECT dolt_pull('app', 'main')")
    except sqlite3.OperationalError:
        for table in TABLES:
            connection.execute(f"SELECT dolt_conflicts_resolve('--ours', '{table}')")
            broken = f"dolt_constraint_violations_{table}"
            connection.execute(f"DELETE FROM {table} WHERE id IN (SELECT id FROM {broken})")
            connection.execute(f"DELETE FROM {broken}")
        connection.execute("SELECT dolt_commit('-A', '-m', 'merge')")
    connection.commit()


# End.
run(start, release=release)
