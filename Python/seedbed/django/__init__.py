"""Brings the data up to date after `manage.py migrate`, and lets administrators settle conflicts.

    INSTALLED_APPS += ["seedbed.django"]
    SEEDBED = {"catalog": BASE_DIR / "Migrations"}

`applied` is sent after rows changed, by a release or by a decision about a conflict, with `using`,
the alias of the database; `touched_tables`, the names of all tables whose rows may have changed;
and `report`, that of `seedbed.up` or `seedbed.resolve`. After the command, after `flush` and after
a run that failed midway it is None, and all tables are named. `up_to` is a step of a migration of
Django's, and `fill_on_create` gives each new owner its rows.
"""

from typing import Any, Callable

from django.db.models.signals import post_save
from django.dispatch import Signal

applied = Signal()


def up_to(version: int) -> Callable[[Any, Any], None]:
    """For `migrations.RunPython`, before models lose what the releases up to this one write.

    The migration must have `atomic = False`."""
    def apply(apps: Any, schema_editor: Any) -> None:
        from . import _run

        _run.up_to(schema_editor.connection.alias, version)

    setattr(apply, "up_to", version)  # for the checks, which look for such steps
    return apply


def fill_on_create(model: Any) -> None:
    """Gives each new row of a model a copy of the catalog's rows, whose owner it is: `per` in
    catalog.json names its table and its primary key. For `ready` of an app.

    On SQLite the rows come in the transaction that adds the owner, and else right after it."""
    from . import _owners

    receiver = _owners.receiver(model)
    post_save.connect(receiver, weak=False, dispatch_uid=("seedbed", model._meta.label))
