"""The packages for Node, Ruby and PHP, as a newcomer installs and uses them: the time to the first
row, and to the first edit that a release keeps."""
import re
import shlex
import time
import typing

from machine import ROOT, must

DEBIAN = "trixie"  # Debian 12 has no Node that is new enough.
MARGIN = 10  # Seconds for other work on this machine, above four times what the page says.


class Language(typing.NamedTuple):
    title: str  # of its part of *Install*, and the name of its folder
    packages: list  # Debian's, with the language and with what installs packages for it
    before: list  # what its own page says of an empty folder and of no network
    seedbed: str  # the installed command
    run: str  # what runs a line
    up: str
    conflicts: str  # `up`, and then the table, the user's value, and the release's


LANGUAGES = {
    "node": Language(
        "Node", ["nodejs", "npm"], [], "npx seedbed", "node --input-type=module --eval",
        'import { up } from "seedbed"; '
        'console.log((await up("app.sqlite", "Migrations")).outcome)',
        'import { up, conflicts } from "seedbed"; await up("app.sqlite", "Migrations"); '
        'const [one] = (await conflicts("app.sqlite", "Migrations")).conflicts; '
        'console.log(one.table, one.mine.name, one.seed.name)'),
    "ruby": Language(
        "Ruby", ["ruby"], [], "seedbed", "ruby -rseedbed -e",
        'puts Seedbed.up("app.sqlite")["outcome"]',
        'Seedbed.up("app.sqlite"); one = Seedbed.conflicts("app.sqlite")["conflicts"].first; '
        'puts [one["table"], one["mine"]["name"], one["seed"]["name"]].join(" ")'),
    "php": Language(
        "PHP", ["composer", "php-cli", "php-sqlite3", "php-zip"],
        ["echo '{}' >composer.json", "composer config repositories.packagist.org false"],
        "vendor/bin/seedbed", "php -r",
        'require "vendor/autoload.php"; $db = new Seedbed\\Database("app.sqlite", "Migrations"); '
        'echo $db->up()["outcome"], "\\n";',
        'require "vendor/autoload.php"; $db = new Seedbed\\Database("app.sqlite", "Migrations"); '
        '$db->interface() === "extension" || exit("The extension was not loaded."); '
        '$db->up(); $one = $db->conflicts()["conflicts"][0]; '
        'echo "$one[table] {$one["mine"]["name"]} {$one["seed"]["name"]}\\n";'),
}
PACKAGES = {name: [*each.packages, "sqlite3"] for name, each in LANGUAGES.items()}


def install_page():
    return (ROOT / "Documentation" / "Install.md").read_text()


def commands(language, platform):
    """Those of *Install*, with the other processor's names, after those of the language's page."""
    part = install_page().split(f"\n## {language.title}\n")[1].split("\n## ")[0]
    lines = re.findall(r"(?m)^    \$ (.*)$", part)
    must(lines, f"Install has no command for {language.title}")
    own = " ".join((ROOT / language.title / "README.md").read_text().split())
    for line in language.before:
        must(f"`{line}`" in own, f"the page of {language.title} does not have '{line}'")
    if platform.is_crossed:
        for one, other in re.findall(r"(?m)^\| `(seedbed-\S+)` \| `(\S+)` \|$", install_page()):
            lines = [line.replace(one, other) for line in lines]
    return language.before + lines


def compare(language, platform, first, kept):
    """Prints the times, which must not be far above those of the page."""
    print(f"  from nothing to the first row: {first:.1f} s, to the first kept edit: {kept:.1f} s")
    row = re.search(rf"(?m)^\| {language.title} .*$", install_page())
    shown = [float(each) for each in re.findall(r" ([\d.]+) s ", row.group(0))] if row else []
    must(len(shown) == 4, f"Install does not have four times for {language.title}")
    for found, limit in zip((first, kept), shown[2:] if platform.is_crossed else shown[:2]):
        must(found < 4 * limit + MARGIN, f"Install says {limit} s, and it took {found:.1f} s")


def try_language(language, machine, out):
    """In a folder with nothing but the files of the release, and without a network."""
    app = "/tmp/app"
    machine.is_online = False
    machine.shell("! command -v cc && ! command -v c++ && ! command -v swift", "/")
    for file in out.iterdir():
        if file.suffix in (".tgz", ".gem", ".zip"):
            machine.copy(file, f"{app}/{'packages/' if file.suffix == '.zip' else ''}{file.name}")
    machine.copy(ROOT / "Migrations", f"{app}/Migrations")

    def run(program):
        return machine.shell(f"{language.run} {shlex.quote(program)}", app)

    def name():
        return machine.shell(
            "sqlite3 app.sqlite 'SELECT count(*), (SELECT name FROM elements WHERE number = 1) "
            "FROM elements'", app)

    begun = time.monotonic()
    for line in commands(language, machine.platform):
        machine.shell(line, app)
    printed = run(language.up)
    first = time.monotonic() - begun
    must(printed == "applied\n", f"'up' prints: {printed}")
    must(name() == "118|Hydrogen\n", f"the database has: {name()}")
    machine.shell("sqlite3 app.sqlite \"UPDATE elements SET name = 'Mine' WHERE number = 1\"", app)
    machine.shell("sed -i 's/^1,H,Hydrogen,/1,H,Protium,/' Migrations/data/elements.csv", app)
    machine.shell(f"{language.seedbed} make names", app)
    printed = run(language.conflicts)
    kept = time.monotonic() - begun
    must(printed == "elements Mine Protium\n", f"'conflicts' prints: {printed}")
    must(name() == "118|Mine\n", f"the database has: {name()}")
    compare(language, machine.platform, first, kept)
