"""The libraries that go with migrate-postgresql into its wheel: Debian's files, unchanged."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import typing

import platforms

# PEP 600: each system for which such a wheel is has these.
OF_SYSTEM = re.compile(r"(ld-linux.*|lib(c|dl|gcc_s|m|pthread|resolv|rt|stdc\+\+|z))\.so\.\d+")
LGPL_3 = "LGPL-3.0-or-later OR GPL-2.0-or-later"
# Debian's source package, and of its libraries the licence and where they come from.
SOURCES = {
    "cyrus-sasl2": ("BSD-3-Clause-Attribution", "https://www.cyrusimap.org/sasl"),
    "e2fsprogs": ("MIT", "https://e2fsprogs.sourceforge.net"),
    "gmp": (LGPL_3, "https://gmplib.org"),
    "gnutls28": ("LGPL-2.1-or-later", "https://www.gnutls.org"),
    "keyutils": ("LGPL-2.0-or-later", "https://git.kernel.org"),
    "krb5": ("MIT", "https://web.mit.edu/kerberos"),
    "libffi": ("MIT", "https://sourceware.org/libffi"),
    "libidn2": (LGPL_3, "https://www.gnu.org/software/libidn"),
    "libsodium": ("ISC", "https://libsodium.org"),
    "libtasn1-6": ("LGPL-2.1-or-later", "https://www.gnu.org/software/libtasn1"),
    "libunistring": (LGPL_3, "https://www.gnu.org/software/libunistring"),
    "libzstd": ("BSD-3-Clause OR GPL-2.0-only", "https://facebook.github.io/zstd"),
    "nettle": (LGPL_3, "https://www.lysator.liu.se/~nisse/nettle"),
    "openldap": ("OLDAP-2.8", "https://www.openldap.org"),
    "openssl": ("Apache-2.0", "https://www.openssl.org"),
    "p11-kit": ("BSD-3-Clause", "https://p11-glue.github.io/p11-glue/p11-kit.html"),
    "postgresql": ("PostgreSQL", "https://www.postgresql.org"),
    "sqlite3": ("blessing", "https://www.sqlite.org"),
}
TEXTS = ["Apache-2.0", "GPL-3", "LGPL-2", "LGPL-2.1", "LGPL-3"]


class Library(typing.NamedTuple):
    name: str  # by which it is loaded
    file: pathlib.Path
    source: str  # Debian's package of its source
    version: str  # of that
    licence: str
    site: str
    notices: pathlib.Path


def run(*words):
    return subprocess.run(
        [str(word) for word in words], check=True, capture_output=True, text=True).stdout


def libraries(program, platform):
    """All that the program needs and not each system has, in the order of their names."""
    root = pathlib.Path(platforms.cross("sdk").strip() if platform.is_crossed else "/")
    found, files = {}, [program]
    while files:
        file = files.pop()
        for name in run("patchelf", "--print-needed", file).split():
            if name in found or OF_SYSTEM.fullmatch(name):
                continue
            found[name] = root / "usr/lib" / platform.multiarch / name
            if not found[name].exists():
                sys.exit(f"'{file}' needs {name}, which is not in {found[name].parent}. Build "
                         "the program as it ships: Scripts/build --ship migrate-postgresql")
            files.append(found[name])
    return of_debian(root, sorted(found.items()))


def of_debian(root, files):
    """The libraries, by their names and files, with what Debian knows of them."""
    query = ["dpkg-query", "--admindir", root / "var/lib/dpkg"]
    real = {name: os.path.basename(os.path.realpath(file)) for name, file in files}
    # Both are one folder, and dpkg knows a file by one of them.
    places = [f"{lib}/{file.parent.name}/{real[name]}" for name, file in files
              for lib in ("/lib", "/usr/lib")]
    printed = subprocess.run([*query, "--search", *places], capture_output=True, text=True).stdout
    owners = {os.path.basename(path): package for package, path in (
        line.split(": ") for line in printed.splitlines())}
    for name, file in files:
        if real[name] not in owners:
            sys.exit(f"'{file}' is of no package of Debian's, so its licence is not known.")
    shown = "${binary:Package} ${source:Package} ${source:Version}\n"
    sources = {package: rest for package, *rest in map(str.split, run(
        *query, "--show", "--showformat", shown, *set(owners.values())).splitlines())}
    found = []
    for name, file in files:
        package = owners[real[name]]
        source, version = sources[package]
        # It has the number of the server.
        key = re.sub(r"^postgresql-\d+", "postgresql", source)
        if key not in SOURCES:
            sys.exit(f"{name} is of Debian's {source}, whose licence is not in carried.py.")
        notices = root / "usr/share/doc" / package.split(":")[0] / "copyright"
        found.append(Library(name, file, source, version, *SOURCES[key], notices))
    return found


def program_with_path(program):
    """The program, which looks for its libraries, and they for each other, in the folder lib
    beside its own, and only then where the system has them."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(program, folder)
        run("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN/../lib", copy)
        return pathlib.Path(copy).read_bytes()
