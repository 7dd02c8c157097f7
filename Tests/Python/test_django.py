"""seedbed.django on SQLite: `migrate` brings the data, and nothing that people changed is lost."""

import contextlib
import json
import os
import re
import shutil
import sqlite3

from sites import DJANGOS, DjangoCase, edited, ended, on_servers, once, with_django

SECOND = """
DATABASES["other"] = {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE_DIR / "other.sqlite"}
"""
COUNTRIES = "Country.objects.order_by('code').values_list('code', 'name')"


def break_second(site):
    """In the second release, a row lacks a value."""
    folder = site.folder / "Migrations"
    with open(folder / "0002_second/desk_ticket.csv", "w") as file:
        file.write("id,title,country_id:desk_country.code\n1,Broken\n")
    os.remove(folder / "seedbed.lock")


@with_django
class Story(DjangoCase):
    def test_story(self):
        for number, django in enumerate(DJANGOS):
            with self.subTest(django=django):
                site = self.site(f"site{number}", django=django)
                self.assertIn("release 1 is applied; rows: 9 added.\n", site.migrate())
                site.run(edited())
                site.edition(2)
                said = site.migrate()
                self.assertIn(
                    "release 2 is applied; rows: 2 added, 2 changed, 5 kept. Conflicts: 5. "
                    "See 'manage.py seedbed conflicts'.\n", said)
                self.assertEqual(said.count("Seedbed:"), 1)
                self.assertTrue(said.endswith("conflicts'.\n"), said)
                self.assertIn("no release is pending", site.migrate())
                self.assertEqual(self.texts(site), (
                    "closed Your ticket is closed\nescalated A colleague takes over\n"
                    "mine My own\nwelcome Hello from us\n"))
                self.assertEqual(self.texts(site, COUNTRIES), (
                    "AQ Antarctica\nCZ Czechia\nDE Germany\nSZ Swaziland\nTR Turkiye\n"))
                # A release names rows by their keys, so ids and references stay.
                self.assertEqual(self.texts(
                    site, "Ticket.objects.values_list('title', 'country__name', 'answer__slug')"),
                    "Help Czech Republic closed\n".replace("Czech Republic", "Czechia"))
                code, said = site.manage("seedbed", "conflicts", "--json")
                self.assertEqual((code, len(json.loads(said)["conflicts"])), (0, 5))
                self.assertEqual(site.manage("makemigrations", "--check")[0], 0)
                self.assertEqual(site.manage("check")[1].split("(")[0],
                                 "System check identified no issues ")


