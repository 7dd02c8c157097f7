import TestSupport

/// The sync engine: triggers that note what users set, with a logical time. Of two values the later
/// one stays.
extension SyncedDevice {
  func tick() throws { try database.run("UPDATE engine SET clock = clock + 1") }

  /// Takes what others have, of one table or of all.
  func receive(from others: [SyncedDevice], only table: String? = nil) throws {
    let before = try database.rows("SELECT total_changes()")
    for other in others { try receive(from: other, only: table) }
    if try database.rows("SELECT total_changes()") != before { try settle() }
  }

  private func receive(from other: SyncedDevice, only table: String?) throws {
    let some = table.map { "tbl = '\($0)'" } ?? "true"
    try database.run("ATTACH '\(other.place.path)/app.sqlite' AS other")
    try database.run(
      """
      INSERT INTO changes
        SELECT tbl, row, col, value, clock, device, 0 FROM other.changes WHERE \(some)
        ON CONFLICT (tbl, row, col) DO UPDATE SET value = excluded.value, clock = excluded.clock,
          device = excluded.device, done = 0
        WHERE (excluded.clock, excluded.device) > (clock, device);
      UPDATE engine SET clock = other.clock FROM other.engine AS other
        WHERE other.clock > engine.clock
      """)
    try database.run("DETACH other")
  }

  /// Writes what it has into the tables. A value whose row or parent is not there waits.
  func write() throws {
    try database.run("BEGIN; UPDATE engine SET writes = 1")
    if recipe.contains(.writesAgain) { try database.run("UPDATE changes SET done = 0") }
    for table in ["removed", "decided"] {
      try database.run(
        "INSERT OR IGNORE INTO \(table) SELECT col, row FROM changes "
          + "WHERE tbl = '\(table)' AND value = 1")
      try database.run(
        "DELETE FROM \(table) WHERE EXISTS (SELECT 1 FROM changes AS c WHERE c.tbl = '\(table)' "
          + "AND c.col = \(table).tbl AND c.row = \(table).row AND c.value = 0)")
    }
    for table in Self.tables {
      let (name, key) = (table.name, table.key)
      let values = table.columns.map { "max(value) FILTER (WHERE col = '\($0)')" }
      let parent =
        name == "words"
        ? "AND (\(values[2]) IS NULL OR \(values[2]) IN (SELECT id FROM topics))" : ""
      try database.run(
        """
        INSERT INTO \(name) (\(key), \(table.columns.joined(separator: ", ")))
          SELECT row, \(values.joined(separator: ", ")) FROM changes
          WHERE tbl = '\(name)' AND row NOT IN (SELECT \(key) FROM \(name)) GROUP BY row
          HAVING count(*) = \(table.columns.count) AND max(done = 0) \(parent)
        """)
      for column in table.columns {
        let parent =
          column == "topic" ? "AND (c.value IS NULL OR c.value IN (SELECT id FROM topics))" : ""
        try database.run(
          """
          UPDATE \(name) SET \(column) = c.value FROM changes AS c
            WHERE c.tbl = '\(name)' AND c.row = \(name).\(key) AND c.col = '\(column)'
              AND c.done = 0 AND \(name).\(column) IS NOT c.value \(parent);
          UPDATE changes SET done = 1 WHERE tbl = '\(name)' AND col = '\(column)' AND EXISTS (
            SELECT 1 FROM \(name) AS t WHERE t.\(key) = row AND t.\(column) IS value)
          """)
      }
    }
    try database.run("UPDATE engine SET writes = 0; COMMIT")
  }

  /// The tables of the app and its engine.
  static func schema(onDelete: String) -> String {
    """
    CREATE TABLE topics (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT);
    CREATE TABLE words (word TEXT PRIMARY KEY NOT NULL, gloss TEXT NOT NULL, hint TEXT,
      topic INTEGER REFERENCES topics ON DELETE \(onDelete), starred INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE removed (tbl TEXT NOT NULL, row NOT NULL, PRIMARY KEY (tbl, row));
    CREATE TABLE decided (tbl TEXT NOT NULL, row NOT NULL, PRIMARY KEY (tbl, row));
    CREATE TABLE engine (device INTEGER, clock INTEGER, writes INTEGER);
    CREATE TABLE changes (tbl TEXT, row, col TEXT, value, clock INTEGER, device INTEGER,
      done INTEGER, PRIMARY KEY (tbl, row, col));

    """
  }

  /// - Parameter carriesRows: whether it carries whole rows, if a user sets a column.
  static func triggers(carriesRows: Bool, _ recipe: Recipe) -> String {
    let isUsers = "AND NOT (SELECT writes FROM engine)"
    var made = 0
    func trigger(
      _ event: String, _ table: String, _ body: [String], _ isUsers: String = isUsers
    ) -> String {
      made += 1
      return """
        CREATE TRIGGER trigger_\(made) AFTER \(event) ON \(table)
        WHEN NOT EXISTS (SELECT 1 FROM seedbed_applying) \(isUsers)
        BEGIN
        \(body.map { "  \($0);\n" }.joined())END;

        """
    }
    func note(_ row: String, _ differs: String) -> String {
      """
      INSERT INTO changes SELECT \(row), clock, device, 1 FROM engine WHERE true
          ON CONFLICT (tbl, row, col) DO UPDATE SET value = excluded.value, clock = excluded.clock,
            device = excluded.device, done = 1 WHERE \(differs) OR value IS NOT excluded.value
      """
    }
    var triggers = ""
    for (name, key, columns) in tables {
      func notes(_ noted: [String], _ differs: (String) -> String) -> [String] {
        noted.map { note("'\(name)', NEW.\(key), '\($0)', NEW.\($0)", differs($0)) }
      }
      let differs = { (column: String) in "NEW.\(column) IS NOT OLD.\(column)" }
      let anyDiffers = columns.map(differs).joined(separator: " OR ")
      triggers += trigger("INSERT", name, notes(columns) { _ in "true" })
      triggers += trigger(
        "INSERT", name, ["DELETE FROM removed WHERE tbl = '\(name)' AND row = NEW.\(key)"],
        recipe.contains(.knowsEngine) ? isUsers : "")
      triggers += trigger(
        "DELETE", name, ["INSERT OR IGNORE INTO removed VALUES ('\(name)', OLD.\(key))"])
      if carriesRows {
        triggers += trigger("UPDATE", name, notes(columns) { _ in anyDiffers })
      } else {
        for column in columns {
          triggers += trigger("UPDATE OF \(column)", name, notes([column], differs))
        }
      }
    }
    for name in ["removed", "decided"] {
      triggers += trigger(
        "INSERT", name, [note("'\(name)', NEW.row, NEW.tbl, 1", "true")])
      triggers += trigger(
        "DELETE", name, [note("'\(name)', OLD.row, OLD.tbl, 0", "true")],
        recipe.contains(.knowsEngine) ? isUsers : "")
    }
    return triggers
  }
}
