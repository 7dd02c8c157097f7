"""The packages for Debian: seedbed, and seedbed-postgresql for databases on servers."""
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import parts
import platforms

MAINTAINER = "The Seedbed authors <seedbed@example.org>"
ABOUT = {
    "seedbed": """ships data in apps, and updates it in users' databases
 Seedbed applies numbered folders of compressed CSV to an SQLite database:
 each one inside a single transaction, after a verified backup, merging what
 was shipped, what users changed and what ships next, so that nothing of
 theirs is lost.
 .
 This package has the command, seedbed, which is also the alternative migrate,
 its pages, and an extension for the SQLite of any program: ".load seedbed".""",
    "seedbed-postgresql": """databases on PostgreSQL servers for seedbed
 Seedbed applies numbered folders of compressed CSV to a database, merging
 them with what users changed.
 .
 With this package, the command seedbed takes the URL of a PostgreSQL server
 in place of the path of an SQLite file.""",
}
# What lintian would refuse, and why it is so.
OVERRIDES = """\
# The program is the same on all systems, and starts in half the time.
seedbed: statically-linked-binary [usr/bin/seedbed]
seedbed: embedded-library * [usr/bin/seedbed]
# A host has no zlib to offer, and the extension must not bring one into its process.
seedbed: embedded-library zlib [usr/lib/{multiarch}/seedbed.so]
# SQLite loads it by its name, and nothing is linked with it.
seedbed: shared-library-lacks-version usr/lib/{multiarch}/seedbed.so seedbed.so
"""


# Other packages have a program called migrate, too, so ours is an alternative of the system. What
# goes with the name lies where nothing looks for it, and is linked with the name.
#   file of an installation -> (name of the link, the link, what it is to)
AS_MIGRATE = {
    "bin/migrate": ("migrate", "usr/bin/migrate", "usr/bin/seedbed"),
    "share/man/man1/migrate.1": (
        "migrate.1.gz", "usr/share/man/man1/migrate.1.gz",
        "usr/share/man/man1/migrate.seedbed.1.gz"),
    "share/bash-completion/completions/migrate": (
        "migrate.bash", "usr/share/bash-completion/completions/migrate",
        "usr/share/seedbed/migrate.bash"),
    "share/zsh/site-functions/_migrate": (
        "migrate.zsh", "usr/share/zsh/vendor-completions/_migrate",
        "usr/share/seedbed/migrate.zsh"),
    "share/fish/vendor_completions.d/migrate.fish": (
        "migrate.fish", "usr/share/fish/vendor_completions.d/migrate.fish",
        "usr/share/seedbed/migrate.fish"),
}


def run(*words, **options):
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"release: {words[0]}: {done.stderr}")
    return done.stdout


def in_debian(path, multiarch):
    """Where Debian has what is below /usr/local elsewhere."""
    if path in AS_MIGRATE:
        return AS_MIGRATE[path][2].removesuffix(".gz")
    for ours, theirs in (
        ("lib/", f"usr/lib/{multiarch}/"),
        ("share/zsh/site-functions/", "usr/share/zsh/vendor-completions/"),
    ):
        if path.startswith(ours):
            return theirs + path[len(ours):]
    return "usr/" + path


def needed(file, platform):
    """What the loader needs for this file, as dependencies with versions."""
    if platform.is_crossed:
        return platforms.cross("depends", file).strip()
    with tempfile.TemporaryDirectory() as folder:
        control = pathlib.Path(folder) / "debian" / "control"
        control.parent.mkdir()
        control.write_text("Source: seedbed\n\nPackage: seedbed\nArchitecture: any\n")
        printed = run("dpkg-shlibdeps", "-O", f"-e{file}", cwd=folder)
    return printed.split("shlibs:Depends=")[1].strip()


def changelog(package, version, epoch):
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(epoch))
    return (
        f"{package} ({version}) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n"
        f" -- {MAINTAINER}  {date}\n")


def copyright_text(root):
    licence = (root / "LICENSE").read_text()
    body = licence.split("\n\n", 2)[2].strip()
    indented = "\n".join(f" {line}" if line else " ." for line in body.splitlines())
    return (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: Seedbed\n"
        "Comment: Linked into it are Swift's runtime (Apache-2.0 with an exception), SQLite\n"
        " (public domain), zlib (Zlib), libcrypto (Apache-2.0), libsodium (ISC), glibc\n"
        " (LGPL-2.1+) and libstdc++ (GPL-3+ with an exception). See\n"
        " /usr/share/common-licenses/Apache-2.0 and LGPL-2.1, and the list of parts that is\n"
        " published beside this package.\n\n"
        "Files: *\nCopyright: 2026 The Seedbed authors\nLicense: Expat\n" + indented + "\n\n"
        + parts.SODIUM.read_text().split("\n\n")[1].replace("Files: *", "Files: libsodium.a")
        + "\n")


