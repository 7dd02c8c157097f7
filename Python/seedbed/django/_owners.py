"""New owners: each gets its rows when it is added."""

import logging
from typing import Any, Callable

from django.db import connections, transaction

import seedbed

from .. import _extension
from .._types import Error
from . import _run, _settings, _tenants


def receiver(model: Any) -> Callable[..., None]:
    """For `post_save` of all models: proxies of this one, and those that extend it, add owners."""
    def after_save(
        sender: Any, instance: Any, created: bool, using: str, raw: bool = False, **kwargs: Any
    ) -> None:
        # A file of `loaddata` may have the owner's rows as well. `migrate` fills those without.
        if created and not raw and issubclass(sender, model) and using in _settings.databases():
            _fill(using, _key(model, instance, connections[using]))

    return after_save


def _key(model: Any, instance: Any, connection: Any) -> Any:
    """As the database has it, such as the digits of a UUID."""
    field = model._meta.pk
    value = field.get_db_prep_value(getattr(instance, field.attname), connection)
    return value if isinstance(value, (int, str)) else str(value)


def _fill(using: str, owner: Any) -> None:
    connection = connections[using]

    def fill(db: Any) -> None:
        try:
            report = seedbed.fill(db, owner=owner, **_settings.options(using))
        except Error as error:
            # Older code adds owners, too, while a deploy goes on.
            if error.code != "newer" or not _settings.databases()[using].get("allow_newer", True):
                raise
            logging.getLogger("seedbed").warning(
                "Owner %s gets its rows by the next 'migrate'. %s", owner, _run.words(error))
            return
        transaction.on_commit(lambda: _run.changed(using, report), using=using)

    def later() -> None:
        with _run.reached(using) as db:
            fill(db)

    if connection.vendor == "sqlite" and _joins(connection.connection):
        fill(connection.connection)
        return
    # The program works on a connection of its own, which sees what is committed.
    work = _tenants.kept(connection, later) if _tenants.schema(connection) else later
    transaction.on_commit(work, using=using)


def _joins(db: Any) -> bool:
    return not isinstance(_extension.extension(type(db).__mro__[-2]), str)
