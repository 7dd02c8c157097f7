"""Where a mutant can be made in a file, and how the file looks with both: the program and the mutant.

A site is one place of one kind:

    condition   a clause of if, guard, while, &&, || or a ternary is turned
    comparison  < becomes <=, == becomes !=, and the other way round
    call        a statement that only calls something, or adds to something, is left out
    sql         a condition in a string of SQL becomes one that is always or never met
"""

import hashlib
import pathlib
import re

import tokens as swift
from sql import shortened_sql

AREAS = {
    "Merge": "Sources/Seedbed/Merge", "Apply": "Sources/Seedbed/Apply",
    "Beside": "Sources/Seedbed/Beside", "Ledger": "Sources/Seedbed/Ledger",
    "Backup": "Sources/Seedbed/Backup", "OverTheAir": "Sources/SeedbedOverTheAir",
}
SHIFTED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
# What an expression cannot go past, to either side.
STOPS = frozenset("= += -= *= -> return in where if guard while else case let var throw , ; :".split())
KEYWORDS = frozenset("""let var if for while guard switch return throw defer do func case default break continue
    import private public package internal fileprivate static final struct class enum extension init deinit
    else catch repeat in where typealias protocol mutating lazy override convenience self super indirect
    nonisolated actor subscript get set @ # as is""".split())
# Calls that nothing depends on by design; `reached` is where tests look in.
CHECKS = {"assert", "assertionFailure", "fatalError", "withExtendedLifetime", "reached"}


class Site:
    """One mutant: in place of the text from start to end, `changed`."""

    def __init__(self, path, kind, text, start, end, changed):
        self.path, self.kind, self.start, self.end = path, kind, start, end
        self.original, self.changed = text[start:end], changed
        self.line = text.count("\n", 0, start) + 1
        self.identifier, self.hash = "", 0

    @property
    def area(self):
        return next(name for name, folder in AREAS.items() if self.path.startswith(folder + "/"))

    def name(self, number):
        """The same wherever the file changes but here: `number` counts equal ones in a file."""
        key = "\0".join([self.path, self.kind, self.original, self.changed, str(number)])
        digest = hashlib.sha256(key.encode()).hexdigest()
        self.identifier, self.hash = digest[:6], int(digest[6:14], 16) / 0x1_0000_0000

    def planted(self, number):
        """Both programs, of which a number chooses one at run time."""
        if self.kind == "condition":
            return f"Mutant.turn({number}, {self.original})"
        if self.kind == "call":
            return f"if !Mutant.isOn({number}) {{ {self.original} }}"
        return f"(Mutant.isOn({number}) ? {self.changed} : {self.original})"


