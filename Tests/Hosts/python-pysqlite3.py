import pysqlite3 as sqlite3
import sys

database, extension, catalog, options = sys.argv[1:]
app = sqlite3.connect(database, isolation_level=None)
app.enable_load_extension(True)
app.load_extension(extension)
app.enable_load_extension(False)
up = "SELECT seedbed_up(?, ?) ->> 'outcome'"
print(*app.execute(up, (catalog, options)).fetchone(), flush=True)
for statement in sys.stdin:  # The app goes on.
    for row in app.execute(statement):
        print(row[0], flush=True)
