"""Where `story` plays: databases in a folder, and on a server of its own."""
import os
import pathlib
import shutil
import time


class Files:
    """Databases of SQLite in a folder."""

    engine = "sqlite"

    def __init__(self, folder):
        self.folder = folder

    def name(self, database):
        return str(self.folder / f"{database}.sqlite")

    def remove(self, database):
        for file in self.folder.glob(f"{database}.sqlite*"):
            shutil.rmtree(file) if file.is_dir() else file.unlink()

    def copy(self, source, target):
        self.remove(target)
        shutil.copyfile(self.name(source), self.name(target))
        os.sync()

    def size(self, database):
        """Bytes of the database, of its journal, and of what a tool left with it."""
        files = [file for kept in self.folder.glob(f"{database}.sqlite*")
                 for file in [kept, *kept.rglob("*")]]
        return sum(file.stat().st_size for file in files if file.is_file())

    def busy(self):
        """Seconds of processor time that others than the tool's process worked for it."""
        return 0

    def wait(self):
        pass


class Databases:
    """Databases on a server of its own."""

    engine = "postgresql"

    def __init__(self, rows):
        self.server, self.rows = Databases.server, rows

    def name(self, database):
        return self.server.uri(f"{database}_{self.rows}")

    def remove(self, database):
        self.server.sql("postgres", "SET client_min_messages = warning; "
                        f"DROP DATABASE IF EXISTS {database}_{self.rows}")

    def copy(self, source, target, template=None):
        self.wait()
        self.remove(target)
        template = template or f"{source}_{self.rows}"
        self.server.sql("postgres", f"CREATE DATABASE {target}_{self.rows} TEMPLATE {template}")
        self.server.sql("postgres", "CHECKPOINT")

    def size(self, database):
        return int(self.server.sql(
            "postgres", f"SELECT pg_database_size('{database}_{self.rows}')"))

    def busy(self):
        self.wait()
        postmaster = self.server.sql("postgres", "SELECT pg_read_file('postmaster.pid')").split()[0]
        # Its own and those of all its children that have ended.
        times = pathlib.Path(f"/proc/{postmaster}/stat").read_text().rsplit(")")[1].split()[11:15]
        return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")

    def wait(self):
        """Until the server has noticed that its client is dead."""
        others = "SELECT count(*) FROM pg_stat_activity WHERE datname LIKE '%\\_%'"
        while self.server.sql("postgres", others) != "0":
            time.sleep(0.02)
