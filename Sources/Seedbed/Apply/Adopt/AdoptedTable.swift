/// One table of a database that an app filled, compared with its rows in each edition.
///
/// Two temporary tables hold the comparison:
///
///     states     each state that a row has had: its values `c0`, `c1` … as this database would
///                have them, the number of the edition, and whether it is of the version to adopt
///     nearest    for each row of the database, the state from which it differs in the fewest
///                values, and in how many; the newest of equals
///
/// What follows is a merge of three files, as of a release: rows of an older edition are updated,
/// with that edition's values as the old ones; rows that never arrived are inserted; rows that the
/// catalog retired are deleted, if they are as their edition had them.
final class AdoptedTable {
  /// Whether a state is of an earlier edition or of the version to adopt. `unknown`: the version
  /// has the row, but it refers to one that this database does not have.
  enum Age: Int64 { case earlier, now, unknown }

  let seeded: SeededTable
  let target: TableTarget
  /// The columns that the catalog fills, as this database has them.
  let columns: [ColumnSchema]
  let states: String
  let nearest: String
  /// Whether rows refer to rows whose ids each database chose itself.
  let isTranslated: Bool
  var report: Migrator.Report.Adopted.Table
  /// Rows of the version that could not be written down, since they refer to absent ones.
  private(set) var missed = 0
  private let number: Int
  private var insert: (any Cursor)?
  private var before: [Name: Value] = [:]

  var connection: any DatabaseSession { seeded.connection }
  var dialect: any Dialect { connection.dialect }
  var keys: [Int] { columns.indices.filter { target.key.names.contains(name: columns[$0].name) } }
  /// The columns in which a difference counts.
  var compared: [Int] {
    columns.indices.filter {
      !keys.contains($0) && !target.options.ignore.contains(name: columns[$0].name)
    }
  }

  init(_ seeded: SeededTable, _ target: TableTarget, number: Int) throws {
    (self.seeded, self.target, self.number) = (seeded, target, number)
    columns = seeded.columns.compactMap { target.schema.column($0.name) }
    states = seeded.connection.dialect.temporary("seedbed:states:\(number)")
    nearest = seeded.connection.dialect.temporary("seedbed:nearest:\(number)")
    isTranslated = try seeded.scratchTarget.parents.contains {
      try seeded.targetWithChosenIDs($0) != nil
    }
    report = .init(table: target.name)
    guard keys.count == target.key.count else {
      throw SeedbedError.noKey(target.name, SeedbedError.Place(target.name))
    }
  }

  // MARK: the states

  func makeTables() throws {
    let types = columns.indices.map {
      "c\($0) \(dialect.type(of: columns[$0], in: target.schema))"
    }
    try connection.execute(
      "CREATE TABLE \(states) (\(types.listed), edition BIGINT, age BIGINT\(dialect.numberedRows))")
    try connection.execute("CREATE TABLE \(nearest) (state BIGINT, differing BIGINT)")
    let index = dialect.temporaryIndex(
      "seedbed:states:\(number):key", on: "seedbed:states:\(number)")
    try connection.execute("CREATE INDEX \(index) (\(keys.map { "c\($0)" }.listed))")
    let marks = (0..<columns.count + 2).map { _ in "?" }.listed
    insert = try connection.cursor(
      "INSERT INTO \(states) (\(columns.indices.map { "c\($0)" }.listed), edition, age) "
        + "VALUES (\(marks))")
  }

  func add(_ values: [Value], edition: Int, _ age: Age = .earlier) throws {
    assert(values.count == columns.count, "A state has a value for each column.")
    try insert?.run(values + [.integer(Int64(edition)), .integer(age.rawValue)])
  }

  /// Adds the rows of the version itself.
  ///
  /// - Parameter again: true if rows that they refer to have come since.
  func addNow(edition: Int, again: Bool = false) throws {
    if again {
      guard missed > 0 else { return }
      try connection.execute("DELETE FROM \(states) WHERE age > 0")
      missed = 0
    }
    let rows = try seeded.scratch.session.cursor(
      "SELECT \(seeded.names.quotedList) FROM \(seeded.scratchTarget.sql)")
    let places = keys
    while try rows.step() {
      try connection.cancellation?.check()
      let values = rows.values(from: 0)
      if let own = try translated(values, seeded.names) {
        try add(own, edition: edition, .now)
        continue
      }
      missed += 1
      // The row is not compared, but it is not retired either.
      guard let key = try translated(places.map { values[$0] }, places.map { seeded.names[$0] })
      else { continue }
      var unknown = values.map { _ in Value.null }
      for (place, value) in zip(places, key) { unknown[place] = value }
      try add(unknown, edition: edition, .unknown)
    }
  }

  /// The value of a column in rows of an edition that did not have it yet: what the column gives
  /// to the rows of a table that it is added to.
  func valueBefore(_ column: ColumnSchema) throws -> Value {
    let name = Name(column.name)
    if let known = before[name] { return known }
    let value = try connection.constantDefault(of: column).map {
      try connection.value("SELECT \($0)")
    }
    before[name] = (value ?? nil) ?? .null
    return before[name] ?? .null
  }

