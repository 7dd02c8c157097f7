"""The databases on which cases are played: a file of SQLite, or a database on a server."""
import json
import os
import sqlite3
import subprocess

from case import Wrong, field


class Database:
    """The folder of one case: a catalog, and the database that `name` names."""

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


class Session:
    """One psql for a server and all of its databases, since to start one takes longer than a case."""
    END = "-- end of the answer"

    def __init__(self, cluster):
        words = [f"{cluster.programs}/psql", "-qAtX", "-d", "postgres"]
        self.database = "postgres"
        self.process = subprocess.Popen(
            words, env={**os.environ, **cluster.variables}, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, database, sql):
        """What it prints."""
        change = "" if database == self.database else f"\\c {database}\n"
        self.database = database
        self.process.stdin.write(f"{change}{sql}\n;\n\\echo {self.END!r}\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line.rstrip("\n") == self.END:
                break
            lines.append(line)
        if failed := [line for line in lines if line.startswith(("ERROR:", "FATAL:"))]:
            raise Wrong(f"the SQL fails: {failed[0].strip()}")
        return "".join(lines)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class ServerDatabase(Database):
    """One on a server, with that server's twins of the SQL."""

    def __init__(self, folder, cluster, session):
        super().__init__(folder)
        self.session, self.short = session, f"case_{folder.name}"
        session.run("postgres", f"CREATE DATABASE {self.short}")
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
        self.session.run(self.short, sql)

    def rows(self, table, columns):
        query = f"COPY ({select(table, columns)}) TO STDOUT CSV"
        try:
            return self.session.run(self.short, query).splitlines()
        except Wrong as error:
            return [str(error)]


def select(table, columns):
    order = ", ".join(f"{place + 1} NULLS FIRST" for place in range(columns.count(",") + 1))
    return f"SELECT {columns} FROM {table} ORDER BY {order}"
