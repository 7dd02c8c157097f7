"""Where things are, and how what is measured is built, unless MIGRATE names a program."""
import os
import pathlib
import subprocess
import sys

import measure

root = pathlib.Path(__file__).resolve().parent.parent
work = root / ".build" / "bench"
migrate = os.environ.get("MIGRATE") or str(root / ".build" / "release" / "migrate")


def build():
    work.mkdir(parents=True, exist_ok=True)
    if os.environ.get("MIGRATE"):
        return
    # As it ships.
    subprocess.run([root / "Scripts" / "build", "--ship", "migrate"], check=True, stdout=sys.stderr)


def compile_c(name):
    """Compiles one of the C programs beside this file."""
    program = work / name
    source = root / "Benchmarks" / f"{name}.c"
    subprocess.run(["cc", "-O2", "-o", program, source, "-lsqlite3", "-lz"], check=True)
    return str(program)


def swift_program(name):
    """Builds one of the Swift programs beside this file, each an app of its own."""
    scratch = work / "package"
    print("Building the benchmark package; only the first time is slow.", file=sys.stderr)
    subprocess.run(
        ["swift", "build", "--package-path", root / "Benchmarks", "--scratch-path", scratch,
         "--configuration", "release", "--product", name], check=True, stdout=sys.stderr)
    return str(scratch / "release" / name)


def sql(database, text):
    output = subprocess.run(
        ["sqlite3", "-batch", database, text], check=True, capture_output=True, text=True)
    return output.stdout.strip()


def catalog(name, fill):
    """A locked catalog, filled once and kept; the lock is written again, for its form may change."""
    folder = work / name
    if not (folder / "seedbed.lock").exists():
        for old in sorted(folder.rglob("*"), reverse=True):
            old.rmdir() if old.is_dir() else old.unlink()
        folder.mkdir(parents=True, exist_ok=True)
        fill(folder)
    measure.run([migrate, "lock", "--migrations", str(folder)], work)
    return folder


def state():
    """What was measured, and where."""
    version = subprocess.run(
        ["git", "-C", root, "describe", "--always", "--dirty"], capture_output=True, text=True)
    return f"{version.stdout.strip()}, SQLite {sql(':memory:', 'SELECT sqlite_version()')}"
