"""A running host, and what a guest must leave as it was."""
import os
import pathlib
import select
import subprocess
import tempfile
import time

from hosts import LONG, Wrong


class App:
    """A running host, from before it loads the extension on.

    It is given the name of a pipe in place of the extension: opening that waits for this script.
    Then SQLite finds no library in it, and takes the file of the same name that ends in `.so`.
    """

    def __init__(self, host, command, folder, catalog, options):
        self.pipe = folder / "seedbed"
        self.pipe.unlink(missing_ok=True)
        os.mkfifo(self.pipe)
        words = [str(word).replace("{folder}", str(folder)) for word in command]
        name = "seedbed" if "php" in words[0] else self.pipe
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [*words, folder / "app.sqlite", name, catalog, options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            env={**os.environ, **host.environment}, cwd=folder)
        self.text = b""
        self.host = host

    @property
    def number(self):
        return self.process.pid

    def before_loading(self):
        """Waits until the host is about to load the extension; returns what it was like."""
        end = time.monotonic() + LONG
        while True:
            try:
                self.gate = os.open(self.pipe, os.O_WRONLY | os.O_NONBLOCK)
                break
            except OSError:  # ENXIO: nobody reads it yet.
                if self.process.poll() is not None or time.monotonic() > end:
                    raise Wrong(f"it never loaded the extension: {self.said()}") from None
                time.sleep(0.002)
        # The next connection of the host need not wait.
        self.pipe.unlink()
        return State(self)

    def go_on(self):
        os.close(self.gate)

    def line(self):
        end = time.monotonic() + LONG
        while b"\n" not in self.text:
            ready, _, _ = select.select([self.process.stdout], [], [], end - time.monotonic())
            read = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not read:
                raise Wrong(f"it said nothing more: {self.said()}")
            self.text += read
        line, self.text = self.text.split(b"\n", 1)
        return line.decode().strip()

    def tell(self, statement):
        self.process.stdin.write(statement.encode() + b";\n")
        self.process.stdin.flush()

    def ask(self, query):
        self.tell(query)
        # Some print an empty line for what has no rows.
        while not (line := self.line()):
            pass
        return line

    def end(self):
        """Closes the input; returns what the host printed, and raises if it failed."""
        rest, _ = self.process.communicate(timeout=LONG)
        if self.process.returncode != 0:
            raise Wrong(f"it ended with {self.process.returncode}: {self.said()}")
        return (self.text + rest).decode().split()

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace").strip()[-600:] or "and gave no reason"

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for file in (self.process.stdin, self.process.stdout):
            try:
                file.close()
            except BrokenPipeError:
                pass
        self.errors.close()


class State:
    """What a guest must leave as it was."""

    # glibc's own, by which it cancels threads and sets ids in all of them.
    OF_GLIBC = 1 << 31 | 1 << 32

    def __init__(self, app):
        proc = pathlib.Path("/proc") / str(app.number)
        status = dict(
            line.split(":\t", 1) for line in (proc / "status").read_text().splitlines()
            if ":\t" in line)
        self.handlers = {
            name: int(status[name], 16) & ~self.OF_GLIBC for name in ("SigCgt", "SigIgn", "SigBlk")}
        names = [(task / "comm").read_text().strip() for task in (proc / "task").iterdir()]
        # Java names the threads of its own; others have the name of the one that made them.
        self.threads = len(
            [name for name in names if app.host.threads != "named" or name == "java"])
        self.open_files = sorted(
            target for target in map(target_of, (proc / "fd").iterdir())
            if "/catalog/" in target or ".backups" in target)


def target_of(link):
    try:
        return os.readlink(link)
    except OSError:
        return ""


def locks(app, folder):
    """The locks that the process has on the database and what belongs to it."""
    files = {str(path.stat().st_ino): path.name for path in folder.glob("app.sqlite*")
             if path.is_file()}
    found = set()
    for line in pathlib.Path("/proc/locks").read_text().splitlines():
        words = line.split()
        if "->" in words:
            continue
        kind, number, file, first, last = words[3:8]
        if int(number) == app.number and file.split(":")[2] in files:
            found.add((files[file.split(":")[2]], kind, first, last))
    return found
