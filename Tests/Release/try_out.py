"""Installs what Scripts/release made for a processor where nothing of ours is, and uses it:
try_out.py OUT MACHINE [WHAT]

Runs in mount and process namespaces of its own (Scripts/release --try), so that whatever it mounts
and starts ends with it.
"""
import functools
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import files  # noqa: E402
import from_apt  # noqa: E402
import image  # noqa: E402
import languages  # noqa: E402
import platforms  # noqa: E402
import units  # noqa: E402
from emulation import emulated  # noqa: E402
from machine import ROOT, Machine, Wrong, in_memory, must  # noqa: E402
from plays import fill, play_extension, play_kill, play_page  # noqa: E402

sys.path.append(str(ROOT / "Tests" / "Python"))
from cluster import Cluster  # noqa: E402

DEBIAN = ["sqlite3", "man-db", "libpq5", "libsqlite3-0", "libsodium23", "postgresql"]
# What a user of Debian has anyhow, or gets to see what was done. No compiler, and no Swift.
PACKAGES = {
    "archive": ["sqlite3"],
    "scratch": None,
    "container": None,
    "apt": DEBIAN,
    "debian": DEBIAN,
    "python": ["python3-venv", "sqlite3"],
}


def machine_for(name, platform, folder):
    """For another processor one Debian has all packages, since it takes long to make, and another
    one has the languages."""
    is_language = name in languages.PACKAGES
    every = languages.PACKAGES if is_language else PACKAGES
    packages = every[name]
    if platform.is_crossed and packages is not None:
        packages = sorted({each for some in every.values() for each in some or ()})
    return Machine(folder, packages, platform, languages.DEBIAN if is_language else None)


def try_archive(machine, out):
    machine.copy(machine.platform.archive(out), "/tmp/a.tar.gz")
    begun = time.monotonic()
    machine.shell("tar -xzf a.tar.gz -C /usr/local --strip-components=1")
    fill(machine, "migrate", begun)
    play_page(machine, "/tmp/walk", "migrate")
    play_kill(machine, "/tmp/kill", "seedbed")
    play_extension(machine, "/usr/local/lib/seedbed")
    for path in ("share/man/man1/seedbed.1", "share/man/man1/seedbed-up.1", "include/seedbed.h",
                 "share/doc/seedbed/LICENSES", "share/doc/seedbed/README.md"):
        machine.shell(f"test -s /usr/local/{path}")


def try_scratch(machine, out):
    """The Dockerfile of the page, in a folder that has nothing but /proc, and then without it."""
    page = (ROOT / "Documentation" / "Install.md").read_text()
    lines = page.split("```dockerfile\n")[1].split("```")[0].strip().splitlines()
    must(lines[0] == "FROM scratch" and len(lines) == 3, f"the page has other lines: {lines}")
    with tempfile.TemporaryDirectory() as folder:
        context = pathlib.Path(folder)
        subprocess.run(["tar", "-xzf", machine.platform.archive(out), "-C", folder,
                        "--strip-components=2", "--wildcards", "*/bin/seedbed"], check=True)
        shutil.copytree(ROOT / "Migrations", context / "Migrations")
        must(lines[1] == "COPY . /", lines[1])
        machine.copy(context, "/")
    words = [word.strip('"') for word in re.findall(r'"[^"]*"', lines[2])]
    (machine.folder / "data").mkdir()  # What `-v` mounts.
    printed = machine.run(*words)
    must("Database is at 4" in printed, printed)
    must("Nothing to do" in machine.run(*words), "it is not up to date")
    subprocess.run(["umount", machine.folder / "proc"], check=True)
    must("Nothing to do" in machine.run(*words), "without /proc it does something else")


