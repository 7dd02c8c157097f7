"""The command `seedbed`, with the catalog and the database of the settings."""

import argparse
import os
import subprocess
import sys
from typing import Any, Dict, List

from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from ...._program import PROGRAM, VARIABLES, arguments, environment
from ... import _run, _settings

# They change rows.
WRITING = ("up", "down", "resolve", "reseed", "restore")
# Options that only these take.
OF_VERBS = {
    "up": ("to", "adopt", "must_exist", "allow_out_of_order", "no_backup"),
    "plan": ("to", "adopt", "must_exist", "allow_out_of_order", "no_backup"),
    "down": ("no_backup",), "reseed": ("no_backup",)}
# They compare a database with the catalog, which a download may continue.
COMPARING = (
    "up", "plan", "status", "conflicts", "resolve", "pin", "unpin", "origin", "absent", "verify",
    "down", "reseed")


class Command(BaseCommand):
    help = (
        "Runs Seedbed's command with the catalog and the database of the settings: status, plan, "
        "up, down, conflicts, resolve, pin, make, lint, show and more. 'help' lists all verbs.")
    # They are checked below, and a release can be made before the app's models are sound.
    requires_system_checks: List[str] = []

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--database", metavar="ALIAS", help="one of SEEDBED's databases")
        parser.add_argument("words", metavar="VERB …", nargs=argparse.REMAINDER)

    def handle(self, *args: Any, **options: Any) -> None:
        _settings.refuse_if_wrong()
        after = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        after.add_argument("--database", default=options["database"])
        known, words = after.parse_known_args(options["words"])
        aliases = list(_settings.databases())
        alias = known.database or aliases[0]
        if alias not in aliases:
            raise CommandError(f"'{alias}' is not in SEEDBED. Its databases: {', '.join(aliases)}.")
        code = self.run(alias, words)
        # A run that fails may have changed rows before, such as by a first release.
        if words and words[0] in WRITING:
            _run.changed(alias)
        if code:
            sys.exit(code)

    def run(self, alias: str, words: List[str]) -> int:
        """The exit code of the program."""
        command = ["seedbed", *words[:1], *_flags(alias, words), *words[1:]]
        variables = {name: text for name, text in environment().items() if name not in VARIABLES}
        variables.update(_variables(alias))
        self.stdout.flush()
        with subprocess.Popen(command, executable=PROGRAM, env=variables) as process:
            while True:
                try:
                    code = process.wait()
                    return code if code >= 0 else 128 - code
                except KeyboardInterrupt:
                    pass  # The program got it, too, and rolls back.


def _variables(alias: str) -> Dict[str, str]:
    connection = connections[alias]
    is_server = connection.vendor == "postgresql"
    name = connection.settings_dict["NAME"]
    given = _settings.options(alias)
    variables = {
        "MIGRATE_DIR": given["catalog"], "MIGRATE_BACKUPS": given.get("backups"),
        "MIGRATE_DATABASE": _run.url(connection) if is_server else name}
    return {key: os.fspath(value) for key, value in variables.items() if value}


def _flags(alias: str, words: List[str]) -> List[str]:
    """The options of the settings, for all verbs but 'help', unless the command line has them, too:
    the program takes none twice."""
    if not words or words[0] == "help" or words[0].startswith("-"):
        return []
    names = [
        "on_edited", "on_taken", "keep", "ledger", "beside", "lock_timeout",
        *OF_VERBS.get(words[0], ())]
    if words[0] in COMPARING:
        names += ["signed_by", "downloaded", "allow_sql"]
    given = {name: each for name, each in _settings.databases()[alias].items()
             if name in names and each is not None}
    flags, _ = arguments("the command is the program", words[0], given)
    written = {word.split("=")[0] for word in words}
    return [flag for flag in flags if flag.split("=")[0] not in written]