@once
class Migrating(DjangoCase):
    def test_it_waits_for_all_migrations(self):
        site = self.site()
        code, said = site.manage("migrate", "auth")
        self.assertEqual(code, 0)
        self.assertIn(
            "Seedbed: applied no release: 'default' still lacks migrations of Django's.", said)
        self.assertNotIn("applied no release", site.migrate())
        code, said = site.manage("migrate", "desk", "zero")
        self.assertEqual(code, 0, said)
        self.assertIn("Seedbed: applied no release", said)

    def test_it_is_quiet(self):
        code, said = self.site().manage("migrate", "-v", "0")
        self.assertEqual((code, said), (0, ""))

    def test_an_error_says_what_to_do(self):
        site = self.site(migrated=True)
        site.edition(2)
        break_second(site)
        code, said = site.manage("migrate")
        self.assertEqual(code, 1)
        self.assertRegex(
            said, r"CommandError: Seedbed: .*desk_ticket.csv:2:\d+: found 2 fields, expected 3")
        self.assertNotIn("Traceback", said)
        self.assertEqual(self.texts(site).count("\n"), 3)

    def test_a_busy_database(self):
        site = self.site(migrated=True, settings="SEEDBED['lock_timeout'] = 0.2")
        site.edition(2)
        process = site.started("-c", LOCKING)
        said, _ = ended(process)
        self.assertEqual(process.returncode, 4, said)
        self.assertIn("wait longer: 'lock_timeout': SECONDS in SEEDBED.", said)

    def test_remedies(self):
        """What to write are settings and commands of Django's."""
        cases = [
            ("backups=FOLDER or no_backup=True",
             "'backups': FOLDER in SEEDBED or 'no_backup': True in SEEDBED"),
            ("lock_timeout=SECONDS", "'lock_timeout': SECONDS in SEEDBED"),
            ("seedbed_down with {\"to\": 3}, in SQL seedbed_down(catalog, 3)", "manage.py seedbed down --to 3"),
            ("seedbed down --to 3", "manage.py seedbed down --to 3"),
            ("seedbed_status or seedbed_up", "manage.py seedbed status or manage.py seedbed up"),
            ("seedbed_unpin of 8 in words", "manage.py seedbed unpin words 8"),
            ("seedbed unpin words 8", "manage.py seedbed unpin words 8"),
            ("migrate lock", "manage.py seedbed lock"),
            ("migrate restore", "manage.py seedbed restore"),
            ("migrate restore FILE, migrate backups lists them",
             "manage.py seedbed restore FILE, manage.py seedbed backups lists them"),
            ("'seedbed_conflict_columns' lists them",
             "'manage.py seedbed conflicts' lists them"),
            ("0001_first, seedbed.lock and others", "0001_first, seedbed.lock and others"),
            ("manage.py migrate auth", "manage.py migrate auth"),
        ]
        said = self.site().run(
            "from seedbed._types import failure\nfrom seedbed.django import _run\n"
            f"for each in {[words for words, _ in cases]}:\n"
            "    print(_run.words(failure(f'Do it: {each}.')))")
        self.assertEqual(said.splitlines(), [f"Do it: {words}." for _, words in cases])

    def test_older_code_on_a_newer_database(self):
        site = self.site(migrated=True)
        site.edition(2)
        site.migrate()
        site.edition(1)
        code, said = site.manage("migrate")
        self.assertEqual(code, 0, said)
        self.assertIn("Seedbed: the database stays as it is. ", said)
        self.assertIn("escalated", self.texts(site))
        strict = self.site("strict", settings="SEEDBED['allow_newer'] = False\n"
            f"DATABASES['default']['NAME'] = {str(site.folder / 'desk.sqlite')!r}")
        code, said = strict.manage("migrate")
        self.assertEqual(code, 5)
        self.assertIn("CommandError: Seedbed: ", said)

    def test_two_at_once(self):
        site = self.site(migrated=True, settings="SEEDBED['lock_timeout'] = 60")
        site.edition(2)
        processes = [site.started("manage.py", "migrate") for _ in range(3)]
        said = [ended(process)[0] for process in processes]
        self.assertEqual([process.returncode for process in processes], [0, 0, 0], said)
        self.assertEqual(
            sorted("release 2 is applied" in each for each in said), [False, False, True])

    def test_inside_a_transaction(self):
        site = self.site(migrated=True)
        code = "from django.db import transaction\nwith transaction.atomic(): "
        # Tests do this, and nothing is pending.
        site.run(code + "call_command('migrate', verbosity=0)")
        site.edition(2)
        with self.assertRaises(AssertionError) as caught:
            site.run(code + "call_command('migrate', verbosity=0)")
        self.assertIn("Django is inside a transaction", str(caught.exception))
        self.assertEqual(site.manage("seedbed", "status", "--exit-code")[0], 1)

    def test_the_signal(self):
        site = self.site(migrated=True)
        site.edition(2)
        said = site.run(
            "from seedbed.django import applied\n"
            "from desk.models import Country\n"
            "def show(using, report, touched_tables, **kwargs):\n"
            "    print(using, report.to_version, *touched_tables)\n"
            "applied.connect(show)\n"
            "print(Country.names()[-1])\n"
            "call_command('migrate', verbosity=0)\n"
            "call_command('migrate', verbosity=0)\n"
            "print(Country.names()[-1])\n")
        self.assertEqual(
            said, "Turkey\ndefault 2 desk_country desk_emailtemplate desk_prompt\nTürkiye\n")

    def test_the_signal_of_the_command(self):
        """What the command touched is not known, so all tables are named."""
        site = self.site(migrated=True)
        site.edition(2)
        said = site.run(
            "from seedbed.django import applied\n"
            "def show(report, touched_tables, **kwargs): print(report, 'desk_ticket' in "
            "touched_tables)\n"
            "applied.connect(show)\n"
            "call_command('seedbed', 'status', '--quiet')\n"
            "call_command('seedbed', 'up', '--quiet')\n")
        self.assertEqual(said, "None True\n")

    def test_the_signal_of_what_fails_midway(self):
        """The releases before stay, so caches are old."""
        site = self.site(edition=2)
        break_second(site)
        said = site.run(
            "from django.core.management.base import CommandError\n"
            "from seedbed.django import _run, applied\n"
            "def show(touched_tables, **kwargs): print('desk_country' in touched_tables)\n"
            "applied.connect(show)\n"
            "def up(*words):\n"
            "    try: call_command('seedbed', 'up', *words, '--quiet')\n"
            "    except SystemExit as error: print(error.code)\n"
            "up('--must-exist')\n"
            "print(os.path.exists('desk.sqlite'))\n"
            "_run.bring = lambda *words, **options: None\n"
            "call_command('migrate', verbosity=0)\n"
            "try: _run.up_to('default', 2)\n"
            "except CommandError: print('up_to')\n"
            "up()\n")
        self.assertEqual(said, "2\nFalse\nTrue\nup_to\nTrue\n2\n")

    def test_several_databases(self):
        """Only those that SEEDBED names, each with options of its own."""
        site = self.site(settings=SECOND)
        site.migrate()
        code, said = site.manage("migrate", "--database", "other")
        self.assertEqual(code, 0)
        self.assertNotIn("Seedbed", said)
        both = self.site("both", settings=SECOND + (
            "SEEDBED['databases'] = {'default': {'to': 1}, 'other': {}}"), edition=2)
        self.assertIn("release 1 is applied", both.migrate())
        code, said = both.manage("migrate", "--database", "other")
        self.assertIn("release 2 is applied", said)
        for words, version in ((["status"], 1), (["--database", "other", "status"], 2),
                               (["status", "--database=other"], 2)):
            code, said = both.manage("seedbed", *words, "--json")
            self.assertEqual(json.loads(said)["current"], version, words)
        code, said = both.manage("seedbed", "status", "--database", "third")
        self.assertEqual(code, 1)
        self.assertIn("'third' is not in SEEDBED. Its databases: default, other.", said)

    def play_rename(self, site):
        """A release writes a column that a later version of the models does not have."""
        site.edition(2)
        migration = site.folder / "desk/migrations/0002_title.py"
        models = site.folder / "desk/models.py"
        models.write_text(models.read_text().replace(
            "    subject = models", "    title = models").replace("subject", "title"))
        migration.write_text(RENAME.format(first="", atomic=True))
        code, said = site.manage("migrate")
        self.assertIn("Seedbed: 0001_first/desk_emailtemplate.csv", said)
        self.assertEqual(code, 1)
        site.manage("migrate", "desk", "zero")
        migration.write_text(RENAME.format(
            first="migrations.RunPython(up_to(2), migrations.RunPython.noop),", atomic=True))
        code, said = site.manage("migrate")
        self.assertEqual(code, 1)
        self.assertIn("Django is inside a transaction", said)
        migration.write_text(migration.read_text().replace("atomic = True", "atomic = False"))
        self.assertIn("no release is pending", site.migrate())
        self.assertIn("welcome We got your ticket", self.texts(
            site, "EmailTemplate.objects.values_list('slug', 'title')"))
        self.assertEqual(site.manage("makemigrations", "--check")[0], 0)

    def test_a_column_gets_another_name(self):
        self.play_rename(self.site())

    @on_servers
    def test_a_column_gets_another_name_on_a_server(self, cluster):
        self.play_rename(self.site(variables=cluster.database("renamed")))

    def test_in_memory(self):
        site = self.site(settings='DATABASES["default"]["NAME"] = ":memory:"', edition=2)
        said = site.run(
            "call_command('migrate', verbosity=0)\n"
            "from desk.models import *\nprint(Country.objects.count(), Prompt.objects.count())\n"
            "t = Ticket.objects.create(title='a', country=Country.objects.get(code='TR'))\n"
            "call_command('flush', interactive=False, verbosity=0)\n"
            "print(Country.objects.count(), Prompt.objects.count(), Ticket.objects.count())\n")
        self.assertEqual(said, "5 3\n5 3 0\n")

    def test_in_memory_whole_releases_stay(self):
        site = self.site(settings='DATABASES["default"]["NAME"] = ":memory:"', edition=2)
        break_second(site)
        self.assertEqual(site.run(
            "from desk.models import Country\n"
            "from django.core.management.base import CommandError\n"
            "for _ in range(2):\n"
            "    try: call_command('migrate', verbosity=0)\n"
            "    except CommandError as error: print(str(error).split('. ')[-1])\n"
            "    print(Country.objects.count())\n"), (
            "The releases before it are applied: 1.\n4\n"
            "Every record needs a value, even an empty one, for each header column.\n4\n"))

    def test_in_memory_inside_a_transaction(self):
        site = self.site(settings='DATABASES["default"]["NAME"] = ":memory:"', edition=2)
        self.assertEqual(site.run(
            "call_command('migrate', verbosity=0)\n"
            "from django.db import transaction\nfrom desk.models import Country\n"
            "with transaction.atomic():\n"
            "    Country.objects.all().update(name='x')\n"
            "    call_command('migrate', verbosity=0)\n"
            "print(Country.objects.filter(name='x').count())\n"
            "from seedbed.django import _run\n"
            "with transaction.atomic():\n"
            "    try:\n"
            "        with _run.reached('default', writes=False): pass\n"
            "    except _run.Error as error: print(error)\n"), (
            "5\nDjango is inside a transaction, and Seedbed needs one of its own. Call it outside "
            "atomic(); in a test, use TransactionTestCase.\n"))


