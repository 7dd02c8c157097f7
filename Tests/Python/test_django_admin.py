"""The page of the admin: who may see and decide what, and what happens then."""

import json

from sites import DJANGOS, DjangoCase, edited, on_servers, once

HELPERS = """
from django.contrib.auth.models import Permission, User
from django.test import Client
from desk.models import *
import html, re, seedbed.django._run
URL = "/admin/seedbed/conflict/"

def user(name, *permissions, **options):
    made = User.objects.create_user(name, password="x", is_staff=True, **options)
    made.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client(SERVER_NAME='localhost')
    client.force_login(made)
    return client

def text(client, query=""):
    return client.get(URL + query).content.decode()

def titles(client, query=""):
    return [html.unescape(re.sub("<[^>]*>", "", each))
            for each in re.findall("<h2>(.*?)</h2>", text(client, query))]

def ids(page, title):
    part = page[page.index(title):]
    return html.unescape(re.search('name="ids" value="([^"]*)"', part)[1])

def choose(client, title, choice, query=""):
    answer = client.post(URL + query, {"ids": ids(text(client, query), title), "choice": choice},
                         follow=True)
    said = re.findall('<li class="(?:success|error|warning)">(.*?)</li>',
                      answer.content.decode(), re.S)
    return map(html.unescape, said)
"""
ROOT = HELPERS + "root = user('root', is_superuser=True)\n"
SINCE = "conflicts have changed since. Look at them again."
ALL = ["prompt answer", "email template welcome", "email template reminder", "country Swaziland",
       "country Turkiye"]


