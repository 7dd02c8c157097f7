"""What a release consists of: the list of its parts (SPDX 2.3), and the licences.

As a program it prints the licences.
"""
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import carried
import platforms

# name, Debian's package with it, licence, where it comes from, the programs that it is part of, and
# those for which the system's loader finds it
LIBRARIES = [
    ("SQLite", "libsqlite3-dev", "blessing", "https://www.sqlite.org", ["seedbed"],
     ["postgresql"]),
    ("zlib", "zlib1g-dev", "Zlib", "https://zlib.net", ["seedbed", "extension"], ["postgresql"]),
    ("libcrypto", "libssl-dev", "Apache-2.0", "https://www.openssl.org", ["seedbed", "extension"],
     ["postgresql"]),
    ("libsodium", "libsodium-dev", "ISC", "https://libsodium.org", ["seedbed", "extension"],
     ["postgresql"]),
    ("glibc", "libc6-dev", "LGPL-2.1-or-later", "https://www.gnu.org/software/libc", ["seedbed"],
     ["postgresql"]),
    ("libstdc++ and libgcc", "libstdc++-{gcc}-dev", "GPL-3.0-or-later WITH GCC-exception-3.1",
     "https://gcc.gnu.org", ["seedbed", "extension"], ["postgresql"]),
    ("libpq", "libpq-dev", "PostgreSQL", "https://www.postgresql.org", [], ["postgresql"]),
]
SWIFT = ("Swift's runtime", "Apache-2.0 WITH Swift-exception", "https://www.swift.org")
TEXTS = ["Apache-2.0", "LGPL-2.1"]
# What Debian knows of a library. The notices of most have to go with a program that has it.
NOTICES = "/usr/share/doc/{}/copyright"
SODIUM = pathlib.Path(NOTICES.format("libsodium-dev"))
SERVERS_PROGRAM = pathlib.PurePath("bin/migrate-postgresql")


def version(root):
    """The library's, which is written once, in Swift."""
    source = (root / "Sources" / "Seedbed" / "Model" / "Tool.swift").read_text()
    return source.split('static let version = "')[1].split('"')[0]


def files(folder):
    """The files and links below a folder, in a fixed order."""
    return sorted(
        file for file in folder.rglob("*") if file.is_symlink() or not file.is_dir())


