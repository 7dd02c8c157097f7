"""door.c, compiled as a host would be: C11 and C++ with all warnings, and under sanitizers."""

import os
import pathlib
import re
import subprocess

from host import CATALOG, EXTENSION, ROOT, equal, write_owners

INCLUDE = str(ROOT / "Sources/CSeedbedExtension/include")
SOURCE = str(ROOT / "Tests/Extension/door.c")


def succeeded(*words, **environment):
    process = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, **environment})
    output = process.stdout.decode(errors="replace")
    equal((process.returncode, output), (0, ""))


def play(compiler, *flags):
    succeeded(
        compiler, *flags, "-Wall", "-Wextra", "-Werror", "-g", "-I", INCLUDE, SOURCE,
        "-o", "door", "-lsqlite3", "-ldl", "-lpthread")
    os.mkdir("folder")
    program = str(pathlib.Path("door").resolve())
    write_owners(pathlib.Path("owners"))
    os.chdir("folder")
    # A leak is a failure, too: what Swift's runtime keeps for good can be reached, and is none.
    succeeded(
        program, EXTENSION, CATALOG, "../owners", ASAN_OPTIONS="detect_leaks=1",
        UBSAN_OPTIONS="halt_on_error=1")


def test_as_c():
    play("cc", "-std=c11")


def test_as_c_plus_plus():
    play("c++", "-x", "c++")


def test_with_sanitizers():
    play("cc", "-std=c11", "-fsanitize=address,undefined")


def test_the_header_alone():
    """It needs no other header, in any standard of C and C++."""
    pathlib.Path("alone.c").write_text('#include "seedbed.h"\n#include "seedbed.h"\n')
    for compiler, *flags in (
        ("cc", "-std=c89"), ("cc", "-std=c11"), ("cc", "-std=c2x"),
        ("c++", "-x", "c++", "-std=c++98"), ("c++", "-x", "c++", "-std=c++20"),
    ):
        succeeded(
            compiler, *flags, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", INCLUDE,
            "alone.c")


def test_the_header_is_the_extensions():
    """Every function that it declares is exported, and nothing else is."""
    lines = subprocess.run(
        ["nm", "-D", "--defined-only", EXTENSION], stdout=subprocess.PIPE, check=True
    ).stdout.decode().splitlines()
    exported = {line.split()[-1].split("@")[0] for line in lines}
    text = (pathlib.Path(INCLUDE) / "seedbed.h").read_text()
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    declared = set(re.findall(r"\b((?:sqlite3_)?seedbed_\w+)\(", code))
    equal(exported, declared)


def test_what_it_needs():
    """libc, libm and the loader, and nothing of SQLite."""
    output = subprocess.run(
        ["nm", "-D", "--undefined-only", EXTENSION], stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    equal([line for line in output.splitlines() if "sqlite" in line], [])
    output = subprocess.run(
        ["readelf", "-d", EXTENSION], stdout=subprocess.PIPE, check=True).stdout.decode()
    needed = [line.split("[")[1][:-1] for line in output.splitlines() if "(NEEDED)" in line]
    equal({name.split(".so")[0] for name in needed} - {"libc", "libm", "ld-linux-x86-64"}, set())
