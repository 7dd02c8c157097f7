"""Plays calls by the package for Python: a line of JSON each."""
import json
import sys

import seedbed

for line in sys.stdin:
    verb, database, catalog, operands = json.loads(line)
    options = {"no_backup": True} if verb in ("up", "down") else {}
    try:
        document = getattr(seedbed, verb)(database, catalog, *operands, **options).json
    except seedbed.Error as error:
        document = error.json
    print(json.dumps(document), flush=True)
