"""Signed downloads on a site with Django."""

import json
import shutil

from sites import DjangoCase, edited, on_servers, once
from test_downloads import example


@once
class Downloads(DjangoCase):
    def downloading(self, made, **options):
        """A site with the first edition, whose settings name the second as a download."""
        site = self.site(settings=(
            f"SEEDBED.update(catalog={str(made.app)!r}, signed_by=[{made.key!r}], "
            "downloaded=sorted(BASE_DIR.glob('*.seedbed')))"), **options)
        self.assertIn("release 1 is applied; rows: 9 added.\n", site.migrate())
        site.run(edited())
        shutil.copy(made.june, site.folder)
        return site

    def check(self, site):
        self.assertIn("rows: 2 added, 2 changed, 5 kept. Conflicts: 5.", site.migrate())
        self.assertIn("no release is pending", site.migrate())
        for verb in ("plan", "conflicts"):
            code, said = site.manage("seedbed", verb)
            self.assertEqual(code, 0, said)
        code, said = site.manage("seedbed", "status", "--json")
        self.assertEqual(json.loads(said)["signedHeads"][0]["version"], 2)
        # Verbs that open no database know no downloads.
        self.assertEqual(site.manage("seedbed", "show", "1")[0], 0)

    def test_settings(self):
        self.check(self.downloading(example(self.folder)))

    @on_servers
    def test_a_server(self, cluster):
        self.check(self.downloading(
            example(self.folder), variables=cluster.database("downloading")))

    def test_wrong_settings(self):
        site = self.site(settings="SEEDBED['downloaded'] = []")
        code, said = site.manage("check")
        self.assertEqual(code, 1)
        self.assertIn("SEEDBED: 'signed_by' is missing, which 'downloaded' needs.", said)
