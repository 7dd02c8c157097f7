"""The folder of a release as a repository for apt: three files that say what the packages are.

It is flat: all lies in one folder, so that any server of files has it, and so does a page of a
release that has no folders.
"""
import gzip
import hashlib
import subprocess
import time


def paragraph(deb):
    """What apt has to know of a package: what it says itself, and its bytes."""
    control = subprocess.run(
        ["dpkg-deb", "--field", deb], check=True, capture_output=True, text=True).stdout
    content = deb.read_bytes()
    return (
        f"{control.rstrip()}\nFilename: {deb.name}\nSize: {len(content)}\n"
        f"SHA256: {hashlib.sha256(content).hexdigest()}\n")


def write_index(out, debs, version, epoch):
    """Writes Packages, Packages.gz and Release; returns them."""
    packages = "\n".join(paragraph(deb) for deb in sorted(debs)).encode()
    (out / "Packages").write_bytes(packages)
    (out / "Packages.gz").write_bytes(gzip.compress(packages, 9, mtime=0))
    indices = [out / "Packages", out / "Packages.gz"]
    architectures = sorted({deb.stem.split("_")[-1] for deb in debs})
    lines = [
        "Origin: Seedbed", "Label: Seedbed", f"Version: {version}",
        f"Architectures: {' '.join(architectures)}",
        time.strftime("Date: %a, %d %b %Y %H:%M:%S +0000", time.gmtime(epoch)), "SHA256:",
    ]
    for file in indices:
        content = file.read_bytes()
        lines.append(f" {hashlib.sha256(content).hexdigest()} {len(content)} {file.name}")
    (out / "Release").write_text("\n".join(lines) + "\n")
    return [*indices, out / "Release"]
