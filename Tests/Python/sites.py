"""What the tests of seedbed.django share: copies of the example, and one server."""

import atexit
import functools
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from cluster import Cluster, programs
from seedbed._program import PROGRAM
from support import IS_WHOLE, LONG, Case

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLE = ROOT / "Python" / "example"
PAGE = ROOT / "Sources" / "Seedbed" / "Seedbed.docc" / "WithDjango.md"
# Folders with one version of Django each; an empty name is the one that is installed.
DJANGOS = os.environ.get("SEEDBED_DJANGOS", "").split(os.pathsep)
HAS_DJANGO = bool(DJANGOS[0]) or importlib.util.find_spec("django") is not None
# migrate-postgresql is on the path of sites alone: other tests are about its absence.
PATH = os.pathsep.join(filter(None, [os.environ.get("SEEDBED_SERVERS"), os.environ["PATH"]]))
# Where continuous integration runs, nothing is skipped because Django, a server or a browser is
# missing.
NEEDED = os.environ.get("CI") == "true"
HASHER = "django.contrib.auth.hashers.MD5PasswordHasher"
START = "import django, io, os\ndjango.setup()\nfrom django.core.management import call_command\n"


def edited():
    """What administrators do with the first edition."""
    return """
from desk.models import *
welcome = EmailTemplate.objects.get(slug="welcome")
welcome.subject, welcome.body = "Hello from us", welcome.body + "\\n\\nThe team"
welcome.save()
EmailTemplate.objects.get(slug="reminder").delete()
EmailTemplate.objects.create(slug="mine", subject="My own", body="My own")
Country.objects.filter(code="TR").update(name="Turkiye")
Country.objects.create(code="SZ", name="Swaziland")
Prompt.objects.filter(name="answer").update(text="Answer like a pirate.")
Ticket.objects.create(
    title="Help", country=Country.objects.get(code="CZ"),
    answer=EmailTemplate.objects.get(slug="closed"))
"""


class Site:
    """A copy of the example, whose catalog ends at an edition."""

    def __init__(self, folder, django="", edition=1, settings="", variables={}):
        self.folder = pathlib.Path(folder)
        shutil.copytree(
            EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__", "*.sqlite*"))
        with open(self.folder / "helpdesk/settings.py", "a") as file:
            # Good hashes take half a second each.
            file.write(f'\nPASSWORD_HASHERS = ["{HASHER}"]\n{settings}')
        self.environment = {
            **os.environ, "PATH": PATH,
            "PYTHONPATH": os.pathsep.join(filter(None, [django, str(folder)])),
            "DJANGO_SETTINGS_MODULE": "helpdesk.settings", "PYTHONDONTWRITEBYTECODE": "1",
            **variables}
        for name in ("MIGRATE_DATABASE", "DATABASE_URL", "DESK_SQLITE"):
            self.environment.pop(name, None)
        self.edition(edition)

    def edition(self, number):
        """Brings the catalog to an edition, as an upgrade of the program does."""
        catalog = self.folder / "Migrations"
        shutil.rmtree(catalog)
        shutil.copytree(EXAMPLE / "Migrations", catalog)
        if number == 1:
            shutil.rmtree(catalog / "0002_second")
            subprocess.check_output([PROGRAM, "lock", "--migrations", catalog, "--quiet"])

    def started(self, *words, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, **options}
        return subprocess.Popen(
            [sys.executable, *words], cwd=self.folder, env=self.environment, text=True,
            stdin=subprocess.DEVNULL, **options)

    def manage(self, *words):
        """The exit code, and all that a command says."""
        process = self.started("manage.py", *words)
        said, _ = ended(process)
        return process.returncode, said

    def run(self, code):
        """What code prints that has Django at hand."""
        process = self.started("-c", START + code, stderr=subprocess.PIPE)
        said, errors = ended(process)
        if process.returncode:
            raise AssertionError(said + errors)
        return said

    def migrate(self):
        code, said = self.manage("migrate")
        if code:
            raise AssertionError(said)
        return said


def ended(process):
    """All that a process says. It must not hang, but may wait for others on a small machine."""
    try:
        return process.communicate(timeout=10 * LONG)
    finally:
        process.kill()


class DjangoCase(Case):
    """A test with a site. Some have the oldest Django, and some the newest."""

    django = DJANGOS[0]
    migrated = {}  # by the Django, a database on which the first edition is applied

    def site(self, name="site", migrated=False, **options):
        options.setdefault("django", self.django)
        site = Site(os.path.join(self.folder, name), **options)
        if migrated:
            file = site.folder / "desk.sqlite"
            if options["django"] not in self.migrated:
                site.migrate()
                self.migrated[options["django"]] = file.read_bytes()
            file.write_bytes(self.migrated[options["django"]])
        return site

    def texts(self, site, statement="EmailTemplate.objects.order_by('slug').values_list("
                                    "'slug', 'subject')"):
        return site.run(f"from desk.models import *\nfor row in {statement}: print(*row)")


with_django = unittest.skipUnless(HAS_DJANGO or NEEDED, "Django is not here")


def once(case):
    """A case with Django that one Python plays for all of them."""
    return with_django(case) if IS_WHOLE else None


_clusters = []


def on_servers(test):
    """A test that gets a server, where this machine has one and the program for it."""
    def started(self):
        if not _clusters:
            _clusters.append(Cluster())
            atexit.register(_clusters[0].stop)
        test(self, _clusters[0])

    has_program = shutil.which("migrate-postgresql", path=PATH) or PROGRAM.with_name(
        "migrate-postgresql").exists()
    found = NEEDED or importlib.util.find_spec("psycopg") and programs() and has_program
    reason = "PostgreSQL, migrate-postgresql or psycopg is not here"
    return unittest.skipUnless(found, reason)(functools.wraps(test)(started))
