"""The same update by all tools: three editions, users between them, and kills."""
import datetime
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import measure
import project
from contenders import FOR_EACH, PYTHON, TOOLS
from places import Databases, Files
from server import Server
from server import build as build_for_servers

HERE = pathlib.Path(__file__).resolve().parent
PAGE = project.root / "Documentation" / "Story.md"
# What triggers do not see: a file that is copied has all rows, and a merge of DoltLite calls none.
UNCOUNTED = {"new_file": lambda rows: f"{2 * rows:,}", "doltlite_pull": lambda _: "not counted"}
SLOW = 60  # Seconds of processor time for both updates: who takes longer is measured once.


class Stage:
    """The editions with so many rows, and where the tools are played with them."""

    def __init__(self, rows, engine, for_each):
        self.rows, self.for_each = rows, for_each
        self.folder = project.work / f"story-{rows}-{'each' if for_each else 'one'}"
        self.editions = self.folder / "editions"
        if not (self.editions / "plan.json").exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            self.step("make", rows, self.editions, "each" if for_each else "")
            files = Files(self.editions)
            for number in () if for_each else (1, 2, 3):
                self.step("fill", number, self.editions, files.name(number))
        self.place = Files(self.folder) if engine == "sqlite" else Databases(rows)

    def step(self, *words, exits=(0,)):
        words = [str(PYTHON), "-B", str(HERE / "editions.py"), *map(str, words)]
        return measure.run(words, project.work, exits)[1].strip()

    def files(self, tool):
        return self.folder / tool.name if tool.releases else self.editions

    def prepare(self, tool):
        """The first edition, and what users made of it."""
        folder = self.files(tool)
        if tool.releases:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for number in (1, 2, 3):
                measure.run(tool.words("release", number, self.editions, folder), project.work)
        old = self.place.name(tool.name)
        self.place.remove(tool.name)
        if self.place.engine == "postgresql":
            self.place.copy("", tool.name, template="template1")
        is_empty = tool.records or self.for_each
        self.step("fill", "" if is_empty else 1, self.editions, old)
        if is_empty:
            self.start(tool, 1, tool.name)
        self.sign_up(tool, 1, old)
        self.step("use", 1, self.editions, old)

    def start(self, tool, number, database=None):
        database = self.place.name(database or run_of(tool))
        words = tool.words("start", number, self.files(tool), database)
        before = self.place.busy()
        sample = measure.run(words, project.work)[0]
        sample.busy += self.place.busy() - before
        return sample

    def sign_up(self, tool, number, database):
        if self.for_each:
            ids = self.step("join", number, self.editions, database).split()
            words = tool.words("sign_up", number, self.files(tool), database, *ids)
            measure.run(words, project.work)

    def play(self, tool, look=False):
        """Both updates; if asked, also what was written, and what is left."""
        self.place.copy(tool.name, run_of(tool))
        run, seen, written = self.place.name(run_of(tool)), {}, 0
        counts = look and tool.name not in UNCOUNTED
        if counts:
            self.step("count", run)
        samples = []
        for number in (2, 3):
            before = int(self.step("written", run)) if counts else 0
            samples.append(self.start(tool, number))
            if look and number == 2:
                seen["old"] = self.step("state", self.editions, self.place.name(tool.name))
                seen["new"] = self.step("state", self.editions, run)
            if counts:
                written += int(self.step("written", run)) - before
            self.sign_up(tool, number, run)
            if number == 2:
                self.step("use", 2, self.editions, run)
        if look:
            seen["written"] = f"{written:,}" if counts else UNCOUNTED[tool.name](self.rows)
            seen["disk"] = self.place.size(run_of(tool))
            seen.update(json.loads(self.step("look", self.editions, run)))
        seconds = sum(sample.seconds for sample in samples)
        sample = measure.Sample(
            seconds, sum(sample.busy for sample in samples), max(sample.peak for sample in samples))
        sample.first = samples[0].seconds
        return sample, seen

    def kill(self, tool, seconds, seen, instants):
        """How many kills leave a state that is neither the old one nor the new one."""
        half_done, state = 0, None
        run = self.place.name(run_of(tool))
        words = tool.words("start", 2, self.files(tool), run)
        for number in range(instants):
            # After a kill without effect the app is started again, as users do.
            if state != seen["old"]:
                self.place.copy(tool.name, run_of(tool))
            process = subprocess.Popen(
                words, start_new_session=True, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(seconds * (number + 0.5) / instants)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            self.place.wait()
            state = self.step("state", self.editions, run, exits=(0, 1))
            half_done += state not in (seen["old"], seen["new"])
        return half_done


def play(engine, tools, options):
    """What each tool did, by its name: the numbers of a line of the table."""
    for_each, rows = tools[0].for_each, rows_of(tools, options)
    small = Stage(fewer(rows), engine, for_each)
    big = small if rows == small.rows else Stage(rows, engine, for_each)
    stages = {tool.name: small if tool.row_by_row else big for tool in tools}
    found, fast = {}, []
    for tool in tools:
        say(f"{tool.name} on {engine}: prepare, play and count")
        stages[tool.name].prepare(tool)
        sample, seen = stages[tool.name].play(tool, look=True)
        say(f"{sample.seconds:.2f} s, {sample.busy:.2f} busy, {sample.peak:.0f} MiB, {seen}")
        found[tool.name] = {"seen": seen, "samples": [sample]}
        if sample.busy < SLOW and options.runs:
            found[tool.name]["samples"] = []
            fast.append(tool)
    for number in range(options.runs if fast else 0):
        number %= len(fast)
        for tool in fast[number:] + fast[:number]:
            say(f"{tool.name} on {engine}: run {number + 1}")
            sample, _ = stages[tool.name].play(tool)
            say(f"{sample.seconds:.2f} s, {sample.busy:.2f} busy, {sample.peak:.0f} MiB")
            found[tool.name]["samples"].append(sample)
    for tool in tools:
        say(f"{tool.name} on {engine}: {options.instants} kills")
        sample, seen = found[tool.name]["samples"][0], found[tool.name]["seen"]
        if stages[tool.name] is not small:
            small.prepare(tool)
            sample, seen = small.play(tool, look=True)
        found[tool.name]["half done"] = small.kill(tool, sample.first, seen, options.instants)
        say(f"{found[tool.name]['half done']} half done")
    return found


def run_of(tool):
    """The database that it is played on, a copy of that which bears its name."""
    return f"{tool.name}_run"


def rows_of(tools, options):
    """Ten organizations have as many in all as one user has."""
    return max(options.rows // 10, 2_000) if tools[0].for_each else options.rows


def fewer(rows):
    """For kills, and for tools that ask about each row; as many as users need for what they do."""
    return max(rows // 100, 2_000)


def say(text):
    print(f"bench: {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


# What the columns of the table count, as `editions.py look` names it.
KEPT = {"edits kept": "edits", "deletions kept": "deletions", "own rows kept": "own",
        "corrections": "corrections", "retired rows gone": "retired", "new rows": "added",
        "at sign-up": "newest"}


def head(for_each):
    kept = [title for title in KEPT if for_each or title != "at sign-up"]
    return ["tool", *kept, "half done", "rows written", "CPU s", "MiB",
            "MiB on disk afterwards", "lines"]


def line(tool, engine, found, options):
    """A line of the table."""
    seen = found["seen"]
    title = tool.title
    if tool.row_by_row:
        title += f" ({fewer(options.rows):,} rows)"
    samples = found["samples"]
    many = [f"{seen[name][0]:,} of {seen[name][1]:,}" for name in KEPT.values() if name in seen]
    if seen["broken"]:
        sys.exit(f"bench: {tool.name} leaves {seen['broken']} broken references.")
    return [
        title, *many, f"{found['half done']} of {options.instants}", seen["written"],
        f"{measure.median(samples, 'busy'):.1f}",
        f"{max(sample.peak for sample in samples):.0f}", f"{seen['disk'] / (1 << 20):.0f}",
        str(tool.lines(engine))]


def table(titles, rows):
    """Markdown, as the page has it."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [titles, ["---"] * len(titles), *rows])


def story(options):
    if not PYTHON.exists():
        sys.exit("bench: There are no tools: Scripts/setup --with story")
    programs(options.engines)
    names = [tool.name for tool in TOOLS + FOR_EACH]
    only = options.only.split(",") if options.only else names
    if not set(only) <= set(names):
        sys.exit(f"bench: There are only: {', '.join(names)}")
    is_right = True
    for engine in options.engines.split(","):
        if engine == "postgresql":
            Databases.server = Server()
        for tools in (TOOLS, FOR_EACH):
            playing = [tool for tool in tools if engine in tool.engines and tool.name in only]
            if playing:
                is_right &= show(engine, playing, options)
    return is_right


def show(engine, tools, options):
    """A table; if asked, whether the page says the same."""
    for_each, many = tools[0].for_each, rows_of(tools, options)
    found = play(engine, tools, options)
    rows = [line(tool, engine, found[tool.name], options) for tool in tools]
    text = table(head(for_each), rows)
    name = f"story-{options.rows}-{engine}{'-each' if for_each else ''}.md"
    (project.work / name).write_text(text + "\n")
    measure.heading(
        f"{datetime.date.today()}, {engine}, {many:,} rows"
        f"{' for each of ten organizations' if for_each else ''}, "
        f"{options.instants} kills, {options.runs} runs", project.state())
    print(text)
    print(f"\nKilled with {fewer(many):,} rows each.")
    return not options.check or check(engine, for_each, rows)


def programs(engines):
    """Both programs in one folder, which is the first of PATH."""
    folder = project.work / "story-programs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    built = pathlib.Path(project.migrate).resolve()
    (folder / "migrate").symlink_to(built)
    if "postgresql" in engines:
        beside = built.with_name("migrate-postgresql")
        server = beside if os.environ.get("MIGRATE") else pathlib.Path(build_for_servers())
        (folder / "migrate-postgresql").symlink_to(server)
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"


def check(engine, for_each, rows):
    """Whether all, none or some are kept, as the page says; other rows have other numbers."""
    def words(cells):
        found = [cells[0].split(" (")[0]]
        for cell in cells[1:head(for_each).index("rows written")]:
            some, all_of_them = cell.replace(",", "").split(" of ")
            found.append("none" if some == "0" else "all" if some == all_of_them else "some")
        return found

    heading = "On SQLite" if engine == "sqlite" else "On PostgreSQL"
    page, _, each = PAGE.read_text().partition("\n## Ten organizations, one catalog\n")
    part = (each if for_each else page).split(f"# {heading}\n")[1].split("\n#")[0]
    said = [words(line.strip("| ").split(" | ")) for line in part.splitlines()
            if line.startswith("| ") and " of " in line]
    wrong = [row[0] for row in rows if words(row) not in said]
    for title in wrong:
        print(f"bench: {PAGE.name} says something else about {title}.", file=sys.stderr)
    return not wrong
