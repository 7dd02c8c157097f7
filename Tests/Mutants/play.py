"""Runs suites with a mutant, and stops at the first sign that one of them notices."""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time

import likeness

COLOR = re.compile(r"\x1b\[[0-9;]*m")
ISSUE = re.compile(r"^✘ Test (.*?) recorded an issue")
# A few random histories only: what kills a mutant that named cases do not kill is often one of these.
HISTORIES = "40"
# The seconds that the first and the second process of suites may take; those that are left are the third.
PARTS = (3, 25)
# The seconds of all three.
MOST = 90
WORKERS = 2


class Suite:
    def __init__(self, name, key, seconds=0.0, cpu=0.0, met=(), has_passed=True):
        self.name, self.key, self.seconds, self.cpu = name, key, seconds, cpu
        self.met, self.has_passed = set(met), has_passed

    @property
    def pattern(self):
        target, _, name = self.name.partition(".")
        return rf"^{target}\.`?{re.escape(name.strip('`'))}`?(/|$)"

    @property
    def cost(self):
        """What is fast, and knows few places well, comes first."""
        return max(self.seconds, 0.3) * max(len(self.met), 1) ** 0.5

    @property
    def waits(self):
        return self.seconds > 3 * self.cpu + 2


class Outcome:
    def __init__(self):
        self.how, self.by, self.seconds, self.cpu = "", "", 0.0, 0.0


