"""The processors for which a release is made, and what each kind of package calls them."""
import os
import pathlib
import struct
import subprocess
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Platform(typing.NamedTuple):
    machine: str  # as `uname -m` has it, and container images, Python, Ruby and PHP with it
    number: int  # in the head of an ELF file
    debian: str
    node: str

    @property
    def multiarch(self):
        return f"{self.machine}-linux-gnu"

    @property
    def is_crossed(self):
        """Whether it is another processor than that of this machine."""
        return self.machine != os.uname().machine

    @property
    def runner(self):
        """What runs its programs here."""
        return [f"qemu-{self.machine}-static"] if self.is_crossed else []

    def archive(self, out):
        return next(out.glob(f"seedbed-*[0-9]-linux-{self.machine}.tar.gz"))

    def image(self, out):
        return next(out.glob(f"seedbed-*-container-linux-{self.machine}.tar.gz"))

    def wheel(self, out, name="seedbed"):
        return next(out.glob(f"{name}-*_{self.machine}.whl"))

    def packages(self, out):
        """Debian's, by their names."""
        return {deb.name.split("_")[0]: deb for deb in out.glob(f"*_{self.debian}.deb")}

    def is_for(self, name):
        """Whether the name of a file says that it is for this processor."""
        return any(word in name for word in (self.machine, f"_{self.debian}.", self.node))


PLATFORMS = {
    each.machine: each for each in (
        Platform("x86_64", 62, "amd64", "linux-x64"),
        Platform("aarch64", 183, "arm64", "linux-arm64"))}


def of_release(out):
    """Those for which there are files in the folder of a release."""
    return [each for each in PLATFORMS.values() if each.packages(out)]


def of_file(file):
    """The one for which an ELF file is, or None."""
    with open(file, "rb") as opened:
        head = opened.read(20)
    if len(head) == 20 and head[:6] == b"\x7fELF\x02\x01":
        [number] = struct.unpack_from("<H", head, 18)
        return next((each for each in PLATFORMS.values() if each.number == number), None)
    return None


def cross(*words):
    """What Scripts/cross prints."""
    return subprocess.run(
        [str(word) for word in (ROOT / "Scripts" / "cross", *words)], check=True,
        stdout=subprocess.PIPE, text=True).stdout
