"""The releases of the story."""
import gzip

ROWS = 200_000


def write_catalog(folder):
    """Three releases of a table of words. The last is long enough to be killed in."""
    for name in ("0001_words", "0002_notes", "0003_more"):
        (folder / name).mkdir(parents=True)
    (folder / "0001_words" / "up.sql").write_text(
        "CREATE TABLE words (\n"
        "    id    INTEGER PRIMARY KEY,\n"
        "    lemma TEXT NOT NULL UNIQUE,\n"
        "    note  TEXT\n"
        ");\n")
    (folder / "0001_words" / "down.sql").write_text("DROP TABLE words;\n")
    write(folder / "0001_words" / "words.csv.gz", "id,lemma,note", (
        f"{number},{lemma(number)},first" for number in range(1, 101)))
    write(folder / "0002_notes" / "words.update.csv.gz", "id,note,was:note", (
        f"{number},second,first" for number in (7, 8, 9)))
    write(folder / "0002_notes" / "words.delete.csv.gz", "id,lemma,note", (
        f"{number},{lemma(number)},first" for number in (10,)))
    write(folder / "0003_more" / "words.csv.gz", "id,lemma,note", (
        f"{number},{lemma(number)},third" for number in range(101, 101 + ROWS)))


def lemma(number):
    # Without order, so that the index is written all over, as by real words.
    return f"{number * 2654435761 % (1 << 32):08x}-{number}"


def write(path, header, lines):
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        file.write("".join(line + "\n" for line in (header, *lines)).encode())