  /// The values with the ids that this database chose; nil if it lacks a row to which they refer.
  private func translated(_ values: [Value], _ names: [String]) throws -> [Value]? {
    guard isTranslated else { return values }
    return try seeded.live(values, names, seeded.scratchTarget)
  }

  // MARK: the comparison

  /// Finds the nearest state of each row.
  func compare() throws {
    let differing = compared.map {
      "CASE WHEN \(isSame("m.\(columns[$0].name.quoted)", "s.c\($0)", $0)) THEN 0 ELSE 1 END"
    }
    let keys = target.key.map { "m.\($0.name.quoted)" }
    try connection.execute("DELETE FROM \(nearest)")
    try connection.execute(
      """
      INSERT INTO \(nearest) (state, differing)
      SELECT state, differing FROM (
        SELECT state, differing,
          row_number() OVER (PARTITION BY \(keys.indices.map { "k\($0)" }.listed)
            ORDER BY differing, edition DESC) AS place
        FROM (
          SELECT s.\(dialect.fileRow) AS state, s.edition, \(differing.sum) AS differing,
            \(keys.enumerated().map { "\($1) AS k\($0)" }.listed)
          FROM \(states) AS s JOIN \(target.sql) AS m ON \(isRow("m"))
          WHERE s.age < \(Age.unknown.rawValue)) AS compared) AS placed
      WHERE place = 1
      """)
  }

  /// The newest edition of which the database has a row that no earlier edition had. A row that
  /// differs in all of several values is rather one that the user made.
  func newestEdition() throws -> Int {
    let first = "SELECT min(e.edition) FROM \(states) AS e WHERE \(isSameKey("e"))"
    let isAnother = compared.count < 2 ? "" : " WHERE w.differing < \(compared.count)"
    let found = try connection.number(
      "SELECT max((\(first))) FROM \(nearest) AS w JOIN \(states) AS s "
        + "ON s.\(dialect.fileRow) = w.state\(isAnother)")
    return Int(found ?? 0)
  }

  /// Counts what the comparison found, before anything is written.
  func count() throws {
    let joined = "\(nearest) AS w JOIN \(states) AS s ON s.\(dialect.fileRow) = w.state"
    let now = Age.now.rawValue
    report.unchanged = try total(
      "SELECT count(*) FROM \(joined) WHERE s.age = \(now) AND w.differing = 0")
    report.edited = try total("SELECT count(*) FROM \(joined) WHERE w.differing > 0")
    if report.edited == 0 { return }
    // A query has at most 2,000 columns.
    for part in compared.chunks(of: 500) {
      let sums = part.map {
        "sum(CASE WHEN \(isSame("m.\(columns[$0].name.quoted)", "s.c\($0)", $0)) "
          + "THEN 0 ELSE 1 END)"
      }
      let found =
        try connection.rows(
          "SELECT \(sums.listed) FROM \(joined) JOIN \(target.sql) AS m ON \(isRow("m")) "
            + "WHERE w.differing > 0"
        ).first ?? []
      for (place, value) in zip(part, found) {
        guard let rows = value.integer, rows > 0 else { continue }
        report.columns.append(.init(name: columns[place].name, rows: Int(rows)))
        try addEdits(place, joined)
      }
    }
  }

  private func addEdits(_ place: Int, _ joined: String) throws {
    let column = columns[place]
    let keys = target.key.names
    let key = keys.map { "m.\($0.quoted)" }.listed
    let mine = "m.\(column.name.quoted)"
    let rows = try connection.rows(
      "SELECT \(key), s.c\(place), \(mine) FROM \(joined) "
        + "JOIN \(target.sql) AS m ON \(isRow("m")) "
        + "WHERE w.differing > 0 AND NOT (\(isSame(mine, "s.c\(place)", place))) "
        + "ORDER BY \(key) LIMIT 100")
    for row in rows {
      report.edits.append(
        .init(
          key: Migrator.Row(keys, Array(row.prefix(keys.count))), column: column.name,
          base: row[keys.count], mine: row[keys.count + 1]))
    }
  }

  func total(_ query: String) throws -> Int { Int(try connection.number(query) ?? 0) }

  // MARK: conditions

  /// Whether two values of a column are the same.
  func isSame(_ first: String, _ second: String, _ place: Int) -> String {
    target.same(first, second, columns[place])
  }

  /// Whether a row of the table has the key of the state `s`.
  func isRow(_ row: String, state: String = "s") -> String {
    keys.map { "\(row).\(columns[$0].name.quoted) = \(state).c\($0)" }.allTrue
  }

  /// Whether another state is of the same row as `s`.
  func isSameKey(_ other: String, as state: String = "s") -> String {
    keys.map { "\(other).c\($0) = \(state).c\($0)" }.allTrue
  }
}

extension [String] {
  /// The sum of terms, in parts: a chain of a thousand is too deep for SQLite.
  fileprivate var sum: String {
    if isEmpty { return "0" }
    return Array(self[...]).chunks(of: 64).map { "(\($0.joined(separator: " + ")))" }
      .joined(separator: " + ")
  }
}

extension Array {
  fileprivate func chunks(of count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map {
      Array(self[$0..<Swift.min($0 + count, self.count)])
    }
  }
}
