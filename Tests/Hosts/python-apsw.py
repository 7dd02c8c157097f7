import sys

import apsw

database, extension, catalog, options = sys.argv[1:]
app = apsw.Connection(database)
app.enable_load_extension(True)
app.load_extension(extension)
app.enable_load_extension(False)
up = "SELECT seedbed_up(?, ?) ->> 'outcome'"
print(app.execute(up, (catalog, options)).get, flush=True)
for statement in sys.stdin:  # The app goes on.
    for row in app.execute(statement):
        print(row[0], flush=True)
