"""Django's own test runner, with data of releases in its test database."""

from sites import DJANGOS, DjangoCase, on_servers, once

TESTS = """
from django.test import TestCase, TransactionTestCase
from desk.models import Country, EmailTemplate, Prompt

class Rows(TestCase):
    def test_they_are_there(self):
        self.assertEqual(Country.objects.count(), 5)
        Country.objects.all().delete()

    def test_they_are_there_again(self):
        self.assertEqual(Prompt.objects.get(name="escalate").template.slug, "escalated")

class Emptied(TransactionTestCase):
    def test_they_are_there(self):
        self.assertEqual(Country.objects.count(), 5)
        EmailTemplate.objects.create(slug="own", subject="", body="")
        Country.objects.filter(code="DE").update(name="changed")

    def test_they_are_there_again(self):
        self.assertEqual(Country.objects.get(code="DE").name, "Germany")
        self.assertEqual(EmailTemplate.objects.count(), 4)
        Country.objects.all().delete()

    def test_they_are_there_once_more(self):
        self.assertEqual(Country.objects.count(), 5)

class Second(TestCase):
    def test_they_are_there(self):
        self.assertEqual(Country.objects.count(), 5)
"""
ALL = 6
IN_FILE = 'DATABASES["default"]["TEST"] = {"NAME": str(BASE_DIR / "test.sqlite")}'


@once
class Runner(DjangoCase):
    django = DJANGOS[-1]

    def ready(self, settings="", **options):
        site = self.site(settings=settings, edition=2, **options)
        (site.folder / "desk/tests.py").write_text(TESTS)
        return site

    def passes(self, site, *words, count=ALL):
        code, said = site.manage("test", *words)
        self.assertEqual(code, 0, said)
        self.assertIn(f"Ran {count} tests", said)
        return said

    def test_in_memory(self):
        self.passes(self.ready())

    def test_with_a_rollback_of_django(self):
        site = self.ready()
        tests = site.folder / "desk/tests.py"
        tests.write_text(TESTS.replace("(TransactionTestCase):", "(TransactionTestCase):\n    "
                                       "serialized_rollback = True"))
        self.passes(site)

    def test_in_processes(self):
        self.passes(self.ready(), "--parallel", "2")

    def test_the_data_comes_once(self):
        said = self.passes(self.ready(), "-v", "2", "desk.tests.Rows", count=2)
        self.assertEqual(said.count("Seedbed: "), 1)
        self.assertIn("release 2 is applied; rows: 12 added", said)

    def test_in_a_file(self):
        """That is kept: what the last test emptied is there at the next start."""
        site = self.ready(IN_FILE)
        self.passes(site, "--keepdb")
        self.passes(site, "--keepdb")

    @on_servers
    def test_on_a_server(self, cluster):
        site = self.ready(variables=cluster.database("runner"))
        self.passes(site, "--keepdb")
        self.passes(site, "--keepdb", "--parallel", "2")
