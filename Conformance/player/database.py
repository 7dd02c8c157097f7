"""The databases on which cases are played: a file of SQLite, or a database on a server."""
import json
import os
import sqlite3
import subprocess

from case import Wrong, field


class Database:
    """The folder of one case: a catalog, and the database that `name` names."""
    engine = "sqlite"

    def __init__(self, folder):
        self.folder, self.catalog = folder, folder / "Migrations"
        self.catalog.mkdir(parents=True)
        self.name = str(folder / "app.sqlite")

    def write(self, files):
        for name, text in files.items():
            if not name.endswith(".postgresql.sql"):
                self.put(name, text)

    def put(self, name, text):
        path = self.catalog / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def run(self, sql):
        app = sqlite3.connect(self.name)
        try:
            app.execute("PRAGMA foreign_keys = ON")
            app.executescript(sql)
        except sqlite3.Error as error:
            raise Wrong(f"what the user does fails: {error}") from error
        finally:
            app.close()

    def rows(self, table, columns):
        app = sqlite3.connect(self.name)
        try:
            found = app.execute(select(table, columns)).fetchall()
        except sqlite3.Error as error:
            return [str(error)]
        finally:
            app.close()
        return [",".join(map(field, row)) for row in found]


class ServerDatabase(Database):
    """One on a server, with that server's twins of the SQL."""
    engine = "postgresql"

    def __init__(self, folder, cluster):
        super().__init__(folder)
        self.cluster = cluster
        self.short = "case_" + folder.name
        cluster.sql(f"CREATE DATABASE {self.short}")
        self.name = (
            f"postgresql:///{self.short}?host={cluster.folder}&port={cluster.port}&user=postgres")
        self.put("catalog.json", '{"engines": ["postgresql"]}')

    def write(self, files):
        twins = [name for name in files if name.endswith(".postgresql.sql")]
        for name, text in files.items():
            if name == "catalog.json":
                text = json.dumps({**json.loads(text), "engines": ["postgresql"]})
            elif name.endswith(".sql") and name not in twins:
                name = name[:-len(".sql")] + ".postgresql.sql"
                if name in twins:
                    continue
            self.put(name, text)

    def run(self, sql):
        self.psql(sql)

    def rows(self, table, columns):
        try:
            return self.psql(f"COPY ({select(table, columns)}) TO STDOUT CSV").splitlines()
        except Wrong as error:
            return [str(error)]

    def psql(self, sql):
        words = [f"{self.cluster.programs}/psql", "-qAtX", "-v", "ON_ERROR_STOP=1", self.name]
        done = subprocess.run(words, input=sql, capture_output=True, text=True)
        if done.returncode:
            raise Wrong(f"what the user does fails: {done.stderr.strip()}")
        return done.stdout


def select(table, columns):
    order = ", ".join(f"{place + 1} NULLS FIRST" for place in range(columns.count(",") + 1))
    return f"SELECT {columns} FROM {table} ORDER BY {order}"
