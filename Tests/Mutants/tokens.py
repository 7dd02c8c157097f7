"""The tokens of Swift as swift-format writes it, as far as `sites.py` has to understand them."""

import re

OPENING, CLOSING = "([{", ")]}"
# What stands before or behind one of these goes on.
OPERATORS = frozenset("&& || == != < <= > >= + - * / % ?? = += -= *= /= -> & | ^ << >> ..< ... ? :".split())
TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<word>[\#@]?[A-Za-z_]\w*|`[^`\n]+`|\$\d+)
  | (?P<number>\d[\w]*(?:\.\d+)?)
  | (?P<operator>->|&&|\|\||\?\?|\.\.\.|\.\.<|[=!]==|[-+*/%&|^=!<>]=|<<|>>|[-+*/%&|^~<>=!?])
  | (?P<mark>[()\[\]{},:;.\\])
""", re.VERBOSE | re.DOTALL)


class Token:
    """A word, number, operator, mark or string, by its place in the text."""
    __slots__ = ("kind", "text", "start", "end", "is_first", "inner", "partner")

    def __init__(self, kind, text, start, end, is_first, inner=()):
        self.kind, self.text, self.start, self.end = kind, text, start, end
        # The first of its line; for a string, the tokens in each of its interpolations.
        self.is_first, self.inner = is_first, inner
        # The index of the bracket that belongs to this one.
        self.partner = None

    def is_binary(self, text):
        """Whether this is an operator between two operands, and not a part of one."""
        return text[self.start - 1] in " \n" and text[self.end] in " \n"


def tokens(text, start=0, is_interpolation=False):
    """The tokens from a place, to the end or to the bracket that closes an interpolation, and where."""
    found, at, depth, length = [], start, 0, len(text)
    opened = []
    is_first = not is_interpolation
    while at < length:
        character = text[at]
        if character in " \t\n":
            is_first = is_first or character == "\n"
            at += 1
            continue
        if character == '"':
            token = string(text, at, is_first)
        else:
            match = TOKEN.match(text, at)
            if match is None:
                raise ValueError(f"no token of Swift: {text[at:at + 20]!r}")
            if match.lastgroup == "comment":
                at = match.end()
                continue
            token = Token(match.lastgroup, match[0], at, match.end(), is_first)
        if token.text in OPENING:
            opened.append(len(found))
            depth += 1
        elif token.text in CLOSING:
            if depth == 0 and is_interpolation:
                return found, at
            depth -= 1
            token.partner = opened.pop()
            found[token.partner].partner = len(found)
        found.append(token)
        at, is_first = token.end, False
    return found, at


def string(text, start, is_first):
    """A string, on one line or on several, with the tokens that are interpolated."""
    quotes = '"""' if text.startswith('"""', start) else '"'
    at, inner = start + len(quotes), []
    while not text.startswith(quotes, at):
        if text.startswith("\\(", at):
            found, at = tokens(text, at + 2, is_interpolation=True)
            inner.append(found)
            at += 1
        elif text[at] == "\\":
            at += 2
        else:
            at += 1
    return Token("string", text[start:at + len(quotes)], start, at + len(quotes), is_first, inner)


def ends_statement(before, after):
    """Whether a statement ends between two tokens that follow each other."""
    if not after.is_first:
        return before.text == ";"
    return not (before.text in OPERATORS or before.text in ("(", "[", ",", ".", "in", "return", "try")
                or after.text in OPERATORS or after.text in (".", ")", "]"))


def without(text, condition="canImport(Darwin)"):
    """The text without what only another system compiles, with as many characters."""
    kept, skipping, depth = [], None, 0
    for line in text.splitlines(keepends=True):
        word = line.strip()
        if word.startswith("#if"):
            depth += 1
            if word == "#if " + condition:
                skipping = depth
        elif word.startswith(("#else", "#endif")) and skipping == depth:
            skipping = None
        is_mark = word.startswith(("#if", "#else", "#endif"))
        depth -= word.startswith("#endif")
        kept.append(" " * (len(line) - 1) + "\n" if skipping or is_mark else line)
    return "".join(kept)
