"""Signed downloads continue the catalog, by every way to the database, and none stops a program."""

import os
import pathlib
import shutil
import unittest.mock

import seedbed
from seedbed import _program
from sites import EXAMPLE, on_servers
from support import CATALOG, Case, ways

from author import Author  # support knows its folder


def example(folder):
    """The example's catalog, whose second edition is a download."""
    made = Author(_program.PROGRAM, folder)
    shutil.copytree(EXAMPLE / "Migrations", made.catalog)
    (made.catalog / "0002_second").rename(made.folder / "second")
    made.ship()
    (made.folder / "second").rename(made.catalog / "0002_second")
    made.june = made.bundle("june.seedbed", since=1)
    return made


def reasons(result):
    return {os.path.basename(each.path): each.reason for each in result.passed_over}


class Downloads(Case):
    def setUp(self):
        super().setUp()
        self.made = Author(_program.PROGRAM).words()
        self.app = str(self.made.app)

    def play(self, opened):
        db, made = opened("app.sqlite"), self.made
        known = {"signed_by": [made.key], "downloaded": [pathlib.Path(made.june)]}
        report = seedbed.up(db, self.app, **known)
        self.assertEqual((report.to_version, report.passed_over), (3, ()))
        self.assertEqual(seedbed.up(db, self.app, **known).outcome, "upToDate")
        status = seedbed.status(db, self.app, **known)
        self.assertEqual((status.current, status.target, status.state), (3, 3, "upToDate"))
        [head] = status.signed_heads
        self.assertEqual((head.key, head.version), (made.key, 3))
        self.assertTrue(head.lock.startswith("sha256:"))
        self.assertEqual(seedbed.origin(db, self.app, "words", 150, **known).origin, "seed")
        self.assertEqual(len(seedbed.pin(db, self.app, "words", 150, **known).pinned), 1)
        self.assertEqual(seedbed.unpin(db, self.app, "words", 150, **known).pinned, ())
        self.assertEqual(len(seedbed.conflicts(db, self.app, **known)), 0)
        self.assertEqual(seedbed.down(db, self.app, 2, **known).to_version, 2)
        self.assertEqual(seedbed.plan(db, self.app, **known).to_version, 3)
        self.assertEqual(seedbed.up(db, self.app, **known).to_version, 3)
        # The folder of downloads is empty by now.
        gone = seedbed.up(db, self.app, signed_by=made.key, downloaded=[], allow_sql=True)
        self.assertEqual((gone.outcome, gone.to_version), ("upToDate", 3))
        if hasattr(db, "close"):
            db.close()

    def test_reasons(self):
        made = self.made
        stranger = made.new_key("stranger.pem")
        cases = [
            ([stranger], made.june, "wrongKey"), (made.key, "none.seedbed", "missing"),
            ((made.key,), made.cut(made.june), "damaged"), (made.key, made.july, "holdsSQL"),
            ([stranger, made.key], made.spoiled(made.june), "damaged")]
        for number, (keys, path, reason) in enumerate(cases):
            report = seedbed.up(
                f"{number}.sqlite", self.app, signed_by=keys, downloaded=path)
            self.assertEqual((report.outcome, report.to_version), ("applied", 2))
            [other] = report.passed_over
            self.assertEqual((other.path, other.reason), (os.path.abspath(path), reason))
            self.assertIn(other.path, other.message)
            status = seedbed.status(f"{number}.sqlite", self.app)
            self.assertEqual((status.signed_heads, status.passed_over), ((), ()))

    def test_the_best_one(self):
        made = self.made
        paths = (made.june, made.july)
        report = seedbed.up("app.sqlite", self.app, signed_by=made.key, downloaded=paths)
        self.assertEqual((report.to_version, reasons(report)), (3, {"july.seedbed": "holdsSQL"}))
        report = seedbed.up(
            "app.sqlite", self.app, signed_by=made.key, downloaded=paths, allow_sql=True)
        self.assertEqual((report.to_version, reasons(report)), (4, {}))
        status = seedbed.status("app.sqlite", self.app, signed_by=made.key, downloaded=made.june)
        self.assertEqual((status.current, reasons(status)), (4, {"june.seedbed": "older"}))

    def test_known(self):
        made = self.made
        options = {"signed_by": made.key, "downloaded": made.june, "known": {made.key: 4}}
        if seedbed.interface("app.sqlite") == "program":
            error = self.refused(seedbed.up, "app.sqlite", self.app, **options)
            self.assertIn("'known' needs the extension, and ", str(error))
        else:
            report = seedbed.up("app.sqlite", self.app, **options)
            self.assertEqual((report.to_version, reasons(report)), (2, {"june.seedbed": "older"}))

    def test_a_key_that_is_none(self):
        error = self.refused(
            seedbed.up, "app.sqlite", self.app, signed_by="ed25519:x", downloaded=self.made.june)
        self.assertEqual(error.code, "usage")
        self.assertIn("'ed25519:x' is not a public key", str(error))

    @on_servers
    def test_a_server(self, cluster):
        made = example("example")
        cluster.sql("CREATE DATABASE downloads")
        url = f"postgresql:///downloads?host={cluster.folder}&port={cluster.port}&user=postgres"
        schema = made.app / "0001_first/schema.postgresql.sql"
        cluster.sql(schema.read_text(), "downloads")
        options = {"signed_by": made.key, "no_backup": True}
        path = os.pathsep.join([os.environ.get("SEEDBED_SERVERS", ""), os.environ["PATH"]])
        with unittest.mock.patch.dict(os.environ, {"PATH": path}):
            report = seedbed.up(url, str(made.app), downloaded=made.cut(made.june), **options)
            self.assertEqual((report.to_version, reasons(report)), (1, {"cut.seedbed": "damaged"}))
            report = seedbed.up(url, str(made.app), downloaded=made.june, **options)
            self.assertEqual((report.to_version, report.passed_over), (2, ()))
            [head] = seedbed.status(
                url, str(made.app), signed_by=made.key, downloaded=[]).signed_heads
            self.assertEqual((head.key, head.version), (made.key, 2))
            error = self.refused(
                seedbed.up, url, str(made.app), downloaded=[], known={made.key: 2}, **options)
            self.assertIn("'known' needs the extension, and it does not reach servers.", str(error))


