"""Three editions of a dictionary, its users, and what they find at the end.

Each step is a process of its own, for the memory of `story` would count for the tools that it
starts. With `each`, ten organizations have a copy of the dictionary in the same tables.

  editions.py make ROWS FOLDER [each]      writes the editions and what users will do
  editions.py fill NUMBER FOLDER DATABASE  makes the tables, and fills them, or with '' leaves them
  editions.py join NUMBER FOLDER DATABASE  adds and prints who signs up after this edition
  editions.py use NUMBER FOLDER DATABASE   users edit what they have after this edition
  editions.py count DATABASE               from now on, triggers count the rows that are written
  editions.py written DATABASE             how many they were
  editions.py state FOLDER DATABASE        a digest of all rows, without their ids
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
# The organizations that sign up after each edition.
SIGN_UPS = {1: [1, 2, 3, 4], 2: [5, 6, 7], 3: [8, 9, 10]}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Dictionary:
    """The rows of an edition, and what users of it are going to do."""

    def __init__(self, rows, for_each):
        self.rolls = random.Random(50)
        self.words, self.senses = {}, {}
        self.last = {"words": 0, "senses": 0}
        self.plan = {"edits": [], "deletions": [], "own": [], "corrections": [], "retired": [],
                     "added": [], "sign_ups": SIGN_UPS if for_each else {},
                     "key": ["organization_id", "slug"] if for_each else ["slug"]}
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

    def name(self, table, key, owner=()):
        """The row as it is called whatever ids it gets: by its slug, and by its position."""
        if table == "words":
            return [*owner, self.words[key][0]]
        return [*owner, self.words[self.senses[key][0]][0], self.senses[key][1]]

    def next_edition(self, number, rows):
        """Draws what users do before it, and what it does."""
        size = max(rows // 100, 150)
        corrected, other, retired = self.draw(size), self.draw(60), self.draw(max(size // 5, 30))
        sense_of = {sense[0]: key for key, sense in self.senses.items() if sense[1] == 1}
        senses = [sense_of[key] for key in self.draw(size)]
        owners = [[owner] for edition in range(1, number + 1)
                  for owner in self.plan["sign_ups"].get(edition, [])] or [[]]
        for owner in owners:
            used = self.use(number, owner, corrected, senses, other, retired)
            self.plan["retired"] += [
                self.name("words", key, owner) for key in retired if key not in used]
        edited = {json.dumps(edit["row"] + [edit["column"]]) for edit in self.plan["edits"]}
        key_size = len(self.plan["key"])
        deleted = {tuple(edit["row"][:key_size]) for edit in self.plan["deletions"]}
        for table, keys, columns in [("words", corrected, ["word", "rank"]),
                                     ("senses", senses, ["text"])]:
            for key in keys:
                for column in columns:
                    cells, place = getattr(self, table)[key], TABLES[table].index(column) - 1
                    # Never what is there already.
                    cells[place] = value = (
                        self.text(2) if column != "rank" else cells[place] % 99_999 + 1)
                    for row in (self.name(table, key, owner) for owner in owners):
                        if (json.dumps(row + [column]) not in edited
                                and tuple(row[:key_size]) not in deleted):
                            self.plan["corrections"].append(
                                {"table": table, "row": row, "column": column, "value": value})
        for key in retired:
            del self.words[key]
        self.senses = {key: row for key, row in self.senses.items() if row[0] in self.words}
        for _ in range(max(size // 2, 20)):
            word = self.add_word()
            self.plan["added"] += [self.name("words", word, owner) for owner in owners]
            self.free.pop()
        # Some of them belong to words that users deleted.
        for key in corrected[-30:]:
            self.add_sense(key, 3)

    def use(self, number, owner, corrected, senses, other, retired):
        """A half of all edits: 100, with 25 deletions and 10 rows of users' own."""
        def edit(table, key, column, value):
            self.plan["edits"].append({"after": number, "table": table, "column": column,
                                       "row": self.name(table, key, owner), "value": value})

        if owner:
            # Each organization chooses by itself.
            corrected, senses, other, retired = (
                self.rolls.sample(keys, len(keys)) for keys in (corrected, senses, other, retired))

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
        deleted = {"words": other[10:20] + corrected[-10:], "senses": senses[20:25]}
        self.plan["deletions"] += [
            {"after": number, "table": table, "row": self.name(table, key, owner)}
            for table, keys in deleted.items() for key in keys]
        # Words of their own, and senses that they add to the dictionary's words.
        for place in range(4):
            word = [f"mine-{number}-{place}", "mine", "mine", 1]
            self.plan["own"].append(
                {"after": number, "table": "words", "row": [*owner, word[0]], "values": word})
        for key in other[20:22] + corrected[60:62] + retired[10:12]:
            self.plan["own"].append({
                "after": number, "table": "senses", "row": [*self.name("words", key, owner), 100],
                "values": [key, 100, "mine", "mine"]})
        return retired[:12]  # In these a user has a part.

    def write(self, folder):
        folder.mkdir(parents=True)
        for table, columns in TABLES.items():
            rows = ([key, *row] for key, row in getattr(self, table).items())
            if self.plan["sign_ups"]:
                # A sense names its word, which has another id for each organization.
                columns = ["slug", *columns[2:]]
                rows = ([self.name(table, row[0])[0], *row[2:]] for row in rows)
            with open(folder / f"{table}.csv", "w", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(columns)
                writer.writerows(rows)


def make(rows, folder, for_each=""):
    folder = pathlib.Path(folder)
    dictionary = Dictionary(int(rows), for_each)
    dictionary.write(folder / "1")
    for number in (1, 2):
        dictionary.next_edition(number, int(rows))
        dictionary.write(folder / str(number + 1))
    (folder / "plan.json").write_text(json.dumps(dictionary.plan))


def plan_of(folder):
    return json.loads((pathlib.Path(folder) / "plan.json").read_text())


def fill(edition, folder, database):
    with connect(database) as connection:
        for statement in schema(connection.engine, plan_of(folder)["sign_ups"]).split(";")[:-1]:
            connection.execute(statement)
        for table, columns in TABLES.items() if edition else []:
            rows = records(f"{folder}/{edition}", table)
            connection.insert(table, columns, (row.values() for row in rows))
            connection.continue_ids(table)


def join(number, folder, database):
    ids = plan_of(folder)["sign_ups"].get(number, [])
    with connect(database) as connection:
        connection.insert("organizations", ["id", "name"], ([key, "new"] for key in ids))
    print(*ids)


def finds(plan):
    """The row with these values, for each table."""
    where = " AND ".join(f"{column} = ?" for column in plan["key"])
    return {"words": where,
            "senses": f"word_id = (SELECT id FROM words WHERE {where}) AND position = ?"}


def use(number, folder, database):
    plan, number = plan_of(folder), int(number)
    find, owner = finds(plan), plan["key"][:-1]
    with connect(database) as connection:
        for edit in plan["edits"]:
            if edit["after"] == number:
                changed = connection.execute(
                    f"UPDATE {edit['table']} SET {edit['column']} = ? WHERE {find[edit['table']]}",
                    [edit["value"], *edit["row"]])
                # What an earlier edition lost, nobody can edit.
                assert changed.rowcount == 1 or number > 1, edit
        for row in plan["deletions"]:
            if row["after"] == number:
                connection.execute(
                    f"DELETE FROM {row['table']} WHERE {find[row['table']]}", row["row"])
        for row in plan["own"]:
            if row["after"] == number:
                last = connection.execute(f"SELECT max(id) FROM {row['table']}").fetchone()[0]
                columns, values = TABLES[row["table"]], [max(last + 1, USERS), *row["values"]]
                if row["table"] == "senses":
                    # The word may have another id here.
                    word = f"SELECT id FROM words WHERE {find['words']}"
                    values[1] = connection.execute(word, row["row"][:-1]).fetchone()[0]
                else:
                    columns, values = columns + owner, values + row["row"][:-1]
                connection.insert(row["table"], columns, [values])
        for table in TABLES:
            connection.continue_ids(table)


def count(database):
    with connect(database) as connection:
        connection.count()


def written(database):
    with connect(database) as connection:
        print(connection.written())


def texts(plan, connection):
    """All rows, without their ids."""
    key, order = " || '|' || ".join(plan["key"]), ", ".join(plan["key"])
    for sql in (f"SELECT {key} || '|' || word || '|' || kind || '|' || rank FROM words "
                f"ORDER BY {order}",
                f"SELECT {key} || '|' || position || '|' || text || '|' || example "
                f"FROM senses JOIN words ON words.id = word_id ORDER BY {order}, position"):
        rows = connection.execute(sql)
        while some := rows.fetchmany(10_000):
            yield [text for text, in some]


def state(folder, database):
    with connect(database) as connection:
        digest = hashlib.sha256()
        for some in texts(plan_of(folder), connection):
            digest.update("\n".join(some).encode())
        print(digest.hexdigest())


def look(folder, database):
    plan = plan_of(folder)
    find = finds(plan)
    with connect(database) as connection:
        def value(table, row, column):
            found = connection.execute(
                f"SELECT {column} FROM {table} WHERE {find[table]}", row).fetchone()
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
        if plan["sign_ups"]:
            newest = {f"{owner}|{'|'.join(row.values())}" for owner in plan["sign_ups"]["3"]
                      for table in TABLES for row in records(f"{folder}/3", table)}
            there = sum(len(newest.intersection(some)) for some in texts(plan, connection))
            found["newest"] = [there, len(newest)]
        found["broken"] = connection.broken_references()
    print(json.dumps(found))


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
