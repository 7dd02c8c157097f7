"""seedbed.django with django-tenants: `migrate_schemas` brings the rows to each tenant."""

import json
import os
import unittest

from sites import DJANGOS, NEEDED, DjangoCase, once, on_servers

HAS_TENANTS = os.path.isdir(os.path.join(DJANGOS[-1], "django_tenants"))
SETTINGS = """
DATABASES["default"]["ENGINE"] = "django_tenants.postgresql_backend"
DATABASE_ROUTERS = ["django_tenants.routers.TenantSyncRouter"]
SHARED_APPS = ["django_tenants", "customers", "django.contrib.contenttypes", "seedbed.django"]
TENANT_APPS = [each for each in INSTALLED_APPS if each != "seedbed.django"]
INSTALLED_APPS = ["django_tenants", "customers"] + INSTALLED_APPS
TENANT_MODEL, TENANT_DOMAIN_MODEL = "customers.Client", "customers.Domain"
"""
MODELS = """
from django.db import models
from django_tenants.models import DomainMixin, TenantMixin


class Client(TenantMixin):
    name = models.CharField(max_length=100)


class Domain(DomainMixin):
    pass
"""
TENANT = "from customers.models import Client\n"
COUNTS = """
from django.db import connection
from django_tenants.utils import schema_context
from desk.models import *
for name in ("one", "two"):
    with schema_context(name):
        print(name, EmailTemplate.objects.count(), EmailTemplate.objects.get(slug="welcome").subject)
"""


@once
@unittest.skipUnless(HAS_TENANTS or NEEDED, "django-tenants is not here")
class Tenants(DjangoCase):
    django = DJANGOS[-1]

    def tenants(self, cluster, name, settings=""):
        site = self.site(
            variables=cluster.database(name), settings=SETTINGS + settings, django=self.django)
        for file, text in {"__init__.py": "", "models.py": MODELS}.items():
            path = site.folder / "customers" / file
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        code, said = site.manage("makemigrations", "customers")
        self.assertEqual(code, 0, said)
        code, said = site.manage("migrate_schemas", "--shared")
        self.assertEqual(code, 0, said)
        self.assertIn("Seedbed: the schema 'public' has no table of the releases.", said)
        return site

    @on_servers
    def test_each_tenant_has_its_own(self, cluster):
        site = self.tenants(cluster, "tenants")
        # One that is made outside a transaction, and one that the admin makes inside.
        said = site.run(
            TENANT + "from django.db import transaction\n"
            "Client(schema_name='one', name='One').save()\n"
            "with transaction.atomic():\n"
            "    Client(schema_name='two', name='Two').save()\n")
        self.assertEqual(said.count("release 1 is applied; rows: 9 added."), 2, said)
        self.assertIn("Seedbed: applies the releases when the transaction ends.", said)
        site.run(
            "from django_tenants.utils import schema_context\nfrom desk.models import *\n"
            "with schema_context('two'):\n"
            "    EmailTemplate.objects.filter(slug='welcome').update(subject='Hello from us')\n")
        site.edition(2)
        code, said = site.manage("migrate_schemas", "--tenant")
        self.assertEqual(code, 0, said)
        self.assertEqual(said.count("release 2 is applied; rows: "), 2, said)
        self.assertEqual(said.count("Conflicts: 1."), 1, said)
        counts = site.run(COUNTS)
        self.assertEqual(
            [line.split(maxsplit=2)[::2] for line in counts.splitlines()],
            [["one", "We got your ticket"], ["two", "Hello from us"]], counts)
        code, said = site.manage("migrate_schemas")
        self.assertEqual((code, said.count("no release is pending")), (0, 2), said)
        # The command, for one of them.
        code, said = site.manage(
            "tenant_command", "seedbed", "--schema", "two", "conflicts", "--json")
        self.assertEqual(code, 0, said)
        self.assertEqual(len(json.loads(said[said.index("{"):])["conflicts"]), 1)

    @on_servers
    def test_many_at_once(self, cluster):
        site = self.tenants(cluster, "many")
        site.run(TENANT + "for number in range(4):\n"
                 "    Client(schema_name=f't{number}', name='').save()\n")
        site.edition(2)
        code, said = site.manage("migrate_schemas", "--tenant", "--executor", "multiprocessing")
        self.assertEqual((code, said.count("release 2 is applied")), (0, 4), said)