def output_of(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def versions(platform, packages):
    """Those of Debian's packages, and of Swift at the end."""
    if platform.is_crossed:
        return platforms.cross("versions", *packages).split()
    swift = output_of("swiftc", "--version").split("Swift version ")[1].split()[0]
    return [output_of("dpkg-query", "--show", "--showformat=${Version}", each)
            for each in packages] + [swift]


def libraries(platform):
    """As they are named where the programs for a processor are built."""
    gcc = 14 if platform.is_crossed else 12
    return [(name, package.format(gcc=gcc), *more) for name, package, *more in LIBRARIES]


def licences(root):
    """One text: ours, what else is inside, and the licences that have to go with it."""
    lines = [(root / "LICENSE").read_text(), "", "What is linked into the programs", ""]
    lines += [f"{name}: {licence}, {site}"
              for name, _, licence, site, inside, _ in LIBRARIES if inside]
    lines += [f"{SWIFT[0]}: {SWIFT[1]}, {SWIFT[2]}", ""]
    lines += ["The source of glibc is Debian's package glibc; with it and this project's source,",
              "which Scripts/release builds, the programs can be linked again.", ""]
    # What GCC's exception allows needs no notice.
    return with_texts(lines, TEXTS, {
        name: pathlib.Path(NOTICES.format(package))
        for name, package, licence, _, inside, _ in LIBRARIES
        if inside and "GCC-exception" not in licence})


def licences_for_servers(root, libraries):
    """The same for migrate-postgresql with the libraries that it carries."""
    lines = [(root / "LICENSE").read_text(), "", "What is linked into migrate-postgresql", "",
             f"{SWIFT[0]}: {SWIFT[1]}, {SWIFT[2]}", "",
             "The libraries in the folder lib, as Debian's packages have them. The source of each",
             "is Debian's source package of that name and version. Each can be replaced.", ""]
    lines += [f"{each.name}: {each.source} {each.version}, {each.licence}, {each.site}"
              for each in libraries]
    return with_texts([*lines, ""], carried.TEXTS,
                      {each.source: each.notices for each in libraries})


def with_texts(lines, common, notices):
    """The lines, and below them licences that Debian has for all, and what it has for some."""
    files = {name: pathlib.Path("/usr/share/common-licenses", name) for name in common} | notices
    for name, file in files.items():
        lines += ["", "-" * 78, name, "-" * 78, "", file.read_text()]
    return "\n".join(lines).encode()


def programs_in(artifact):
    """Which programs a file of a release has. One package for Node and one gem have none."""
    if "postgresql" in artifact:
        return ["postgresql"]
    if "container" in artifact:
        return ["seedbed"]
    if artifact.endswith(".gem"):
        return ["seedbed"] if "linux" in artifact else []
    return [] if re.fullmatch(r"seedbed-[\d.]+\.tgz", artifact) else ["seedbed", "extension"]


PROGRAMS = {
    "seedbed": ("bin/seedbed", "the command, linked statically"),
    "extension": ("lib/seedbed.so", "the extension for SQLite"),
    "postgresql": ("bin/migrate-postgresql", "the command for servers"),
}


class Document:
    """What SPDX calls packages, and what they have to do with each other."""

    def __init__(self):
        self.packages, self.relations = [], []

    def add(self, spdx, name, package_version, licence, site, purpose, **more):
        self.packages.append({
            "SPDXID": f"SPDXRef-{spdx}", "name": name, "versionInfo": package_version,
            "downloadLocation": "NOASSERTION", "homepage": site, "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "primaryPackagePurpose": purpose, **more})

    def add_file(self, spdx, name, package_version, purpose, content, **more):
        digest = hashlib.sha256(content).hexdigest()
        self.add(spdx, name, package_version, "MIT", "NOASSERTION", purpose,
                 checksums=[{"algorithm": "SHA256", "checksumValue": digest}], **more)

    def relate(self, one, kind, other, **more):
        self.relations.append({
            "spdxElementId": f"SPDXRef-{one}", "relationshipType": kind,
            "relatedSpdxElement": f"SPDXRef-{other}", **more})

    def add_carried(self, wheel, stage, platform):
        """The libraries in the wheel for servers."""
        for each in carried.libraries(stage / SERVERS_PROGRAM, platform):
            spdx = re.sub(r"[^\w.]+|_", "-", f"{each.name}-{platform.machine}")
            digest = hashlib.sha256(each.file.read_bytes()).hexdigest()
            self.add(spdx, each.name, each.version, each.licence, each.site, "LIBRARY",
                     checksums=[{"algorithm": "SHA256", "checksumValue": digest}],
                     comment=f"a file of Debian's source package {each.source}, unchanged")
            self.relate(wheel, "CONTAINS", spdx)

    def add_programs(self, platform, stage, version):
        """The programs for a processor, and what is linked into them."""
        machine = platform.machine.replace("_", "-")
        for name, (path, purpose) in PROGRAMS.items():
            self.add_file(f"program-{name}-{machine}", pathlib.Path(path).name, version,
                          "APPLICATION", (stage / path).read_bytes(),
                          summary=f"{purpose}, for {platform.machine}")
        linked = libraries(platform)
        *of_packages, swift = versions(platform, [package for _, package, *_ in linked])
        self.add(f"swift-{machine}", SWIFT[0], swift, *SWIFT[1:], "LIBRARY")
        for name in PROGRAMS:
            self.relate(f"program-{name}-{machine}", "STATIC_LINK", f"swift-{machine}")
        for (name, package, licence, site, inside, outside), number in zip(linked, of_packages):
            spdx = f"{package.replace('+', 'x')}-{machine}"
            comment = (f"as in Debian's package {package}" if inside
                       else f"built against Debian's package {package}, and not included")
            self.add(spdx, name, number, licence, site, "LIBRARY", comment=comment)
            for kind, users in (("STATIC_LINK", inside), ("DYNAMIC_LINK", outside)):
                for user in users:
                    self.relate(f"program-{user}-{machine}", kind, spdx)


def write_list(out, stages, version, artifacts):
    """Each artifact, the programs in it, and what is inside these; stages are by their platform."""
    document = Document()
    for platform, stage in stages.items():
        document.add_programs(platform, stage, version)
    for artifact in artifacts:
        spdx = "artifact-" + "".join(c if c.isalnum() else "-" for c in artifact.name)
        document.add_file(spdx, artifact.name, version, "ARCHIVE", artifact.read_bytes())
        document.relate("DOCUMENT", "DESCRIBES", spdx)
        # Composer's one package is for all processors.
        of_one = [platform for platform in stages if platform.is_for(artifact.name)]
        for platform in of_one or stages:
            is_for_servers = artifact.name.startswith("seedbed_postgresql")
            more = {"comment": "with the path of its libraries set"} if is_for_servers else {}
            for name in programs_in(artifact.name):
                machine = platform.machine.replace("_", "-")
                document.relate(spdx, "CONTAINS", f"program-{name}-{machine}", **more)
            if is_for_servers:
                document.add_carried(spdx, stages[platform], platform)
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    names = "".join(each["checksums"][0]["checksumValue"]
                    for each in document.packages if "checksums" in each)
    content = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"seedbed-{version}",
        "documentNamespace":
            f"urn:sha256:{hashlib.sha256(names.encode()).hexdigest()}:seedbed-{version}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
            "creators": ["Organization: The Seedbed authors", f"Tool: Scripts/release-{version}"]},
        "packages": document.packages, "relationships": document.relations,
    }
    file = out / f"seedbed-{version}.spdx.json"
    file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    return file


if __name__ == "__main__":
    sys.stdout.buffer.write(licences(platforms.ROOT))
