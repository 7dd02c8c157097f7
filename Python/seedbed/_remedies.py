"""What messages for other languages tell the caller to write, in Python."""

import re

# A user's words may be the same elsewhere in a message.
AT = r"(?:(?<=: )|(?<=, )|(?<= or ))"
_C = r"(?:seedbed\.h|up\(on:\))"
_FLAGS = "no-backup|allow-out-of-order|discard-user-rows"
_CALLS = [
    (AT + r'seedbed(?:_down with \{"to": | down --to )(\d+)(?:\}, in SQL seedbed_down\(catalog, \d+\))?',
     r"seedbed.down(db, catalog, \1)"),
    (AT + r"seedbed(?:_| (?!unpin))(up|status|unpin|reseed)\b", r"seedbed.\1"),
    (r"'seedbed(?: (up|status|conflicts)|_(conflict)_column(s))'", r"'seedbed.\1\2\3'"),
    (AT + "migrate (?=(?:lock|restore|backups|reseed|baseline)\\b)", "seedbed "),
    ("with --database PATH", "as the first argument"),
    ("with --migrations DIR", "as the second argument"),
    ("open it with its key and lend that handle: " + _C,
     "pass its connection and connection_sql='PRAGMA key = …'"),
    ("lend its handle: " + _C, "pass a connection of apsw"),
    ("Register it in on_?[cC]onnection, or apply .* with " + _C,
     "Lend its connection by ctypes: see the page 'From any language'"),
]


def of_python(message: str) -> str:
    def option(match: "re.Match[str]") -> str:
        name, value = match[1] or match[2], (match[3] or "True").replace("DIR", "FOLDER")
        return f"{name.replace('-', '_')}={value}"

    message = re.sub(
        AT + rf'(?:seedbed up )?(?:\{{"|--)(?:({_FLAGS})(?:": true\}})?'
        r'|(lock-timeout|backups)(?:": | )(SECONDS|FOLDER|DIR)\}?)', option, message)
    for words, call in _CALLS:
        message = re.sub(words, call, message)
    return message
