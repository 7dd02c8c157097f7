"""Three editions of a dictionary, its users, and what they find at the end.

Each step is a process of its own, for the memory of `story` would count for the tools that it
starts.

  editions.py make ROWS FOLDER             writes the editions and what users will do
  editions.py fill EDITION DATABASE        makes the tables, and fills them, or with '' leaves them
  editions.py use NUMBER FOLDER DATABASE   users edit what they have after this edition
  editions.py count DATABASE               from now on, triggers count the rows that are written
  editions.py written DATABASE             how many they were
  editions.py state DATABASE               a digest of all rows, without their ids
  editions.py look FOLDER DATABASE         what is left of users' work, and what arrived, as JSON
"""
import csv
import hashlib
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "story"))
from files import TABLES, connect, records, schema  # noqa: E402

KINDS = ["noun", "verb", "adjective", "adverb"]
# The app gives users' rows ids from here on, so no tool mistakes one for another.
USERS = 1_000_000_000
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Dictionary:
    """The rows of an edition, and what users of it are going to do."""

    def __init__(self, rows):
        self.rolls = random.Random(50)
        self.words, self.senses = {}, {}
        self.last = {"words": 0, "senses": 0}
        self.plan = {"edits": [], "deletions": [], "own": [], "corrections": [], "retired": [],
                     "added": []}
        # Rows of which a release or a user already disposes are not drawn again.
        self.free = []
        for _ in range(rows * 2 // 5):
            self.add_word()
        for number in range(rows - len(self.words) - len(self.senses)):
            self.add_sense(number + 1, 2)

    def text(self, words):
        return " ".join("".join(self.rolls.choices(LETTERS, k=self.rolls.randint(2, 9)))
                        for _ in range(words))

    def add_word(self):
        self.last["words"] += 1
        key, word = self.last["words"], self.text(1)
        self.words[key] = [f"{word}-{key}", word, self.rolls.choice(KINDS),
                           self.rolls.randint(1, 99_999)]
        self.free.append(key)
        self.add_sense(key, 1)
        return key

    def add_sense(self, word, position):
        self.last["senses"] += 1
        self.senses[self.last["senses"]] = [word, position, self.text(6), self.text(9)]
        return self.last["senses"]

    def draw(self, count):
        """Words that nothing has happened to."""
        return [self.free.pop(self.rolls.randrange(len(self.free))) for _ in range(count)]

    def first_senses(self):
        return {sense[0]: key for key, sense in self.senses.items() if sense[1] == 1}

    def name(self, table, key):
        """The row as it is called whatever ids it gets: by its slug, and by its position."""
        if table == "words":
            return [self.words[key][0]]
        return [self.words[self.senses[key][0]][0], self.senses[key][1]]

    def next_edition(self, number, rows):
        """Draws what users do before it, and what it does."""
        size = max(rows // 100, 150)
        corrected, other, retired = self.draw(size), self.draw(60), self.draw(max(size // 5, 30))
        sense_of = self.first_senses()
        senses = [sense_of[key] for key in self.draw(size)]
        self.use(number, corrected, senses, other, retired)
        edited = {json.dumps(edit["row"] + [edit["column"]]) for edit in self.plan["edits"]}
        deleted = {edit["row"][0] for edit in self.plan["deletions"]}
        for table, keys, columns in [("words", corrected, ["word", "rank"]),
                                     ("senses", senses, ["text"])]:
            for key in keys:
                row = self.name(table, key)
                for column in columns:
                    cells, place = getattr(self, table)[key], TABLES[table].index(column) - 1
                    # Never what is there already.
                    cells[place] = value = (
                        self.text(2) if column != "rank" else cells[place] % 99_999 + 1)
                    if json.dumps(row + [column]) not in edited and row[0] not in deleted:
                        self.plan["corrections"].append(
                            {"table": table, "row": row, "column": column, "value": value})
        for key in retired:
            if key not in self.used:
                self.plan["retired"].append(self.name("words", key))
            del self.words[key]
        self.senses = {key: row for key, row in self.senses.items() if row[0] in self.words}
        for _ in range(max(size // 2, 20)):
            self.plan["added"].append(self.name("words", self.add_word()))
            self.free.pop()
        # Some of them belong to words that users deleted.
        for key in corrected[-30:]:
            self.add_sense(key, 3)

    def use(self, number, corrected, senses, other, retired):
        """A half of all edits: 100, with 25 deletions and 10 rows of users' own."""
        def edit(table, key, column, value):
            self.plan["edits"].append({"after": number, "table": table, "column": column,
                                       "row": self.name(table, key), "value": value})

        for key in corrected[:40]:
            edit("words", key, "word", f"mine {key}")
        for key in corrected[40:60]:
            edit("words", key, "kind", "mine")
        for key in senses[:20]:
            edit("senses", key, "text", f"mine {key}")
        for key in other[:10]:
            edit("words", key, "rank", 100_000 + key)
        for key in retired[:10]:
            edit("words", key, "word", f"mine {key}")
        for key in other[10:20] + corrected[-10:]:
            self.plan["deletions"].append(
                {"after": number, "table": "words", "row": self.name("words", key)})
        for key in senses[20:25]:
            self.plan["deletions"].append(
                {"after": number, "table": "senses", "row": self.name("senses", key)})
        # Words of their own, and senses that they add to the dictionary's words.
        self.used = retired[:10] + retired[10:12]
        for place in range(4):
            word = [f"mine-{number}-{place}", "mine", "mine", 1]
            self.plan["own"].append(
                {"after": number, "table": "words", "row": word[:1], "values": word})
        for key in other[20:22] + corrected[60:62] + retired[10:12]:
            self.plan["own"].append({
                "after": number, "table": "senses", "row": [self.words[key][0], 100],
                "values": [key, 100, "mine", "mine"]})

    def write(self, folder):
        folder.mkdir(parents=True)
        for table, columns in TABLES.items():
            with open(folder / f"{table}.csv", "w", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(columns)
                writer.writerows([key, *row] for key, row in getattr(self, table).items())


def make(rows, folder):
    folder = pathlib.Path(folder)
    dictionary = Dictionary(int(rows))
    dictionary.write(folder / "1")
    for number in (1, 2):
        dictionary.next_edition(number, int(rows))
        dictionary.write(folder / str(number + 1))
    (folder / "plan.json").write_text(json.dumps(dictionary.plan))


def fill(edition, database):
    with connect(database) as connection:
        for statement in schema(connection.engine).split(";")[:-1]:
            connection.execute(statement)
        for table, columns in TABLES.items() if edition else []:
            connection.insert(table, columns, (row.values() for row in records(edition, table)))
            connection.continue_ids(table)


FIND = {"words": "slug = ?",
        "senses": "word_id = (SELECT id FROM words WHERE slug = ?) AND position = ?"}


def plan_of(folder):
    return json.loads((pathlib.Path(folder) / "plan.json").read_text())


def use(number, folder, database):
    plan, number = plan_of(folder), int(number)
    with connect(database) as connection:
        for edit in plan["edits"]:
            if edit["after"] == number:
                changed = connection.execute(
                    f"UPDATE {edit['table']} SET {edit['column']} = ? WHERE {FIND[edit['table']]}",
                    [edit["value"], *edit["row"]])
                # What an earlier edition lost, nobody can edit.
                assert changed.rowcount == 1 or number > 1, edit
        for row in plan["deletions"]:
            if row["after"] == number:
                connection.execute(
                    f"DELETE FROM {row['table']} WHERE {FIND[row['table']]}", row["row"])
        for row in plan["own"]:
            if row["after"] == number:
                last = connection.execute(f"SELECT max(id) FROM {row['table']}").fetchone()[0]
                values = [max(last + 1, USERS), *row["values"]]
                if row["table"] == "senses":
                    # The word may have another id here.
                    values[1] = connection.execute(
                        "SELECT id FROM words WHERE slug = ?", row["row"][:1]).fetchone()[0]
                connection.insert(row["table"], TABLES[row["table"]], [values])
        for table in TABLES:
            connection.continue_ids(table)


def count(database):
    with connect(database) as connection:
        connection.count()


def written(database):
    with connect(database) as connection:
        print(connection.written())


def state(database):
    with connect(database) as connection:
        digest = hashlib.sha256()
        for sql in ("SELECT slug || '|' || word || '|' || kind || '|' || rank FROM words "
                    "ORDER BY slug",
                    "SELECT slug || '|' || position || '|' || text || '|' || example "
                    "FROM senses JOIN words ON words.id = word_id ORDER BY slug, position"):
            rows = connection.execute(sql)
            while some := rows.fetchmany(10_000):
                digest.update("\n".join(text for text, in some).encode())
        print(digest.hexdigest())


def look(folder, database):
    plan = plan_of(folder)
    with connect(database) as connection:
        def value(table, row, column):
            found = connection.execute(
                f"SELECT {column} FROM {table} WHERE {FIND[table]}", row).fetchone()
            return found and found[0]

        def is_there(table, row):
            return value(table, row, "id") is not None

        def kept(what):
            found = [value(each["table"], each["row"], each["column"]) == each["value"]
                     for each in plan[what]]
            return [sum(found), len(found)]

        rows = {
            "deletions": [not is_there(each["table"], each["row"]) for each in plan["deletions"]],
            "own": [is_there(each["table"], each["row"]) for each in plan["own"]],
            "added": [is_there("words", row) for row in plan["added"]],
            "retired": [not is_there("words", row) for row in plan["retired"]]}
        found = {"edits": kept("edits"), "corrections": kept("corrections"),
                 **{name: [sum(found), len(found)] for name, found in rows.items()}}
        found["broken"] = connection.broken_references()
    print(json.dumps(found))


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
