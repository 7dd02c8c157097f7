"""One story by Seedbed and by four other ways: what each of them loses, as the page's table."""

import json

from sites import DjangoCase, PAGE, edited, once

MODELS = "[('desk_country', Country, 'code'), ('desk_emailtemplate', EmailTemplate, 'slug'), " \
         "('desk_prompt', Prompt, 'name')]"
# What a data migration would have: all rows of an edition, with their keys.
ROWS = f"""
import json
from desk.models import *
rows = json.load(open("rows.json"))
models = {MODELS}

def values(row):
    row = dict(row)
    if "template" in row:
        row["template"] = EmailTemplate.objects.get(slug=row["template"])
    return row
"""
WRITE = f"""
import json
from desk.models import *
rows = {{}}
for table, model, key in {MODELS}:
    rows[table] = []
    for row in model.objects.order_by("pk").values():
        del row["id"]
        row.pop("changed_at", None)
        if "template_id" in row:
            row["template"] = EmailTemplate.objects.get(pk=row.pop("template_id")).slug
        rows[table].append(row)
json.dump(rows, open("rows.json", "w"))
call_command(
    "dumpdata", "desk", output="rows.fixture.json",
    use_natural_foreign_keys=True, use_natural_primary_keys=True)
"""
# What a model needs for a fixture without ids, as Django's page on serialization says.
NATURAL_KEY = """
class {model}Manager(models.Manager):
    def get_by_natural_key(self, key):
        return self.get({key}=key)


class {model}(models.Model):
    objects = {model}Manager()

    def natural_key(self):
        return (self.{key},)
"""


def with_natural_keys(site):
    file = site.folder / "desk/models.py"
    text = file.read_text()
    for model, key in [("Country", "code"), ("EmailTemplate", "slug"), ("Prompt", "name")]:
        head = f"class {model}(models.Model):\n"
        assert head in text
        text = text.replace(head, NATURAL_KEY.format(model=model, key=key) + "\n")
    file.write_text(text)


LOADDATA = "call_command('loaddata', 'rows.fixture.json', verbosity=0)"
UPDATE_OR_CREATE = ROWS + """
for table, model, key in models:
    for row in rows[table]:
        model.objects.update_or_create(**{key: row[key]}, defaults=values(row))
"""
INSERT_ABSENT = ROWS + """
for table, model, key in models:
    model.objects.bulk_create(
        [model(**values(row)) for row in rows[table]], ignore_conflicts=True)
"""
DELETE_AND_INSERT = ROWS + """
for table, model, key in models:
    model.objects.filter(**{key + "__in": [row[key] for row in rows[table]]}).delete()
    model.objects.bulk_create(model(**values(row)) for row in rows[table])
"""
SEEN = """
import json
from desk.models import *
def first(query, name): return query.values_list(name, flat=True).first()
print(json.dumps({
    "subject": first(EmailTemplate.objects.filter(slug="welcome"), "subject"),
    "prompt": first(Prompt.objects.filter(name="answer"), "text"),
    "deleted": EmailTemplate.objects.filter(slug="reminder").count(),
    "own": EmailTemplate.objects.filter(slug="mine").count(),
    "same": first(Country.objects.filter(code="SZ"), "name"),
    "tickets": Ticket.objects.count(),
    "answer": first(Ticket.objects.all(), "answer__slug"),
    "id": first(EmailTemplate.objects.filter(slug="closed"), "id"),
    "new": EmailTemplate.objects.filter(slug="escalated").count(),
    "corrected": first(Country.objects.filter(code="CZ"), "name"),
}))
"""


@once
class Ways(DjangoCase):
    def data(self, edition):
        """The files of an edition that the other ways need."""
        site = self.site(f"edition{edition}", edition=edition)
        with_natural_keys(site)
        site.migrate()
        site.run(WRITE)
        return [(site.folder / name, name) for name in ("rows.json", "rows.fixture.json")]

    def played(self, name, code):
        """What is there at the end."""
        site = self.site(name, settings="INSTALLED_APPS.remove('seedbed.django')")
        apps = site.folder / "desk/apps.py"
        apps.write_text(apps.read_text().split("\n    def ready")[0])
        with_natural_keys(site)
        site.migrate()
        for edition in (1, 2):
            for file, target in self.files[edition]:
                (site.folder / target).write_bytes(file.read_bytes())
            site.run(code)
            if edition == 1:
                before = self.seen(site)
                site.run(edited())
        return {**self.seen(site), "before": before}

    def seen(self, site):
        return json.loads(site.run(SEEN))

    def seedbed(self):
        site = self.site("seedbed")
        site.migrate()
        before = self.seen(site)
        site.run(edited())
        site.edition(2)
        site.migrate()
        return {**self.seen(site), "before": before}

    def test_table(self):
        self.files = {edition: self.data(edition) for edition in (1, 2)}
        ends = [
            self.played("fixture", LOADDATA), self.played("update", UPDATE_OR_CREATE),
            self.played("absent", INSERT_ABSENT), self.played("insert", DELETE_AND_INSERT),
            self.seedbed()]
        rows = [
            ("the subject of a template that an administrator edited",
             lambda end: "kept" if end["subject"] == "Hello from us" else "overwritten"),
            ("an edited prompt",
             lambda end: "kept" if end["prompt"] == "Answer like a pirate." else "overwritten"),
            ("a template that an administrator deleted",
             lambda end: "comes back" if end["deleted"] else "stays deleted"),
            ("an administrator's own template", lambda end: "kept" if end["own"] else "lost"),
            ("their own country, with the code of a new one",
             lambda end: "kept" if end["same"] == "Swaziland" else "overwritten"),
            ("a ticket about a country", lambda end: "kept" if end["tickets"] else "deleted"),
            ("the ticket's reference to a template",
             lambda end: "kept" if end["answer"] == "closed" else "lost"),
            ("the ids of rows", lambda end: "kept" if end["id"] == end["before"]["id"] else "new"),
            ("a new template", lambda end: "comes" if end["new"] else "lost"),
            ("a corrected name, which was not edited",
             lambda end: "comes" if end["corrected"] == "Czechia" else "never comes"),
        ]
        table = ("| what | `loaddata` with natural keys | `update_or_create` | "
                 "`bulk_create(ignore_conflicts)` | delete and insert | Seedbed |\n"
                 "|---|---|---|---|---|---|\n")
        for words, look in rows:
            table += f"| {words} | {' | '.join(map(look, ends))} |\n"
        page = PAGE.read_text() if PAGE.exists() else ""
        self.assertIn(table, page, "Print this table on the page:\n" + table)