def maintainer_scripts():
    """What makes and removes the alternative."""
    (name, link, target), *others = AS_MIGRATE.values()
    install = [f"--install /{link} {name} /{target} 10"]
    install += [f"--slave /{link} {name} /{target}" for name, link, target in others]
    lines = " \\\n    ".join(install)
    return {
        "postinst": "#!/bin/sh\nset -e\ncase $1 in\n"
            f"configure | abort-*)\n  update-alternatives {lines} ;;\nesac\n",
        "prerm": "#!/bin/sh\nset -e\n[ \"$1\" = upgrade ] || "
            f"update-alternatives --remove {name} /{target}\n",
    }


def compress_manual(folder):
    for page in (folder / "usr/share/man/man1").glob("*.1"):
        page.with_suffix(".1.gz").write_bytes(gzip.compress(page.read_bytes(), 9, mtime=0))
        page.unlink()


def write_package(out, name, version, depends, root, epoch, architecture, fill):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / name
        documents = folder / "usr/share/doc" / name
        documents.mkdir(parents=True)
        documents.joinpath("copyright").write_text(copyright_text(root))
        documents.joinpath("CHANGELOG.md.gz").write_bytes(
            gzip.compress((root / "CHANGELOG.md").read_bytes(), 9, mtime=0))
        documents.joinpath("changelog.gz").write_bytes(
            gzip.compress(changelog(name, version, epoch).encode(), 9, mtime=0))
        fill(folder)
        compress_manual(folder)
        size = sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file())
        (folder / "DEBIAN").mkdir(exist_ok=True)
        (folder / "DEBIAN" / "control").write_text(
            f"Package: {name}\nVersion: {version}\nArchitecture: {architecture}\n"
            f"Maintainer: {MAINTAINER}\nInstalled-Size: {size // 1024 + 1}\n{depends}"
            f"Section: database\nPriority: optional\nDescription: {ABOUT[name]}\n")
        sums = "".join(
            run("md5sum", file.relative_to(folder), cwd=folder)
            for file in sorted(folder.rglob("*"))
            if file.is_file() and not file.is_symlink() and "DEBIAN" not in file.parts)
        (folder / "DEBIAN" / "md5sums").write_text(sums)
        for file in [folder, *folder.rglob("*")]:
            if file.is_dir():
                file.chmod(0o755)
            elif not file.is_symlink():
                is_program = file.parent.name == "bin" or file.name in ("postinst", "prerm")
                file.chmod(0o755 if is_program else 0o644)
            os.utime(file, (epoch, epoch), follow_symlinks=False)
        deb = out / f"{name}_{version}_{architecture}.deb"
        run("dpkg-deb", "--build", "--root-owner-group", "-Zxz", "--threads-max=1", folder, deb)
    return deb


def write_packages(out, stage, version, epoch, root, platform):
    multiarch = platform.multiarch

    def copy(package, is_wanted):
        for file in parts.files(stage):
            path = file.relative_to(stage)
            if is_wanted(path):
                target = package / in_debian(str(path), multiarch)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, target, follow_symlinks=False)

    def fill(package):
        copy(package, lambda path: path != parts.SERVERS_PROGRAM
             and str(path) != "bin/migrate")
        overrides = package / "usr/share/lintian/overrides/seedbed"
        overrides.parent.mkdir(parents=True)
        overrides.write_text(OVERRIDES.format(multiarch=multiarch))
        # Debian asks this of whatever lies where the loader looks.
        (package / "DEBIAN").mkdir()
        (package / "DEBIAN" / "triggers").write_text("activate-noawait ldconfig\n")
        for name, text in maintainer_scripts().items():
            (package / "DEBIAN" / name).write_text(text)

    def fill_for_servers(package):
        copy(package, lambda path: path == parts.SERVERS_PROGRAM)
        page = package / "usr/share/man/man1/migrate-postgresql.1.gz"
        page.parent.mkdir(parents=True)
        page.symlink_to("seedbed.1.gz")

    of_extension = needed(stage / "lib" / "seedbed.so", platform)
    of_server = needed(stage / parts.SERVERS_PROGRAM, platform)
    return [
        write_package(
            out, "seedbed", version,
            f"Depends: {of_extension}\nSuggests: sqlite3, seedbed-postgresql (= {version})\n",
            root, epoch, platform.debian, fill),
        write_package(
            out, "seedbed-postgresql", version,
            f"Depends: {of_server}, seedbed (= {version})\n", root, epoch, platform.debian,
            fill_for_servers),
    ]
