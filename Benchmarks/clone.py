"""What a newcomer waits for, in a fresh clone, and what whoever changes a file waits for."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import load
import measure
import project

# Seconds on two free cores, and how many times as long the clone's program may load.
BOUNDS = {"first command": 130, "second command": 600, "one test after a change": 60, "load": 1.3}
CHANGED = "Sources/Seedbed/Merge/Steps/Step5Log.swift"


def timed(clone, failed, *words):
    """The seconds of a command, also of one that fails: the table is printed all the same."""
    begun = time.monotonic()
    if subprocess.run(words, cwd=clone).returncode:
        failed.append(" ".join(words))
    return time.monotonic() - begun


def objects(clone):
    """The time of each object file of Sources."""
    built = (clone / ".build" / "debug").resolve()
    modules = [each.name for each in (clone / "Sources").iterdir()]
    return {
        file: file.stat().st_mtime_ns for name in modules
        for file in built.glob(f"{name}.build/**/*.o")}


def clone(options):
    """True if all is within its bound, and the second command compiles nothing a second time."""
    with tempfile.TemporaryDirectory(prefix="seedbed-clone-") as folder:
        place = pathlib.Path(folder) / "seedbed"
        subprocess.run(["git", "clone", "--quiet", project.root, place], check=True)
        failed = []
        found = {"first command": timed(place, failed, "Scripts/migrate", "up")}
        before = objects(place)
        found["second command"] = timed(place, failed, "Scripts/test")
        again = [file for file, when in objects(place).items() if before.get(file, when) != when]
        with open(place / CHANGED, "a", encoding="utf-8") as file:
            file.write("// Changed.\n")
        found["one test after a change"] = timed(
            place, failed, "Scripts/test", "--filter", "ReseedTests")
        found["load"] = load_ratio(place, options)
    measure.table(["what", "found", "at most"], [
        [name, f"{value:.2f} times" if name == "load" else f"{value:.0f} s", f"{BOUNDS[name]}"]
        for name, value in found.items()])
    for file in again:
        print(f"compiled by both commands: {os.path.relpath(file, folder)}")
    for command in failed:
        print(f"failed: {command}")
    are_within = all(found[name] <= BOUNDS[name] for name in found)
    return are_within and not again and not failed and bool(before)


def load_ratio(place, options):
    """How many times as long the program of the first command takes to load as what ships."""
    folder = project.work / "clone"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    catalog = str(load.moves_catalog(options.rows))

    def contender(program):
        words = [program, "up", "--no-backup", "--quiet", "--migrations", catalog,
                 "--database", str(folder / "app.sqlite")]

        def once():
            for file in folder.glob("app.sqlite*"):
                file.unlink()
            return measure.run(words, folder)[0]
        return once
    samples = measure.alternate(
        [("clone", contender(str(place / ".build/debug/migrate"))),
         ("ships", contender(project.migrate))], options.runs)
    return measure.median(samples["clone"]) / measure.median(samples["ships"])
