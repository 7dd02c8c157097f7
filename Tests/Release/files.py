"""What others' tools say of the files of a release: signatures, packages, the list of its parts; and
whether each has its licences."""
import hashlib
import io
import json
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import zipfile

import parts
from machine import ROOT, must

KINDS = ("*.whl", "*.zip", "*.gem", "*.tgz", "seedbed-*[0-9]-linux-*.tar.gz")


def check_signature(out, platform):
    """The page's line on a copy that is signed here, on changed ones, and on what is there."""
    page = (ROOT / "Documentation" / "Install.md").read_text()
    [line] = re.findall(r"(?m)^    \$ (openssl pkeyutl .*)$", page)

    def verifies(folder):
        return subprocess.run(line, shell=True, cwd=folder, capture_output=True).returncode == 0

    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        sums = folder / "SHA256SUMS"
        for name in ("SHA256SUMS", "Release"):
            shutil.copy(out / name, folder)
        subprocess.run(["tar", "-xzf", platform.archive(out), "-C", place, "--strip-components=2",
                        "--wildcards", "*/bin/seedbed"], check=True)
        made = subprocess.run([folder / "seedbed", "sign", "--new-key", folder / "author.pem"],
                              check=True, capture_output=True, text=True, cwd=place).stdout
        release = [ROOT / "Scripts" / "release", "--sign", folder, "--key"]
        told = subprocess.run([*release, folder / "author.pem"], check=True, capture_output=True,
                              text=True).stdout
        public = re.search(r"ed25519:\S{44}", told).group(0)
        must(public in made, f"'sign' made another key than {public}: {made}")
        must(verifies(folder), "openssl does not verify the signature")
        names = ("SHA256SUMS.sig", "Release.gpg", "seedbed-release.gpg", "seedbed-release.pem")
        first = [(folder / name).read_bytes() for name in names]
        subprocess.run([*release, folder / "author.pem"], check=True, capture_output=True)
        must(first == [(folder / name).read_bytes() for name in names],
             "the same key signs the same bytes otherwise")
        for file in (sums, folder / "SHA256SUMS.sig"):
            before = file.read_bytes()
            file.write_bytes(bytes([before[0] ^ 1]) + before[1:])
            must(not verifies(folder), f"openssl does not see a changed byte of {file.name}")
            file.write_bytes(before)
        none = subprocess.run([*release, sums], capture_output=True, text=True)
        must(none.returncode == 1 and "holds no private key" in none.stderr, none.stderr)
    if (out / "SHA256SUMS.sig").exists():
        must(verifies(out), "openssl does not verify the signature of this release")
        print("signature: openssl verifies that of this release")
    else:
        print("signature: openssl verifies one made here; this release is not signed")


def check_files(out, platform):
    """What others' tools say of the files."""
    done = subprocess.run(
        ["lintian", "--allow-root", "--fail-on", "error,warning",
         *platform.packages(out).values()],
        capture_output=True, text=True)
    must(done.returncode == 0, f"lintian says:\n{done.stdout}{done.stderr}")
    tools = ROOT / ".build" / "release-tools"
    if not (tools / "bin" / "auditwheel").exists():
        subprocess.run(["/usr/bin/python3", "-m", "venv", tools], check=True)
        got = subprocess.run(
            [tools / "bin" / "pip", "install", "--quiet", "auditwheel", "spdx-tools"],
            capture_output=True)
        if got.returncode != 0:
            print("files: lintian finds nothing; auditwheel and spdx-tools could not be had")
            return
    for name in ("seedbed", "seedbed_postgresql"):
        wheel = platform.wheel(out, name)
        printed = subprocess.run(
            [tools / "bin" / "auditwheel", "show", wheel], check=True, capture_output=True,
            text=True).stdout
        tag = wheel.stem.split("-")[-1]
        must(f'platform tag: "{tag}"' in " ".join(printed.split()), printed)
    parts = subprocess.run(
        [tools / "bin" / "pyspdxtools", "--infile", next(out.glob("*.spdx.json"))],
        capture_output=True, text=True)
    must(parts.returncode == 0 and not parts.stdout, parts.stdout + parts.stderr)
    print("files: lintian, auditwheel and pyspdxtools find nothing")


def entries(file):
    """The names in a file of a release, with a function that reads one."""
    if file.suffix in (".whl", ".zip"):
        archive = zipfile.ZipFile(file)
        return archive.namelist(), archive.read
    archive = tarfile.open(file)
    if file.suffix == ".gem":
        archive = tarfile.open(fileobj=io.BytesIO(archive.extractfile("data.tar.gz").read()))
    return archive.getnames(), lambda name: archive.extractfile(name).read()


def check_licences(out):
    """Each file with a program has the licences of what is linked into it. apt's have them in
    Debian's form, which lintian checks, and the image of a container is looked at elsewhere."""
    found, listed = {}, json.loads(next(out.glob("*.spdx.json")).read_text())["packages"]
    digests = {each["checksumValue"] for part in listed for each in part.get("checksums", ())}
    for file in sorted(each for kind in KINDS for each in out.glob(kind)):
        names, read = entries(file)
        texts = [read(name) for name in names if name.split("/")[-1] == "LICENSES"]
        wanted = int(parts.programs_in(file.name) != [])
        must(len(texts) == wanted, f"{file.name} has {len(texts)} files LICENSES, not {wanted}")
        if file.name.startswith("seedbed_postgresql"):
            carried = [name for name in names if "/lib/" in name]
            must(carried, f"{file.name} carries no library")
            for name in carried:
                library = name.split("/")[-1]
                must(f"\n{library}: ".encode() in texts[0], f"LICENSES does not name {library}")
                must(hashlib.sha256(read(name)).hexdigest() in digests,
                     f"the list of parts does not have {library} as it is in {file.name}")
            continue
        found.update({file.name: text for text in texts})
    must(len(set(found.values())) == 1, f"these have different LICENSES: {', '.join(found)}")
    [text] = set(found.values())
    for name, _, _, _, inside, _ in parts.LIBRARIES:
        must(not inside or f"\n{name}: ".encode() in text, f"LICENSES does not name {name}")
    print(f"licences: {len(found)} files have them, and the wheels for servers theirs")
