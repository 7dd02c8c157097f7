"""`fill_on_create`: a new row of an owner's model brings the owner's rows."""

import json
import re
import shutil

from sites import PAGE, DjangoCase, on_servers, once

MODELS = """

import uuid


class Organization(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    name = models.CharField(max_length=50)


class Club(Organization):
    class Meta:
        proxy = True


class Company(Organization):
    capital = models.IntegerField(default=0)


class Label(models.Model):
    organization = models.ForeignKey(Organization, models.CASCADE)
    name = models.CharField(max_length=50)
    colour = models.CharField(max_length=50)

    class Meta:
        unique_together = [("organization", "name")]
"""
# As on the page, which only a checkout has.
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text() if PAGE.exists() else "", re.M | re.S)
READY = "\n\n" + next((block for block in BLOCKS if "fill_on_create" in block), "")
PER = {"table": "desk_organization", "key": "id", "column": "organization_id"}
START = """
import json
from django.db import transaction
from desk.models import *
from seedbed.django import applied
seen = []
applied.connect(lambda touched_tables, **kwargs: seen.append(touched_tables), weak=False)
def count(owner):
    return Label.objects.filter(organization_id=owner.pk).count()
def added(model):
    with transaction.atomic():
        owner = model.objects.create(name="One")
        inside = count(owner), len(seen)
    return inside, count(owner)
"""
PLAYED = START + """
found = [added(model) for model in (Organization, Club, Company)]
try:
    with transaction.atomic():
        gone = Organization.objects.create(name="Gone")
        raise KeyError
except KeyError:
    found.append(count(gone))
alone = Organization(name="Alone")
alone.save()
alone.name = "Renamed"
alone.save()
found += [count(alone), seen]
print(json.dumps(found))
"""
# As `loaddata` and bulk_create() add them.
FORGOTTEN = START + """
[owner] = Organization.objects.bulk_create([Organization(name="Bulk")])
Organization(name="Raw").save_base(raw=True)
print(count(owner))
"""
# What older code does while a deploy goes on.
OLDER = START + """
import logging, sys
logging.basicConfig(stream=sys.stdout, format="%(message)s")
print(added(Organization))
"""
IN_MEMORY = """
from django.test import TestCase
from desk.models import *


class Organizations(TestCase):
    def test_rows(self):
        owner = Organization.objects.create(name="One")
        self.assertEqual(Label.objects.filter(organization=owner).count(), 2)
"""


@once
class Owners(DjangoCase):
    def owners(self, **server):
        """A site of which each organization has the labels of two releases."""
        site = self.site()
        for name, text in {"models.py": MODELS, "apps.py": READY}.items():
            file = site.folder / "desk" / name
            file.write_text(file.read_text().split("\n    def ready")[0] + text)
        code, said = site.manage("makemigrations", "desk", "--name", "owners")
        self.assertEqual(code, 0, said)
        catalog = site.folder / "Migrations"
        shutil.rmtree(catalog)
        for name in ("0001_labels", "0002_june"):
            (catalog / name).mkdir(parents=True)
        (catalog / "catalog.json").write_text(json.dumps({
            "engines": ["sqlite", "postgresql"] if server else ["sqlite"],
            "tables": {"desk_label": {"key": ["name"], "per": PER}}}))
        (catalog / "0001_labels/desk_label.csv").write_text("name,colour\nbug,red\nidea,green\n")
        (catalog / "0002_june/desk_label.update.csv").write_text(
            "name,colour,was:colour\nbug,crimson,red\n")
        for name, variables in {"schema.sql": {}, "schema.postgresql.sql": server}.items():
            site.environment.update(variables)
            texts = [site.manage("sqlmigrate", "desk", number)[1] for number in ("0001", "0002")]
            schema = "".join(texts).replace("BEGIN;\n", "").replace("COMMIT;\n", "")
            if server or name == "schema.sql":
                (catalog / "0001_labels" / name).write_text(schema)
        return site

    def played(self, site, code=PLAYED):
        return json.loads(site.run(code))

    def test_in_the_transaction_that_adds_it(self):
        site = self.owners()
        site.migrate()
        label = ["desk_label"]
        found = self.played(site)
        inside = 2 if self.joins(site) else 0
        self.assertEqual(found, [
            [[inside, 0], 2], [[inside, 1], 2], [[inside, 2], 2], 0, 2, [label] * 4])
        self.assertEqual(site.run(FORGOTTEN), "0\n")
        self.assertIn(
            "owners without rows got those of release 2: 2; rows: 4 added.\n", site.migrate())
        self.assertIn("no release is pending", site.migrate())
        # Where the extension cannot be loaded, the program fills them right afterwards.
        site.environment["SEEDBED_INTERFACE"] = "program"
        self.assertEqual(self.played(site)[:3], [[[0, 0], 2], [[0, 1], 2], [[0, 2], 2]])

    def joins(self, site):
        return site.run(
            "import seedbed\nprint(seedbed.interface('desk.sqlite'))") == "extension\n"

    def test_in_tests(self):
        site = self.owners()
        (site.folder / "desk/tests.py").write_text(IN_MEMORY)
        if self.joins(site):
            code, said = site.manage("test", "desk")
            self.assertEqual(code, 0, said)
            self.assertIn("Ran 1 test", said)

    def test_older_code_on_a_newer_database(self):
        site = self.owners()
        site.migrate()
        shutil.rmtree(site.folder / "Migrations/0002_june")
        said = site.run(OLDER)
        self.assertRegex(
            said, r"^Owner \w+ gets its rows by the next 'migrate'\. The database is at 2, newer ")
        self.assertTrue(said.endswith("\n((0, 0), 0)\n"), said)
        settings = site.folder / "helpdesk/settings.py"
        settings.write_text(settings.read_text() + "\nSEEDBED['allow_newer'] = False\n")
        with self.assertRaisesRegex(AssertionError, "seedbed.Error: The database is at 2, newer"):
            site.run(OLDER)

    @on_servers
    def test_on_a_server(self, cluster):
        site = self.owners(**cluster.database("owners"))
        site.migrate()
        self.assertEqual(self.played(site), [
            [[0, 0], 2], [[0, 1], 2], [[0, 2], 2], 0, 2, [["desk_label"]] * 4])
