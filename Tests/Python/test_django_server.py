"""seedbed.django on PostgreSQL, where the program does the work."""

import json

from sites import DjangoCase, edited, ended, on_servers, once

ODD = "o'd d/ü:@?#%&=+\\\\"
# What is started meanwhile, and with which words.
WATCHED = """
import subprocess
popen, words = subprocess.Popen.__init__, []
def watched(self, command, *args, **options):
    words.extend(map(str, command))
    popen(self, command, *args, **options)
subprocess.Popen.__init__ = watched
"""


@once
class Server(DjangoCase):
    @on_servers
    def test_story(self, cluster):
        site = self.site(variables=cluster.database("story"))
        self.assertIn("release 1 is applied; rows: 9 added.\n", site.migrate())
        site.run(edited())
        site.edition(2)
        self.assertIn("rows: 2 added, 2 changed, 5 kept. Conflicts: 5.", site.migrate())
        self.assertEqual(self.texts(site), (
            "closed Your ticket is closed\nescalated A colleague takes over\n"
            "mine My own\nwelcome Hello from us\n"))
        code, said = site.manage("seedbed", "conflicts", "--json")
        self.assertEqual((code, len(json.loads(said)["conflicts"])), (0, 5))
        self.assertEqual(site.manage("makemigrations", "--check")[0], 0)
        self.assertNotIn("seedbed", site.manage("dumpdata", "--natural-foreign")[1])
        self.assertEqual(site.manage("inspectdb")[1].count("class Seedbed"), 6)
        site.edition(1)
        code, said = site.manage("migrate")
        self.assertEqual(code, 0, said)
        self.assertIn("Seedbed: the database stays as it is. ", said)
        site.edition(2)
        self.assertIn("all rows of the releases are back", site.manage("flush", "--no-input")[1])
        self.assertIn("reminder Are you still there?", self.texts(site))

    @on_servers
    def test_two_at_once(self, cluster):
        site = self.site(variables=cluster.database("twice"))
        site.migrate()
        site.edition(2)
        processes = [site.started("manage.py", "migrate") for _ in range(2)]
        said = [ended(process)[0] for process in processes]
        self.assertEqual([process.returncode for process in processes], [0, 0], said)
        self.assertEqual(sorted("release 2 is applied" in each for each in said), [False, True])

    @on_servers
    def test_a_password_is_in_no_arguments(self, cluster):
        password = ODD.replace("'", "''")
        cluster.sql(f'CREATE ROLE "{ODD}" LOGIN CREATEDB PASSWORD \'{password}\'')
        cluster.sql(f'CREATE DATABASE "{ODD}" OWNER "{ODD}"')
        site = self.site(settings=(
            "DATABASES['default'] = {'ENGINE': 'django.db.backends.postgresql', 'NAME': ODD, "
            f"'USER': ODD, 'PASSWORD': ODD, 'HOST': '127.0.0.1', 'PORT': {cluster.port}}}\n"
            "SEEDBED['no_backup'] = True").replace("ODD", repr(ODD)), edition=2)
        said = site.run(
            WATCHED + "call_command('migrate', verbosity=0)\n"
            "call_command('seedbed', 'status', '--quiet')\n"
            f"print(len(words) > 8, any({ODD!r} in each or '%' in each for each in words))\n"
            "from desk.models import *\nprint(Country.objects.count())\n")
        self.assertEqual(said, "True False\n5\n")
        settings = site.folder / "helpdesk/settings.py"
        settings.write_text(settings.read_text() + (
            "\nimport seedbed.django._run as run\n"
            "url = run.url\n"
            "run.url = lambda connection: url(connection).replace('password=', 'password=secret')"))
        code, said = site.manage("migrate")
        self.assertEqual(code, 1)
        self.assertIn("CommandError: Seedbed: ", said)
        self.assertIn("password", said)
        self.assertNotIn("secret", said)

    @on_servers
    def test_a_service_and_a_role(self, cluster):
        cluster.sql("CREATE ROLE content CREATEDB")
        cluster.sql("CREATE DATABASE service OWNER content")
        file = self.folder + "/services.conf"
        with open(file, "w") as services:
            services.write(
                f"[desk]\nhost={cluster.folder}\nport={cluster.port}\nuser=postgres\n"
                "dbname=service\n")
        site = self.site(
            variables={"PGSERVICEFILE": file}, edition=2, settings=(
                "DATABASES['default'] = {'ENGINE': 'django.db.backends.postgresql', 'NAME': '', "
                "'OPTIONS': {'service': 'desk', 'assume_role': 'content', 'sslmode': 'prefer', "
                "'options': '-c search_path=public', 'application_name': 'the desk'}}"))
        self.assertIn("rows: 12 added, 6 changed", site.migrate())
        owners = cluster.sql("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = "
                             "'public'", "service")
        self.assertEqual(owners, "content\n")
        self.assertIn("&sslrootcert=%2Fodd%20folder%2Fca.pem&", site.run(
            "from django.db import connection\nfrom pathlib import Path\n"
            "import seedbed.django._run as run\n"
            "connection.settings_dict['OPTIONS']['sslrootcert'] = Path('/odd folder/ca.pem')\n"
            "connection.settings_dict['OPTIONS']['keepalives'] = 1\n"
            "print(run.url(connection))"))

    @on_servers
    def test_a_backup_is_asked_for(self, cluster):
        site = self.site(variables=cluster.database("backup"))
        site.migrate()
        settings = site.folder / "helpdesk/settings.py"
        settings.write_text(settings.read_text() + "\ndel SEEDBED['no_backup']\n")
        site.edition(2)
        code, said = site.manage("migrate")
        self.assertEqual(code, 6, said)
        self.assertIn(
            "leave the backup to the server's own tools: 'no_backup': True in SEEDBED", said)
        site.environment["MIGRATE_BACKUP_COMMAND"] = "echo made >backup"
        self.assertIn("release 2 is applied", site.migrate())
        self.assertTrue((site.folder / "backup").exists())
        (site.folder / "Migrations").rename(site.folder / "Elsewhere")
        self.assertIn(
            "Correct 'catalog' in SEEDBED, or make the first migration: manage.py seedbed new "
            "NAME, or manage.py seedbed make NAME", site.manage("migrate", "--skip-checks")[1])

    @on_servers
    def test_options_that_it_does_not_take(self, cluster):
        site = self.site(
            variables=cluster.database("options"), settings="SEEDBED['locked'] = True")
        code, said = site.manage("check")
        self.assertEqual(code, 1)
        self.assertIn("'locked' is for SQLite only ('default' is not).", said)
