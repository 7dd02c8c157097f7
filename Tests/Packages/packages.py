"""What the tests of the packages for Ruby and PHP share: building twice, a server, documents."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "Python"))
from cluster import Cluster  # noqa: E402


def fail(code, sentence):
    print(f"{pathlib.Path(sys.argv[0]).name}: {sentence}", file=sys.stderr)
    sys.exit(code)


def read(words, usage, more=()):
    """The options, and what is none."""
    built = ROOT / ".build" / "release"
    options = {
        "--program": built / "migrate", "--postgresql": built / "migrate-postgresql",
        "--extension": ROOT / ".build" / "extension-out" / "seedbed.so"}
    words, names = list(words), []
    while words:
        word = words.pop(0)
        if word == "--help":
            print(usage.strip())
            sys.exit()
        if word in options and words:
            options[word] = pathlib.Path(words.pop(0)).resolve()
        elif word.startswith("-"):
            fail(64, f"unknown option '{word}', or its value is missing. See --help.")
        else:
            names.append(word)
    for name, remedy in (
            ("--program", "Scripts/build --ship migrate"),
            ("--postgresql", "Scripts/build --ship migrate-postgresql"),
            ("--extension", "Scripts/extension .build/extension-out")):
        if name in usage and not options[name].exists():
            fail(1, f"there is no '{options[name]}'. Build it: {remedy}")
    return options, names


def run(*words, **options):
    done = subprocess.run(
        [str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        **options)
    if done.returncode:
        fail(1, f"'{words[0]}' ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def made_twice(work, script, *words):
    """The files that a script writes; the same input must give the same bytes."""
    once, again = ([pathlib.Path(line) for line in run(script, work / name, *words).splitlines()]
                   for name in ("once", "again"))
    for one, other in zip(once, again):
        if one.read_bytes() != other.read_bytes():
            fail(1, f"the same input gave two different files '{one.name}'.")
    return once


def with_gem(work, program):
    """The folder in which the gem is installed from its file, and that file."""
    words = [ROOT / "Scripts/packages/gem", f"x86_64-linux={program}"]
    file = next(each for each in made_twice(work / "gem", *words) if "linux" in each.name)
    run("gem", "install", "--local", "--no-document", "--install-dir", work / "gems", file)
    return work / "gems"


def with_composer(work, extension, program):
    """The folder of an application that requires the package, which is installed from its file."""
    words = [ROOT / "Scripts/packages/composer", "x86_64-linux", extension, program]
    [file] = made_twice(work / "zip", words[0], *words[1:])
    app = work / "app"
    app.mkdir()
    sources = [{"type": "artifact", "url": str(file.parent)}, {"packagist.org": False}]
    (app / "composer.json").write_text(json.dumps(
        {"repositories": sources, "require": {"seedbed/seedbed": "*"}}))
    run("composer", "install", "--no-interaction", cwd=app, env={
        **os.environ, "COMPOSER_ALLOW_SUPERUSER": "1", "COMPOSER_HOME": str(work / "home")})
    return app


def copied(folder, target):
    """The same folder once more, to be changed."""
    shutil.copytree(folder, target, symlinks=True)
    return target


@contextlib.contextmanager
def server(work, program):
    """The variables of a server, and of a path that has the program for it."""
    (work / "bin").mkdir()
    (work / "bin" / "migrate-postgresql").symlink_to(program)
    cluster = Cluster()
    try:
        yield {**cluster.variables,
               "PATH": f"{work / 'bin'}:{cluster.programs}:{os.environ['PATH']}"}
    finally:
        cluster.stop()


def tested(words, variables, work):
    """Runs a program of tests; returns 1 if it fails."""
    begun = time.monotonic()
    done = subprocess.run(
        [str(word) for word in words], env={**os.environ, **variables}, cwd=work, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    name = next(pathlib.Path(word).name for word in words if "test_" in str(word))
    print(f"{name}: {'FAILED' if done.returncode else 'passed'}, "
          f"{time.monotonic() - begun:.0f} s", flush=True)
    if done.returncode:
        print(done.stdout)
    return int(done.returncode != 0)


def documents(ways, variables, options, work):
    """Compares the documents of one run by these ways with those of the others."""
    run(ROOT / "Scripts/packages/wheel", work / "wheel", options["--extension"], options["--program"])
    with zipfile.ZipFile(next((work / "wheel").glob("*.whl"))) as wheel:
        wheel.extractall(work / "python")
    (work / "python" / "seedbed" / "bin" / "seedbed").chmod(0o755)
    variables = {
        **variables, "PYTHONPATH": str(work / "python"),
        "SEEDBED_OTHER_WAYS": json.dumps(ways)}
    tests = ROOT / "Tests" / "Python"
    words = ["/usr/bin/python3", "-B", "-m", "unittest", "discover", "-s", tests, "-p",
             "test_documents.py"]
    return tested(words, variables, work)
