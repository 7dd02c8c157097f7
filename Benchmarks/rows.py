"""The rows that Scripts/bench loads, the same for the same number on every machine.

Six columns as in an encyclopedia of games: an integer key, a name, one of eight types, an integer
that is sometimes NULL, a real, and 4 to 14 words, every seventh time in quotes with quotes in it.
"""
import gzip
import random
import sys

HEADER = "id,name,type,power,accuracy,description\n"
TABLE = """\
CREATE TABLE IF NOT EXISTS moves (
  id          INTEGER PRIMARY KEY,
  name        TEXT NOT NULL,
  type        TEXT NOT NULL,
  power       INTEGER,
  accuracy    REAL NOT NULL,
  description TEXT
);
"""
TYPES = ["normal", "fire", "water", "grass", "electric", "ice", "rock", "ghost"]


def lines(first, last):
    """The CSV records with the keys from `first` to `last`, each with its line's end."""
    rolls = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(rolls.choices(letters, k=rolls.randint(2, 9))) for _ in range(5000)]
    for key in range(first, last + 1):
        name = f"{rolls.choice(words)}-{key}"
        power = "" if key % 11 == 0 else rolls.randint(1, 250)
        text = " ".join(rolls.choices(words, k=rolls.randint(4, 14)))
        if key % 7 == 0:
            text = f'"{text}, ""{rolls.choice(words)}"""'
        yield f"{key},{name},{rolls.choice(TYPES)},{power},{rolls.random() * 100:.2f},{text}\n"


def write(path, first, last):
    """Writes a compressed CSV file."""
    compress(path, HEADER, lines(first, last))


def compress(path, header, lines):
    # Without a time in its header the file is the same each time.
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
        batch = [header]
        for line in lines:
            batch.append(line)
            if len(batch) == 10_000:
                file.write("".join(batch).encode())
                batch.clear()
        file.write("".join(batch).encode())


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