RENAME = """
from django.db import migrations
from seedbed.django import up_to

class Migration(migrations.Migration):
    atomic = {atomic}
    dependencies = [("desk", "0001_initial")]
    operations = [{first} migrations.RenameField("emailtemplate", "subject", "title")]
"""
LOCKING = """
import django, sqlite3
django.setup()
from django.core.management import execute_from_command_line
other = sqlite3.connect("desk.sqlite", isolation_level=None)
from seedbed.django import _run
bring = _run.bring
def locked(*words, **options):
    other.execute("BEGIN IMMEDIATE")
    bring(*words, **options)
_run.bring = locked
execute_from_command_line(["manage.py", "migrate"])
"""


@once
class Commands(DjangoCase):
    def test_exit_codes_are_kept(self):
        site = self.site(migrated=True)
        self.assertEqual(site.manage("seedbed", "status", "--exit-code")[0], 0)
        site.edition(2)
        self.assertEqual(site.manage("seedbed", "status", "--exit-code")[0], 1)
        self.assertEqual(site.manage("seedbed", "upp")[0], 64)
        self.assertEqual(site.manage("seedbed", "up", "--to", "2", "--quiet"), (0, ""))
        self.assertIn("escalated", self.texts(site))
        code, said = site.manage("seedbed", "help", "up")
        self.assertEqual(code, 0)
        self.assertIn("Usage:\n  seedbed up", said)
        self.assertIn("Usage:\n  seedbed VERB", site.manage("seedbed")[1])

    def test_verbs_of_authors(self):
        site = self.site(migrated=True)
        site.edition(2)
        self.assertEqual(site.manage("seedbed", "lint")[0], 0)
        self.assertEqual(site.manage("seedbed", "make", "--check", "--quiet")[0], 0)
        file = site.folder / "Migrations/data/countries.csv"
        file.write_text(file.read_text().replace("Türkiye", "Turkey"))
        self.assertEqual(site.manage("seedbed", "make", "--check")[0], 3)
        code, said = site.manage("seedbed", "make", "third")
        self.assertEqual(code, 0, said)
        self.assertIn("Migrations/0003_third", said)
        self.assertIn("Turkey", site.manage("seedbed", "show", "3")[1])

    def test_the_first_release(self):
        """As the page says: before there is a catalog or a database."""
        site = self.site()
        for each in (site.folder / "Migrations").iterdir():
            if each.name[0] in "0s":
                shutil.rmtree(each) if each.is_dir() else each.unlink()
        (site.folder / "Migrations/catalog.json").write_text(json.dumps({"tables": json.loads(
            (site.folder / "Migrations/catalog.json").read_text())["tables"]}))
        (site.folder / "schema.sql").write_text(site.manage("sqlmigrate", "desk", "0001")[1])
        code, said = site.manage("seedbed", "make", "first", "--schema", "schema.sql")
        self.assertEqual(code, 0, said)
        self.assertIn("rows: 12 added", site.migrate())

    def test_options_of_the_settings(self):
        site = self.site(
            migrated=True, settings="SEEDBED.update(no_backup=True, on_edited='preferSeed')")
        site.run(edited())
        site.edition(2)
        code, said = site.manage("seedbed", "up")
        self.assertEqual(code, 0, said)
        self.assertNotIn("Backup", said)
        self.assertIn("welcome We got your ticket", self.texts(site))
        self.assertFalse(list(site.folder.glob("*.backups")))

    def test_backups_are_where_migrate_puts_them(self):
        site = self.site(migrated=True, variables={"MIGRATE_BACKUPS": "elsewhere"})
        site.edition(2)
        site.migrate()
        self.assertEqual(site.manage("seedbed", "restore", "--quiet"), (0, ""))
        self.assertNotIn("escalated", self.texts(site))

    def test_up_takes_the_same_options_as_migrate(self):
        site = self.site(migrated=True, edition=2, settings=(
            "SEEDBED.update(to=1, must_exist=True, allow_out_of_order=True, keep=1)"))
        for verb in ("plan", "up"):
            code, said = site.manage("seedbed", verb)
            self.assertEqual((code, "Database is at 1." in said), (0, True), said)
        self.assertNotIn("escalated", self.texts(site))
        # Those of the command line come first.
        for words in (["--to=2"], ["--to", "2", "--keep", "3", "--must-exist"]):
            code, said = site.manage("seedbed", "up", *words)
            self.assertEqual(code, 0, said)
        self.assertIn("escalated", self.texts(site))
        os.remove(site.folder / "desk.sqlite")
        code, said = site.manage("seedbed", "up", "--quiet")
        self.assertEqual(code, 2, said)
        self.assertFalse((site.folder / "desk.sqlite").exists())

    def test_rows_of_before_are_adopted(self):
        site = self.site(migrated=True, settings="SEEDBED.update(adopt=1)")
        site.run(edited())
        with contextlib.closing(sqlite3.connect(site.folder / "desk.sqlite")) as database:
            for table in ("left_to_user", "conflicts", "runs", "migrations", "ledger", "applying"):
                database.execute(f"DROP TABLE IF EXISTS seedbed_{table}")
        site.edition(2)
        code, said = site.manage("seedbed", "plan")
        self.assertEqual(code, 0, said)
        self.assertIn("edited", said)
        before, settings = site.folder / "before.sqlite", site.folder / "helpdesk/settings.py"
        shutil.copy(site.folder / "desk.sqlite", before)
        asked = settings.read_text()
        settings.write_text(asked.replace("adopt=1", ""))
        self.assertIn("rows of migration 1 were there before the ledger.", site.migrate())
        settings.write_text(asked)
        shutil.copy(before, site.folder / "desk.sqlite")
        self.assertNotIn("before the ledger", site.migrate())
        texts = self.texts(site)
        self.assertIn("Hello from us", texts)
        self.assertIn("escalated", texts)
        self.assertNotIn("reminder", texts)

    def test_wrong_settings(self):
        cases = [
            ("del SEEDBED", 'SEEDBED is missing from the settings, or is not a dictionary. Write '
                            'SEEDBED = {"catalog": BASE_DIR / "Migrations"}.'),
            ("SEEDBED['databases'] = 'default'", "neither a list of aliases nor a dictionary"),
            ("SEEDBED['databases'] = []", "'databases' in SEEDBED is empty, or neither a list"),
            ("SEEDBED['databases'] = {}", "'databases' in SEEDBED is empty, or neither a list"),
            ("SEEDBED['catalogue'] = 1",
             "'catalogue' is not an option of 'SEEDBED'. Did you mean 'catalog'?"),
            ("del SEEDBED['catalog']",
             "'catalog' is missing. Set it to the folder of all releases."),
            ("SEEDBED['on_edited'] = 'mine'", "'on_edited' must be 'keepEdits', 'preferSeed'"),
            ("SEEDBED['databases'] = ['defalt']", "Did you mean 'default'?"),
            ("SEEDBED['databases'] = {'default': {'tow': 1}}", "Did you mean 'to'?"),
            ("DATABASES['default']['ENGINE'] = 'django.db.backends.dummy'",
             "'default' is on neither SQLite nor PostgreSQL."),
        ]
        site = self.site()
        settings = (site.folder / "helpdesk/settings.py").read_text()
        for line, words in cases:
            (site.folder / "helpdesk/settings.py").write_text(settings + line + "\n")
            with self.subTest(line):
                code, said = site.manage("check")
                self.assertEqual(code, 1)
                self.assertEqual(said.count("(seedbed.E00"), 1, said)
                said = re.sub(r"\s+", " ", said.replace("HINT: ", ""))
                self.assertIn(words, said)
                code, said = site.manage("seedbed", "status")
                self.assertEqual(code, 1)
                self.assertIn(words, said)

    def test_wrong_settings_of_a_test(self):
        """Django's runner makes the databases before it checks anything."""
        site = self.site(settings="del SEEDBED")
        (site.folder / "desk/tests.py").write_text(
            "from django.test import TestCase\n"
            "class Any(TestCase):\n    def test_any(self): pass\n")
        code, said = site.manage("test")
        self.assertEqual(code, 1)
        self.assertIn("CommandError: SEEDBED is missing from the settings", said)


