"""Three releases of a table of templates, deployed with an application's own migrator."""
import os
import pathlib
import shutil
import sqlite3
import subprocess
import time

from apps import BROKEN, LONG, VENV, Wrong

# name, subject, body, and from the second release on footer
RELEASES = [
    ["name,subject,body", "welcome,Welcome,Hello.", "reset,Your password,Follow the link.",
     "invoice,Your invoice,It is attached."],
    ["name,subject,body,footer", "welcome,Welcome aboard,Hello.,Bye",
     "reset,A new password,Follow the link.,Bye", "invoice,An invoice,It is attached.,Bye",
     "farewell,Goodbye,Come back.,Bye"],
    ["name,subject,body,footer", "welcome,Welcome aboard,Hello.,Bye",
     "reset,A new password,Follow the link.,Bye", "invoice,The invoice,It is attached.,Bye",
     "farewell,Goodbye,Come back.,Bye"]]
CATALOG = """{
  "engines": ["sqlite", "postgresql"],
  "tables": {
    "templates": {
      "source": "data/templates.csv",
      "key": ["name"],
      "ignore": ["created_at", "updated_at"]
    }
  }
}
"""
ADDED = "ALTER TABLE templates ADD COLUMN footer varchar;\n"
EDITS = [
    "UPDATE templates SET subject = 'Moin', updated_at = CURRENT_TIMESTAMP WHERE name = 'welcome'",
    "DELETE FROM templates WHERE name = 'reset'",
    "INSERT INTO templates (name, subject, body) VALUES ('ours', 'Ours', 'Our own.')"]
ROWS = {
    1: ["invoice|Your invoice|", "reset|Your password|", "welcome|Welcome|"],
    2: ["farewell|Goodbye|Bye", "invoice|An invoice|Bye", "ours|Ours|", "welcome|Moin|Bye"],
    3: ["farewell|Goodbye|Bye", "invoice|The invoice|Bye", "ours|Ours|", "welcome|Moin|Bye"]}


class Tools:
    """Runs programs with the command `seedbed` on their path, and what Scripts/setup made."""

    def __init__(self, programs):
        self.path = f"{programs}:{VENV}:{os.environ['PATH']}"

    def start(self, words, folder, **environment):
        others = ("MIGRATE_DATABASE", "MIGRATE_DIR", "RAILS_ENV", "FLASK_APP")
        merged = {
            **{name: value for name, value in os.environ.items() if name not in others},
            "PATH": self.path, "PYTHONDONTWRITEBYTECODE": "1", **environment}
        return subprocess.Popen(
            [str(word) for word in words], cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={name: value for name, value in merged.items() if value is not None})

    def run(self, words, folder, code=0, **environment):
        """What it prints; it must end with the code."""
        process = self.start(words, folder, **environment)
        try:
            said, _ = process.communicate(timeout=LONG)
        finally:
            process.kill()
        if process.returncode != code:
            words = " ".join(map(str, words))
            raise Wrong(f"'{words}' ended with {process.returncode}, not {code}: {said}")
        return said


class Releases:
    """The author's work: a checkout for each edition of an application."""

    def __init__(self, app, tools, server, work):
        self.app, self.tools, self.server, self.work = app, tools, server, work
        self.author = work / "author"
        self.file = work / "author.sqlite"
        self.file.touch()  # Laravel creates none.
        self.database = f"author_{app.project}"
        server.run("createdb", self.database)

    def run(self, *words, code=0, **environment):
        environment = {"DATABASE_URL": self.app.url(self.file), **environment}
        return self.tools.run(words, self.author, code, **environment)

    def made(self):
        """A checkout of each edition by its number, and one whose migration is broken."""
        self.app.begin(self.author, self.run)
        (self.author / self.app.catalog / "data").mkdir(parents=True)
        (self.author / self.app.catalog / "catalog.json").write_text(CATALOG)
        self.app.migrate(self.author, self.run)
        self.release(1, self.own_schema())
        editions = {1: self.copied("1")}
        self.app.add_second(self.author, self.run)
        self.app.migrate(self.author, self.run)
        self.release(2, self.added())
        editions[2] = self.copied("2")
        self.release(3, [])
        self.app.check(self.copied("check"), self.in_copy("check"))
        editions[3] = self.copied("3")
        self.app.add_broken(self.author, self.run)
        editions["broken"] = self.copied("broken")
        return editions

    def in_copy(self, name):
        def run(*words, code=0, **environment):
            environment = {"DATABASE_URL": self.app.url(self.file), **environment}
            return self.tools.run(words, self.work / name, code, **environment)
        return run

    def copied(self, name):
        return pathlib.Path(shutil.copytree(
            self.author, self.work / name,
            ignore=shutil.ignore_patterns("*.sqlite*", "__pycache__", "tmp", "log")))

    def own_schema(self):
        """Options for the table as the application's migrator made it, on both engines."""
        server = self.server.url(self.database)
        self.app.migrate(self.author, lambda *words: self.run(*words, DATABASE_URL=server))
        return ["--schema-from", self.file, "--schema-from", server]

    def added(self):
        """Options for what was added to the table, on both engines."""
        files = [self.work / "schema.sql", self.work / "schema.postgresql.sql"]
        for file in files:
            file.write_text(ADDED)
        return [word for file in files for word in ("--schema", file)]

    def release(self, number, schema):
        """Writes a release, tries it on both engines, and applies it to the author's database."""
        catalog = self.author / self.app.catalog
        (catalog / "data/templates.csv").write_text(
            "".join(line + "\n" for line in RELEASES[number - 1]))
        environment = {
            "MIGRATE_DIR": self.app.catalog, "DATABASE_URL": self.server.url(self.database)}
        self.run("seedbed", "make", f"release_{number}", *schema, **environment)
        said = self.run("seedbed", "lint", **environment)
        if "not tried" in said:
            raise Wrong(f"lint said {said}")
        environment.update(MIGRATE_DATABASE=str(self.file), DATABASE_URL=None)
        self.run("seedbed", "up", "--must-exist", **environment)


