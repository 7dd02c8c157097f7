/// A row file copied into a temporary table, so that its rows can be looked at in any order.
///
/// Only rows that meet something in the database take this road. The table lives in SQLite's
/// temporary file, not in memory.
final class Stage {
  /// What was decided for a row.
  enum Verdict: Int64 {
    /// To be inserted, or there already with the same values.
    case insert = 0
    /// The key was left to the user by an earlier migration.
    case leftToUser = 1
    case keyTaken = 2
    /// The user's row under the key takes the seed's values.
    case replace = 3
    case parentDeleted = 4
    case parentTaken = 5
    case uniqueTaken = 6
    /// An update that waits for what a later step of the migration will free or bring.
    case postponed = 7
    /// A row to retire that is not there any more.
    case absent = 8
    /// A row to retire that the user edited.
    case editedRetired = 9
    /// A row to retire that others still refer to.
    case referenced = 10
    /// A row that was retired.
    case done = 11
  }

  let file: RowFile
  let sql: String
  private let name: String
  /// With a row's number added, a number that no row of another stage has.
  let mark: Int64
  let connection: Connection
  private(set) var rowCount = 0
  /// Of the file's content.
  private(set) var digest = ""

  /// `settlesKeys`: false where rows of natural keys are about to be inserted together with these.
  init(
    _ file: RowFile, number: Int, on connection: Connection, settlesKeys: Bool = true,
    onChunk: @escaping (Int64, Int) throws -> Void
  ) throws {
    self.file = file
    self.connection = connection
    // More rows than a file of any size has.
    mark = Int64(number) << 36
    name = "seedbed:stage:\(number)"
    sql = "temp." + name.quoted
    try connection.execute(creation)
    let streamed = Self.list(file.fields.indices.filter { file.fields[$0].isStreamed })
    do {
      let rows = try RowTable(
        file.open(), types: file.streamedTypes, on: connection, onChunk: onChunk)
      do {
        try connection.execute(
          """
          INSERT INTO \(sql) (row, line, \(streamed))
          SELECT rowid, line, \(streamed) FROM \(RowTable.name.quoted)
          """)
      } catch {
        throw rows.failure ?? error
      }
      rowCount = rows.rowCount
      digest = rows.totals.digest
    }
    for reference in file.naturals { try lookup(reference).refuseHalfEmpty() }
    guard settlesKeys else { return }
    for reference in file.naturals { try lookup(reference).fill() }
    try indexByKey()
  }

  func drop() throws { try connection.execute("DROP TABLE \(sql)") }

  private static func list(_ indexes: [Int]) -> String {
    indexes.map { "c\($0)" }.joined(separator: ", ")
  }

  /// The target's affinity and collation, so that comparing follows its rules.
  func type(of index: Int) -> String {
    "\(file.fields[index].type) COLLATE \(file.fields[index].column.collation.quoted)"
  }

  private var creation: String {
    let columns = file.fields.indices.map { "c\($0) \(type(of: $0))" }
    return """
      CREATE TABLE \(sql) (row INTEGER PRIMARY KEY, line INTEGER,
        verdict INTEGER NOT NULL DEFAULT 0, \(columns.joined(separator: ", ")))
      """
  }

  /// A key twice in one file is an error of the file, whatever the database holds.
  func indexByKey() throws {
    let key = Self.list(file.keyIndexes)
    do {
      try connection.execute("CREATE UNIQUE INDEX \(keyIndex) ON \(name.quoted) (\(key))")
    } catch let failure as SQLiteFailure where failure.isUniqueness {
      throw try duplicateKey(key)
    }
  }

  /// Before keys that are filled in change.
  func forgetKeys() throws { try connection.execute("DROP INDEX IF EXISTS \(keyIndex)") }

  private var keyIndex: String { "temp." + "\(name):key".quoted }

  private func duplicateKey(_ key: String) throws -> SeedbedError {
    let rows = try connection.rows(
      """
      SELECT min(row), max(row) FROM (
        SELECT row, \(key), row_number() OVER (PARTITION BY \(key) ORDER BY row) AS nth FROM \(sql))
      WHERE nth <= 2 GROUP BY \(key) HAVING count(*) > 1 ORDER BY 2 LIMIT 1
      """)
    let first = rows.first?[0] ?? .null
    let second = rows.first?[1] ?? .null
    return SeedbedError.duplicate(
      "key", try keyText(row: second), first: try place(of: first), try place(of: second))
  }

