"""Catalogs and databases that are none, through the SQL functions: one sentence each.

Nothing is waited for, and not a byte of the database changes.
"""

import hashlib
import os
import pathlib
import shutil

from host import CATALOG, at_release_3, call, connect, each, equal, refusal
from wrong_input import RIGHT, refused

# Catalogs


def no_catalog(catalog, *words):
    connection = at_release_3()
    for verb, arguments in RIGHT.items():
        sql = f"SELECT seedbed_{verb}({', '.join('?' * len(arguments))})"
        sentence = refused(connection, sql, [catalog, *arguments[1:]])
        assert all(word in sentence for word in words), f"{verb}: {sentence}"


def test_no_catalog_there():
    no_catalog("nowhere", "nowhere")


def test_a_catalog_that_is_a_file():
    pathlib.Path("file").write_text("no catalog")
    no_catalog("file", "file")


def test_a_catalog_that_is_a_pipe():
    os.mkfifo("pipe")
    no_catalog("pipe", "pipe")


def test_a_catalog_that_is_a_device():
    no_catalog("/dev/zero", "/dev/zero")


def test_a_catalog_that_leads_to_itself():
    os.symlink("loop", "loop")
    no_catalog("loop", "loop")


def test_files_of_a_catalog_that_are_no_files():
    """Pipes, devices, folders and loops in the place of each file: none is waited for."""
    names = [
        "catalog.json", "0004_weights_2021/migration.json",
        "0004_weights_2021/elements.update.csv.gz", "seedbed.lock",
    ]

    def check(name, kind):
        shutil.rmtree("catalog", ignore_errors=True)
        shutil.copytree(CATALOG, "catalog")
        path = pathlib.Path("catalog", name)
        path.unlink()
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
        else:
            path.symlink_to({"device": "/dev/zero", "loop": path.name}[kind])
        # The lock is read where it is trusted.
        options = '{"locked": true}' if name == "seedbed.lock" else None
        sql = "SELECT seedbed_up(?, ?)"
        connection = at_release_3(f"{path.name}.{kind}.sqlite")
        sentence = refusal(connection.execute, sql, ("catalog", options))
        assert path.name in sentence, sentence
        equal(connection.execute("SELECT max(version) FROM seedbed_migrations").fetchone(), (3,))

    each([
        (name, kind) for name in names for kind in ("pipe", "folder", "device", "loop")
    ], check)


def test_a_catalog_without_permission():
    shutil.copytree(CATALOG, "catalog")
    os.chmod("catalog", 0)
    connection = at_release_3()
    for path in ".", "app.sqlite":
        os.chmod(path, 0o777)
    # Root may read everything.
    if os.geteuid() == 0:
        os.seteuid(65534)
    sentence = refused(connection, "SELECT seedbed_up('catalog')")
    assert "catalog" in sentence, sentence


# Databases


def test_a_database_newer_than_the_catalog():
    connection = at_release_3()
    call(connection, "up", {"no-backup": True})
    shutil.copytree(CATALOG, "catalog")
    shutil.rmtree("catalog/0004_weights_2021")
    os.unlink("catalog/seedbed.lock")
    equal(connection.execute("SELECT seedbed_outlook('catalog') ->> 'outlook'").fetchone(),
          ("newer",))
    for verb in "up", "plan":
        assert "newer" in refused(connection, f"SELECT seedbed_{verb}('catalog')")


def test_files_that_are_no_database():
    at_release_3("good.sqlite").close()
    content = pathlib.Path("good.sqlite").read_bytes()
    for name, wrong in (
        ("text", b"no database at all. " * 500), ("header", bytes(100) + content[100:]),
        ("half", content[:len(content) // 2]),
        ("encoding", content[:56] + b"\xff" * 4 + content[60:]),
        ("middle", content[:4096] + b"\xff" * 8192 + content[12288:]),
    ):
        pathlib.Path(name).write_bytes(wrong)
        connection = connect(name)
        before = pathlib.Path(name).read_bytes()
        for verb in "up", "plan", "down":
            more = ", 1" if verb == "down" else ""
            refusal(connection.execute, f"SELECT seedbed_{verb}(?{more})", (CATALOG,))
            equal(pathlib.Path(name).read_bytes(), before)
        connection.close()


def test_tables_that_are_missing_or_wrong():
    for sql in (
        "DROP TABLE elements", "ALTER TABLE elements RENAME TO e", "DROP TABLE seedbed_migrations",
        "ALTER TABLE elements RENAME COLUMN weight TO w", "DROP TABLE seedbed_ledger",
        "DROP TABLE seedbed_conflicts", "DROP TABLE seedbed_runs",
        "UPDATE seedbed_migrations SET checksum = 'sha256:00' WHERE version = 1",
        "DROP TABLE elements; CREATE VIEW elements AS SELECT 1 AS number",
        "DELETE FROM seedbed_migrations WHERE version = 2",
    ):
        name = hashlib.md5(sql.encode()).hexdigest()
        connection = at_release_3(name)
        connection.execute("PRAGMA foreign_keys = 0")
        connection.executescript(sql)
        before = list(connection.iterdump())
        refusal(call, connection, "up", {"no-backup": True})
        equal(connection.execute("PRAGMA integrity_check").fetchone(), ("ok",))
        # The log of the runs may tell of this one.
        without_runs = [
            [line for line in lines if "seedbed_runs" not in line and "sqlite_sequence" not in line]
            for lines in (before, connection.iterdump())
        ]
        equal(without_runs[1], without_runs[0])
