"""Scripts/checks/test-extension [--extension FILE] [--program FILE] [--long] [NAME…]

Runs the tests of the extension: each function test_… of this folder in a process of its own, in
an empty folder. A test fails by an exception, by its process's death, and by a single byte on
standard output or standard error: the extension prints nothing.

  --extension FILE  what to load; .build/extension-out/seedbed.so
  --program FILE    the command, which signs downloads; .build/release/migrate
  --long            all points of the sweeps, and not only some
  NAME…             a file (guest), a test (guest.test_fork), or the beginning of its name
"""

import importlib
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

here = pathlib.Path(__file__).resolve().parent


def tests():
    """The names of all tests, in the order of the files."""
    for file in sorted(here.glob("*.py")):
        if file.stem in ("run", "host", "door"):
            continue
        for name, _ in inspect.getmembers(importlib.import_module(file.stem), inspect.isfunction):
            if name.startswith("test_"):
                yield f"{file.stem}.{name}"


def run_one(name):
    """Runs a test in this process, and says nothing if it passes."""
    module, function = name.split(".")
    try:
        getattr(importlib.import_module(module), function)()
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def run_apart(name):
    """What is wrong with a test, run in a new process; nothing if it passes."""
    limit = 300 if {"SEEDBED_LONG", "SEEDBED_SECONDS"}.isdisjoint(os.environ) else 100_000
    with tempfile.TemporaryDirectory(prefix="seedbed-") as folder:
        try:
            child = subprocess.run(
                [sys.executable, "-B", __file__, "--one", name], cwd=folder, timeout=limit,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired as late:
            return f"no end after {limit} seconds\n" + (late.output or b"").decode()
    words = child.stdout.decode(errors="replace")
    if child.returncode < 0:
        return f"the process died by signal {-child.returncode}\n{words}"
    return words or (f"exit code {child.returncode}" if child.returncode else "")


def main(arguments):
    extension = here.parent.parent / ".build/extension-out/seedbed.so"
    program = here.parent.parent / ".build/release/migrate"
    names = []
    while arguments:
        argument = arguments.pop(0)
        if argument == "--help":
            print(__doc__.strip())
            return 0
        if argument == "--one":
            run_one(arguments.pop(0))
            return 0
        if argument == "--long":
            os.environ["SEEDBED_LONG"] = "1"
        elif argument == "--extension" and arguments:
            extension = pathlib.Path(arguments.pop(0))
        elif argument == "--program" and arguments:
            program = pathlib.Path(arguments.pop(0))
        elif argument.startswith("-"):
            print(f"test-extension: unknown option '{argument}'. See --help.", file=sys.stderr)
            return 64
        else:
            names.append(argument)
    if not extension.is_file():
        print(f"test-extension: no '{extension}'. Build it: Scripts/extension.", file=sys.stderr)
        return 1
    os.environ["SEEDBED_EXTENSION"] = str(extension.resolve())
    os.environ["SEEDBED_PROGRAM"] = str(program.resolve())
    chosen = [name for name in tests() if name.startswith(tuple(names or [""]))]
    if not chosen:
        print(f"test-extension: no test begins with {' or '.join(names)}.", file=sys.stderr)
        return 64
    failed = 0
    for name in chosen:
        start = time.monotonic()
        problem = run_apart(name)
        failed += bool(problem)
        print(f"{'FAILED' if problem else 'passed'} {name} ({time.monotonic() - start:.1f} s)",
              flush=True)
        if problem:
            print("    " + problem.strip().replace("\n", "\n    "), flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
