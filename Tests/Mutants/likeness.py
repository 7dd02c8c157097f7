"""Which suites speak of what a mutant changes, by the words that both use."""

import collections
import math
import pathlib
import re

WORD = re.compile(r"[A-Z]?[a-z]{3,}")
# The lines around a mutant that say what it is about.
AROUND = 8


def words(text):
    return collections.Counter(found.lower() for found in WORD.findall(text))


def words_of(site, root):
    """The words of a mutant, of the lines around it, and of its file's name."""
    lines = pathlib.Path(root, site.path).read_text(encoding="utf-8").splitlines()
    around = "\n".join(lines[max(site.line - AROUND, 0):site.line + AROUND])
    found = words(around)
    for text, weight in ((site.original, 3), (site.path.split("/")[-1], 2)):
        for word, count in words(text).items():
            found[word] += weight * count
    return found


def scores(query, texts):
    """For each text a number from 0 to 1: how many of the rare words it shares."""
    spread = collections.Counter(word for text in texts.values() for word in text)
    rare = {word: math.log((1 + len(texts)) / (1 + spread[word])) for word in query}
    total = math.sqrt(sum((count * rare[word]) ** 2 for word, count in query.items())) or 1

    def score(text):
        shared = sum(count * rare[word] ** 2 * math.log(1 + text[word]) for word, count in query.items())
        length = math.sqrt(sum(math.log(1 + count) ** 2 for count in text.values())) or 1
        return min(shared / total / length, 1)
    return {name: score(text) for name, text in texts.items()}
