"""The readable CSV from which Scripts/bench makes releases, the same on every machine.

A dictionary in the order of its words, which are the key: a number, one of six kinds, a frequency,
a meaning, which has commas, quotes or emoji in it now and then, and an example, which every ninth
word has none of and some have as an empty text.

  dictionary.py ROWS old PATH    as the first release has it
  dictionary.py ROWS new PATH    1 % of it changed: 0.6 % updated, 0.3 % new, 0.1 % gone
  dictionary.py ROWS all PATH    another frequency in every row
"""
import random
import sys

from rows import compress

HEADER = "word,number,kind,frequency,meaning,example\n"
TABLE = """\
CREATE TABLE words (
  word      TEXT PRIMARY KEY NOT NULL,
  number    INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  frequency REAL NOT NULL,
  meaning   TEXT NOT NULL,
  example   TEXT
);
"""
KINDS = ["noun", "verb", "adjective", "adverb", "name", "particle"]
EMOJI = ["🌱", "🐝", "🦊", "🌊", "👩‍🔬", "🇯🇵"]
UPDATED, INSERTED, DELETED = 0.006, 0.003, 0.001


class Dictionary:
    def __init__(self, rows):
        self.rolls = random.Random(11)
        letters = "abcdefghijklmnopqrstuvwxyzäé"
        self.parts = ["".join(self.rolls.choices(letters, k=self.rolls.randint(2, 9)))
                      for _ in range(5000)]
        # Words that come with the next release stand between those of the first.
        more = int(rows * INSERTED)
        words = {}
        while len(words) < rows + more:
            words["".join(self.rolls.choices(self.parts, k=2))] = None
        self.words = list(words)
        self.late = set(self.rolls.sample(self.words, more))
        self.words.sort()
        old = [word for word in self.words if word not in self.late]
        chosen = self.rolls.sample(old, int(rows * UPDATED) + int(rows * DELETED))
        self.updated = set(chosen[:int(rows * UPDATED)])
        self.deleted = set(chosen[int(rows * UPDATED):])

    def lines(self, release):
        for number, word in enumerate(self.words, 1):
            kind, frequency = self.rolls.choice(KINDS), self.rolls.randint(1, 10**7) / 1000
            meaning, example = self.meaning(number), self.example(number)
            if word in (self.deleted if release == "new" else self.late):
                continue
            if release == "all" or release == "new" and word in self.updated:
                if release == "all" or number % 2:
                    frequency += 0.5
                else:
                    example = f"{word}, as they say"
            yield ",".join([word, str(number), kind, f"{frequency:.3f}", field(meaning),
                            '""' if example == "" else field(example or "")]) + "\n"

    def text(self, least, most):
        return " ".join(self.rolls.choices(self.parts, k=self.rolls.randint(least, most)))

    def meaning(self, number):
        text = self.text(4, 14)
        if number % 7 == 0:
            text += f', "{self.rolls.choice(self.parts)}"'
        return text + f" {self.rolls.choice(EMOJI)}" if number % 10 == 0 else text

    def example(self, number):
        text = self.text(2, 6)
        if number % 9 == 0:
            return None
        return "" if number % 101 == 0 else text


def field(text):
    if any(sign in text for sign in ',"\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def write(path, rows, release):
    compress(path, HEADER, Dictionary(rows).lines(release))


if __name__ == "__main__":
    write(sys.argv[3], int(sys.argv[1]), sys.argv[2])
