"""A root folder in which a release is tried: with a minimal Debian, or with nothing at all."""
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

import platforms

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CACHE = ROOT / ".build" / "roots"
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
SOURCES = [*pathlib.Path("/etc/apt/sources.list.d").glob("*.sources"),
           *pathlib.Path("/etc/apt").glob("sources.list")]


class Wrong(Exception):
    pass


def must(condition, sentence):
    if not condition:
        raise Wrong(sentence)


@contextlib.contextmanager
def in_memory():
    """Within this, temporary folders are in memory: a root has tens of thousands of files, and some
    disks take minutes to remove them. The mount is seen in this process's namespace only."""
    with tempfile.TemporaryDirectory(prefix="seedbed-roots-") as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", folder], check=True)
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        try:
            yield
        finally:
            del os.environ["TMPDIR"]
            tempfile.tempdir = None
            subprocess.run(["umount", "--lazy", folder], check=True)


class Machine:
    """A root folder with a minimal Debian, or with nothing at all."""

    def __init__(self, folder, packages, platform, release=None):
        """The release is Debian's; without it, that of this machine, or of Scripts/cross."""
        self.folder, self.platform, self.is_online = folder, platform, True
        if packages is None:
            folder.mkdir()
        else:
            base = base_of(packages, platform, release or codename())
            folder.mkdir()
            subprocess.run(["tar", "-xf", base, "-C", folder], check=True)
            shutil.copy("/etc/resolv.conf", folder / "etc" / "resolv.conf")
        self.mount_proc()

    def mount_proc(self):
        (self.folder / "proc").mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "proc", "proc", self.folder / "proc"], check=True)

    def copy(self, source, target):
        target = self.folder / target.lstrip("/")
        if pathlib.Path(source).is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)

    def start(self, words):
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root",
                       "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        alone = [] if self.is_online else ["unshare", "--net"]
        return subprocess.Popen(
            [*alone, "chroot", str(self.folder), *words], env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, *words, code=0):
        process = self.start(words)
        printed = process.communicate(timeout=6000 if self.platform.is_crossed else 600)[0]
        must(process.returncode == code,
             f"'{' '.join(words)[:200]}' ended with {process.returncode}:\n{printed}")
        return printed

    def shell(self, line, folder="/tmp", code=0):
        return self.run("sh", "-c", f"cd {shlex.quote(folder)} && {line}", code=code)


def base_of(packages, platform, release):
    """The file with a minimal Debian that has the packages, made once."""
    CACHE.mkdir(parents=True, exist_ok=True)
    if platform.is_crossed:
        base = CACHE / f"{platform.machine}-{'+'.join(packages)}.tar"
        if not base.exists():
            platforms.cross("debian", base, *packages)
    else:
        base = CACHE / f"{release}-{'+'.join(packages)}.tar"
        if not base.exists():
            make_base(base, packages, release)
    return base


def make_base(base, packages, release):
    partial = base.with_suffix(".part.tar")
    # Lists of another release may be some weeks old at a mirror; their signature is checked.
    subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(packages)}",
         "--aptopt=Acquire::Check-Valid-Until \"false\"", release, partial, *sources(release)],
        check=True)
    partial.rename(base)


def sources(release):
    """Those of this machine, or Debian's from the same places."""
    if release == codename():
        return SOURCES
    places = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages",
         "Origin: Debian"], check=True, capture_output=True, text=True).stdout.split()
    must(places, "no source of Debian's packages is known here. Try again after: apt-get update")
    return [f"deb [signed-by={KEYS}] {place} "
            f"{release}{'-security' if 'security' in place else ''} main"
            for place in sorted(set(places))]


def codename():
    text = pathlib.Path("/etc/os-release").read_text()
    return re.search(r"VERSION_CODENAME=(\w+)", text).group(1)