def run(binary, pattern, limit, **environment):
    """Runs the tests that match. Ends them at the first issue, or when the time is over."""
    outcome, begun = Outcome(), time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        # Tests change to users who are not root.
        os.chmod(folder, 0o755)
        os.makedirs(os.path.join(folder, "cwd"))
        process = subprocess.Popen(
            [str(binary), "--testing-library", "swift-testing", "--filter", pattern],
            cwd=os.path.join(folder, "cwd"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
            env={**os.environ, "SEEDBED_HISTORIES": HISTORIES, "TMPDIR": folder, "SWIFT_BACKTRACE": "enable=no",
                 **environment})

        def end(reason=""):
            outcome.how = outcome.how or reason
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        timer = threading.Timer(limit, end, ["time"])
        timer.start()
        for line in process.stdout:
            if issue := ISSUE.match(COLOR.sub("", line)):
                outcome.how, outcome.by = "test", issue[1].strip('"')
                end()
                break
        process.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        # What it left running.
        end()
        process.returncode = os.waitstatus_to_exitcode(status)
        if not outcome.how and process.returncode != 0:
            outcome.how = "trap"
        outcome.cpu = usage.ru_utime + usage.ru_stime
    outcome.seconds = time.monotonic() - begun
    return outcome


class Player:
    def __init__(self, folder, binary, sites, root):
        self.folder, self.binary, self.root = pathlib.Path(folder), binary, pathlib.Path(root)
        self.identifiers = [site.identifier for site in sites]
        self.sites = dict(zip(self.identifiers, sites))
        self.numbers = {identifier: number for number, identifier in enumerate(self.identifiers)}
        self.suites, self.tests, self.texts = {}, {}, {}

    # What each suite meets

    def keys(self, targets):
        """The suites, each with a digest of the file that has it, and what names their tests."""
        listed = subprocess.run([str(self.binary), "--testing-library", "swift-testing", "--list-tests"],
                                capture_output=True, text=True, check=True).stdout
        files = {target: {path: path.read_text(encoding="utf-8")
                          for path in sorted((self.root / "Tests" / target).rglob("*.swift"))}
                 for target in targets}
        found = {}
        for line in listed.splitlines():
            matched = re.match(r"((\w+)\.(`[^`]+`|[\w.]+))/(.*)", line)
            if not matched or matched[2] not in targets:
                continue
            suite, target, name, test = matched.groups()
            self.tests.setdefault(re.sub(r"\(.*\)$", "", test).strip("`"), []).append(suite)
            if suite not in found:
                own = [text for text in files[target].values()
                       if re.search(rf"\b(struct|class|enum|actor) {re.escape(name)}\b|{re.escape(name)}", text)]
                found[suite] = hashlib.sha256("".join(own).encode()).hexdigest()[:16]
                self.texts[suite] = likeness.words("".join(own))
        return found

    def record(self, targets):
        """Runs each suite once, to see where it comes along and how long it takes."""
        file = self.folder / "met.json"
        known = json.loads(file.read_text()) if file.exists() else {}
        keys = self.keys(targets)
        plan = hashlib.sha256("".join(self.identifiers).encode()).hexdigest()[:16]
        left = [name for name, key in keys.items() if known.get(name, {}).get("key") != key + plan]
        print(f"{len(keys)} suites, of which {len(left)} are recorded now", flush=True)
        lock = threading.Lock()

        def one(name):
            suite = Suite(name, keys[name] + plan)
            with tempfile.TemporaryDirectory() as folder:
                notes = os.path.join(folder, "met")
                outcome = run(self.binary, suite.pattern, 300, SEEDBED_MUTANTS_MET=notes)
                text = pathlib.Path(notes).read_text() if os.path.exists(notes) else ""
            met = sorted({self.identifiers[int(line)] for line in text.split() if line.isdigit()})
            with lock:
                known[name] = {"key": suite.key, "seconds": outcome.seconds, "cpu": outcome.cpu, "met": met,
                               "has_passed": outcome.how == ""}
                file.write_text(json.dumps(known))
                if outcome.how:
                    print(f"  {name} does not pass as it is, and is left out: {outcome.how} {outcome.by}", flush=True)
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(one, left))
        self.suites = {name: Suite(name, **known[name]) for name in keys}

    # One mutant

    def parts(self, identifier):
        """The suites that meet a mutant, in up to three processes: those that are fast, and speak of what it
        changes, come first."""
        own = [suite for suite in self.suites.values() if suite.has_passed and identifier in suite.met]
        site = self.sites[identifier]
        like = likeness.scores(likeness.words_of(site, self.root), {suite.name: self.texts[suite.name] for suite in own})
        own.sort(key=lambda suite: suite.cost / (0.02 + like[suite.name]))
        parts, spent = [[] for _ in range(len(PARTS) + 1)], 0.0
        for suite in own:
            spent += suite.seconds
            if spent > MOST and suite is not own[0]:
                continue
            part = next((number for number, limit in enumerate(PARTS) if spent <= limit), len(PARTS))
            # The very first is played first whatever it takes.
            parts[part if suite is not own[0] else 0].append(suite)
        return parts

    def play(self, identifier, is_deep, known=0):
        """Whether a suite notices. Not deep: without the third process. `known` is how many suites of
        the first two have not noticed before."""
        parts, count, begun = self.parts(identifier), known, time.monotonic()
        for number, part in enumerate(parts):
            if not part or known and number < len(PARTS):
                continue
            if number == len(PARTS) and not is_deep:
                return self.result(begun, "survived", suites=count, is_whole=False)
            limit = 20 + 4 * sum(suite.seconds for suite in part)
            pattern = "|".join(suite.pattern for suite in part)
            outcome = run(self.binary, pattern, limit, SEEDBED_MUTANT=str(self.numbers[identifier]))
            count += len(part)
            if outcome.how and self.is_sure(identifier, outcome, part):
                suites = {suite.name for suite in part}
                plain = re.sub(r"\(.*\)$", "", outcome.by)
                owner = [name for name in self.tests.get(plain, []) if name in suites]
                by = owner[0] if owner else part[0].name if len(part) == 1 else ""
                return self.result(begun, "killed", how=outcome.how, by=outcome.by, suite=by, suites=count)
        return self.result(begun, "survived" if count else "not reached", suites=count, is_whole=True)

    def is_sure(self, identifier, outcome, part):
        """A test that waits may fail because the machine is slow: such suites are asked twice."""
        waiting = [suite for suite in part if suite.waits]
        if outcome.how == "trap" or not waiting:
            return True
        again = run(self.binary, "|".join(suite.pattern for suite in part),
                    20 + 6 * sum(suite.seconds for suite in part), SEEDBED_MUTANT=str(self.numbers[identifier]))
        return again.how != ""

    @staticmethod
    def result(begun, outcome, **more):
        return {"outcome": outcome, "seconds": round(time.monotonic() - begun, 1), **more}
