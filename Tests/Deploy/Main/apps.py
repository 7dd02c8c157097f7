"""The small applications that are deployed, each with a migrator of its own."""
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
PROJECTS = ROOT / "Tests" / "Deploy"
VENV = ROOT / ".build" / "deploys" / "python" / "bin"
LONG = 120  # seconds; a machine may be slow, but a deploy must not hang
BROKEN = "a migration that fails, as it should"


class Wrong(Exception):
    """Something in a deploy is not as it must be."""


class App:
    """A project in Tests/Deploy. `folder` in its methods is the author's checkout of it."""

    name = project = catalog = ""
    deploy = []  # what a deploy runs
    second = ""  # the file with the migration that adds the column `footer`
    idle = "Nothing to do."  # what it prints if no release is pending

    def version(self):
        """The version that is here, or None."""
        raise NotImplementedError

    def url(self, file):
        """The URL of an SQLite file, as this tool spells it."""
        return f"sqlite:///{file}"

    def begin(self, folder, run):
        """The project without its second migration, before there is a catalog."""
        shutil.copytree(PROJECTS / self.project, folder)
        if self.second:
            (folder / self.second).unlink()

    def migrate(self, folder, run):
        """Brings the author's own database to the newest schema, and nothing else."""
        raise NotImplementedError

    def add_second(self, folder, run):
        """The migration that adds the column `footer`."""
        shutil.copy(PROJECTS / self.project / self.second, folder / self.second)

    def add_broken(self, folder, run):
        """One that fails."""
        raise NotImplementedError

    def check(self, folder, run):
        """What the page says of this tool, in the author's database, which has the ledger."""


def said_by(*words):
    """What a program prints, or None if it is not here or fails."""
    try:
        said = subprocess.run(words, capture_output=True, text=True, timeout=LONG, check=False)
    except FileNotFoundError:
        return None
    return said.stdout.strip() if said.returncode == 0 else None


def python_version(package):
    """Of a package in the environment that Scripts/setup makes."""
    code = f"import importlib.metadata as m; print(m.version('{package}'))"
    return said_by(VENV / "python", "-c", code)


class Rails(App):
    name, project, catalog = "Rails", "rails", "Migrations"
    deploy = ["bin/rails", "db:migrate"]
    idle = "(upToDate)"
    second = "db/migrate/20260201000000_add_footer_to_templates.rb"
    # The application calls the gem there, which Scripts/checks/test-deploys installs.
    settings, gem = "config/application.rb", 'require "seedbed"\n'

    def version(self):
        code = "%w[active_record/railtie sqlite3 pg].each { require _1 }; puts Rails.version"
        return said_by("ruby", "-e", code)

    def url(self, file):
        return f"sqlite3:{file}"

    def migrate(self, folder, run):
        settings = folder / self.settings
        with_gem = settings.read_text()
        settings.write_text(with_gem.replace(self.gem, ""))
        run("bin/rails", "db:migrate")
        settings.write_text(with_gem)

    def add_broken(self, folder, run):
        (folder / "db/migrate/20260301000000_broken.rb").write_text(
            "class Broken < ActiveRecord::Migration[6.1]\n"
            f'  def change\n    raise "{BROKEN}"\n  end\nend\n')

    def check(self, folder, run):
        run("bin/rails", "db:migrate")
        schema = (folder / "db/schema.rb").read_text()
        if "templates" not in schema or "seedbed" in schema:
            raise Wrong(f"the dump of the schema is\n{schema}")
        # From the dump, and from a file in database.yml.
        said = run("bin/rails", "db:prepare", DATABASE_URL=None)
        if "Rows are at release 3 (applied), conflicts: 0." not in said:
            raise Wrong(f"db:prepare said {said}")
        said = run("bin/rails", "db:migrate", "VERSION=20260101000000", DATABASE_URL=None)
        if "Rows are" in said:
            raise Wrong(f"one step of the schema is no deploy, and yet: {said}")


class Alembic(App):
    name, project, catalog = "Alembic", "alembic", "catalog"
    deploy = ["sh", "deploy.sh"]
    second = "schema/versions/0002_footer.py"

    def version(self):
        return python_version("alembic")

    def migrate(self, folder, run):
        run("alembic", "upgrade", "head")

    def add_broken(self, folder, run):
        (folder / "schema/versions/0003_broken.py").write_text(
            'revision, down_revision = "0003", "0002"\n\n\n'
            f'def upgrade():\n    raise RuntimeError("{BROKEN}")\n')

    def check(self, folder, run):
        run("alembic", "check")
        env = folder / "schema/env.py"
        env.write_text(env.read_text().replace(", include_name=include_name", ""))
        said = run("alembic", "check", code=255)
        if "seedbed_ledger" not in said:
            raise Wrong(f"without the line of the page, alembic check said {said}")


