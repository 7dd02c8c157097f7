"""A PostgreSQL server of the tests' own. It needs nothing of Seedbed."""

import glob
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

LONG = 60  # seconds


def programs():
    """The folder of the newest server that is here, or None."""
    found = glob.glob("/usr/lib/postgresql/*/bin/initdb")
    newest = max(found, key=lambda path: float(pathlib.Path(path).parts[4]), default=None)
    return newest and os.path.dirname(newest)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Cluster:
    """Started when it is made. By its socket it asks for no password, and by TCP it does."""

    def __init__(self):
        self.folder, self.process = tempfile.mkdtemp(prefix="seedbed-pg-", dir="/tmp"), None
        self.port, self.programs = free_port(), programs()
        self.variables = {
            "PGHOST": self.folder, "PGPORT": str(self.port), "PGUSER": "postgres"}
        try:
            self.start()
        except BaseException:
            self.stop()
            raise

    def start(self):
        prefix = []
        if os.getuid() == 0:  # PostgreSQL refuses to run as root.
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            prefix = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
        data = self.folder + "/data"
        subprocess.run(
            [*prefix, f"{self.programs}/initdb", "-D", data, "-U", "postgres", "--auth-local",
             "trust", "--auth-host", "scram-sha-256", "-E", "UTF8", "--locale", "C.UTF-8", "-N"],
            check=True, stdout=subprocess.DEVNULL, cwd="/", timeout=LONG)
        settings = ["fsync=off", "listen_addresses=127.0.0.1", f"port={self.port}",
                    f"unix_socket_directories={self.folder}"]
        with open(self.folder + "/log", "w") as log:
            # setpriv becomes the server.
            self.process = subprocess.Popen(
                [*prefix, f"{self.programs}/postgres", "-D", data,
                 *(word for each in settings for word in ("-c", each))],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/")
        end = time.monotonic() + LONG
        while subprocess.run(
                [f"{self.programs}/pg_isready", "-q"],
                env={**os.environ, **self.variables}).returncode:
            if time.monotonic() > end or self.process.poll() is not None:
                raise AssertionError(pathlib.Path(self.folder, "log").read_text())
            time.sleep(0.1)

    def database(self, name):
        """The variables with which the example finds a new database."""
        self.sql(f"CREATE DATABASE {name}")
        return {**self.variables, "DESK_POSTGRESQL": name}

    def url(self, name):
        """By TCP and with a password, to a new database."""
        self.sql(f"CREATE DATABASE {name}")
        self.sql("ALTER ROLE postgres PASSWORD 'secret'")
        return f"postgresql://postgres:secret@127.0.0.1:{self.port}/{name}"

    def sql(self, statement, database="postgres"):
        return subprocess.check_output(
            [f"{self.programs}/psql", "-qAtX", "-d", database, "-c", statement],
            env={**os.environ, **self.variables}, text=True, timeout=LONG)

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGINT)  # SIGTERM would wait for clients.
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
