import os
import subprocess
import sys

import flask
import flask_migrate
import flask_sqlalchemy

app = flask.Flask(__name__)
app.config["SQLALCHEMY_DATABASE_URI"] = os.environ.get("DATABASE_URL", "sqlite:///desk.sqlite")
db = flask_sqlalchemy.SQLAlchemy(app)


def include_name(name, type_, parents):
    """The ledger is no part of the application's schema."""
    return not (type_ == "table" and name.startswith("seedbed_"))


flask_migrate.Migrate(app, db, include_name=include_name)


@app.cli.command()
def deploy():
    """Brings the schema up to date, and then the rows."""
    flask_migrate.upgrade()
    url = db.engine.url
    database = url.database if url.get_backend_name() == "sqlite" else (
        url.set(drivername="postgresql").render_as_string(hide_password=False))
    # In the environment, where other users of the machine cannot read the password.
    environment = {**os.environ, "MIGRATE_DATABASE": database, "MIGRATE_DIR": "catalog"}
    done = subprocess.run(["seedbed", "up", "--must-exist"], env=environment, cwd=app.root_path)
    sys.exit(done.returncode)


class Template(db.Model):
    __tablename__ = "templates"
    id = db.Column(db.Integer, primary_key=True)
    name = db.Column(db.String, nullable=False, unique=True)
    subject = db.Column(db.String, nullable=False)
    body = db.Column(db.Text, nullable=False)
    updated_at = db.Column(db.DateTime, nullable=False, server_default=db.func.now())
    footer = db.Column(db.String)
