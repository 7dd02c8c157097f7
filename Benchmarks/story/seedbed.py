"""Seedbed's command, as an app in any language calls it.

Page: Sources/Seedbed/Seedbed.docc/WritingARelease.md, Documentation/CommandReference.md. On SQLite
a backup before the release is a part of it, as it is by default. On a server it is left to the
server's own tools, as for all others.
"""
import json
import os
import pathlib
import shutil
import subprocess

from files import run, schema

# The author's code.
CATALOG = {
    "engines": ["sqlite", "postgresql"],
    "tables": {"words": {"source": "data/words.csv"}, "senses": {"source": "data/senses.csv"}},
}


def release(number, editions, folder):
    catalog = pathlib.Path(folder)
    shutil.copytree(f"{editions}/{number}", catalog / "data", dirs_exist_ok=True)
    words = [f"edition{number}"]
    if number == 1:
        (catalog / "catalog.json").write_text(json.dumps(CATALOG))
        (catalog / "schema.sql").write_text(schema("sqlite"))
        (catalog / "app.postgresql.sql").write_text(schema("postgresql"))
        words += ["--schema", catalog / "schema.sql", "--schema", catalog / "app.postgresql.sql"]
    subprocess.run(["migrate", "make", *words, "--migrations", catalog, "--quiet"], check=True)


# The author's code, SQLite.


def start(number, folder, database):
    os.execvp("migrate", ["migrate", "up", "--to", str(number), "--migrations", folder,
                          "--database", database, "--quiet"])


# The author's code, PostgreSQL.


def start_server(number, folder, database):
    os.execvp("migrate", ["migrate", "up", "--to", str(number), "--migrations", folder,
                          "--database", database, "--quiet", "--no-backup"])


# End.
if __name__ == "__main__":
    run(start, start_server, release)
