"""Tenants of django-tenants: each has a schema of its own, which its backend sets."""

import os
from typing import Any, Callable, Optional

from ._checks import ROWS


def schema(connection: Any) -> Optional[str]:
    """The schema of a connection's tenant; None without django-tenants."""
    name = getattr(connection, "schema_name", None)
    return str(name) if name else None


def has_tables(connection: Any, catalog: Any) -> bool:
    """Whether releases have rows for a tenant, or for what all share. The tables of an app are in the
    schemas of tenants, in the public one, or in both, as SHARED_APPS and TENANT_APPS say."""
    if not schema(connection):
        return True
    names = set()
    for _, _, files in os.walk(os.fspath(catalog)):
        # Such releases make tables of their own.
        if "up.postgresql.sql" in files:
            return True
        names |= {found[1].lower() for found in map(ROWS.fullmatch, files) if found}
    return any(each.lower() in names for each in connection.introspection.table_names())


def kept(connection: Any, work: Callable[[], None]) -> Callable[[], None]:
    """Does the work later, for the tenant of now."""
    tenant = connection.tenant

    def later() -> None:
        other = connection.tenant
        connection.set_tenant(tenant)
        try:
            work()
        finally:
            connection.set_tenant(other)
    return later