def named(opened):
    return lambda self: self.play(opened)


for name, opened in ways().items():
    setattr(Downloads, f"test_by_{name}", named(opened))


class Refusals(Case):
    """They need no extension, no program and no download."""

    def test_one_without_the_other(self):
        for call in (seedbed.up, seedbed.plan, seedbed.status, seedbed.conflicts):
            error = self.refused(call, "app.sqlite", CATALOG, signed_by="ed25519:x")
            self.assertEqual(str(error), (
                "'downloaded' is missing, which 'signed_by' needs. Give the paths of the "
                "downloads, or [] for none."))
            error = self.refused(call, "app.sqlite", CATALOG, downloaded=[])
            self.assertEqual(str(error), (
                "'signed_by' is missing, which 'downloaded' needs. Give the public keys that may "
                "sign the downloads."))
        for options in ({"allow_sql": True}, {"known": {"ed25519:x": 3}}):
            error = self.refused(seedbed.up, "app.sqlite", CATALOG, **options)
            self.assertIn("'signed_by' is missing, which '", str(error))
        self.assertFalse(os.path.exists("app.sqlite"))

    def test_wrong_kinds(self):
        right = {"signed_by": "ed25519:x", "downloaded": "june.seedbed"}
        for name, value in (
                ("signed_by", []), ("signed_by", [1]), ("signed_by", 1), ("downloaded", [1]),
                ("downloaded", {}), ("downloaded", b"june.seedbed"), ("allow_sql", 1),
                ("known", [1]), ("known", {"ed25519:x": "1"}), ("known", {"ed25519:x": True})):
            error = self.refused(seedbed.up, "app.sqlite", CATALOG, **{**right, name: value})
            self.assertRegex(str(error), f"^'{name}' must be ")
            self.assertEqual(error.code, "usage")

    def test_the_words_of_the_program(self):
        options = {
            "signed_by": ("one", "two"), "downloaded": [pathlib.Path("june"), "july"],
            "allow_sql": True}
        self.assertEqual(_program.arguments("", "up", options), ([
            "--signed-by=one", "--signed-by=two", "--downloaded=june", "--downloaded=july",
            "--allow-sql"], []))