@once
class Admin(DjangoCase):
    django = DJANGOS[-1]

    def ready(self, **options):
        if "variables" in options:
            site = self.site(**options)
            site.migrate()
        else:
            site = self.site(migrated=True, **options)
        site.run(edited())
        site.edition(2)
        site.migrate()
        return site

    def says(self, site, code, *lines, helpers=ROOT):
        self.assertEqual(site.run(helpers + code).splitlines(), [str(each) for each in lines])

    def play(self, site):
        self.says(
            site,
            "print(titles(root))\n"
            "print(*choose(root, 'prompt answer', 'seed'))\n"
            "print(Prompt.objects.get(name='answer').text)\n"
            "print(*choose(root, 'prompt answer', 'mine', '?settled=1'))\n"
            "print(Prompt.objects.get(name='answer').text)\n"
            "print(*choose(root, 'email template welcome', 'pin'))\n"
            "print(*choose(root, 'email template reminder', 'seed'))\n"
            "print(EmailTemplate.objects.get(slug='reminder').body[-9:])\n"
            "print('value=\"pin\"' in text(root))\n"
            "print(*choose(root, 'country Swaziland', 'pin'))\n"
            "print(*choose(root, 'country Swaziland', 'mine'))\n"
            "print(*choose(root, 'country Turkiye', 'mine'))\n"
            "print(titles(root), sorted(titles(root, '?settled=1')))\n"
            "call_command('seedbed', 'pin')\n",
            ALL, "Prompt answer is as in the release.",
            "Answer this ticket in two sentences, in the language of the ticket.",
            "Prompt answer stays as it is here.", "Answer like a pirate.",
            "Email template welcome stays as it is here, and no release changes it.",
            "Email template reminder is as in the release.", "umber }}.",
            True, "This row's conflicts have changed since. Look at them again.",
            "Country Swaziland stays as it is here.",
            "Country Turkiye stays as it is here.", f"[] {sorted(ALL)}",
            'desk_emailtemplate slug="welcome"')

    def test_decisions(self):
        self.play(self.ready())

    @on_servers
    def test_decisions_on_a_server(self, cluster):
        self.play(self.ready(variables=cluster.database("decisions")))

    def test_a_request_in_a_transaction(self):
        self.play(self.ready(settings="DATABASES['default']['ATOMIC_REQUESTS'] = True"))

    def test_who_may(self):
        """Who may change the row by hand."""
        self.says(
            self.ready(),
            "none = user('none')\n"
            "print(titles(none))\n"
            "views = user('views', 'view_country')\n"
            "page = text(views)\n"
            "print(titles(views), page.count('<button class=\"button\" name=\"choice\"'), "
            "page.count('no permission to change it'))\n"
            "changes = user('changes', 'change_country', 'change_emailtemplate')\n"
            "print(titles(changes), text(changes).count('permission to add or delete it'))\n"
            "print(*choose(changes, 'country Turkiye', 'seed'))\n"
            "number = ids(text(root), 'email template reminder')\n"
            "for each in (none, views, changes):\n"
            "    answer = each.post(URL, {'ids': number, 'choice': 'seed'})\n"
            "    print(answer.status_code, "
            "EmailTemplate.objects.filter(slug='reminder').exists())\n"
            "stranger = Client(SERVER_NAME='localhost')\n"
            "print(stranger.get(URL).status_code, stranger.post(URL).status_code)\n"
            "safe = Client(enforce_csrf_checks=True, SERVER_NAME='localhost')\n"
            "safe.force_login(User.objects.get(username='root'))\n"
            "print(safe.post(URL, {'ids': number, 'choice': 'seed'}).status_code)\n"
            "root.get(URL + '?choice=seed&ids=' + number)\n"
            "print(EmailTemplate.objects.filter(slug='reminder').exists())\n"
            "print('seedbed/conflict' in root.get('/admin/').content.decode())\n"
            "print(root.get(URL + '?database=other').status_code)\n",
            [], f"{ALL[3:]} 0 2",
            f"{ALL[1:]} 1", "Country Turkiye is as in the release.", "302 False", "302 False",
            "403 False", "302 302", 403, False, True, 403)

    def test_each_choice_needs_its_own_permission(self):
        """To take theirs adds the row again, and to keep mine afterwards deletes it."""
        self.says(
            self.ready(),
            "there = EmailTemplate.objects.filter(slug='reminder').exists\n"
            "adds = user('adds', 'view_emailtemplate', 'add_emailtemplate')\n"
            "deletes = user('deletes', 'view_emailtemplate', 'delete_emailtemplate')\n"
            "def buttons(client, query):\n"
            "    page = text(client, query)\n"
            "    return re.findall('value=\"(mine|seed|pin)\"', page[page.index('reminder<'):])\n"
            "print(buttons(adds, ''), buttons(deletes, ''))\n"
            "number = ids(text(root), 'email template reminder')\n"
            "print(deletes.post(URL, {'ids': number, 'choice': 'seed'}).status_code, there())\n"
            "print(*choose(adds, 'email template reminder', 'seed'), there())\n"
            "settled = '?settled=1'\n"
            "print(buttons(adds, settled), buttons(deletes, settled))\n"
            "print(adds.post(URL + settled, {'ids': number, 'choice': 'mine'}).status_code, "
            "there())\n"
            "print(*choose(deletes, 'email template reminder', 'mine', settled), there())\n",
            "['seed'] ['mine']", "403 False",
            "Email template reminder is as in the release. True", "[] ['mine']", "403 True",
            "Email template reminder stays as it is here. False")

    def test_a_row_that_a_model_admin_hides(self):
        self.says(
            self.ready(),
            "number = ids(text(root), 'country Turkiye')\n"
            "from django.contrib import admin\n"
            "own = admin.site._registry[Country]\n"
            "own.has_view_permission = lambda request, obj=None: not obj or obj.code != 'TR'\n"
            "print(titles(root), 'Turkiye' in text(root))\n"
            "print(root.post(URL, {'ids': number, 'choice': 'seed'}).status_code)\n"
            "print(Country.objects.get(code='TR').name)\n",
            f"{ALL[:-1]} False", 403, "Turkiye")

    def test_words_of_people_are_no_code(self):
        site = self.site(migrated=True)
        site.run("from desk.models import *\nPrompt.objects.filter(name='answer').update("
                 "text='<script>alert(1)</script> & \"')")
        site.edition(2)
        site.migrate()
        self.says(
            site, "page = text(root)\nprint('<script>alert' in page, '&lt;script&gt;alert(1)' in "
                  "page)\n", "False True")

    def test_nothing_is_settled_if_a_pin_fails(self):
        self.says(
            self.ready(),
            "from seedbed._types import failure\n"
            "from seedbed.django import applied\n"
            "def show(touched_tables, **kwargs): print(*touched_tables)\n"
            "def busy(*words, **options): raise failure('It is busy.', 'busy')\n"
            "applied.connect(show)\n"
            "pin, seedbed.pin = seedbed.pin, busy\n"
            "choose(root, 'email template welcome', 'seed')\n"
            "subject = EmailTemplate.objects.get(slug='welcome').subject\n"
            "print(*choose(root, 'email template welcome', 'pin', '?settled=1'))\n"
            "print(EmailTemplate.objects.get(slug='welcome').subject == subject)\n"
            "print(*choose(root, 'prompt answer', 'pin'))\n"
            "print('prompt answer' in titles(root))\n"
            # And no row is pinned whose conflict cannot be settled.
            "seedbed.pin, seedbed.resolve = pin, busy\n"
            "print(*choose(root, 'prompt answer', 'pin'))\n"
            "call_command('seedbed', 'pin')\n",
            "desk_emailtemplate", "It is busy.", True, "It is busy.", True, "It is busy.",
            "Nothing is pinned.")

    def test_a_choice_after_leave_to_me_for_good(self):
        """The row follows releases again."""
        self.says(
            self.ready(),
            "settled = '?settled=1'\n"
            "for choice in ('seed', 'unpin'):\n"
            "    where = settled if choice == 'unpin' else ''\n"
            "    print(*choose(root, 'prompt answer', 'pin', where))\n"
            "    call_command('seedbed', 'pin')\n"
            "    page = text(root, settled)\n"
            "    print(re.findall('name=\"choice\" value=\"(.*?)\"', page), "
            "'No release changes this row.' in page)\n"
            "    print(*choose(root, 'prompt answer', choice, settled))\n"
            "    call_command('seedbed', 'pin')\n"
            "    print(Prompt.objects.get(name='answer').text[:18])\n"
            # The command pins a row whose conflict is open.
            "call_command('seedbed', 'pin', 'desk_emailtemplate', 'welcome')\n"
            "print(*choose(root, 'email template welcome', 'seed'))\n"
            "call_command('seedbed', 'pin')\n",
            *(line for choice, ending in (
                ("is as in the release.", "Answer this ticket"),
                ("stays as it is here, and releases change it again.", "Answer like a pira"),
            ) for line in (
                "Prompt answer stays as it is here, and no release changes it.",
                'desk_prompt name="answer"', "['seed', 'unpin'] True", f"Prompt answer {choice}",
                "Nothing is pinned.", ending)),
            'Pinned desk_emailtemplate slug="welcome".',
            "Email template welcome is as in the release.", "Nothing is pinned.")

    def test_what_changed_in_the_meantime(self):
        site = self.ready()
        self.says(
            site,
            "number = ids(text(root), 'country Turkiye')\n"
            "choose(root, 'country Turkiye', 'mine')\n"
            "answer = root.post(URL, {'ids': number, 'choice': 'seed'}, follow=True)\n"
            "print('have changed since' in answer.content.decode())\n"
            "print(Country.objects.get(code='TR').name)\n"
            "Prompt.objects.filter(name='answer').update(text='Later.')\n"
            "print(*choose(root, 'prompt answer', 'seed'))\n"
            "print(Prompt.objects.get(name='answer').text)\n",
            True, "Turkiye",
            'Prompt answer is not settled: the row changed since, text is "Later." now.', "Later.")

    def test_it_is_in_the_history_of_the_row(self):
        self.says(
            self.ready(),
            "choose(root, 'country Turkiye', 'seed')\n"
            "from django.contrib.admin.models import LogEntry\n"
            "print(LogEntry.objects.get().get_change_message())\n"
            "number = Country.objects.get(code='TR').pk\n"
            "print(f'/admin/desk/country/{number}/change/' in text(root, '?settled=1'))\n",
            "Conflict with a release: country Turkiye is as in the release.", True)

    def test_how_often_a_choice_plays_the_catalog(self):
        """On a server each of these calls takes a database of its own for it. `conflicts` does not."""
        self.says(
            self.ready(),
            "call, calls = seedbed._call, []\n"
            "def counted(verb, *words, **options):\n"
            "    calls.append(verb)\n"
            "    return call(verb, *words, **options)\n"
            "seedbed._call = counted\n"
            "settled = '?settled=1'\n"
            "for title, choice, query in (('prompt answer', 'pin', ''), ('prompt answer', 'unpin', "
            "settled), ('prompt answer', 'seed', settled), ('email template welcome', 'mine', '')):\n"
            "    number = ids(text(root, query), title)\n"
            "    calls.clear()\n"
            "    root.post(URL + query, {'ids': number, 'choice': choice})\n"
            "    print(*calls)\n"
            "calls.clear()\n"
            "shown = re.findall('name=\"shown\" value=\"(.*?)\"', text(root))\n"
            "root.post(URL, {'many': 1, 'all': 1, 'shown': shown, 'choice': 'seed'})\n"
            "print(len(shown), *calls)\n",
            "conflicts pin resolve", "conflicts unpin", "conflicts resolve", "conflicts resolve",
            "3 conflicts conflicts resolve")

    def test_a_browser_changes_no_ends_of_lines(self):
        site = self.site(migrated=True)
        site.run(ROOT + "row = EmailTemplate.objects.get(slug='welcome')\n"
                 "answer = root.post(f'/admin/desk/emailtemplate/{row.pk}/change/', {'slug': "
                 "'welcome', 'subject': 'Hello', 'body': row.body.replace('\\n', '\\r\\n')})\n"
                 "assert answer.status_code == 302, answer.content\n"
                 "row.refresh_from_db()\n"
                 "assert '\\r' in row.body\n"
                 "row = EmailTemplate.objects.filter(slug='closed')\n"
                 "row.update(body=row.get().body.replace('\\n', '\\r\\n'))\n")
        before = (site.folder / "desk.sqlite").read_bytes()
        site.edition(2)
        # Without `compare` it counts as an edit.
        for is_compared in (True, False):
            if not is_compared:
                (site.folder / "desk.sqlite").write_bytes(before)
                catalog = site.folder / "Migrations/catalog.json"
                settings = json.loads(catalog.read_text())
                del settings["tables"]["desk_emailtemplate"]["compare"]
                catalog.write_text(json.dumps(settings))
                site.manage("seedbed", "lock")
            site.migrate()
            self.says(
                site, "page = text(root)\n"
                "print(titles(root), page.count('only line breaks or spaces'))\n"
                "with seedbed.django._run.reached('default') as db:\n"
                "    for each in seedbed.conflicts(db, 'Migrations'): print(*sorted(each.seed))\n",
                *(["['email template welcome'] 0", "subject"] if is_compared else [
                    "['email template welcome', 'email template closed'] 2", "body",
                    "body subject"]),
                helpers=ROOT.replace("'root'", "'second'"))

    def test_many(self):
        site = self.site(migrated=True)
        site.run(
            "from desk.models import *\n"
            "Country.objects.bulk_create(\n"
            "    Country(code=f'{n:02}', name=f'own {n:02}') for n in range(30))")
        file = site.folder / "Migrations/data/countries.csv"
        file.write_text(file.read_text().replace("SZ,", "XZ,") + "".join(
            f"{n:02},their {n},\n" for n in range(30)))
        code, said = site.manage("seedbed", "make", "many", "--allow-deletes")
        self.assertEqual(code, 0, said)
        site.migrate()
        self.says(
            site,
            "print(len(titles(root)), len(titles(root, '?p=2')), len(titles(root, '?p=9')))\n"
            "print(*choose(root, 'country own 00', 'seed', '?p=2'))\n"
            "print(len(titles(root, '?p=2')), Country.objects.get(code='00').name)\n"
            # Two that are selected, and then a whole page.
            "def several(choice, **given):\n"
            "    page = text(root)\n"
            "    shown = re.findall('name=\"shown\" value=\"(.*?)\"', page)\n"
            "    answer = root.post(URL, {'many': 1, 'choice': choice, 'shown': shown, **given},"
            " follow=True)\n"
            "    print(*re.findall('<li class=\"(?:success|error|warning)\">(.*?)</li>', "
            "answer.content.decode(), re.S))\n"
            "    return shown\n"
            "several('seed')\n"
            "Country.objects.filter(code='29').update(name='later')\n"
            "several('seed', ids=[ids(text(root), f'country {each}') for each in ('own 28', "
            "'later', 'own 27')])\n"
            "several('mine', all=1)\n"
            "print(*titles(root))\n"
            "several('pin', all=1)\n"
            "several('seed', ids=['1,2,3'])\n"
            "print(len(titles(root)), len(titles(root, '?settled=1')), "
            "Country.objects.get(code='28').name, Country.objects.get(code='26').name)\n",
            "20 10 10", "Country own 00 is as in the release.", "9 their 0",
            f"No row is selected, or its {SINCE}",
            "Country later is not settled: the row changed since, name is &quot;later&quot; now. "
            "2 rows are as in the release.", "20 rows stay as they are here.",
            " ".join(f"country own 0{n}" for n in range(7, 0, -1)),
            "7 rows were left alone: they do not have this choice, or you lack the permission.",
            f"No row is selected, or its {SINCE}", "7 20 their 28 own 26")

    def test_a_table_without_a_model(self):
        site = self.ready()
        site.run("from django.db import connection\nwith connection.cursor() as c:\n"
                 "    c.execute('UPDATE seedbed_conflicts SET table_name = \\'other\\' '\n"
                 "              'WHERE table_name = \\'desk_country\\'')")
        self.says(
            site, "print(titles(root)[3:], titles(user('one', 'view_country')))\n",
            "['other SZ', 'other TR'] []")

    def test_several_databases(self):
        site = self.site(settings=(
            "DATABASES['other'] = {**DATABASES['default'], 'NAME': BASE_DIR / 'other.sqlite'}\n"
            "SEEDBED['databases'] = ['default', 'other']"))
        for alias in ("default", "other"):
            site.manage("migrate", "--database", alias)
        site.run("from desk.models import *\n"
                 "Country.objects.using('other').filter(code='TR').update(name='Turkiye')")
        site.edition(2)
        for alias in ("default", "other"):
            site.manage("migrate", "--database", alias)
        self.says(
            site,
            "print(titles(root), titles(root, '?database=other'))\n"
            "page = text(root, '?database=other').split('id=\"content-main\"')[1]\n"
            "print('/admin/desk/country/' in page)\n"
            "print(*choose(root, 'country Turkiye', 'seed', '?database=other'))\n"
            "print(Country.objects.using('other').get(code='TR').name)\n",
            "[] ['country Turkiye']", False, "Country Turkiye is as in the release.", "Türkiye")

    def test_a_catalog_that_is_gone(self):
        site = self.ready()
        self.says(
            site,
            "number = ids(text(root), 'country Turkiye')\n"
            "os.rename('Migrations', 'Elsewhere')\n"
            "answer = root.post(URL, {'ids': number, 'choice': 'seed'}, follow=True)\n"
            "print(answer.status_code, 'There is no catalog folder' in answer.content.decode())\n"
            "print(Country.objects.get(code='TR').name)\n", "200 True", "Turkiye")
