"""Strings of SQL without one of their conditions."""

import re

# What holds a condition of its own. An interpolation is opaque, and counts as one word.
WORDS = re.compile(r"\b(WHERE|AND|OR|ON|WHEN|THEN|ELSE|END|ORDER|GROUP|HAVING|LIMIT|RETURNING|UNION|SET|FROM"
                   r"|DO|VALUES|SELECT|BETWEEN|JOIN|CROSS|LEFT|CASE)\b")
ENDS = {"THEN", "ELSE", "END", "ORDER", "GROUP", "HAVING", "LIMIT", "RETURNING", "UNION", "SET", "FROM", "DO",
        "SELECT", "WHERE", "ON", "JOIN", "CROSS", "LEFT", "WHEN"}


def blanked(literal):
    """The literal with its interpolations and its SQL strings as dots, with as many characters."""
    result, at = list(literal), 0
    while at < len(literal):
        if literal.startswith("\\(", at):
            begin, depth = at, 1
            at += 2
            while at < len(literal) and depth:
                depth += {"(": 1, ")": -1}.get(literal[at], 0)
                at += 1
            result[begin:at] = "_" * (at - begin)
        else:
            at += 1
    text = "".join(result)
    return re.sub(r"'[^'\n]*'", lambda found: "_" * len(found[0]), text)


def boundary(text, start):
    """Where a condition ends that begins here, and the word behind it."""
    depth, at = 0, start
    while at < len(text):
        if text[at] == "(":
            depth += 1
        elif text[at] == ")":
            if depth == 0:
                return at, ")"
            depth -= 1
        elif text[at] in '";,' and depth == 0:
            return at, ""
        elif depth == 0 and (word := WORDS.match(text, at)) and not text[at - 1].isalnum():
            if word[1] in ENDS or word[1] in ("AND", "OR"):
                return at, word[1]
        at += 1
    return at, ""


def shortened_sql(literal):
    """The literal, each time with another condition that is always met (or, after OR, never)."""
    text = blanked(literal)
    # A message for people has none of these, and a definition has sentences in its comments.
    if not re.search(r"\b(WHERE|AND|OR)\s|\bEXISTS \(", text) or re.search("BETWEEN|CREATE ", text):
        return
    for word in re.finditer(r"\b(WHERE|AND|OR)\s", text):
        # The words of a policy of SQL: INSERT OR REPLACE.
        if text[:word.start()].rstrip().endswith(("INSERT", "UPDATE", "CREATE")):
            continue
        start = word.end()
        while start < len(text) and text[start] in " \n":
            start += 1
        end, behind = boundary(text, start)
        while end > start and text[end - 1] in " \n":
            end -= 1
        if end <= start:
            continue
        neutral = "false" if word[1] == "OR" or (word[1] == "WHERE" and behind == "OR") else "true"
        if literal[start:end] != neutral:
            yield literal[:start] + neutral + literal[end:]
    for word in re.finditer(r"\bNOT (?=EXISTS\b|\(|__)", text):
        yield literal[:word.start()] + literal[word.end():]