@once
class OtherCommands(DjangoCase):
    """No model has the ledger's tables."""

    def test_dumpdata_and_inspectdb(self):
        site = self.site(migrated=True)
        self.assertNotIn("seedbed", site.manage("dumpdata")[1])
        self.assertNotIn("seedbed", site.run(
            "from django.contrib.auth.models import Permission\n"
            "print(*Permission.objects.values_list('codename', 'content_type__app_label'))"))
        said = site.manage("inspectdb")[1]
        self.assertEqual(len(re.findall("^class Seedbed", said, re.MULTILINE)), 6)
        self.assertNotIn("Seedbed", site.manage("inspectdb", "desk_country")[1])
        self.assertEqual(site.manage("migrate", "--check")[0], 0)

    def test_flush_brings_the_rows_back(self):
        # An option that only the extension takes, and Python's program does not.
        site = self.site(migrated=True, settings="SEEDBED['locked'] = False")
        site.run(edited())
        site.edition(2)
        site.migrate()
        code, said = site.manage("flush", "--no-input")
        self.assertEqual(code, 0, said)
        self.assertIn("Seedbed: all rows of the releases are back.", said)
        self.assertEqual(self.texts(site), (
            "closed Your ticket is closed\nescalated A colleague takes over\n"
            "reminder Are you still there?\nwelcome We got your ticket\n"))
        self.assertEqual(self.texts(site, "Ticket.objects.values_list('title')"), "")
        # Nothing is left of what they were about.
        self.assertEqual(site.manage("seedbed", "conflicts", "--open"), (0, "No conflicts.\n"))

    def test_a_signal_by_hand_leaves_edits_alone(self):
        site = self.site(migrated=True)
        site.run(edited())
        before = self.texts(site)
        self.assertIn("Hello from us", before)
        site.run(
            "from django.core.management.sql import emit_post_migrate_signal\n"
            "emit_post_migrate_signal(0, False, 'default')")
        self.assertEqual(self.texts(site), before)

    def test_flush_inside_a_transaction(self):
        site = self.site(migrated=True)
        with self.assertRaises(AssertionError) as caught:
            site.run(
                "from django.db import transaction\n"
                "with transaction.atomic(): call_command('flush', interactive=False)")
        self.assertIn("Django is inside a transaction", str(caught.exception))
        self.assertEqual(self.texts(site).count("\n"), 3)