def try_debian(machine, out):
    packages = machine.platform.packages(out)
    for deb in packages.values():
        machine.copy(deb, f"/tmp/{deb.name}")
    second = packages["seedbed-postgresql"].name
    begun = time.monotonic()
    machine.shell(f"apt-get install -qq -y ./{packages['seedbed'].name} 2>&1")
    fill(machine, "seedbed", begun)
    machine.shell("apt-get purge -qq -y seedbed 2>&1")
    try_older(machine, packages["seedbed"])
    play_page(machine, "/tmp/walk", "migrate")
    play_kill(machine, "/tmp/kill", "seedbed")
    play_extension(machine, "seedbed")
    for name in ("seedbed", "migrate"):
        page = " ".join(machine.shell(f"man -P cat {name}").split())
        must(f"{name} - ships seed data" in page, f"the manual page of {name} is: {page[:300]}")
    from_apt.check_pages(machine)
    units.try_units(machine)
    refused = machine.shell("seedbed up --database postgres:///x 2>&1", "/tmp/walk", code=2)
    must("seedbed-postgresql" in refused, refused)
    machine.shell(f"apt-get install -qq -y ./{second} 2>&1")
    try_server(machine)
    databases = sorted(machine.folder.glob("tmp/*/app.sqlite"))
    before = [hashlib.sha256(file.read_bytes()).digest() for file in databases]
    machine.shell("apt-get purge -qq -y seedbed seedbed-postgresql 2>&1")
    must(before == [hashlib.sha256(file.read_bytes()).digest() for file in databases] and before,
         "a database changed when the package was removed")
    # What users made is in /tmp and /srv.
    left = machine.shell("find / -xdev -name '*seedbed*' -not -path '/tmp/*' -not -path '/var/*' "
                         "-not -path '/srv/*'")
    must(left == "", f"what is left of it: {left}")
    left = machine.shell("find /usr /etc -name 'migrate*' -o -name _migrate")
    must(left == "", f"what is left of the name: {left}")


def try_older(machine, deb):
    """A package of an older version is replaced, and a database that it filled goes on."""
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder) / "tree"
        subprocess.run(["dpkg-deb", "-R", deb, tree], check=True)
        control = tree / "DEBIAN" / "control"
        control.write_text(re.sub(r"(?m)^Version: .*", "Version: 0.0.1", control.read_text()))
        older = machine.folder / "tmp" / "older.deb"
        subprocess.run(["dpkg-deb", "-Znone", "-b", tree, older], check=True,
                       stdout=subprocess.DEVNULL)
    machine.shell("apt-get install -qq -y ./older.deb 2>&1")
    (machine.folder / "tmp" / "upgraded").mkdir()
    shutil.copytree(ROOT / "Migrations", machine.folder / "tmp" / "upgraded" / "Migrations")
    machine.shell("seedbed up --to 2 --quiet", "/tmp/upgraded")
    machine.shell(f"apt-get install -qq -y ./{deb.name} 2>&1")
    must(" 0.0.1" not in machine.shell("dpkg-query -W seedbed"), "the older one is still there")
    printed = machine.shell("seedbed up", "/tmp/upgraded")
    must("Database is at 4" in printed, printed)


def try_server(machine):
    """A server that a user of the machine may use, by a local socket."""
    binaries = next((machine.folder / "usr/lib/postgresql").iterdir())
    folder = f"/usr/lib/postgresql/{binaries.name}/bin"
    machine.shell("mkdir -p /run/postgresql /tmp/server && "
                  "chown postgres /run/postgresql /tmp/server && chmod 777 /run/postgresql")
    as_postgres = "setpriv --reuid=postgres --regid=postgres --clear-groups "
    machine.shell(as_postgres + f"{folder}/initdb -A trust -D /tmp/server/data >/dev/null")
    machine.shell(as_postgres + f"{folder}/pg_ctl -w -D /tmp/server/data -l /tmp/server/log "
                  "-o '-h \"\" -k /run/postgresql' start >/dev/null")
    try:
        machine.shell("createdb -U postgres -h /run/postgresql elements")
        url = "postgres://postgres@/elements?host=/run/postgresql"
        printed = machine.shell(f"seedbed up --database '{url}'", "/tmp/upgraded")
        must("Database is at 4" in printed, printed)
        count = machine.shell("psql -U postgres -h /run/postgresql -Atc "
                              "'SELECT count(*) FROM elements' elements")
        must(count == "118\n", f"the server has {count} rows")
    finally:
        machine.shell(as_postgres + f"{folder}/pg_ctl -m fast -D /tmp/server/data stop >/dev/null")


