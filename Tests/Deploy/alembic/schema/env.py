import os
import sys

import sqlalchemy as sa
from alembic import context

sys.path.insert(0, os.getcwd())
from models import metadata


def include_name(name, type_, parents):
    """The ledger is no part of the application's schema."""
    return not (type_ == "table" and name.startswith("seedbed_"))


with sa.create_engine(os.environ["DATABASE_URL"]).connect() as connection:
    context.configure(
        connection=connection, target_metadata=metadata, include_name=include_name)
    with context.begin_transaction():
        context.run_migrations()
