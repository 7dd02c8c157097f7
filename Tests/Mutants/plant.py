"""A copy of the package in which all mutants are compiled, and none is on."""

import json
import os
import pathlib
import re
import shutil
import subprocess

# In each module. `isOn` notes, if a file is named, that a mutant's place was met.
SWITCH = """#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

enum Mutant {
  static let chosen = getenv("SEEDBED_MUTANT").flatMap { Int(String(cString: $0)) } ?? -1
  static let notes = getenv("SEEDBED_MUTANTS_MET").map {
    open($0, O_WRONLY | O_APPEND | O_CREAT, 0o644)
  } ?? -1
  nonisolated(unsafe) static let met = {
    let met = UnsafeMutablePointer<Bool>.allocate(capacity: 10_000)
    met.initialize(repeating: false, count: 10_000)
    return met
  }()

  static func isOn(_ number: Int) -> Bool {
    if notes >= 0, !met[number] {
      met[number] = true
      let line = "\\(number)\\n"
      _ = write(notes, line, line.utf8.count)
    }
    return number == chosen
  }

  static func turn(_ number: Int, _ value: Bool) -> Bool { isOn(number) != value }
}
"""
SWITCHES = ["Sources/Seedbed/Text/Mutant.swift", "Sources/SeedbedOverTheAir/Mutant.swift"]
FAULT = re.compile(r"^(/[^\n:]+\.swift):(\d+):\d+: error: ([^\n]*)", re.MULTILINE)


class Plantation:
    def __init__(self, root, folder):
        self.root, self.folder = pathlib.Path(root), pathlib.Path(folder)
        self.tree = self.folder / "tree"
        self.left_out = self.folder / "left-out.json"
        self.sites = []

    def unfit(self):
        """The sites that do not compile, with what the compiler said."""
        return json.loads(self.left_out.read_text()) if self.left_out.exists() else {}

    def plant(self, sites, suites):
        """Builds the copy with these sites, less those that do not compile, and gives the program."""
        self.tree.mkdir(parents=True, exist_ok=True)
        while True:
            unfit = self.unfit()
            self.sites = [site for site in sites if site.identifier not in unfit]
            places = self.copy()
            print(f"Building {len(self.sites)} mutants in {self.tree}", flush=True)
            built = subprocess.run(
                [str(self.tree / "Scripts/build"), "--tests"], capture_output=True, text=True,
                env={**os.environ, "SEEDBED_COMMIT": "mutants", "SEEDBED_SUITES": " ".join(suites)})
            if built.returncode == 0:
                return self.tree / ".build/debug/seedbedPackageTests.xctest"
            found = self.blamed(built.stdout + built.stderr, places)
            if not found:
                raise SystemExit(built.stderr[-6000:] + "mutants: this is no mutant's fault.")
            print(f"  left out, since they do not compile: {len(found)}", flush=True)
            self.left_out.write_text(json.dumps({**unfit, **found}, indent=1))

    def blamed(self, log, places):
        """The sites on the lines that the compiler refuses; else the nearest of the file."""
        found = {}
        for path, line, message in FAULT.findall(log):
            own = places.get(os.path.relpath(path, self.tree), [])
            far = {site.identifier: max(first - int(line), int(line) - last, 0) for site, first, last in own}
            for identifier, distance in far.items():
                if distance == min(far.values()):
                    found[identifier] = message
        return found

    def copy(self):
        """Brings the copy up to date, and leaves files that are the same alone. Gives the sites of each
        file, with their lines there."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=self.root,
            capture_output=True, text=True, check=True).stdout.split("\0")
        numbers = {site.identifier: number for number, site in enumerate(self.sites)}
        places, known = {}, set(SWITCHES)
        for path in filter(None, listed):
            source, target = self.root / path, self.tree / path
            if not os.path.lexists(source):
                continue
            known.add(path)
            own = [site for site in self.sites if site.path == path]
            if own:
                text, places[path] = planted(source.read_text(encoding="utf-8"), own, numbers)
                update(target, text.encode())
            elif source.is_symlink():
                target.parent.mkdir(parents=True, exist_ok=True)
                if not os.path.lexists(target):
                    os.symlink(os.readlink(source), target)
            else:
                update(target, source.read_bytes())
                shutil.copymode(source, target)
        for path in SWITCHES:
            update(self.tree / path, SWITCH.encode())
        for name in ("Sources", "Tests"):
            for target in (self.tree / name).rglob("*.swift"):
                if str(target.relative_to(self.tree)) not in known:
                    target.unlink()
        (self.folder / "plan.json").write_text(json.dumps([site.identifier for site in self.sites]))
        return places


def update(target, content):
    if not target.exists() or target.read_bytes() != content:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def planted(text, sites, numbers):
    """The text with both programs at each site, and the lines of each there."""
    result, at, places = "", 0, []
    for site in sorted(sites, key=lambda site: site.start):
        result += text[at:site.start]
        first = result.count("\n") + 1
        result += site.planted(numbers[site.identifier])
        places.append((site, first, result.count("\n") + 1))
        at = site.end
    return result + text[at:], places
