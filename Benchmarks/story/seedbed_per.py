"""Seedbed's command with the option `per`.

Page: Sources/Seedbed/Seedbed.docc/DefaultsForEachOrganization.md. On a server the backup is left to
the server's own tools, as for all others.
"""
import json
import os
import pathlib
import shutil
import subprocess

from files import run, schema

# The author's code.
OWNER = {"table": "organizations", "key": "id"}
CATALOG = {
    "engines": ["sqlite", "postgresql"],
    "tables": {
        "words": {"source": "data/words.csv", "key": ["slug"],
                  "per": {**OWNER, "column": "organization_id"}},
        "senses": {"source": "data/senses.csv", "key": ["word_id", "position"], "per": OWNER}},
}


def release(number, editions, folder):
    catalog = pathlib.Path(folder)
    shutil.copytree(f"{editions}/{number}", catalog / "data", dirs_exist_ok=True)
    senses = catalog / "data" / "senses.csv"
    senses.write_text(senses.read_text().replace("slug", "word_id:words.slug", 1))
    words = [f"edition{number}"]
    if number == 1:
        (catalog / "catalog.json").write_text(json.dumps(CATALOG))
        (catalog / "schema.sql").write_text(schema("sqlite", for_each=True))
        (catalog / "app.postgresql.sql").write_text(schema("postgresql", for_each=True))
        words += ["--schema", catalog / "schema.sql", "--schema", catalog / "app.postgresql.sql"]
    subprocess.run(["migrate", "make", *words, "--migrations", catalog, "--quiet"], check=True)


def sign_up(number, folder, database, organization):
    subprocess.run(["migrate", "fill", str(organization), "--migrations", folder,
                    "--database", database, "--quiet"], check=True)


# The author's code, SQLite.


def start(number, folder, database):
    os.execvp("migrate", ["migrate", "up", "--to", str(number), "--migrations", folder,
                          "--database", database, "--quiet"])


# The author's code, PostgreSQL.


def start_server(number, folder, database):
    os.execvp("migrate", ["migrate", "up", "--to", str(number), "--migrations", folder,
                          "--database", database, "--quiet", "--no-backup"])


# End.
run(start, start_server, release, sign_up)
