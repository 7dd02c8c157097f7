"""What a release consists of: the list of its parts (SPDX 2.3), and the licences."""
import hashlib
import json
import os
import pathlib
import re
import subprocess
import time

# name, Debian's package whose archive is linked, licence, where it comes from, what it is part of
DEBIANS = [
    ("SQLite", "libsqlite3-dev", "blessing", "https://www.sqlite.org", ["seedbed"]),
    ("zlib", "zlib1g-dev", "Zlib", "https://zlib.net", ["seedbed", "extension"]),
    ("libcrypto", "libssl-dev", "Apache-2.0", "https://www.openssl.org", ["seedbed", "extension"]),
    ("libsodium", "libsodium-dev", "ISC", "https://libsodium.org", ["seedbed", "extension"]),
    ("glibc", "libc6-dev", "LGPL-2.1-or-later", "https://www.gnu.org/software/libc", ["seedbed"]),
    (
        "libstdc++ and libgcc", "libstdc++-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1",
        "https://gcc.gnu.org", ["seedbed", "extension", "postgresql"],
    ),
]
# Found by the loader of the system, and not part of any file here.
LINKED = [
    ("libpq", "libpq-dev", "PostgreSQL", "https://www.postgresql.org"),
]
SWIFT = ("Swift's runtime", "Apache-2.0 WITH Swift-exception", "https://www.swift.org")
TEXTS = ["Apache-2.0", "LGPL-2.1"]
# The ISC licence has to go with it, and Debian has no common copy.
SODIUM = pathlib.Path("/usr/share/doc/libsodium-dev/copyright")
SERVERS_PROGRAM = pathlib.PurePath("bin/migrate-postgresql")


def version(root):
    """The library's, which is written once, in Swift."""
    source = (root / "Sources" / "Seedbed" / "Model" / "Tool.swift").read_text()
    return source.split('static let version = "')[1].split('"')[0]


def files(folder):
    """The files and links below a folder, in a fixed order."""
    return sorted(
        file for file in folder.rglob("*") if file.is_symlink() or not file.is_dir())


def installed(package):
    return subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Version}", package], check=True,
        capture_output=True, text=True).stdout


def swift_version():
    told = subprocess.run(["swiftc", "--version"], check=True, capture_output=True, text=True)
    return told.stdout.split("Swift version ")[1].split()[0]


def licences(root):
    """One text: ours, what else is inside, and the licences that have to go with it."""
    lines = [(root / "LICENSE").read_text(), "", "What is linked into the programs", ""]
    lines += [f"{name}: {licence}, {site}" for name, _, licence, site, _ in DEBIANS]
    lines += [f"{SWIFT[0]}: {SWIFT[1]}, {SWIFT[2]}", ""]
    lines += ["The source of glibc is Debian's package glibc; with it and this project's source,",
              "which Scripts/release builds, the programs can be linked anew.", ""]
    texts = {name: pathlib.Path("/usr/share/common-licenses", name) for name in TEXTS}
    texts["libsodium"] = SODIUM
    for name, file in texts.items():
        text = file.read_text()
        lines += ["", "-" * 78, name, "-" * 78, "", text]
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


def write_list(out, stage, version, artifacts):
    """Each artifact, the programs in it, and what is inside these."""
    programs = {
        "seedbed": ("bin/seedbed", "the command, linked statically"),
        "extension": ("lib/seedbed.so", "the extension for SQLite"),
        "postgresql": ("bin/migrate-postgresql", "the command for servers"),
    }
    packages, relations = [], []

    def add(spdx, name, package_version, licence, site, purpose, **more):
        packages.append({
            "SPDXID": f"SPDXRef-{spdx}", "name": name, "versionInfo": package_version,
            "downloadLocation": "NOASSERTION", "homepage": site, "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "primaryPackagePurpose": purpose, **more})

    def relate(one, kind, other):
        relations.append({
            "spdxElementId": f"SPDXRef-{one}", "relationshipType": kind,
            "relatedSpdxElement": f"SPDXRef-{other}"})

    def checked(content):
        digest = hashlib.sha256(content).hexdigest()
        return {"checksums": [{"algorithm": "SHA256", "checksumValue": digest}]}

    home = "NOASSERTION"
    for name, (path, purpose) in programs.items():
        add(f"program-{name}", pathlib.Path(path).name, version, "MIT", home, "APPLICATION",
            summary=purpose, **checked((stage / path).read_bytes()))
    for artifact in artifacts:
        spdx = "artifact-" + "".join(c if c.isalnum() else "-" for c in artifact.name)
        add(spdx, artifact.name, version, "MIT", home, "ARCHIVE", **checked(artifact.read_bytes()))
        relate("DOCUMENT", "DESCRIBES", spdx)
        for name in programs_in(artifact.name):
            relate(spdx, "CONTAINS", f"program-{name}")
    add("swift", SWIFT[0], swift_version(), *SWIFT[1:], "LIBRARY")
    for name in programs:
        relate(f"program-{name}", "STATIC_LINK", "swift")
    for name, package, licence, site, users in DEBIANS:
        spdx = package.replace("+", "x")
        add(spdx, name, installed(package), licence, site, "LIBRARY",
            comment=f"as in Debian's package {package}")
        for user in users:
            relate(f"program-{user}", "STATIC_LINK", spdx)
    for name, package, licence, site in LINKED:
        add(package, name, installed(package), licence, site, "LIBRARY",
            comment=f"built against Debian's package {package}, and not included")
        relate("program-postgresql", "DYNAMIC_LINK", package)
    for package in (
            "libsqlite3-dev", "zlib1g-dev", "libssl-dev", "libsodium-dev", "libc6-dev"):
        relate("program-postgresql", "DYNAMIC_LINK", package)
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    names = "".join(p["checksums"][0]["checksumValue"] for p in packages if "checksums" in p)
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"seedbed-{version}",
        "documentNamespace":
            f"urn:sha256:{hashlib.sha256(names.encode()).hexdigest()}:seedbed-{version}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
            "creators": ["Organization: The Seedbed authors", f"Tool: Scripts/release-{version}"]},
        "packages": packages, "relationships": relations,
    }
    file = out / f"seedbed-{version}.spdx.json"
    file.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    return file