class Story:
    """Deploys the editions one after the other to a database, in which users work."""

    def __init__(self, app, editions, tools, work):
        self.app, self.editions, self.tools, self.work = app, editions, tools, work

    def url(self):
        raise NotImplementedError

    def sql(self, statement):
        raise NotImplementedError

    def backups(self):
        raise NotImplementedError

    def deploy(self, edition, code=0, **environment):
        return self.tools.run(
            self.app.deploy, self.editions[edition], code, DATABASE_URL=self.url(), **environment)

    def expect(self, release, what):
        columns = "name, subject, " + ("footer" if release > 1 else "'' AS footer")
        found = self.sql(
            f"SELECT {columns} FROM templates ORDER BY name")
        if found != ROWS[release]:
            raise Wrong(f"{what}: the rows are {found}")

    def play(self):
        self.deploy(1)
        self.expect(1, "the first deploy")
        for edit in EDITS:
            self.sql(edit)
        self.deploy(2)
        self.expect(2, "the second deploy")
        before = self.backups()
        if not before:
            raise Wrong("the second deploy made no backup")
        said = self.deploy(2)
        self.expect(2, "the second deploy again")
        if self.app.idle not in said or self.backups() != before:
            raise Wrong(f"the second deploy again said {said}, backups {self.backups()}")
        said = self.deploy("broken", code=1)
        self.expect(2, "a migrator that fails")
        if BROKEN not in said:
            raise Wrong(f"the broken migration said {said}")
        self.refusals()
        self.expect(2, "an update that was refused")
        self.deploy(3)
        self.expect(3, "the third deploy")
        self.deploy(2, code=5)
        self.expect(3, "older code")

    def refusals(self):
        """Reasons for which the third deploy fails, of one engine alone."""


class OnSQLite(Story):
    engine = "SQLite"

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.file = self.work / "desk.sqlite"
        self.file.touch()

    def url(self):
        return self.app.url(self.file)

    def sql(self, statement):
        database = sqlite3.connect(self.file)
        with database:
            rows = database.execute(statement).fetchall()
        database.close()
        return ["|".join("" if value is None else str(value) for value in row) for row in rows]

    def backups(self):
        return sorted(self.work.glob("desk.sqlite.backups/*"))


class OnPostgreSQL(Story):
    engine = "PostgreSQL"

    def __init__(self, server, *arguments):
        super().__init__(*arguments)
        self.server, self.name = server, f"desk_{self.app.project}"
        server.run("createdb", self.name)

    def url(self):
        return self.server.url(self.name)

    def sql(self, statement):
        return self.server.sql(self.name, statement)

    def backups(self):
        return sorted(self.work.glob("backup.*"))

    def deploy(self, edition, code=0, **environment):
        environment = {
            "MIGRATE_BACKUP_COMMAND":
                f"pg_dump '{self.url()}' >'{self.work}/backup.'$(date +%s%N)", **environment}
        return super().deploy(edition, code, **environment)

    def refusals(self):
        """Without a backup, and while another connection writes for longer than `up` waits."""
        said = self.deploy(3, code=6, MIGRATE_BACKUP_COMMAND=None)
        if "MIGRATE_BACKUP_COMMAND" not in said:
            raise Wrong(f"without a command for backups it said {said}")
        writer = self.tools.start(
            ["psql", "-Xqd", self.url(), "-c",
             "BEGIN; LOCK TABLE templates IN ROW EXCLUSIVE MODE; SELECT pg_sleep(60)"], self.work)
        try:
            end = time.monotonic() + LONG
            while self.sql(
                    "SELECT count(*) FROM pg_locks WHERE granted AND mode = 'RowExclusiveLock' "
                    "AND relation = 'templates'::regclass AND database = (SELECT oid "
                    "FROM pg_database WHERE datname = current_database())") != ["1"]:
                if time.monotonic() > end:
                    raise Wrong("the table was not locked")
                time.sleep(0.05)
            self.deploy(3, code=4)
        finally:
            self.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE query LIKE '%pg_sleep(60)' AND datname = current_database() "
                "AND pid <> pg_backend_pid()")
            writer.communicate(timeout=LONG)