class Finder:
    """Finds the sites in a list of tokens: those of a file, or those of an interpolation."""

    def __init__(self, path, text, found, sites):
        self.path, self.text, self.tokens, self.sites = path, text, found, sites
        # The braces that begin what a statement does, and no closure.
        self.bodies = set()
        # The word in `for … in`, which no statement follows.
        self.loops = set()

    def find(self):
        for index, token in enumerate(self.tokens):
            if token.text in ("if", "guard", "while", "for", "switch", "catch"):
                self.header(index)
            elif token.text in ("else", "do", "defer", "repeat"):
                self.bodies.add(index + 1)
        for index, token in enumerate(self.tokens):
            if token.kind == "string":
                self.string(token)
            elif token.kind == "operator" and token.is_binary(self.text):
                self.operator(index)
            if self.begins_statement(index):
                self.call(index)

    def add(self, kind, start, end, changed):
        self.sites.append(Site(self.path, kind, self.text, start, end, changed))

    # Conditions

    def header(self, index):
        """The clauses of a statement: what is between the word and its body."""
        word, at, begin = self.tokens[index].text, index + 1, index + 1
        if self.tokens[index - 1].text == "." or at >= len(self.tokens):
            return
        is_after_body = word == "while" and index > 0 and self.tokens[index - 1].text == "}"
        clauses = []
        while at < len(self.tokens):
            token = self.tokens[at]
            if word == "for" and token.text == "in":
                self.loops.add(at)
            is_over = swift.ends_statement(self.tokens[at - 1], token) if is_after_body else (
                token.text == ("else" if word == "guard" else "{"))
            if is_over or token.text == ",":
                clauses.append((begin, at))
                begin = at + 1
            if is_over or token.text in swift.CLOSING:
                break
            at = token.partner + 1 if token.text in swift.OPENING else at + 1
        if not is_after_body:
            self.bodies.add(at + (word == "guard"))
        if word in ("if", "guard", "while"):
            for begin, end in clauses:
                self.clause(begin, end)

    def clause(self, begin, end):
        if begin >= end or self.tokens[begin].text in ("let", "var", "case") or (
                self.tokens[begin].text.startswith("#")):
            return
        if not any(token.text in ("&&", "||") for token in self.level(begin, end)):
            self.turn(begin, end)

    def level(self, begin, end):
        """The tokens that are in no bracket."""
        while begin < end:
            token = self.tokens[begin]
            yield token
            begin = token.partner + 1 if token.text in swift.OPENING else begin + 1

    def is_plain_try(self, index):
        """Whether this is `try`, and neither `try?` nor `try!`."""
        token = self.tokens[index]
        return token.text == "try" and self.tokens[index + 1].start > token.end

    def turn(self, begin, end):
        # What `try` covers goes on to the right, and so it stays outside.
        while begin < end and self.is_plain_try(begin):
            begin += 1
        if begin >= end or self.tokens[begin].text == "try":
            return
        start, stop = self.tokens[begin].start, self.tokens[end - 1].end
        original = self.text[start:stop]
        is_word = re.fullmatch(r"[\w.]+(\([^()]*\))?", original)
        self.add("condition", start, stop, "!" + original if is_word else f"!({original})")

    # Operators

    def operator(self, index):
        token = self.tokens[index]
        if token.text in ("&&", "||"):
            begin, end = self.left(index, {"&&", "||", "?"}), self.right(index, {"&&", "||", "?"})
            if self.tokens[begin - 1].text not in ("&&", "||"):
                self.turn(begin, index)
            self.turn(index + 1, end)
        elif token.text == "?":
            begin = self.left(index, set())
            if not any(each.text in ("&&", "||") for each in self.level(begin, index)):
                self.turn(begin, index)
        elif token.text in SHIFTED:
            self.comparison(index)

    def comparison(self, index):
        begin, end = self.left(index, {"&&", "||", "?"}), self.right(index, {"&&", "||", "?"})
        while self.is_plain_try(begin):
            begin += 1
        if begin >= index or end <= index + 1 or self.tokens[begin].text == "try":
            return
        token, start, stop = self.tokens[index], self.tokens[begin].start, self.tokens[end - 1].end
        changed = self.text[start:token.start] + SHIFTED[token.text] + self.text[token.end:stop]
        self.add("comparison", start, stop, changed)

    def left(self, index, stops):
        """Where the operand begins that ends before an operator."""
        at = index
        while at > 0:
            token = self.tokens[at - 1]
            if self.is_stop(token, stops) or token.text in swift.OPENING or (
                    at < index and swift.ends_statement(token, self.tokens[at])):
                return at
            at = token.partner if token.text in swift.CLOSING else at - 1
        return at

    def right(self, index, stops):
        """Where the operand ends that begins behind an operator."""
        at = index + 1
        while at < len(self.tokens):
            token = self.tokens[at]
            if self.is_stop(token, stops) or token.text in swift.CLOSING or at in self.bodies or (
                    at > index + 1 and swift.ends_statement(self.tokens[at - 1], token)):
                return at
            at = token.partner + 1 if token.text in swift.OPENING else at + 1
        return at

    def is_stop(self, token, stops):
        if token.text == "?" and not token.is_binary(self.text):
            return False
        return token.text in STOPS or token.text in stops

    # Calls

    def begins_statement(self, index):
        if index == 0:
            return False
        before, token = self.tokens[index - 1], self.tokens[index]
        if before.text in ("{", "in"):
            end = self.end(index)
            # A closure or a function of one expression gives its value.
            if end < len(self.tokens) and self.tokens[end].text == "}" and index - 1 not in self.bodies:
                return before.text == "{" and self.tokens[index - 2].text in (")", "throws")
            return index - 1 not in self.loops
        return before.text == ";" or token.is_first and before.text != ":" and (
            swift.ends_statement(before, token)) or before.text == ":" and self.is_case(index - 1)

    def is_case(self, index):
        """Whether a colon ends a label of a switch."""
        begin = index
        while begin > 0 and not swift.ends_statement(self.tokens[begin - 1], self.tokens[begin]):
            begin -= 1
            if self.tokens[begin].text in ("case", "default"):
                return True
        return False

    def end(self, index):
        at = index
        while at < len(self.tokens) and self.tokens[at].text not in swift.CLOSING:
            if at > index and swift.ends_statement(self.tokens[at - 1], self.tokens[at]):
                break
            at = self.tokens[at].partner + 1 if self.tokens[at].text in swift.OPENING else at + 1
        return at

    def call(self, index):
        first = index + (self.tokens[index].text == "try")
        end = self.end(index)
        level = list(self.level(first, end))
        if not level or level[0].kind != "word" or level[0].text in KEYWORDS or level[0].text[0] in "@#":
            return
        if any(token.text in CHECKS for token in level):
            return
        adds = [token for token in level if token.text in ("+=", "-=")]
        plain = all(token.kind == "word" and token.text not in KEYWORDS or token.text in (".", "(", "[", "{", "?", "!") for token in level)
        calls = plain and self.tokens[end - 1].text in (")", "}") and any(token.text == "(" for token in level)
        if not calls and not adds:
            return
        if level[0].text[0].isupper() and "." not in [token.text for token in level]:
            return
        self.add("call", self.tokens[index].start, self.tokens[end - 1].end, "")

    # Strings

    def string(self, token):
        for inner in token.inner:
            Finder(self.path, self.text, inner, self.sites).find()
        for changed in shortened_sql(token.text):
            self.add("sql", token.start, token.end, changed)


