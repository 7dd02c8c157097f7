"""A catalog of which each organization has its own copy."""
import sqlite3

# Made by the app.
TABLES = """
CREATE TABLE organizations (id {type} PRIMARY KEY NOT NULL, name TEXT);
CREATE TABLE labels (
    organization_id {type} NOT NULL REFERENCES organizations ON DELETE CASCADE,
    name TEXT NOT NULL,
    colour TEXT,
    PRIMARY KEY (organization_id, name)
);
"""
# Of each owner, by the names.
ROWS = [("bug", "crimson"), ("idea", "green")]


def write_owners(folder, type="INTEGER"):
    """Two releases of labels. The key of an organization has this type."""
    for name in ("0001_labels", "0002_june"):
        (folder / name).mkdir(parents=True)
    (folder / "catalog.json").write_text(
        '{"tables": {"labels": {"per": '
        '{"table": "organizations", "key": "id", "column": "organization_id"}}}}\n')
    (folder / "0001_labels" / "schema.sql").write_text(TABLES.format(type=type))
    (folder / "0001_labels" / "labels.csv").write_text("name,colour\nbug,red\nidea,green\n")
    (folder / "0002_june" / "labels.update.csv").write_text(
        "name,colour,was:colour\nbug,crimson,red\n")


def make_app(path, type="INTEGER"):
    """The app's own tables, in a new database."""
    connection = sqlite3.connect(path)
    connection.executescript(TABLES.format(type=type))
    connection.close()
