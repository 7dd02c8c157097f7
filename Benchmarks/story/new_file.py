"""A new database file takes the place of the old one.

Page: "Prepopulate your Room database" and its fallback, a destructive migration, Android,
https://developer.android.com/training/data-storage/room/prepopulate. It copies the file beside the
old one, and gives it the name of the old one when it is complete.
"""
import os
import shutil

from files import run

# The author's code, SQLite.


def release(number, editions, folder):
    shutil.copyfile(f"{editions}/{number}.sqlite", f"{folder}/{number}.sqlite")


def start(number, folder, database):
    shutil.copyfile(f"{folder}/{number}.sqlite", f"{database}.new")
    with open(f"{database}.new", "rb") as file:
        os.fsync(file.fileno())
    os.replace(f"{database}.new", database)


# End.
run(start, release=release)
