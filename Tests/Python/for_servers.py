"""What the package seedbed-postgresql brings, in an environment that has both packages.
SEEDBED_SERVER is the URL of a database on a server, which has no tables yet."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import seedbed
import seedbed_postgresql

URL = os.environ["SEEDBED_SERVER"]
COMMAND = pathlib.Path(sys.executable).with_name("seedbed")
BROUGHT = pathlib.Path(seedbed_postgresql.__file__).parent
# What Scripts/packages/wheel leaves to the system.
OF_SYSTEM = re.compile(r"/.*/(ld-linux.*|lib(c|gcc_s|m|resolv|stdc\+\+|z))\.so\.\d+")
FILES = {
    "catalog.json": '{"engines": ["postgresql"]}',
    "0001_words/up.postgresql.sql": "CREATE TABLE words (id integer PRIMARY KEY, word text);",
    "0001_words/words.csv": "id,word\n1,hot\n2,cold\n"}


class ForServers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in FILES.items():
            file = self.folder / "Migrations" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def command(self, *words, **variables):
        done = subprocess.run(
            [COMMAND, *words, "--migrations", self.folder / "Migrations", "--json"],
            env={**os.environ, "MIGRATE_DATABASE": URL, **variables}, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_it_brings_all_that_not_each_system_has(self):
        program = BROUGHT / "bin" / "migrate-postgresql"
        printed = subprocess.check_output(["ldd", program], text=True)
        self.assertIn(f"{BROUGHT}/bin/../lib/libpq.so.5", printed)
        for path in re.findall(r"=> (/\S+)", printed):
            self.assertTrue(
                path.startswith(str(BROUGHT)) or OF_SYSTEM.fullmatch(path), printed)

    def test_the_command_and_the_functions_reach_a_server(self):
        self.assertEqual(json.loads(self.command("up"))["outcome"], "applied")
        report = seedbed.up(URL, self.folder / "Migrations")
        self.assertEqual((report.outcome, report.to_version), ("upToDate", 1))
        self.assertEqual(seedbed.status(URL, self.folder / "Migrations").state, "upToDate")

    def test_another_program_on_the_path_comes_first(self):
        other = self.folder / "migrate-postgresql"
        other.write_text("#!/bin/sh\necho mine\n")
        other.chmod(0o755)
        path = f"{self.folder}{os.pathsep}{os.environ['PATH']}"
        self.assertEqual(self.command("status", PATH=path), "mine\n")


if __name__ == "__main__":
    unittest.main()
