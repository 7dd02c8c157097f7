CREATE TABLE seedbed_applying (
  version INTEGER PRIMARY KEY NOT NULL
)
CREATE TABLE seedbed_conflicts (
  id         INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  version    INTEGER NOT NULL CHECK (typeof(version) = 'integer'),
  table_name TEXT    NOT NULL CHECK (typeof(table_name) = 'text'),
  key        TEXT    NOT NULL CHECK (typeof(key) = 'text'),
  kind       TEXT    NOT NULL CHECK (kind = 'edited' OR kind = 'deletedByUser'
                                     OR kind = 'parentDeleted' OR kind = 'parentTaken'
                                     OR kind = 'editedRetired' OR kind = 'referenced'
                                     OR kind = 'keyTaken' OR kind = 'uniqueTaken'),
  policy     TEXT,
  resolution TEXT    NOT NULL CHECK (resolution = 'keptUser' OR resolution = 'tookSeed'
                                     OR resolution = 'merged' OR resolution = 'skipped'
                                     OR resolution = 'moved'),
  moved_to   TEXT,
  base       TEXT,
  mine       TEXT,
  seed       TEXT,
  at         TEXT    NOT NULL CHECK (at GLOB '????-??-??T??:??:??.???Z'),
  settled    TEXT             CHECK (settled = 'mine' OR settled = 'seed'),
  settled_at TEXT             CHECK (settled_at GLOB '????-??-??T??:??:??.???Z')
)
CREATE TABLE seedbed_ledger (
  format INTEGER NOT NULL CHECK (typeof(format) = 'integer')
)
CREATE TABLE seedbed_left_to_user (
  table_name TEXT    NOT NULL CHECK (typeof(table_name) = 'text'),
  key        TEXT    NOT NULL CHECK (typeof(key) = 'text'),
  version    INTEGER NOT NULL CHECK (typeof(version) = 'integer'),
  kind       TEXT    NOT NULL CHECK (kind = 'keyTaken' OR kind = 'uniqueTaken'
                                     OR kind = 'editedRetired' OR kind = 'referenced'
                                     OR kind = 'deletedByUser' OR kind = 'pinned'),
  PRIMARY KEY (table_name, key)
) WITHOUT ROWID
CREATE TABLE seedbed_migrations (
  version     INTEGER PRIMARY KEY NOT NULL CHECK (version >= 0),
  name        TEXT    NOT NULL CHECK (typeof(name) = 'text'),
  state       TEXT    NOT NULL CHECK (state IN ('applied', 'baseline', 'withdrawn')),
  checksum    TEXT    NOT NULL CHECK (checksum GLOB 'sha256:*'),
  chain       TEXT    NOT NULL CHECK (chain GLOB 'sha256:*'),
  applied_at  TEXT    NOT NULL CHECK (applied_at GLOB '????-??-??T??:??:??.???Z'),
  duration_ms INTEGER NOT NULL CHECK (typeof(duration_ms) = 'integer' AND duration_ms >= 0),
  inserted    INTEGER NOT NULL DEFAULT 0 CHECK (typeof(inserted) = 'integer'),
  updated     INTEGER NOT NULL DEFAULT 0 CHECK (typeof(updated) = 'integer'),
  deleted     INTEGER NOT NULL DEFAULT 0 CHECK (typeof(deleted) = 'integer'),
  unchanged   INTEGER NOT NULL DEFAULT 0 CHECK (typeof(unchanged) = 'integer'),
  kept        INTEGER NOT NULL DEFAULT 0 CHECK (typeof(kept) = 'integer'),
  run         INTEGER,
  tool        TEXT    NOT NULL CHECK (typeof(tool) = 'text')
)
CREATE TABLE seedbed_runs (
  id           INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  direction    TEXT    NOT NULL CHECK (direction IN ('up', 'down', 'restore', 'baseline')),
  from_version INTEGER NOT NULL CHECK (typeof(from_version) = 'integer'),
  to_version   INTEGER NOT NULL CHECK (typeof(to_version) = 'integer'),
  process      TEXT    NOT NULL CHECK (typeof(process) = 'text'),
  started_at   TEXT    NOT NULL CHECK (started_at GLOB '????-??-??T??:??:??.???Z'),
  finished_at  TEXT             CHECK (finished_at GLOB '????-??-??T??:??:??.???Z'),
  outcome      TEXT             CHECK (outcome IN ('applied', 'reverted', 'restored',
                                                   'failed', 'cancelled', 'interrupted')),
  error        TEXT,
  backup       TEXT
)
