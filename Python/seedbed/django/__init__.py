"""Brings the data up to date after `manage.py migrate`, and lets administrators settle conflicts.

    INSTALLED_APPS += ["seedbed.django"]
    SEEDBED = {"catalog": BASE_DIR / "Migrations"}

`applied` is sent after rows changed, by a release or by a decision about a conflict, with `using`,
the alias of the database; `touched_tables`, the names of all tables whose rows may have changed;
and `report`, that of `seedbed.up` or `seedbed.resolve`, or None if the command did it.
"""

from django.dispatch import Signal

applied = Signal()
