"""The page of an administrators' screen: its program, played as a browser would."""
import html
import http.client
import re
import shutil
import textwrap
import time
import urllib.parse

from apps import LONG, PROJECTS, VENV, Wrong, python_version
from cluster import free_port

HEADER = "zone,code,subject,body"
RELEASES = [
    ["de,hello,Hallo,Text", 'de,"a,b",Komma,Text', "de,gone,Weg,Text", "fr,old,Ancien,Texte",
     'de,"l,o",Fort,Text'],
    ["de,hello,Guten Tag,Text", 'de,"a,b",Beistrich,Text', "de,gone,Wieder,Text",
     "fr,new,Nouveau,Texte", 'de,"l,o",Fort,Text'],
    ["de,hello,Servus,Text", 'de,"a,b",Strich,Text', "de,gone,Wieder,Text",
     "fr,new,Nouveau,Texte", 'de,"l,o",Fort,Text']]
SCHEMA = (
    "CREATE TABLE templates (zone varchar(9) NOT NULL, code varchar(40) NOT NULL, "
    "subject text NOT NULL, body text, PRIMARY KEY (zone, code));\n")
CATALOG = """{
  "engines": ["sqlite", "postgresql"],
  "tables": {"templates": {"source": "t.csv"}}
}
"""
EDITS = [
    "UPDATE templates SET subject = '<b>Moin</b>' WHERE code = 'hello'",
    "UPDATE templates SET subject = 'Mein' WHERE code = 'a,b'",
    "DELETE FROM templates WHERE code IN ('gone', 'l,o')",
    "UPDATE templates SET subject = 'Vieux' WHERE code = 'old'",
    "INSERT INTO templates VALUES ('fr', 'new', 'Le mien', NULL)"]
# As a login of the application's own would, which the tests have not.
SERVE = textwrap.dedent("""
    import sys, wsgiref.simple_server
    sys.path.insert(0, sys.argv[1])
    import screen
    def with_login(environ, start):
        environ["REMOTE_USER"] = environ.get("HTTP_X_TEST_USER", "")
        return screen.app(environ, start)
    wsgiref.simple_server.make_server("127.0.0.1", int(sys.argv[2]), with_login).serve_forever()
    """)


class Screen:
    name = "Screen"

    def version(self):
        return python_version("flask")

    def visits(self, tools, server, work):
        """One for each engine."""
        server.run("createdb", "screen")
        catalog = self.written(tools, work)
        urls = {"SQLite": f"sqlite:///{work}/app.sqlite", "PostgreSQL": server.url("screen")}
        return [
            Visit(engine, url, catalog, tools, server, work) for engine, url in urls.items()]

    def written(self, tools, work):
        folder = work / "Migrations"
        folder.mkdir()
        (folder / "catalog.json").write_text(CATALOG)
        (work / "schema.sql").write_text(SCHEMA)
        for number, rows in enumerate(RELEASES, 1):
            (folder / "t.csv").write_text("".join(row + "\n" for row in [HEADER, *rows]))
            words = ["seedbed", "make", f"release_{number}", "--allow-deletes"]
            more = ["--schema", work / "schema.sql"] if number == 1 else []
            tools.run([*words, *more], work, DATABASE_URL=None)
            if more:
                shutil.copy(
                    work / "schema.sql", folder / "0001_release_1" / "schema.postgresql.sql")
                tools.run(["seedbed", "lock"], work, DATABASE_URL=None)
        return folder


