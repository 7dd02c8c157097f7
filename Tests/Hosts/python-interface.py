import ctypes, json, sys
import apsw

database, extension, catalog, options = sys.argv[1:]
app = apsw.Connection(database)
app.execute("PRAGMA key = 'secret'")
app.enable_load_extension(True)
app.load_extension(extension)
seedbed, answer = ctypes.CDLL(extension + ".so"), ctypes.c_char_p()
lent = (ctypes.c_void_p * 3)(None, app.sqlite3_pointer(), None)  # a seedbed_database
up = (catalog.encode(), lent, options.encode(), None, None, ctypes.byref(answer))
print("done" if seedbed.seedbed_up(*up) == 0 else sys.exit(answer.value.decode()), flush=True)
seedbed.seedbed_free(answer)
for row in (row for line in sys.stdin for row in app.execute(line)):  # The app goes on.
    print(row[0], flush=True)