class Flask(App):
    """Its migrations are generated, also from a database that has the ledger."""

    name, project, catalog = "Flask-Migrate", "flask", "catalog"
    deploy = ["flask", "deploy"]

    def version(self):
        return python_version("flask-migrate")

    def begin(self, folder, run):
        super().begin(folder, run)
        lines = (folder / "app.py").read_text().splitlines(True)
        (folder / "app.py").write_text("".join(each for each in lines if "footer" not in each))
        run("flask", "db", "init")
        run("flask", "db", "migrate", "-m", "templates")

    def migrate(self, folder, run):
        run("flask", "db", "upgrade")

    def add_second(self, folder, run):
        shutil.copy(PROJECTS / self.project / "app.py", folder / "app.py")
        run("flask", "db", "migrate", "-m", "footer")
        [script] = (folder / "migrations/versions").glob("*_footer.py")
        if "seedbed" in script.read_text():
            raise Wrong(f"flask db migrate wrote {script.read_text()}")

    def add_broken(self, folder, run):
        head = run("flask", "db", "heads").split()[0]
        (folder / "migrations/versions/broken.py").write_text(
            f'revision, down_revision = "broken", "{head}"\n\n\n'
            f'def upgrade():\n    raise RuntimeError("{BROKEN}")\n')


# Deletes a row, brings it back with the page's calls, and says whether all rows are as before.
BRING_BACK = """
require 'Illuminate/autoload.php';
require getenv('COMPOSER_VENDOR_DIR') . '/autoload.php';
$app = require 'bootstrap/app.php';
$app->make(Illuminate\\Contracts\\Console\\Kernel::class)->bootstrap();
$table = fn () => Illuminate\\Support\\Facades\\DB::table('templates');
$rows = fn () => $table()->orderBy('name')->get(['name', 'subject', 'body', 'footer'])->toJson();
$before = $rows();
$table()->where('name', 'reset')->delete();
$database = app(Seedbed\\Database::class);
[$row] = $database->absent()['absent'];
$database->reseed($row['table'], $row['key']);
echo $row['reason'], ' ', $rows() === $before ? 'is back' : $rows();
"""


class Laravel(App):
    name, project, catalog = "Laravel", "laravel", "Migrations"
    deploy = ["sh", "deploy.sh"]
    idle = "(upToDate)"
    second = "database/migrations/2026_02_01_000000_add_footer.php"

    def version(self):
        code = ("require 'Illuminate/autoload.php'; "
                "echo Illuminate\\Foundation\\Application::VERSION, "
                "extension_loaded('pdo_pgsql') && extension_loaded('pdo_sqlite') ? '' : 1 / 0;")
        return said_by("php", "-r", code)

    def begin(self, folder, run):
        super().begin(folder, run)
        (folder / "bootstrap/cache").mkdir()

    def migrate(self, folder, run):
        run("php", "artisan", "migrate", "--force")

    def add_broken(self, folder, run):
        (folder / "database/migrations/2026_03_01_000000_broken.php").write_text(
            "<?php\n\nclass Broken extends Illuminate\\Database\\Migrations\\Migration\n{\n"
            "    public function up()\n    {\n"
            f"        throw new Exception('{BROKEN}');\n    }}\n}}\n")

    def check(self, folder, run):
        run("sh", "deploy.sh")
        said = run("php", "artisan", "seedbed:up", "to=3", "lock-timeout=1")
        if "Rows are at release 3 (upToDate), conflicts: 0." not in said:
            raise Wrong(f"seedbed:up said {said}")
        said = run("php", "artisan", "seedbed:up", "tow=3", code=64)
        if "Did you mean '--to'?" not in said:
            raise Wrong(f"seedbed:up with a wrong option said {said}")
        said = run("php", "artisan", "seedbed:run", "status", "--", "--json")
        if '"current":3' not in said:
            raise Wrong(f"seedbed:run said {said}")
        said = run("php", "-r", BRING_BACK)
        if said != "deletedByUser is back":
            raise Wrong(f"a row that was to come back: {said}")


APPS = [Rails(), Alembic(), Flask(), Laravel()]
