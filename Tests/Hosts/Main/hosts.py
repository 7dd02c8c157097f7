"""The programs and languages in which the story is played."""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
PROGRAMS = ROOT / "Tests" / "Hosts"
BUILT = ROOT / ".build" / "hosts"
# Debian's Python loads extensions; one that was built by hand may not.
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
VENV = str(BUILT / "python" / "bin" / "python")
KEYED = str(BUILT / "keyed")  # apsw with SQLite3MultipleCiphers, which has apsw's own name
GO = {"GOPATH": "/usr/share/gocode", "GO111MODULE": "off", "GOFLAGS": "-mod=mod"}
JARS = "/usr/share/java/sqlite-jdbc.jar"
CRATES = "/usr/share/cargo/registry"

LONG = 120  # seconds; a machine may be slow, but a host must not hang


class Wrong(Exception):
    """Something in a host is not as it must be."""


class Host:
    """A program that has SQLite.

    `run` is called with DATABASE EXTENSION CATALOG OPTIONS; {folder} in it is the extension's.
    It prints the outcome of seedbed_up(), and then the first column of what each line of its input
    answers. `probe` succeeds if the machine has what it needs.
    """

    def __init__(
            self, name, run, probe, build=None, environment=None, main=None, threads="all",
            lends=False):
        self.name, self.run, self.probe, self.build = name, run, probe, build
        self.environment = environment or {}
        self.main = main  # the command in which the app goes on and tries its runtime hard
        self.threads = threads
        self.lends = lends  # It calls the C interface, with its own connection.

    def up_to(self, version):
        # A backup would be made through another connection, which has no key.
        return '{"to":%d%s}' % (version, ',"no-backup":true' if self.lends else "")

    @property
    def done(self):
        return "done" if self.lends else "applied"

    def is_here(self):
        try:
            return subprocess.run(
                self.probe, shell=isinstance(self.probe, str), capture_output=True,
                stdin=subprocess.DEVNULL, timeout=LONG).returncode == 0
        except FileNotFoundError:
            return False

    def made(self):
        if self.build:
            self.build()
        return self


def run_or_say(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise Wrong(f"{command[0]} failed: {done.stdout}{done.stderr}".strip())


def build_c():
    run_or_say(["cc", "-O2", "-o", BUILT / "c", PROGRAMS / "c.c", "-lsqlite3"])


def build_go():
    folder = fresh("go")
    shutil.copy(PROGRAMS / "go.go", folder / "host.go")
    shutil.copy(PROGRAMS / "Main" / "main.go", folder)
    cache = {"GOCACHE": str(BUILT / "go-cache")}
    run_or_say(
        ["go", "build", "-tags", "libsqlite3", "-o", BUILT / "go" / "host", "."], cwd=folder,
        env={**os.environ, **GO, **cache})


def build_rust():
    folder = fresh("rust")
    shutil.copy(PROGRAMS / "rust.rs", folder / "host.rs")
    shutil.copy(PROGRAMS / "Main" / "main.rs", folder)
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "host"\nversion = "1.0.0"\nedition = "2021"\n'
        '[[bin]]\nname = "host"\npath = "main.rs"\n'
        '[dependencies]\nrusqlite = { version = "*", features = ["load_extension"] }\n')
    (folder / ".cargo").mkdir()
    (folder / ".cargo" / "config.toml").write_text(
        '[source.crates-io]\nreplace-with = "debian"\n'
        f'[source.debian]\ndirectory = "{CRATES}"\n')
    run_or_say(
        ["cargo", "build", "--quiet", "--offline", "--target-dir", BUILT / "rust-target"],
        cwd=folder)


def build_java():
    folder = fresh("java")
    run_or_say(
        ["javac", "-cp", JARS, "-d", folder, PROGRAMS / "Database.java",
         PROGRAMS / "Main" / "Main.java"])


def fresh(name):
    folder = BUILT / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def python(name, file, module):
    return Host(name, [VENV, PROGRAMS / file], [VENV, "-c", f"import {module}"])


HOSTS = [
    Host("sqlite3 shell", ["stdbuf", "-oL", "sh", PROGRAMS / "shell.sh"], ["sqlite3", "--version"]),
    Host("C", [BUILT / "c"], "command -v cc && test -e /usr/include/sqlite3.h", build_c),
    Host(
        "Python sqlite3", [PYTHON, PROGRAMS / "python.py"],
        [PYTHON, "-c", "import sqlite3; sqlite3.Connection.load_extension"]),
    python("Python apsw", "python-apsw.py", "apsw"),
    python("Python pysqlite3", "python-pysqlite3.py", "pysqlite3"),
    python("Python sqlean.py", "python-sqlean.py", "sqlean"),
    python("Python SQLAlchemy", "python-sqlalchemy.py", "sqlalchemy"),
    Host("Perl DBD::SQLite", ["perl", PROGRAMS / "perl.pl"], ["perl", "-MDBD::SQLite", "-e1"]),
    Host(
        "Tcl", ["tclsh", PROGRAMS / "tcl.tcl"],
        "echo 'exit [catch {package require sqlite3}]' | tclsh"),
    Host("Ruby sqlite3", ["ruby", PROGRAMS / "ruby.rb"], ["ruby", "-rsqlite3", "-e1"]),
    Host(
        "PHP SQLite3", ["php", "-d", "sqlite3.extension_dir={folder}", PROGRAMS / "php.php"],
        ["php", "-r", "exit(class_exists('SQLite3') ? 0 : 1);"]),
    Host(
        "Go mattn", [BUILT / "go" / "host"],
        "command -v go && test -d /usr/share/gocode/src/github.com/mattn/go-sqlite3", build_go,
        main=[BUILT / "go" / "host"], threads="own"),
    Host(
        "Rust rusqlite", [BUILT / "rust-target" / "debug" / "host"],
        f"command -v cargo && ls -d {CRATES}/rusqlite-*", build_rust),
    Host(
        "Java xerial", ["java", "-Xcheck:jni", "-cp", f"{BUILT / 'java'}:{JARS}", "Main"],
        f"command -v javac && test -e {JARS}", build_java,
        main=["java", "-Xmx64m", "-cp", f"{BUILT / 'java'}:{JARS}", "Main"], threads="named"),
    Host(
        "R RSQLite", ["Rscript", PROGRAMS / "r.R"], ["Rscript", "-e", "library(RSQLite)"],
        main=["Rscript", PROGRAMS / "Main" / "main.R"],
        environment={"SEEDBED_HOST": str(PROGRAMS / "r.R")}),
    Host(
        "C interface with a key", [PYTHON, PROGRAMS / "python-interface.py"],
        ["env", f"PYTHONPATH={KEYED}", PYTHON, "-c", "import apsw; apsw.mc_version"],
        environment={"PYTHONPATH": KEYED}, lends=True),
]
