"""A PostgreSQL server of the tests' own, with a password that a URL has to spell."""
import contextlib
import glob
import os
import pathlib
import shutil
import socket
import subprocess
import time
import urllib.parse

PASSWORD = "p@ss/word"
LONG = 60


def programs():
    """The folder of the newest server that is here, or None."""
    found = glob.glob("/usr/lib/postgresql/*/bin/initdb")
    newest = max(found, key=lambda path: float(pathlib.Path(path).parts[4]), default=None)
    return newest and pathlib.Path(newest).parent


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
def running(folder):
    """Starts it, and stops it at the end. PostgreSQL refuses to run as root."""
    is_root = os.geteuid() == 0
    words = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
    prefix = words if is_root else []
    folder.mkdir()
    (folder / "password").write_text(PASSWORD)
    if is_root:
        shutil.chown(folder, "postgres")
        shutil.chown(folder / "password", "postgres")
    bin_folder = programs()
    subprocess.run(
        [*prefix, bin_folder / "initdb", "-D", folder / "data", "-U", "postgres", "-E", "UTF8",
         "-A", "scram-sha-256", "--pwfile", folder / "password", "--locale", "C.UTF-8", "-N"],
        check=True, stdout=subprocess.DEVNULL, cwd=folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with open(folder / "log", "w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [*prefix, bin_folder / "postgres", "-D", folder / "data", "-c", "fsync=off",
             "-c", "listen_addresses=127.0.0.1", "-c", f"port={port}",
             "-c", f"unix_socket_directories={folder}"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder)
    try:
        server = Server(port)
        end = time.monotonic() + LONG
        while True:
            try:
                server.sql("postgres", "SELECT 1")
                break
            except subprocess.CalledProcessError as error:
                if time.monotonic() > end or process.poll() is not None:
                    log = (folder / "log").read_text()
                    raise RuntimeError(f"no server: {error.stderr}{log}") from None
                time.sleep(0.1)
        yield server
    finally:
        process.terminate()  # setpriv became the server, and SIGTERM waits for clients.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()
