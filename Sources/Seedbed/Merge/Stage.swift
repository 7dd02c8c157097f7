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

  /// The number of one that is looked at for a moment; no other has it.
  static let lookedAt = 4000

  let file: RowFile
  let sql: String
  let name: String
  /// With a row's number added, a number that no row of another stage has.
  let mark: Int64
  let connection: Connection
  let fields: StagedFields
  /// Whether rows are looked for under other keys than those of the file.
  var hasRenamed = false
  /// Whether fields were set that names would fill.
  var hasGiven = false
  /// Of an update file: whether its rows were written, but for those that wait.
  var isWritten = false
  /// By the numbers of the conflicts, rows in the log that name others which have yet to come, and
  /// the fields that it shows.
  var logged: [Int64: (row: Value, fields: [Int])] = [:]
  /// Whether it is known what rows referred to before they followed.
  var hasBefore = false
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
    fields = StagedFields(file)
    try connection.execute(creation)
    let totals = try file.isWide ? loadWindows(onChunk) : loadAll(onChunk)
    rowCount = totals.rows
    digest = totals.digest
    for reference in file.naturals { try lookup(reference).refuseHalfEmpty() }
    guard settlesKeys else { return }
    for reference in file.naturals { try lookup(reference).fill() }
    try indexByKey()
  }

  func noteLogged(_ number: Int64, row: Value, _ fields: [Int]? = nil) {
    if !file.naturals.isEmpty { logged[number] = (row, fields ?? file.ownIndexes) }
  }

  private func loadAll(
    _ onChunk: @escaping (Int64, Int) throws -> Void
  ) throws -> RowReader.Totals {
    let streamed = Self.list(file.fields.indices.filter { file.fields[$0].isStreamed })
    return try load(
      nil, onChunk: onChunk,
      """
      INSERT INTO \(sql) (row, line, \(streamed))
      SELECT rowid, line, \(streamed) FROM \(RowTable.name.quoted)
      """)
  }

  func drop() throws {
    try connection.execute("DROP TABLE \(sql)")
    try forgetOldKeys()
    for number in fields.windows.indices {
      try connection.execute("DROP TABLE \(window(number))")
    }
  }

  private static func list(_ indexes: [Int]) -> String {
    indexes.map { "c\($0)" }.joined(separator: ", ")
  }

  /// The target's affinity and collation, so that comparing follows its rules.
  func type(of index: Int) -> String {
    "\(file.fields[index].type) COLLATE \(file.fields[index].column.collation.quoted)"
  }

  private var creation: String {
    let columns = fields.main.map { "c\($0) \(type(of: $0))" }
    return """
      CREATE TABLE \(sql) (row INTEGER PRIMARY KEY, line INTEGER,
        verdict INTEGER NOT NULL DEFAULT 0, \(columns.joined(separator: ", ")))
      """
  }

  /// A key twice in one file is an error of the file, whatever the database holds.
  func indexByKey() throws {
    try refuseTwice(file.keyIndexes)
    guard file.hasKeyChanges else { return }
    try refuseTwice(file.oldKeyIndexes)
    // A row whose new key is not to be had is found under its old one, which may be another's new;
    // and keys that follow a parent's may be exchanged.
    for indexes in [file.keyIndexes, file.oldKeyIndexes] {
      try connection.execute("DROP INDEX \(keyIndex(indexes))")
      try index(indexes)
    }
  }

  func index(_ indexes: [Int]) throws {
    try connection.execute(
      "CREATE INDEX \(keyIndex(indexes)) ON \(name.quoted) (\(Self.list(indexes)))")
  }

  private func keyIndex(_ indexes: [Int]) -> String {
    "temp." + "\(name):\(indexes.map(String.init).joined(separator: ":"))".quoted
  }

  private func refuseTwice(_ indexes: [Int]) throws {
    let key = Self.list(indexes)
    do {
      try connection.execute(
        "CREATE UNIQUE INDEX \(keyIndex(indexes)) ON \(name.quoted) (\(key))")
    } catch let failure as SQLiteFailure where failure.isUniqueness {
      throw try duplicateKey(key)
    }
  }

  /// Before keys that are filled in change.
  func forgetKeys() throws {
    for indexes in [file.keyIndexes, file.oldKeyIndexes] {
      try connection.execute("DROP INDEX IF EXISTS \(keyIndex(indexes))")
    }
  }

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

  /// Writes one row. Where a trigger may end the transaction, and this stage with it, the row's
  /// place is looked up before.
  func writing<Result>(_ row: Value, _ body: () throws -> Result) throws -> Result {
    guard file.target.endsTransactions else { return try body() }
    let place = try place(of: row)
    do {
      return try body()
    } catch let failure as SQLiteFailure
      where failure.isConstraint && !connection.isInTransaction
    {
      throw SeedbedError.rowRefused(
        table: file.target.name, reason: failure.message, place)
    }
  }

  private var keyList: String { file.keyIndexes.map { "c\($0)" }.joined(separator: ", ") }

  /// The key of a staged row as the file says it, as JSON.
  func keyText(row: Value) throws -> String {
    let values = try renamed(row: row)
    return try json(file.oldKeyIndexes, row: row, insteadOf: file.oldKeyIndexes, values)
  }

  /// The key that the log of the migration has, which `down` takes back, as JSON: it knows a row by
  /// the key that it had before.
  func loggedKey(row: Value) throws -> String { try json(file.keyIndexes, row: row) }

  /// The key under which the row is now, as the keys left to the user hold it.
  func collatedKey(row: Value) throws -> String {
    let values = try connection.rows("SELECT \(keyList) FROM \(sql) WHERE row = ?", [row])
    return RowJSON.collatedKey(file.target.key, values.first ?? [])
  }

  /// The whole staged row as JSON.
  func rowText(row: Value) throws -> String {
    let key = try renamed(row: row)
    return try json(file.ownIndexes, row: row, insteadOf: file.keyIndexes, key)
  }

  /// `values` stand in place of those at some `places`.
  func json(
    _ indexes: [Int], row: Value, insteadOf places: [Int] = [], _ values: [Value]? = nil
  ) throws -> String {
    // The natural keys go with the columns that they fill.
    let natural = file.naturals.filter { !$0.receivers.allSatisfy { !indexes.contains($0) } }
    let asked = indexes + natural.flatMap(\.fields)
    let found = try self.values(asked, row: row)
    var known = Dictionary(zip(asked, found), uniquingKeysWith: { first, _ in first })
    if let values { known.merge(zip(places, values)) { $1 } }
    return file.json(indexes, mark: row.integer.map { mark + $0 }) { known[$0] ?? .null }
  }

  /// The error for a row that a trigger kept from being written.
  func swallowed(_ row: Value, by event: TriggerSchema.Event) throws -> SeedbedError {
    let triggers = file.target.triggers.filter { $0.mayIgnore(event) }
    return SeedbedError.swallowed(
      table: file.target.name, triggers: triggers.map(\.name), try place(of: row))
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
    let matches = file.keyIndexes.map { "c\($0) = ?" }.allTrue
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
    let found = try connection.rows(
      """
      SELECT \(columns.map { "m.\($0.quoted)" }.joined(separator: ", "))
      FROM \(sql) AS s JOIN \(file.target.sql) AS m ON \(MergeSQL.sameKey(file)) WHERE s.row = ?
      """, [row])
    guard var values = found.first else { return nil }
    if let key = try renamed(row: row) {
      for (column, value) in zip(file.target.key, key) {
        if let index = columns.firstIndex(of: column.name) { values[index] = value }
      }
    }
    let before = try before(row: row)
    return RowJSON.object(columns, zip(columns, values).map { before[$0]?.mine ?? $1 })
  }
}
