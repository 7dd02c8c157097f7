"""A PostgreSQL server of the tests' own, with a password that a URL has to spell."""
import contextlib
import os
import subprocess
import urllib.parse

from apps import LONG
from cluster import Cluster

PASSWORD = "p@ss/word"


class Server:
    def __init__(self, port):
        self.port = port
        self.environment = {
            "PGHOST": "127.0.0.1", "PGPORT": str(port), "PGUSER": "postgres",
            "PGPASSWORD": PASSWORD}

    def url(self, database):
        password = urllib.parse.quote(PASSWORD, safe="")
        return f"postgresql://postgres:{password}@127.0.0.1:{self.port}/{database}"

    def run(self, *words):
        return subprocess.run(
            [str(word) for word in words], env={**os.environ, **self.environment}, check=True,
            capture_output=True, text=True, timeout=LONG).stdout

    def sql(self, database, statement):
        """The rows of a statement, with a bar between their values."""
        said = self.run("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", statement)
        return said.splitlines()


@contextlib.contextmanager
def running():
    """Starts it, and stops it at the end."""
    cluster = Cluster()
    try:
        cluster.sql(f"ALTER ROLE postgres PASSWORD '{PASSWORD}'")
        yield Server(cluster.port)
    finally:
        cluster.stop()
