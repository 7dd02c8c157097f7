/// What updates note beside the rows of their files.
extension Stage {
  /// The rows as they were before they stepped aside.
  func asideSQL(_ number: Int) -> String { "temp." + "\(name):aside:\(number)".quoted }
  /// Which rows refer to parents that have yet to be inserted.
  var hopesSQL: String { "temp." + "\(name):hopes".quoted }
  /// Which of them have names that nobody has yet.
  var awaitingSQL: String { "temp." + "\(name):awaiting".quoted }
  /// Which rows get new keys.
  var movesSQL: String { "temp." + movesName.quoted }
  var movesName: String { "\(name):moves" }

  /// What columns were before they followed others.
  var beforeSQL: String { "temp." + "\(name):before".quoted }

  var joinedBefore: String { " LEFT JOIN \(beforeSQL) AS b ON b.\"seedbed:row\" = s.row" }

  func makeBefore(_ columns: [ColumnSchema]) throws {
    let names = columns.map { "m.\($0.name.quoted) AS \($0.name.quoted)" }
    try connection.execute(
      """
      CREATE TABLE \(beforeSQL) AS
      SELECT s.row AS "seedbed:row", \(names.joined(separator: ", "))
      FROM \(sql) AS s JOIN \(file.target.sql) AS m ON \(MergeSQL.sameKey(file))
      """)
    try connection.execute(
      "CREATE INDEX temp.\("\(name):before:row".quoted) "
        + "ON \("\(name):before".quoted) (\"seedbed:row\")")
  }

  func dropBefore() throws { try connection.execute("DROP TABLE \(beforeSQL)") }

  /// Whether the file empties one of these columns.
  func empties(_ columns: Set<String>) throws -> Bool {
    try file.changes.contains { change in
      try columns.contains(change.column.name.asciiLowercased())
        && connection.value(
          "SELECT 1 FROM \(joinedSQL) WHERE \(joined(change.seed)) IS NULL LIMIT 1") != nil
    }
  }

  func makeHopes() throws {
    try connection.execute(
      """
      CREATE TABLE \(hopesSQL) (
        row INTEGER NOT NULL, parent INTEGER NOT NULL, PRIMARY KEY (parent, row)) WITHOUT ROWID
      """)
    try connection.execute(
      "CREATE TABLE \(awaitingSQL) (row INTEGER, field INTEGER, UNIQUE (row, field))")
  }

  func hope(row: Value, parent: Int) throws {
    try connection.execute(
      "INSERT INTO \(hopesSQL) (row, parent) VALUES (?, ?) ON CONFLICT DO NOTHING",
      [row, Value(parent)])
  }

  func dropHopes() throws {
    try connection.execute("DROP TABLE \(hopesSQL)")
    try connection.execute("DROP TABLE \(awaitingSQL)")
  }

  func noteAwaiting(row: Value, field: Int) throws {
    try connection.execute("INSERT INTO \(awaitingSQL) VALUES (?, ?)", [row, Value(field)])
  }

  // MARK: keys that no name stands for any more

  private var givenSQL: String { "temp." + "\(name):given".quoted }

  func noteGiven(_ index: Int, _ row: Value) throws {
    hasGiven = true
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \(givenSQL) (row INTEGER, field INTEGER, UNIQUE (row, field))")
    try connection.execute(
      "INSERT INTO \(givenSQL) VALUES (?, ?) ON CONFLICT DO NOTHING", [row, Value(index)])
  }

  /// Holds for rows of `s` for which nobody set these fields.
  func isOpen(_ indexes: [Int]) -> String {
    guard hasGiven else { return "true" }
    let list = indexes.map(String.init).joined(separator: ", ")
    return "s.row NOT IN (SELECT row FROM \(givenSQL) WHERE field IN (\(list)))"
  }

  // MARK: rows under other keys than those of the file

  var renamedSQL: String { "temp." + "\(name):renamed".quoted }

  /// The key that the file has for a row which is looked for under another one.
  func renamed(row: Value) throws -> [Value]? {
    guard hasRenamed else { return nil }
    return try connection.rows("SELECT * FROM \(renamedSQL) WHERE row = ?", [row]).first
      .map { Array($0.dropFirst()) }
  }

  /// Keeps the keys that the file has for the rows of `d` that a condition finds.
  private func keepKeys(_ condition: String) throws {
    let key = file.target.key.indices.map { "k\($0)" }.joined(separator: ", ")
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \(renamedSQL) (row INTEGER PRIMARY KEY, \(key))")
    hasRenamed = true
    let columns = file.oldKeyIndexes.map { "d.c\($0)" }.joined(separator: ", ")
    try connection.execute(
      """
      INSERT INTO \(renamedSQL) SELECT d.row, \(columns) FROM \(sql) AS d WHERE \(condition)
      ON CONFLICT DO NOTHING
      """)
  }

  /// Has rows of `d` looked for under another key than that of the file.
  func rename(_ condition: String, to key: [Value]) throws {
    try keepKeys(condition)
    let set = file.keyIndexes.map { "c\($0) = ?" }.joined(separator: ", ")
    try connection.execute("UPDATE \(sql) AS d SET \(set) WHERE \(condition)", key)
  }

  /// A column with old keys of a table, and where a table of moves has the old and the new one.
  struct Translation {
    var column: Int
    var old: String
    var new: String
  }

  /// Reads old keys of another table as new ones.
  func translate(_ translations: [Translation], by moves: String) throws {
    let keys = Set(file.oldKeyIndexes)
    // What the rows to retire were beside their keys was looked at before.
    let set = translations.filter { file.role == .update || keys.contains($0.column) }
    if set.isEmpty { return }
    let matches = translations.map { "v.\($0.old) = d.c\($0.column)" }
    let condition =
      "EXISTS (SELECT 1 FROM \(moves) AS v WHERE \(matches.allTrue))"
    let changesKeys = set.contains { keys.contains($0.column) }
    if changesKeys {
      try keepKeys(condition)
      // They may be exchanged.
      try forgetKeys()
    }
    try connection.execute(
      """
      UPDATE \(sql) AS d SET (\(set.map { "c\($0.column)" }.joined(separator: ", "))) =
        (SELECT \(set.map { "v.\($0.new)" }.joined(separator: ", ")) FROM \(moves) AS v
         WHERE \(matches.allTrue))
      WHERE \(condition)
      """)
    guard changesKeys else { return }
    for indexes in Set([file.keyIndexes, file.oldKeyIndexes]) { try index(indexes) }
  }
}
