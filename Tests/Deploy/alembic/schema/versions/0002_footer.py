import sqlalchemy as sa
from alembic import op

revision, down_revision = "0002", "0001"


def upgrade():
    op.add_column("templates", sa.Column("footer", sa.String))


def downgrade():
    op.drop_column("templates", "footer")