def sites_of(path, text):
    """All sites of a file, each with its name."""
    found = []
    cleaned = swift.without(text)
    all_tokens, _ = swift.tokens(cleaned)
    Finder(path, cleaned, all_tokens, found).find()
    found.sort(key=lambda site: (site.start, site.end, site.kind, site.changed))
    turned = {(site.start, site.end) for site in found if site.kind == "condition"}
    counts, kept = {}, []
    for site in found:
        # To turn `a == b` and to write `a != b` is the same.
        is_twin = site.kind == "comparison" and (site.start, site.end) in turned and (
            re.search(r" [=!]= ", site.original) is not None)
        key = (site.kind, site.original, site.changed)
        if not is_twin:
            counts[key] = counts.get(key, 0) + 1
            site.name(counts[key])
            kept.append(site)
    return kept


def chosen(found):
    """One site of each kind in each file, which no change of another place exchanges, and none that
    overlaps another one."""
    best = {}
    for site in sorted(found, key=lambda site: site.hash):
        taken = [each for key, each in best.items() if key[0] == site.path]
        if all(site.end <= each.start or each.end <= site.start for each in taken):
            best.setdefault((site.path, site.kind), site)
    return sorted(best.values(), key=lambda site: (site.path, site.start))


def all_sites(root):
    """The sites of all areas, in the order of their files."""
    found = []
    for folder in AREAS.values():
        for path in sorted(pathlib.Path(root, folder).rglob("*.swift")):
            found += sites_of(str(path.relative_to(root)), path.read_text(encoding="utf-8"))
    return found