def try_python(machine, out):
    """The wheel in a virtual environment, and all tests of the package there."""
    wheel = machine.platform.wheel(out)
    machine.copy(wheel, f"/tmp/{wheel.name}")
    begun = time.monotonic()
    machine.shell("python3 -m venv /tmp/venv")
    machine.shell(f"/tmp/venv/bin/pip install --quiet --no-index ./{wheel.name}")
    fill(machine, "/tmp/venv/bin/seedbed", begun)
    play_page(machine, "/tmp/walk", "/tmp/venv/bin/seedbed")
    play_kill(machine, "/tmp/kill", "/tmp/venv/bin/seedbed")
    with tempfile.TemporaryDirectory() as folder:
        words = []
        if machine.platform.is_crossed:
            python = next(machine.folder.glob("usr/lib/python3.*")).name.removeprefix("python")
            words = ["--only-binary=:all:", f"--python-version={python}",
                     f"--platform=manylinux_2_28_{machine.platform.machine}"]
        found = subprocess.run(
            ["/usr/bin/python3", "-m", "pip", "download", "--quiet", "--no-deps", "-d", folder,
             *words, "apsw"], capture_output=True)
        if found.returncode == 0:
            machine.copy(folder, "/tmp/wheels")
            machine.shell("/tmp/venv/bin/pip install --quiet --no-index wheels/*.whl")
        else:
            print("  without apsw, which could not be had")
    for folder in ("Tests/Python", "Tests/Hosts/Main", "Documentation"):
        machine.copy(ROOT / folder, f"/tmp/{folder}")
    for interface in ("", "program"):
        printed = machine.shell(
            f"SEEDBED_INTERFACE={interface} /tmp/venv/bin/python -B -m unittest discover "
            "-s /tmp/Tests/Python 2>&1 | tail -40")
        must(re.search(r"(?m)^OK", printed), printed)
        count = re.search(r"Ran \d+ tests", printed).group(0)
        print(f"  by the {interface or 'extension'}: {count}")
    try_wheel_for_servers(machine, out)


def try_wheel_for_servers(machine, out):
    """The second wheel, in a root that has no libpq: the server is outside."""
    machine.shell("! ls /usr/lib/*/libpq.so*", "/")
    wheel = machine.platform.wheel(out, "seedbed_postgresql")
    machine.copy(wheel, f"/tmp/servers/{wheel.name}")
    machine.shell("/tmp/venv/bin/pip install --quiet --no-index --find-links servers "
                  "'seedbed[postgresql]'")
    cluster = Cluster()
    try:
        machine.shell(f"SEEDBED_SERVER='{cluster.url('words')}' "
                      "/tmp/venv/bin/python -B Tests/Python/for_servers.py 2>&1")
        words = cluster.sql("SELECT string_agg(word, ' ' ORDER BY id) FROM words", "words")
        must(words == "hot cold\n", f"the server has {words}")
    finally:
        cluster.stop()


TRIALS = {
    "archive": try_archive, "scratch": try_scratch, "container": image.try_container,
    "apt": from_apt.try_apt, "debian": try_debian, "python": try_python,
    **{name: functools.partial(languages.try_language, language)
       for name, language in languages.LANGUAGES.items()}}


def tried(name, machine, out):
    begun = time.monotonic()
    try:
        TRIALS[name](machine, out)
        print(f"{name}: all as it should be, {time.monotonic() - begun:.0f} s", flush=True)
        return True
    except (Wrong, subprocess.SubprocessError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return False


def try_all(out, platform, names, is_whole):
    try:
        subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=out, check=True)
        files.check_signature(out, platform)
        files.check_licences(out)
        if is_whole:
            files.check_files(out, platform)
    except (Wrong, subprocess.SubprocessError) as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    results = []
    for name in names:
        with tempfile.TemporaryDirectory(prefix="seedbed-root-") as folder:
            machine = machine_for(name, platform, pathlib.Path(folder) / "root")
            results.append(tried(name, machine, out))
            subprocess.run(["umount", "--lazy", machine.folder / "proc"], stderr=subprocess.DEVNULL)
    return 0 if all(results) else 1


def main(words):
    out, platform = pathlib.Path(words[0]), platforms.PLATFORMS[words[1]]
    names = words[2:] or list(TRIALS)
    for name in names:
        if name not in TRIALS:
            print(f"release: '{name}' is none of: {', '.join(TRIALS)}.", file=sys.stderr)
            return 64
    print(f"What is for {platform.machine}{', emulated' if platform.is_crossed else ''}:",
          flush=True)
    # Its mounts are nobody else's.
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    with in_memory(), emulated(platform):
        return try_all(out, platform, names, not words[2:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