class Visit:
    """Administrators at the screen of one database."""

    def __init__(self, engine, url, catalog, tools, server, work):
        self.engine, self.url, self.catalog = engine, url, catalog
        self.tools, self.server, self.work = tools, server, work

    def sql(self, statement):
        if self.engine == "PostgreSQL":
            return self.server.sql("screen", statement)
        database = self.work / "app.sqlite"
        return self.tools.run(["sqlite3", database, statement], self.work).splitlines()

    def up(self, release):
        self.tools.run(
            ["seedbed", "up", "--to", release, "--no-backup"], self.work, DATABASE_URL=self.url)

    def subject(self, code):
        return self.sql(f"SELECT subject FROM templates WHERE code = '{code}'")

    def play(self):
        self.sql(SCHEMA)
        self.up(1)
        for edit in EDITS:
            self.sql(edit)
        self.up(2)
        self.port = free_port()
        process = self.tools.start(
            [VENV / "python", "-c", SERVE, PROJECTS, self.port], self.work, DATABASE_URL=self.url,
            MIGRATE_BACKUP_COMMAND=self.backup())
        try:
            self.strangers()
            self.look()
            if self.engine == "PostgreSQL":
                self.press_without_the_right()
            self.press()
            self.bring_back()
            self.press_late()
        finally:
            process.kill()
            process.communicate()

    def backup(self):
        """What a server needs before a row comes back."""
        return f"pg_dump '{self.url}' >backup" if self.engine == "PostgreSQL" else None

    def ask(self, method, user="ada", site="same-origin", code=200, page="conflicts", **form):
        end = time.monotonic() + LONG
        while True:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
                connection.request(
                    method, f"/{page}", urllib.parse.urlencode(form),
                    {"Content-Type": "application/x-www-form-urlencoded", "X-Test-User": user,
                     "Sec-Fetch-Site": site})
                break
            except ConnectionRefusedError:
                if time.monotonic() > end:
                    raise Wrong("the screen does not answer") from None
                time.sleep(0.1)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        if answer.status != code:
            raise Wrong(f"{method} {form} of {user} got {answer.status}, not {code}: {text}")
        return text

    def ids(self, page, code):
        """What the form of a row sends."""
        forms = [part for part in page.split("<form")[1:] if f"&#39;{code}&#39;" in part]
        if len(forms) != 1:
            raise Wrong(f"{len(forms)} forms of {code} in {page}")
        return html.unescape(re.search(r'name="row" value="([^"]+)"', forms[0])[1])

    def expect(self, what, found, wanted):
        if found != wanted:
            raise Wrong(f"{what}: {found}, not {wanted}")

    def strangers(self):
        self.ask("GET", user="eve", code=403)
        page = self.ask("GET")
        ids = self.ids(page, "hello")
        self.ask("POST", user="eve", code=403, row=ids, to="theirs")
        self.ask("POST", site="cross-site", code=403, row=ids, to="theirs")
        self.ask("POST", code=409, row="99 --help", to="theirs")
        self.ask("GET", user="eve", code=403, page="absent")
        row = self.ids(self.ask("GET", page="absent"), "l,o")
        self.ask("POST", site="cross-site", code=403, page="absent", row=row)
        self.ask("POST", code=409, page="absent", row='["templates", {"code": "hello"}]')
        self.expect("after strangers", self.subject("hello"), ["<b>Moin</b>"])

    def look(self):
        page = self.ask("GET")
        self.expect("rows", page.count("<form"), 5)
        for cells in (
                "<th>subject<td>Hallo\n<td>&lt;b&gt;Moin&lt;/b&gt;\n<td>Guten Tag",
                "<td>Weg\n<td>no row\n<td>Wieder",
                "<td>no row\n<td>Le mien\n<td>Nouveau", "<th>body<td>no row\n<td>NULL\n",
                "<td>Ancien\n<td>Vieux\n<td>no row"):
            if cells not in page:
                raise Wrong(f"there is no {cells!r} in {page}")
        if "<b>" in page:
            raise Wrong(f"a value is not escaped: {page}")
        self.expect("pins", page.count('value="pin"'), 2)

    def press(self):
        page = self.ask("GET")
        presses = [
            ("gone", "theirs", ["Wieder"]), ("new", "theirs", ["Nouveau"]),
            ("old", "mine", ["Vieux"]), ("a,b", "pin", ["Mein"])]
        for code, button, subject in presses:
            said = self.ask("POST", row=self.ids(page, code), to=button)
            if "Done." not in said:
                raise Wrong(f"{code}, {button}: {said}")
            self.expect(f"{code}, {button}", self.subject(code), subject)
        self.expect("rows afterwards", self.ask("GET").count("<form"), 1)

    def bring_back(self):
        """A row that no release touched since it was deleted is in no list of conflicts."""
        page = self.ask("GET", page="absent")
        self.expect("absent rows", page.count("<form"), 1)
        for words in ("deletedByUser", "&#39;subject&#39;: &#39;Fort&#39;"):
            if words not in page:
                raise Wrong(f"there is no {words!r} in {page}")
        row = self.ids(page, "l,o")
        others = "SELECT * FROM templates WHERE code <> 'l,o' ORDER BY zone, code"
        before = self.sql(others)
        said = self.ask("POST", page="absent", row=row)
        if "Done." not in said or "<form" in said:
            raise Wrong(f"a row that came back: {said}")
        self.expect("a row that came back", self.subject("l,o"), ["Fort"])
        self.expect("the other rows", self.sql(others), before)
        self.sql("UPDATE templates SET subject = 'Da' WHERE code = 'l,o'")
        self.ask("POST", code=409, page="absent", row=row)
        self.expect("an old page of absent rows", self.subject("l,o"), ["Da"])

    def press_without_the_right(self):
        """An application's role that may not create databases sees the list, and a remedy."""
        self.sql("CREATE ROLE desk LOGIN PASSWORD 'secret'")
        self.sql("GRANT ALL ON ALL TABLES IN SCHEMA public TO desk")
        url = self.url.replace(self.url[len("postgresql://"):self.url.index("@")], "desk:secret")
        said = self.tools.run(["seedbed", "conflicts"], self.work, DATABASE_URL=url)
        number = self.ids(self.ask("GET"), "hello")
        words = ["seedbed", "resolve", number, "--seed"]
        refused = self.tools.run(words, self.work, 2, DATABASE_URL=url)
        if "Guten Tag" not in said or "ALTER ROLE" not in refused:
            raise Wrong(f"without CREATEDB: {said}{refused}")

    def press_late(self):
        """The page was loaded, and then a release came, or a user wrote."""
        page = self.ask("GET")
        self.up(3)
        old = self.ids(page, "hello")
        said = self.ask("POST", code=409, row=old, to="theirs")
        if "other conflicts now" not in said:
            raise Wrong(f"an old page said {said}")
        self.expect("an old page", self.subject("hello"), ["<b>Moin</b>"])
        self.expect("a pinned row", self.subject("a,b"), ["Mein"])
        page = self.ask("GET")
        new = self.ids(page, "hello")
        self.expect("conflicts of one row", len(new.split()), 2)
        self.sql("UPDATE templates SET subject = 'Spät' WHERE code = 'hello'")
        said = self.ask("POST", row=new, to="theirs")
        if "the row changed since" not in said:
            raise Wrong(f"a row that changed since said {said}")
        self.expect("a row that changed since", self.subject("hello"), ["Spät"])
        self.sql("UPDATE templates SET subject = '<b>Moin</b>' WHERE code = 'hello'")
        self.ask("POST", row=new, to="theirs")
        self.expect("the newest", self.subject("hello"), ["Servus"])
