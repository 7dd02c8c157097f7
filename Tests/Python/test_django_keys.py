"""Keys that are no single text: UUIDs, several columns with a foreign key, and many-to-many tables.
The files are the page's."""

import json
import re

from sites import PAGE, DjangoCase, on_servers, once
from test_django_admin import ROOT

URGENT = "0b0e1c5e8d5a4d0f9d3b1c0a5e6f7a01"
EDITED = """
from desk.models import *
Rate.objects.filter(plan="pro").update(price="27.5")
Rate.objects.filter(plan="free").delete()
"""
# The page of conflicts: titles, and the cells of each row.
SHOWN = """
for card in text(root).split("<h2>")[1:]:
    cells = re.findall("<tr>(.*?)</tr>", card.split("</table>")[0], re.S)
    print(*(" | ".join(re.sub("<[^>]*>", "", each) for each in re.findall("<t[hd].*?</t[hd]>", row))
            for row in [f"<th>{card.split('</h2>')[0]}</th>", *cells[1:]]), sep="\\n")
print(*choose(root, "rate Czechia: Professional", "seed"))
print(Rate.objects.get(plan="pro").price)
print(*titles(root, "?absent=1"), *choose(root, "rate CZ, free", "seed", "?absent=1"), sep="; ")
print(Rate.objects.get(plan="free").price)
from seedbed.django._rows import _words
field, country = Rate._meta.get_field, Country.objects.get(code="CZ")
print(_words(field("plan"), "pro", "default"), _words(field("country"), country.pk, "default"))
"""
# What the app does with the rows: all of it by the keys.
PLAYED = """
from uuid import UUID
from desk.models import *
urgent = Label.objects.get(pk="%s")
print(type(urgent.pk) is UUID, Label.objects.filter(pk=urgent.pk).exists())
print(*Label.objects.filter(templates__slug="welcome").order_by("name"))
print(*EmailTemplate.objects.filter(label=urgent).order_by("slug"))
urgent.name += "!"
urgent.save()
print(Label.objects.count(), Label.objects.get(pk=urgent.pk))
rate = Rate.objects.get(country__code="CZ", plan="pro")
print(rate.price, rate.yearly, rate.since)
"""


def blocks(kind):
    """Those of the page's section, in their order."""
    section = PAGE.read_text().split("## Keys of several columns", 1)[1].split("\n## ", 1)[0]
    return re.findall(rf"^```{kind}\n(.*?)^```", section, re.M | re.S)


SCHEMA = """
with open("%s", "w") as file:
    call_command("sqlmigrate", "desk", "0002", stdout=file)
"""


@once
class Keys(DjangoCase):
    @on_servers
    def test_both_engines(self, cluster):
        """One catalog, with the same rows for both."""
        site, server = self.site(edition=2), cluster.database("keys")
        with open(site.folder / "desk/models.py", "a") as file:
            file.write("\n\nimport uuid\n\n\n" + blocks("python")[0])
        catalog = site.folder / "Migrations/catalog.json"
        settings = json.loads(catalog.read_text())
        settings["tables"].update(json.loads("{" + blocks("json")[0] + "}"))
        catalog.write_text(json.dumps(settings))
        for name, text in zip(("labels", "rates", "label_templates"), blocks("csv")):
            (catalog.parent / f"data/{name}.csv").write_text(text)
        site.run('call_command("makemigrations", "desk", name="keys", verbosity=0)\n'
                 + SCHEMA % "keys.sql")
        on_server = {**site.environment, **server}
        site.environment, on_sqlite = on_server, site.environment
        site.run(SCHEMA % "keys.postgresql.sql")
        code, said = site.manage(
            "seedbed", "make", "keys", "--schema", "keys.sql", "--schema", "keys.postgresql.sql")
        self.assertEqual(code, 0, said)
        for environment in (on_server, on_sqlite):
            site.environment = environment
            self.assertIn("release 3 is applied", site.migrate())
            for verb in ("pin", "unpin"):
                for words in (("desk_label", URGENT), ("desk_label_templates", URGENT + ",welcome")):
                    self.assertEqual(site.manage("seedbed", verb, *words)[0], 0)
            self.assertEqual(site.run(PLAYED % URGENT), (
                "True True\nloud urgent\nclosed welcome\n2 urgent!\n25.50 True 2026-01-01\n"))
        site.run(EDITED)
        rates = catalog.parent / "data/rates.csv"
        rates.write_text(rates.read_text().replace("25.50", "30.00").replace("0.00,0", "1.00,1"))
        self.assertEqual(site.manage("seedbed", "make", "prices")[0], 0)
        site.migrate()
        self.assertEqual(site.run(ROOT + SHOWN).splitlines(), [
            "rate Czechia: Professional", "Price | 25.50 | 27.50 | 30.00",
            "rate CZ, free", "Price | 0.00 | no row | 1.00", "Yearly | No | no row | Yes",
            "Rate Czechia: Professional is as in the release.", "30.00",
            "rate CZ, free; Rate CZ, free is as in the release.", "1.00", "Professional Czechia"])
