"""A signed catalog: the releases that an app has, and the later ones as downloads."""
import pathlib
import re
import shutil
import subprocess

import catalog


class Author:
    """Signs with the program. The app has releases 1 and 2 of a catalog; `june` brings the third,
    and `july` a fourth, which has SQL."""

    def __init__(self, program, folder="."):
        self.program, self.folder = str(program), pathlib.Path(folder).resolve()
        self.folder.mkdir(exist_ok=True)
        self.catalog, self.app = self.folder / "author", self.folder / "app"
        self.key = self.new_key("author.pem")

    def words(self):
        """The catalog of words, and its downloads."""
        catalog.ROWS = 100
        catalog.write_catalog(self.catalog)
        third, aside = self.catalog / "0003_more", self.folder / "third"
        third.rename(aside)
        self.ship()
        aside.rename(third)
        self.june = self.bundle("june.seedbed", since=2)
        fourth = self.catalog / "0004_places"
        fourth.mkdir()
        (fourth / "up.sql").write_text("CREATE TABLE places (name TEXT PRIMARY KEY);\n")
        (fourth / "down.sql").write_text("DROP TABLE places;\n")
        self.july = self.bundle("july.seedbed", since=2)
        return self

    def run(self, *words):
        words = [self.program, *words, "--migrations", str(self.catalog)]
        done = subprocess.run(
            words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, universal_newlines=True)
        assert done.returncode == 0, f"{words}: {done.stdout}"
        return done.stdout

    def new_key(self, name):
        """The public key."""
        said = self.run("sign", "--new-key", name)
        found = re.search(r"^ed25519:\S+$", said, re.M)
        assert found, said
        return found[0]

    def sign(self):
        self.run("lock")
        self.run("sign", "--key", "author.pem")

    def ship(self):
        """Signs the catalog, and puts it into the app."""
        self.sign()
        shutil.copytree(self.catalog, self.app)

    def bundle(self, name, since):
        """The path of a download with the releases above one."""
        self.sign()
        self.run("bundle", name, "--since", str(since))
        return str(self.folder / name)

    def cut(self, path, name="cut.seedbed"):
        """A download that stopped before its end."""
        content = pathlib.Path(path).read_bytes()
        cut = self.folder / name
        cut.write_bytes(content[:len(content) // 2])
        return str(cut)

    def spoiled(self, path, name="spoiled.seedbed"):
        """A download with one byte changed in its last file, which is read as it is applied."""
        content = bytearray(pathlib.Path(path).read_bytes())
        content[len(content.rstrip(b"\0")) - 1] ^= 1
        (self.folder / name).write_bytes(content)
        return str(self.folder / name)
