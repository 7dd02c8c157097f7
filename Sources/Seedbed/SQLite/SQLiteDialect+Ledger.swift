/// The tables are ordinary ones with CHECK, not STRICT, so that older programs can still read the
/// user's file. In tables with many rows, CHECK uses OR instead of IN, because SQLite rebuilds the
/// list of an IN for each row (2 µs a list).
extension SQLiteDialect {
  package var ledgerSchema: String { Self.ledgerTables }

  private static func isOne(of reasons: [Reason]) -> String {
    reasons.lines(of: 2, " OR ") { "kind = '\($0)'" }
      .joined(separator: "\n" + String(repeating: " ", count: 37) + "OR ")
  }

  private static let ledgerTables = """
    CREATE TABLE seedbed_ledger (
      format INTEGER NOT NULL CHECK (typeof(format) = 'integer')
    );
    INSERT INTO seedbed_ledger (format) VALUES (3);

    -- A migration is here exactly when every one of its rows was decided and committed.
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
    );

    -- Each run: what started it, and how it ended. It informs, it never blocks.
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
    );

    -- What the seed and the user disagreed on, with the values of the side that lost.
    CREATE TABLE seedbed_conflicts (
      id         INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
      version    INTEGER NOT NULL CHECK (typeof(version) = 'integer'),
      table_name TEXT    NOT NULL CHECK (typeof(table_name) = 'text'),
      key        TEXT    NOT NULL CHECK (typeof(key) = 'text'),
      kind       TEXT    NOT NULL CHECK (\(isOne(of: Reason.ofConflicts))),
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
    );

    -- Keys that are the user's, and why: later migrations leave them alone.
    CREATE TABLE seedbed_left_to_user (
      table_name TEXT    NOT NULL CHECK (typeof(table_name) = 'text'),
      key        TEXT    NOT NULL CHECK (typeof(key) = 'text'),
      version    INTEGER NOT NULL CHECK (typeof(version) = 'integer'),
      kind       TEXT    NOT NULL CHECK (\(isOne(of: Reason.ofLeftKeys))),
      PRIMARY KEY (table_name, key)
    ) WITHOUT ROWID;

    -- Holds a row only inside a migration's transaction, for an app's own triggers:
    -- WHEN NOT EXISTS (SELECT 1 FROM seedbed_applying)
    CREATE TABLE seedbed_applying (
      version INTEGER PRIMARY KEY NOT NULL
    );
    """
}
