"""What Django's checks find: no catalog, and releases that do not go with the models."""

import gzip
import re
import shutil

from sites import DjangoCase, once

SAID = """
from django.core import checks
def said(**options):
    for each in checks.run_checks(**options):
        print(each.id, each.msg, each.hint)
"""
LABEL = """
import uuid


class Label(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    names = models.TextField(null=True)


class Mark(models.Model):
    label = models.ForeignKey(Label, models.CASCADE)
"""
UP_TO = """
from django.db import migrations, models
from seedbed.django import up_to


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("desk", "0001_initial")]
    operations = [
        migrations.RunPython(up_to(1), migrations.RunPython.noop),
        migrations.AddField("country", "region", models.TextField(default="")),
        migrations.RenameField("country", "calling_code", "prefix"),
    ]
"""


@once
class Checks(DjangoCase):
    def test_a_catalog_that_is_not_there(self):
        site = self.site()
        catalog = site.folder / "Migrations"
        for each in catalog.glob("0*"):
            shutil.rmtree(each)
        # Other commands come before, such as sqlmigrate.
        found = site.run(SAID + "said()\nprint()\nsaid(databases=['default'])\n")
        self.assertEqual(found, (
            f"\nseedbed.E005 SEEDBED: there is no release in '{catalog}'. Make the first one: "
            "manage.py seedbed make NAME --schema FILE.\n"))
        shutil.rmtree(catalog)
        for command in ("check", "migrate"):
            code, said = site.manage(command)
            self.assertEqual(code, 1)
            self.assertIn(f"(seedbed.E004) SEEDBED: there is no folder '{catalog}'.", said)
        # No table was made.
        self.assertFalse((site.folder / "desk.sqlite").exists())

    def test_uuids_that_django_does_not_find(self):
        site = self.site()
        with open(site.folder / "desk/models.py", "a") as file:
            file.write(LABEL)
        self.assertEqual(site.run(SAID + "said()\n"), "")
        release = site.folder / "Migrations/0001_first"
        good, other = "7c9e6679742540de944be07fc1f90ae7", "7c9e6679-7425-40de-944b-e07fc1f90ae7"
        with gzip.open(release / "desk_label.csv.gz", "wt") as file:
            file.write(f'names,id\n"one\ntwo\n{"x" * 200_000}",{good}\n,\n"a\nb",{other}\n')
        (release / "desk_mark.update.csv").write_text(
            f"id,label_id,was:label_id\n1,{good},{good.upper()}\n")
        # By a name: nothing is stored as it is there.
        (release / "desk_mark.csv").write_text(f"label_id:desk_label.names\n{other}\n")
        where = "is not how Django stores a UUID on SQLite, so desk.{} would not find the row."
        found = site.run(SAID + "said()\n").splitlines()
        self.assertEqual([each.split(" Write ")[0] for each in found], [
            f"seedbed.E006 0001_first/desk_label.csv.gz:6: '{other}' {where.format('Label')}",
            f"seedbed.E006 0001_first/desk_mark.update.csv:2: '{good.upper()}' "
            f"{where.format('Mark')}"])
        # Of a source, before `make` has a release of it.
        shutil.copy(release / "desk_label.csv.gz", site.folder / "Migrations/data/labels.csv.gz")
        catalog = site.folder / "Migrations/catalog.json"
        catalog.write_text(catalog.read_text().replace(
            '"tables": {', '"tables": {"desk_label": {"key": ["id"], "source": '
            '"data/labels.*.gz"},'))
        self.assertIn("data/labels.csv.gz:6: '", site.run(SAID + "said()\n"))

    def test_columns_that_models_have_no_more_or_since(self):
        site = self.site(edition=2)
        models = site.folder / "desk/models.py"
        models.write_text(models.read_text().replace(
            "    calling_code = models.CharField(max_length=10, blank=True)\n",
            "    prefix = models.CharField(max_length=10, blank=True)\n"
            "    region = models.TextField(default='')\n"
            "    note = models.TextField(null=True)\n"))
        found = site.run(SAID + "said()\n").splitlines()
        self.assertEqual([re.split(": a new inst| Give| Apply", each)[0] for each in found], [
            f"seedbed.W00{number} {release}/desk_country.csv.gz has {what}"
            for release in ("0001_first", "0002_second") for number, what in (
                (1, "no 'prefix', which is NOT NULL for desk.Country"),
                (1, "no 'region', which is NOT NULL for desk.Country"),
                (2, "'calling_code', which desk.Country does not have"))])
        # Django before 5 has none in the database.
        if site.run("print(django.VERSION[0])") >= "5":
            models.write_text(models.read_text().replace("default=''", "db_default=''"))
            self.assertNotIn("region", site.run(SAID + "said()\n"))
        # The first release is applied before there are such columns, and the second one is not.
        (site.folder / "desk/migrations/0002_more.py").write_text(UP_TO)
        models.write_text(models.read_text().replace("db_default=''", "default=''"))
        found = site.run(SAID + "said()\n")
        self.assertEqual((found.count("0001_first"), found.count("0002_second")), (0, 3))
        self.assertIn("up_to(2)", found)
