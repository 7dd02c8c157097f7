import sqlalchemy as sa

metadata = sa.MetaData()
templates = sa.Table(
    "templates", metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String, nullable=False, unique=True),
    sa.Column("subject", sa.String, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("updated_at", sa.DateTime, nullable=False, server_default=sa.func.now()),
    sa.Column("footer", sa.String))
