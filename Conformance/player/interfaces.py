"""The interfaces by which cases are played: each calls a verb, and answers with its document."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

from database import Database, ServerDatabase, Session

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "Tests" / "Python"))
from cluster import Cluster, programs  # noqa: E402

VERBS = {"up", "down", "fill", "pin", "unpin", "resolve"}
# They would name another database.
OF_COMMAND = ("MIGRATE_DATABASE", "MIGRATE_BACKUPS", "DATABASE_URL")


class NotHere(Exception):
    """What an interface needs is not on this machine."""


def environment(**more):
    return {**{name: text for name, text in os.environ.items() if name not in OF_COMMAND}, **more}


class Command:
    """The command, a process for each call. With --json it answers with the documents."""
    name, engine, verbs = "command", "sqlite", VERBS | {"reseed"}

    def __init__(self, files, work):
        self.program = files.program()

    def database(self, folder):
        return Database(folder)

    def call(self, database, verb, operands):
        flags = ["--json", f"--database={database.name}", f"--migrations={database.catalog}"]
        if verb in ("up", "down", "reseed"):
            flags.append("--no-backup")
        if verb in ("down", "resolve"):
            first, *operands = operands
            flags.append(f"--to={first}" if verb == "down" else f"--{first}")
        done = subprocess.run(
            [self.program, verb, *flags, "--", *map(str, operands)], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, env=environment())
        return document(done.stdout, done.stderr)

    def close(self):
        pass


class Server(Command):
    """The same command, on a PostgreSQL server of its own."""
    name, engine = "postgresql", "postgresql"

    def __init__(self, files, work):
        if not programs():
            raise NotHere("there is no server. Install it: Scripts/setup --with postgresql")
        self.program = files.postgresql()
        self.cluster = Cluster()
        self.session = Session(self.cluster)

    def database(self, folder):
        return ServerDatabase(folder, self.cluster, self.session)

    def close(self):
        self.session.close()
        self.cluster.stop()


class Package:
    """A package for a language: one process of it reads a call a line, and answers with a line."""
    engine = "sqlite"

    def __init__(self, files, work):
        words, variables = self.start(files, work)
        if not shutil.which(words[0]):
            raise NotHere(f"there is no {words[0]}")
        self.process = subprocess.Popen(
            [str(word) for word in words], env=environment(**variables), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def database(self, folder):
        return Database(folder)

    def call(self, database, verb, operands):
        if verb == "resolve":
            operands = [operands[1], operands[0]]
        if verb in ("pin", "unpin"):
            operands = [operands[0], key(operands[1])]
        if verb == "down":
            operands = [int(operands[0])]
        line = json.dumps([verb, database.name, str(database.catalog), list(operands)])
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return document(self.process.stdout.readline(), f"{self.name} does not answer")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Extension(Package):
    """SQL functions in the SQLite of a Python."""
    name, verbs = "extension", VERBS

    def start(self, files, work):
        file = str(files.extension()).removesuffix(".so")
        return [loading_python(), "-B", HERE / "extension.py", file], {}


class Python(Package):
    name, verbs = "python", VERBS

    def start(self, files, work):
        words = [ROOT / "Scripts/packages/wheel", work / "wheel", files.extension(), files.program()]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        [wheel] = (work / "wheel").glob("*.whl")
        zipfile.ZipFile(wheel).extractall(work / "python")
        (work / "python/seedbed/bin/seedbed").chmod(0o755)
        variables = {"PYTHONPATH": str(work / "python")}
        return [loading_python(), "-B", HERE / "package.py"], variables


class Node(Package):
    name, verbs = "node", VERBS

    def start(self, files, work):
        variables = {"SEEDBED_PROGRAM": str(files.program())}
        return ["node", HERE / "package.cjs", ROOT / "Node"], variables


class Ruby(Package):
    name, verbs = "ruby", VERBS | {"reseed"}

    def start(self, files, work):
        variables = {"SEEDBED_PROGRAM": str(files.program()), "LC_ALL": "C.UTF-8"}
        return ["ruby", "-I", ROOT / "Ruby/lib", HERE / "package.rb"], variables


class PHP(Package):
    name, verbs = "php", VERBS | {"reseed"}

    def start(self, files, work):
        folder = f"sqlite3.extension_dir={files.extension().parent}"
        variables = {"SEEDBED_PROGRAM": str(files.program())}
        return ["php", "-d", folder, HERE / "package.php", ROOT / "PHP/src"], variables


def loading_python():
    """Not the first on the path: many are built without the loading of extensions."""
    test = "import sqlite3; sqlite3.Connection.enable_load_extension"
    for python in ("/usr/bin/python3", sys.executable):
        if not subprocess.run([python, "-c", test], stderr=subprocess.DEVNULL).returncode:
            return python
    raise NotHere("no Python here can load extensions of SQLite. Install Debian's python3")


def key(text):
    """A row's key as a program passes it: a value, or those of several columns."""
    values = [int(value) if value.isdigit() else value for value in text.split(",")]
    return values if len(values) > 1 else values[0]


def document(text, otherwise):
    try:
        return json.loads(text)
    except ValueError:
        message = f"no document: {text}{otherwise}"
        return {"error": {"code": "none", "message": message}}


INTERFACES = {each.name: each for each in (
    Command, Extension, Server, Python, Node, Ruby, PHP)}
