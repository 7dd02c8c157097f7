"""extension.py FILE: plays calls by the SQL functions of the extension: a line of JSON each."""
import json
import sqlite3
import sys


def called(verb, database, catalog, operands):
    options = {"no-backup": True} if verb in ("up", "down") else {}
    given = [catalog, *operands, options]
    values = [json.dumps(each) if isinstance(each, (dict, list)) else each for each in given]
    app = sqlite3.connect(database, isolation_level=None)
    try:
        app.enable_load_extension(True)
        app.load_extension(sys.argv[1])
        try:
            marks = ", ".join("?" * len(values))
            return app.execute(f"SELECT seedbed_{verb}({marks})", values).fetchone()[0]
        except sqlite3.Error as error:
            said = app.execute("SELECT seedbed_last_error()").fetchone()[0]
            return said or json.dumps({"error": {"code": "none", "message": str(error)}})
    finally:
        app.close()


for line in sys.stdin:
    print(called(*json.loads(line)), flush=True)
