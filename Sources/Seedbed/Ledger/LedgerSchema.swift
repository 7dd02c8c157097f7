/// The ledger's tables, in the same format on each engine.
///
/// Times are UTC, ISO 8601 with milliseconds; keys and rows are JSON.
package enum LedgerSchema {
  /// Increased when a later release changes the tables.
  static let format: Int64 = 3

  /// The table that only a database with downloads has. Its SQL is in `Ledger+Ratchet.swift`.
  static let signed = "signed"
  /// The table that only a database with owners has. Its SQL is in `Ledger+Owners.swift`.
  static let owners = "owners"
  /// The table that only a database with packs has. Its SQL is in `Ledger+Packs.swift`.
  static let packs = "packs"

  static let optional = [signed, owners, packs]

  package static let tables = [
    "ledger", "migrations", "runs", "conflicts", "left_to_user", "applying",
  ]

  /// The tables with `seedbed_` for their prefix. They are ordinary ones with CHECK, not STRICT, so
  /// that older programs can still read the user's file. In tables with many rows, CHECK uses OR
  /// instead of IN, because SQLite rebuilds the list of an IN for each row (2 µs a list).
  static func tables(_ dialect: any Dialect) -> String {
    let words = dialect.ledgerWords
    return [runs(words), ofUsers(words, dialect)].joined(separator: "\n")
  }

  private static func runs(_ words: LedgerWords) -> String {
    let duration = [words.isInteger("duration_ms"), "duration_ms >= 0"].compactMap(\.self).allTrue
    return """
      CREATE TABLE seedbed_ledger (
        format \(words.integer) NOT NULL\(words.checksInteger("format"))
      );
      INSERT INTO seedbed_ledger (format) VALUES (\(format));

      -- A migration is here exactly when every one of its rows was decided and committed.
      CREATE TABLE seedbed_migrations (
        version     \(words.integer) PRIMARY KEY NOT NULL CHECK (version >= 0),
        name        TEXT    NOT NULL\(words.checksText("name")),
        state       TEXT    NOT NULL CHECK (state IN ('applied', 'baseline', 'withdrawn')),
        checksum    TEXT    NOT NULL CHECK (\(words.matches("checksum", "sha256:*"))),
        chain       TEXT    NOT NULL CHECK (\(words.matches("chain", "sha256:*"))),
        applied_at  TEXT    NOT NULL CHECK (\(words.isTime("applied_at"))),
        duration_ms \(words.integer) NOT NULL CHECK (\(duration)),
        inserted    \(words.integer) NOT NULL DEFAULT 0\(words.checksInteger("inserted")),
        updated     \(words.integer) NOT NULL DEFAULT 0\(words.checksInteger("updated")),
        deleted     \(words.integer) NOT NULL DEFAULT 0\(words.checksInteger("deleted")),
        unchanged   \(words.integer) NOT NULL DEFAULT 0\(words.checksInteger("unchanged")),
        kept        \(words.integer) NOT NULL DEFAULT 0\(words.checksInteger("kept")),
        run         \(words.integer),
        tool        TEXT    NOT NULL\(words.checksText("tool"))
      );

      -- Each run: what started it, and how it ended. It informs, it never blocks.
      CREATE TABLE seedbed_runs (
        id           \(words.chosenID),
        direction    TEXT    NOT NULL CHECK (direction IN ('up', 'down', 'restore', 'baseline')),
        from_version \(words.integer) NOT NULL\(words.checksInteger("from_version")),
        to_version   \(words.integer) NOT NULL\(words.checksInteger("to_version")),
        process      TEXT    NOT NULL\(words.checksText("process")),
        started_at   TEXT    NOT NULL CHECK (\(words.isTime("started_at"))),
        finished_at  TEXT             CHECK (\(words.isTime("finished_at"))),
        outcome      TEXT             CHECK (outcome IN ('applied', 'reverted', 'restored',
                                                         'failed', 'cancelled', 'interrupted')),
        error        TEXT,
        backup       TEXT
      );
      """
  }

  private static func ofUsers(_ words: LedgerWords, _ dialect: any Dialect) -> String {
    """
    -- What the seed and the user disagreed on, with the values of the side that lost.
    CREATE TABLE seedbed_conflicts (
      id         \(words.chosenID),
      version    \(words.integer) NOT NULL\(words.checksInteger("version")),
      table_name TEXT    NOT NULL\(words.checksText("table_name")),
      key        TEXT    NOT NULL\(words.checksText("key")),
      kind       TEXT    NOT NULL CHECK (\(isOne(of: Reason.ofConflicts))),
      policy     TEXT,
      resolution TEXT    NOT NULL CHECK (resolution = 'keptUser' OR resolution = 'tookSeed'
                                         OR resolution = 'merged' OR resolution = 'skipped'
                                         OR resolution = 'moved'),
      moved_to   TEXT,
      base       TEXT,
      mine       TEXT,
      seed       TEXT,
      at         TEXT    NOT NULL CHECK (\(words.isTime("at"))),
      settled    TEXT             CHECK (settled = 'mine' OR settled = 'seed'),
      settled_at TEXT             CHECK (\(words.isTime("settled_at")))
    );

    -- Keys that are the user's, and why: later migrations leave them alone. One may have several
    -- reasons.
    CREATE TABLE seedbed_left_to_user (
      table_name \(words.keyText) NOT NULL\(words.checksText("table_name")),
      key        \(words.keyText) NOT NULL\(words.checksText("key")),
      kind       TEXT    NOT NULL CHECK (\(isOne(of: Reason.ofLeftKeys))),
      version    \(words.integer) NOT NULL\(words.checksInteger("version")),
      PRIMARY KEY (table_name, key, kind)
    ) \(dialect.byKey);

    -- Holds a row only inside a migration's transaction, for an app's own triggers:
    -- WHEN NOT EXISTS (SELECT 1 FROM seedbed_applying). On a server the trigger's function asks.
    CREATE TABLE seedbed_applying (
      version \(words.integer) PRIMARY KEY NOT NULL
    );
    """
  }

  private static func isOne(of reasons: [Reason]) -> String {
    reasons.lines(of: 2, " OR ") { "kind = '\($0)'" }
      .joined(separator: "\n" + String(repeating: " ", count: 37) + "OR ")
  }
}

extension LedgerWords {
  fileprivate func checksInteger(_ column: String) -> String {
    isInteger(column).map { " CHECK (\($0))" } ?? ""
  }

  fileprivate func checksText(_ column: String) -> String {
    takesAnyType ? " CHECK (typeof(\(column)) = 'text')" : ""
  }

  fileprivate func isInteger(_ column: String) -> String? {
    takesAnyType ? "typeof(\(column)) = 'integer'" : nil
  }

  fileprivate func isTime(_ column: String) -> String {
    matches(column, "????-??-??T??:??:??.???Z")
  }

  fileprivate func matches(_ column: String, _ pattern: String) -> String {
    takesAnyType
      ? "\(column) GLOB '\(pattern)'"
      : "\(column) LIKE '\(pattern.map { ["*": "%", "?": "_"][$0] ?? String($0) }.joined())'"
  }
}
