"""A pack is added by `up`, brought up to date by that of its base, and removed by `down` to 0."""

import os
import pathlib

import seedbed
from support import Case


def write(folder, files):
    for name, text in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Packs(Case):
    def setUp(self):
        super().setUp()
        write("base", {
            "1_topics/up.sql": """
                CREATE TABLE topics (code TEXT PRIMARY KEY NOT NULL);
                CREATE TABLE words (word TEXT PRIMARY KEY NOT NULL, topic TEXT REFERENCES topics);
                CREATE INDEX words_of_a_topic ON words (topic);""",
            "1_topics/topics.csv": "code\nsea\n"})
        write("de", {
            "catalog.json": '{"name": "de", "requires": {"base": 1}}',
            "1_words/words.csv": "word,topic\nWelle,sea\nEbbe,sea\n"})

    def words(self):
        return [row[0] for row in self.sql("app.sqlite", "SELECT word FROM words ORDER BY word")]

    def test_all_of_it(self):
        error = self.refused(seedbed.up, "app.sqlite", "de")
        self.assertIn("needs release 1 of the base", str(error))
        self.assertFalse(os.path.exists("app.sqlite"))
        self.assertEqual(seedbed.up("app.sqlite", "base").packs, ())
        self.assertEqual(seedbed.up("app.sqlite", "de").to_version, 1)
        self.sql("app.sqlite", "DELETE FROM words WHERE word = 'Ebbe'")
        write("de", {"2_more/words.csv": "word,topic\nFlut,sea\n"})
        status = seedbed.status("app.sqlite", "base", beside="de")
        self.assertEqual(status.state, "pending")
        self.assertEqual(status.packs, (
            {"name": "de", "version": 1, "target": 2, "needs": 1, "state": "added"},))
        report = seedbed.up("app.sqlite", "base", beside=["de"])
        self.assertEqual((report.outcome, report.touched_tables), ("applied", ("words",)))
        self.assertEqual([pack["name"] for pack in report.packs], ["de"])
        self.assertEqual(report.packs[0]["report"]["to"], 2)
        absent = seedbed.absent("app.sqlite", "de", beside="base")
        self.assertEqual([row.key["word"] for row in absent], ["Ebbe"])
        seedbed.down("app.sqlite", "de", to=0)
        self.assertEqual(self.words(), [])
        self.assertEqual(seedbed.up("app.sqlite", "base", beside="de").packs, ())
        self.assertEqual(seedbed.status("app.sqlite", "base").packs[0]["state"], "removed")
        seedbed.up("app.sqlite", "de")
        self.assertEqual(self.words(), ["Flut", "Welle"])
