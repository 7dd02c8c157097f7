"""The folder of a release as a repository for apt, and what Debian has of a package once installed:
its pages, and the name migrate, which other packages have, too."""
import functools
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading

from machine import ROOT, must

SOURCE = "/etc/apt/sources.list.d/seedbed.list"


def source_of_page(option, place):
    """The line of the page that has the option, with another place in it."""
    page = (ROOT / "Documentation" / "Install.md").read_text()
    [line] = re.findall(rf"(?m)^    (deb \[{option}.*) \./$", page)
    return re.sub(r"\S+$", place, line) + " ./"


def use_only(machine, option, place):
    """Makes the repository the only source, so that nothing is fetched from elsewhere."""
    apt = machine.folder / "etc/apt"
    for file in [*apt.glob("sources.list"), *apt.glob("sources.list.d/*")]:
        file.unlink()
    (machine.folder / SOURCE.lstrip("/")).write_text(source_of_page(option, place) + "\n")


def served(folder):
    """A server of the files in a folder, as any would serve them."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def sign(machine, folder):
    """With a new key, whose public part goes where the page says."""
    with tempfile.TemporaryDirectory() as name:
        key = pathlib.Path(name) / "author.pem"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True,
                       capture_output=True)
        subprocess.run([ROOT / "Scripts" / "release", "--sign", folder, "--key", key], check=True,
                       capture_output=True)
    page = (ROOT / "Documentation" / "Install.md").read_text()
    [line] = re.findall(r"(?m)^    # (install .*seedbed-release.gpg .*)$", page)
    machine.shell(line, "/srv/seedbed")


def try_apt(machine, out):
    deb = machine.platform.packages(out)["seedbed"]
    version = deb.name.split("_")[1]
    folder = machine.folder / "srv" / "seedbed"
    shutil.copytree(out, folder)
    use_only(machine, "trusted", "file:/srv/seedbed")
    machine.shell("apt-get update -qq 2>&1")
    machine.shell("apt-get install -qq -y seedbed 2>&1")
    must(f"seedbed\t{version}\n" == machine.shell("dpkg-query -W seedbed"), "another version")
    machine.copy(ROOT / "Migrations", "/tmp/apt/Migrations")
    must("Database is at 4" in machine.shell("migrate up", "/tmp/apt"), "it fills no database")
    machine.shell("apt-get purge -qq -y seedbed 2>&1")

    sign(machine, folder)
    server = served(folder)
    try:
        use_only(machine, "signed-by", f"http://127.0.0.1:{server.server_port}")
        machine.shell("apt-get update -qq 2>&1")
        machine.shell("apt-get install -qq -y seedbed-postgresql 2>&1")
        must("seedbed" in machine.shell("dpkg-query -W seedbed"), "it did not bring the first")
        machine.shell("apt-get purge -qq -y seedbed seedbed-postgresql 2>&1 && apt-get clean")
        content = bytearray(deb.read_bytes())
        content[len(content) // 2] ^= 1
        (folder / deb.name).write_bytes(content)
        refused = machine.shell("apt-get install -qq -y seedbed 2>&1", code=100)
        must("Hash Sum mismatch" in refused, f"a changed package: {refused}")
        release = folder / "Release"
        release.write_text(release.read_text().replace("Label: Seedbed", "Label: Another"))
        refused = machine.shell("apt-get update -qq -o APT::Update::Error-Mode=any 2>&1", code=100)
        # As gpgv says it, and in Debian 13 sqv.
        is_seen = any(words in refused for words in ("BADSIG", "invalid", "been manipulated"))
        must(is_seen, f"a changed index: {refused}")
    finally:
        server.shutdown()
    try_alternatives(machine, deb)


def other_package(machine):
    """A package whose own file is /usr/bin/migrate, as that of golang-migrate."""
    with tempfile.TemporaryDirectory() as name:
        tree = pathlib.Path(name) / "tree"
        program = tree / "usr" / "bin" / "migrate"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\necho another\n")
        os.chmod(program, 0o755)
        (tree / "DEBIAN").mkdir()
        (tree / "DEBIAN" / "control").write_text(
            "Package: another\nVersion: 1\nArchitecture: all\nMaintainer: A <a@example.org>\n"
            "Description: has a program called migrate\n")
        subprocess.run(["dpkg-deb", "-Znone", "--root-owner-group", "-b", tree,
                        machine.folder / "tmp" / "another.deb"], check=True,
                       stdout=subprocess.DEVNULL)


def try_alternatives(machine, deb):
    """Beside a package that has /usr/bin/migrate, whichever comes first."""
    other_package(machine)
    machine.copy(deb, "/tmp/ours.deb")
    for first, second in (("ours", "another"), ("another", "ours")):
        machine.shell(f"dpkg -i {first}.deb 2>&1")
        machine.shell(f"dpkg -i {second}.deb 2>&1")
        must(machine.shell("migrate --version") == "another\n", "its file is gone")
        must(machine.shell("seedbed --version").startswith("seedbed "), "ours is gone")
        machine.shell("dpkg --purge another 2>&1")
        machine.shell("update-alternatives --auto migrate 2>&1")
        must(machine.shell("migrate --version").startswith("migrate "), "the name is not ours")
        machine.shell("dpkg -i another.deb 2>&1 && dpkg --purge seedbed 2>&1")
        must(machine.shell("migrate --version") == "another\n", "its file went with ours")
        machine.shell("dpkg --purge another 2>&1")


def check_pages(machine):
    """A manual page for each verb, completions by both names, and the pages."""
    page = (ROOT / "Documentation" / "CommandReference.md").read_text()
    verbs = re.findall(r"(?m)^##+ migrate (\w+)$", page)
    must(len(verbs) > 20, f"the reference has {verbs}")
    for word in [*verbs, "options"]:
        text = " ".join(machine.shell(f"man -P cat seedbed-{word}").split())
        must(f"seedbed-{word} - " in text, f"the manual page of {word} is: {text[:300]}")
    for path in ("bash-completion/completions/{}", "zsh/vendor-completions/_{}",
                 "fish/vendor_completions.d/{}.fish"):
        for name in ("seedbed", "migrate"):
            text = machine.shell(f"cat /usr/share/{path.format(name)}")
            must(name in text, f"the completions of {name} are: {text[:300]}")
    documents = machine.folder / "usr/share/doc/seedbed"
    must((documents / "Documentation/Install.md").is_file(), "the pages are not there")
    for page in documents.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+\.md)", page.read_text()):
            place = (page.parent / target).resolve()
            if place.name == "CONTRIBUTING.md":
                continue  # For those who have the source.
            if place.name == "CHANGELOG.md":
                place = place.with_name("CHANGELOG.md.gz")
            must(place.is_file(), f"{page.relative_to(documents)} leads to {target}")