  func line(of row: Value) throws -> Int {
    Int(try connection.value("SELECT line FROM \(sql) WHERE row = ?", [row])?.integer ?? 0)
  }

  func place(of row: Value) throws -> SeedbedError.Place {
    SeedbedError.Place(file.place, line: try line(of: row))
  }

  // MARK: what updates note beside their rows

  /// The rows as they were before they stepped aside.
  var asideSQL: String { "temp." + "\(name):aside".quoted }
  /// Which rows refer to parents that have yet to be inserted.
  var hopesSQL: String { "temp." + "\(name):hopes".quoted }

  func makeHopes() throws {
    try connection.execute(
      """
      CREATE TABLE \(hopesSQL) (
        row INTEGER NOT NULL, parent INTEGER NOT NULL, PRIMARY KEY (parent, row)) WITHOUT ROWID
      """)
  }

  func hope(row: Value, parent: Int) throws {
    try connection.execute(
      "INSERT INTO \(hopesSQL) (row, parent) VALUES (?, ?) ON CONFLICT DO NOTHING",
      [row, Value(parent)])
  }

  func dropHopes() throws { try connection.execute("DROP TABLE \(hopesSQL)") }

  /// The key of a staged row as JSON.
  func keyText(row: Value) throws -> String {
    try json(file.keyIndexes, row: row)
  }

  /// The key as the keys left to the user hold it.
  func collatedKey(row: Value) throws -> String {
    let columns = Self.list(file.keyIndexes)
    let values = try connection.rows("SELECT \(columns) FROM \(sql) WHERE row = ?", [row])
    return RowJSON.collatedKey(file.target.key, values.first ?? [])
  }

  /// The whole staged row as JSON.
  func rowText(row: Value) throws -> String {
    try json(file.ownIndexes, row: row)
  }

  private func json(_ indexes: [Int], row: Value) throws -> String {
    // The natural keys go with the columns that they fill.
    let natural = file.naturals.filter { !$0.receivers.allSatisfy { !indexes.contains($0) } }
    let asked = indexes + natural.flatMap(\.fields)
    let values = try connection.rows(
      "SELECT \(Self.list(asked)) FROM \(sql) WHERE row = ?", [row]
    ).first
    let known = Dictionary(zip(asked, values ?? []), uniquingKeysWith: { first, _ in first })
    return file.json(indexes, mark: row.integer.map { mark + $0 }) { known[$0] ?? .null }
  }

  /// The error for a row that a trigger kept from being written.
  func swallowed(_ row: Value) throws -> SeedbedError {
    let trigger = file.target.triggers.first { $0.sql.uppercased().contains("IGNORE") }
    return SeedbedError.swallowed(
      table: file.target.name, trigger: trigger?.name, try place(of: row))
  }

  func decide(_ verdict: Verdict, row: Value) throws {
    try connection.execute(
      "UPDATE \(sql) SET verdict = ? WHERE row = ?", [.integer(verdict.rawValue), row])
  }

  func move(from: Verdict, to: Verdict) throws {
    try connection.execute(
      "UPDATE \(sql) SET verdict = ? WHERE verdict = ?",
      [.integer(to.rawValue), .integer(from.rawValue)])
  }

  /// Whether the row with this key was decided so.
  func holds(_ key: [Value], verdict: Verdict) throws -> Bool {
    let matches = file.keyIndexes.map { "c\($0) = ?" }.joined(separator: " AND ")
    return try connection.value(
      "SELECT 1 FROM \(sql) WHERE \(matches) AND verdict = ?",
      key + [.integer(verdict.rawValue)]) != nil
  }

  func count(_ verdict: Verdict) throws -> Int {
    let found = try connection.value(
      "SELECT count(*) FROM \(sql) WHERE verdict = ?", [.integer(verdict.rawValue)])
    return Int(found?.integer ?? 0)
  }

  /// The row of the table under the key of a staged row, as JSON; nil where there is none.
  func mine(row: Value) throws -> String? {
    let columns = file.target.schema.columns.map(\.name)
    let values = try connection.rows(
      """
      SELECT \(columns.map { "m.\($0.quoted)" }.joined(separator: ", "))
      FROM \(sql) AS s JOIN \(file.target.sql) AS m ON \(MergeSQL.sameKey(file)) WHERE s.row = ?
      """, [row])
    return values.first.map { RowJSON.object(columns, $0) }
  }
}
