"""The page shows the example's files, and what its commands print."""

import pathlib
import re
import shutil
import subprocess
import sys

from sites import EXAMPLE, PAGE, DjangoCase, once

# What no file of the example has: a migration and models, which other tests play, and a site of
# one's own.
ELSEWHERE = (
    "from django.db import migrations\n", "from seedbed.django.admin import", "class Label(",
    "    def ready(self):\n        from seedbed.django import fill_on_create\n")


@once
class Page(DjangoCase):
    def test_its_code_is_the_example(self):
        files = [path.read_text() for path in EXAMPLE.rglob("*.py")]
        blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
        self.assertGreater(len(blocks), 4)
        for block in blocks:
            if not block.startswith(ELSEWHERE):
                self.assertTrue(any(block in file for file in files), block)

    def test_its_commands(self):
        """In the example without its catalog, from the first command to the last."""
        site = self.site()
        shutil.rmtree(site.folder / "Migrations")
        programs = pathlib.Path(sys.executable).parent
        site.environment["PATH"] = f"{programs}:{site.environment['PATH']}"
        count = 0
        for block, transcript in re.findall(
                r"^```sh\n(.*?)^```|^((?:    [^\n]+\n)+)", PAGE.read_text(), re.M | re.S):
            if block and not block.startswith("pip"):
                self.said(site, block)
            for command, printed in re.findall(
                    r"^    \$ (.*\n(?:    > .*\n)*)((?:    (?!\$).*\n)*)", transcript, re.M):
                if "postgresql" in transcript:
                    continue
                said = self.said(site, command.replace("\n    > ", "\n"))
                wanted = re.sub("^    ", "", printed, flags=re.M)
                self.assertEqual(said[-len(wanted):] if wanted else "", wanted, command)
                count += 1
        self.assertGreater(count, 4)

    def said(self, site, command):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command], cwd=site.folder, env=site.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, command + done.stdout)
        return done.stdout
