"""The page of the admin that lists what is not here: who may bring it back, and what happens."""

from sites import DJANGOS, DjangoCase, on_servers, once
from test_django_admin import ROOT

REMINDER = "email template reminder"
HELPERS = ROOT + """
ABSENT = "?absent=1"
def rows():
    texts = EmailTemplate.objects.order_by("slug").values("slug", "subject", "body")
    return [*texts, *Country.objects.order_by("pk").values(), *Prompt.objects.values()]
def press(client, number):
    answer = client.post(URL + ABSENT, {"ids": number, "choice": "seed"}, follow=True)
    print(answer.status_code, *re.findall(
        '<li class="(?:success|error|warning)">(.*?)</li>', answer.content.decode(), re.S))
"""
PLAYED = """
print(titles(root, ABSENT), "No row of the releases is absent." in text(root, ABSENT))
before = rows()
EmailTemplate.objects.filter(slug="reminder").delete()
page = text(root, ABSENT)
print(titles(root), titles(root, ABSENT), "Deleted here." in page, "Are you still there?" in page)
print(*re.findall('value="seed">(.*?)<', page))
number = ids(page, "email template reminder")
views = user("views", "view_emailtemplate")
print("no permission to add it" in text(views, ABSENT), titles(user("none"), ABSENT))
press(views, number)
adds = user("adds", "view_emailtemplate", "add_emailtemplate")
press(adds, number)
print(rows() == before, titles(root, ABSENT))
EmailTemplate.objects.filter(slug="reminder").update(subject="Mine")
press(adds, number)
print(EmailTemplate.objects.get(slug="reminder").subject)
"""
PINNED = """
EmailTemplate.objects.filter(slug="reminder").delete()
call_command("seedbed", "pin", "desk_emailtemplate", "reminder")
print(*choose(root, "email template reminder", "seed", ABSENT))
print(EmailTemplate.objects.filter(slug="reminder").exists())
"""


@once
class Absent(DjangoCase):
    django = DJANGOS[-1]

    def play(self, site):
        self.assertEqual(site.run(HELPERS + PLAYED).splitlines(), [
            "[] True", f"[] ['{REMINDER}'] True True", "Bring it back", "True []", "403",
            "200 Email template reminder is as in the release.", "True []",
            "200 This row is not absent now. Look at the others again.", "Mine"])

    def test_it_comes_back(self):
        """For those who may add it, if it is still absent, and no other row changes."""
        self.play(self.site(migrated=True))

    @on_servers
    def test_it_comes_back_on_a_server(self, cluster):
        site = self.site(
            variables=cluster.database("absent"), settings="SEEDBED['no_backup'] = True")
        site.migrate()
        self.play(site)

    def test_a_row_that_is_pinned(self):
        self.assertEqual(self.site(migrated=True).run(HELPERS + PINNED).splitlines()[1:], [
            "The row 'reminder' of 'desk_emailtemplate' is pinned. Unpin it first: "
            "manage.py seedbed unpin desk_emailtemplate reminder.", "False"])
