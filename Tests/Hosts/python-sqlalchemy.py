import sys
from sqlalchemy import create_engine, event, text

database, extension, catalog, options = sys.argv[1:]
engine = create_engine(f"sqlite:///{database}", isolation_level="AUTOCOMMIT")
@event.listens_for(engine, "connect")
def load(connection, record):
    connection.enable_load_extension(True)
    connection.load_extension(extension)
    connection.enable_load_extension(False)
app = engine.connect()
up = text("SELECT seedbed_up(:catalog, :options) ->> 'outcome'")
print(app.scalar(up, {"catalog": catalog, "options": options}), flush=True)
for answer in map(app.exec_driver_sql, sys.stdin):  # The app goes on.
    print(*answer.scalars() if answer.returns_rows else (), flush=True)
