/// One table of a database that an app filled, compared with its rows in each edition.
///
/// Two temporary tables hold the comparison:
///
///     states     each state that a row has had: its values `c0`, `c1` … as this database would
///                have them, the number of the edition, and whether it is of the version to adopt.
///                `u3` is 1 if column 3 refers to a row that this database does not have
///     nearest    for each row of the database, the state from which it differs in the fewest
///                values, and in how many; the newest of equals. A row that has nothing in common
///                with any state of its key is not in it: the user made it
///
/// What follows is a merge of three files, as of a release: rows of an older edition are updated,
/// with that edition's values as the old ones; rows that never arrived are inserted, and meet
/// users' rows under their keys; rows that the catalog retired are deleted, if they are as their
/// edition had them.
final class AdoptedTable {
  /// Whether a state is of an earlier edition or of the version to adopt.
  enum Age: Int64 { case earlier, now }

  let seeded: SeededTable
  let target: TableTarget
  /// The columns that the catalog fills, as this database has them.
  let columns: [ColumnSchema]
  let states: String
  let nearest: String
  /// The columns that hold ids which each database chose itself.
  let chosen: Set<Int>
  var report: Migrator.Report.Adopted.Table
  /// Rows of the version that refer to rows which this database does not have.
  private(set) var incomplete = 0
  /// Those among them whose keys hold such a reference.
  private(set) var unreachable = 0
  let number: Int
  private var insert: (any Cursor)?
  private var before: [Name: Value] = [:]

  var connection: any DatabaseSession { seeded.connection }
  var dialect: any Dialect { connection.dialect }
  var isTranslated: Bool { !chosen.isEmpty }
  var keys: [Int] { columns.indices.filter { target.key.names.contains(name: columns[$0].name) } }
  /// The columns in which a difference counts.
  var compared: [Int] {
    columns.indices.filter {
      !keys.contains($0) && !target.options.ignore.contains(name: columns[$0].name)
    }
  }

  init(_ seeded: SeededTable, _ target: TableTarget, number: Int) throws {
    (self.seeded, self.target, self.number) = (seeded, target, number)
    let columns = seeded.columns.compactMap { target.schema.column($0.name) }
    self.columns = columns
    states = seeded.connection.dialect.temporary("seedbed:states:\(number)")
    nearest = seeded.connection.dialect.temporary("seedbed:nearest:\(number)")
    let parents = try seeded.scratchTarget.parents.filter {
      try seeded.targetWithChosenIDs($0) != nil
    }
    let names = parents.flatMap(\.childColumns).asNames
    chosen = Set(columns.indices.filter { names.contains(columns[$0].name) })
    report = .init(table: target.name)
    guard keys.count == target.key.count else {
      throw SeedbedError.noKey(target.name, SeedbedError.Place(target.name))
    }
  }

  // MARK: the states

  func makeTables() throws {
    let types =
      columns.indices.map { "c\($0) \(dialect.type(of: columns[$0], in: target.schema))" }
      + marks.map { "u\($0) BIGINT" }
    try connection.execute(
      "CREATE TABLE \(states) (\(types.listed), edition BIGINT, age BIGINT\(dialect.numberedRows))")
    try connection.execute("CREATE TABLE \(nearest) (state BIGINT, differing BIGINT)")
    let index = dialect.temporaryIndex(
      "seedbed:states:\(number):key", on: "seedbed:states:\(number)")
    try connection.execute("CREATE INDEX \(index) (\(keys.map { "c\($0)" }.listed))")
    let names = columns.indices.map { "c\($0)" } + marks.map { "u\($0)" } + ["edition", "age"]
    insert = try connection.cursor(
      "INSERT INTO \(states) (\(names.listed)) VALUES (\(names.map { _ in "?" }.listed))")
  }

  private var marks: [Int] { chosen.sorted() }

  func add(_ state: State, edition: Int, _ age: Age = .earlier) throws {
    assert(state.values.count == columns.count, "A state has a value for each column.")
    let unknown = marks.map { Value.integer(state.unknown.contains($0) ? 1 : 0) }
    try insert?.run(
      state.values + unknown + [.integer(Int64(edition)), .integer(age.rawValue)])
  }

  /// The values of a row, and the columns that refer to rows which this database does not have.
  struct State {
    var values: [Value]
    var unknown: Set<Int> = []
  }

  /// Adds the rows of the version itself.
  ///
  /// - Parameter again: true if rows that they refer to have come since.
  func addNow(edition: Int, again: Bool = false) throws {
    if again { try connection.execute("DELETE FROM \(states) WHERE age = \(Age.now.rawValue)") }
    (incomplete, unreachable) = (0, 0)
    let rows = try seeded.scratch.session.cursor(
      "SELECT \(seeded.names.quotedList) FROM \(seeded.scratchTarget.sql)")
    while try rows.step() {
      try connection.cancellation?.check()
      guard let state = try state(rows.values(from: 0), of: seeded) else {
        (incomplete, unreachable) = (incomplete + 1, unreachable + 1)
        continue
      }
      if !state.unknown.isEmpty { incomplete += 1 }
      try add(state, edition: edition, .now)
    }
  }

  /// A row with the ids that this database chose; nil if its key refers to a row that this database
  /// does not have.
  ///
  /// - Parameters:
  ///   - values: in the order of `columns`.
  ///   - edition: the table in the scratch database that has the row.
  func state(_ values: [Value], of edition: SeededTable) throws -> State? {
    var state = State(values: values)
    guard isTranslated else { return state }
    let names = columns.names
    for parent in edition.scratchTarget.parents
    where try edition.targetWithChosenIDs(parent) != nil {
      let slots = parent.childColumns.compactMap { name in
        names.firstIndex { $0.isSameName(as: name) }
      }
      guard slots.count == parent.childColumns.count else { continue }
      let referred = slots.map { values[$0] }
      if referred.contains(.null) { continue }
      let own = try edition.live(referred, parent.childColumns, edition.scratchTarget)
      for (index, slot) in slots.enumerated() { state.values[slot] = own?[index] ?? .null }
      if own == nil { state.unknown.formUnion(slots) }
    }
    return state.unknown.isDisjoint(with: keys) ? state : nil
  }

  /// The value of a column in rows of an edition that did not have it yet: what the column gives
  /// to the rows of a table that it is added to.
  func valueBefore(_ column: ColumnSchema) throws -> Value {
    let name = Name(column.name)
    if let known = before[name] { return known }
    let made = try connection.constantDefault(of: column)
    let value = try made.flatMap { try connection.value("SELECT \($0)") } ?? .null
    before[name] = value
    return value
  }

  // MARK: the comparison

  /// Finds the nearest state of each row.
  func compare() throws {
    let same = compared.map { agrees("m", "s", $0) }
    let differing = same.map { "CASE WHEN \($0) THEN 0 ELSE 1 END" }
    let common = zip(compared, same).map {
      "CASE WHEN m.\(columns[$0].name.quoted) IS NOT NULL AND \($1) THEN 1 ELSE 0 END"
    }
    let keys = target.key.indices.map { "k\($0)" }.listed
    try connection.execute("DELETE FROM \(nearest)")
    try connection.execute(
      """
      INSERT INTO \(nearest) (state, differing)
      SELECT state, differing FROM (
        SELECT state, differing, max(common) OVER (PARTITION BY \(keys)) AS likeness,
          row_number() OVER (PARTITION BY \(keys)
            ORDER BY differing, edition DESC) AS rank
        FROM (
          SELECT s.\(dialect.fileRow) AS state, s.edition, \(differing.sum) AS differing,
            \(common.sum) AS common,
            \(target.key.enumerated().map { "m.\($1.name.quoted) AS k\($0)" }.listed)
          FROM \(states) AS s JOIN \(target.sql) AS m ON \(isRow("m")) AND \(isSeeds)) AS compared
        ) AS placed
      WHERE rank = 1 AND (differing = 0 OR likeness > 0 OR \(compared.count) < 2)
      """)
  }

  /// Whether `m` is a row of the seed by the option `identity`.
  private var isSeeds: String {
    target.identity.compactMap { column in
      columns.firstIndex { $0.name.isSameName(as: column.name) }
        .map { target.same("m.\(column.name.quoted)", "s.c\($0)", columns[$0]) }
    }.allTrue
  }

  /// The newest edition of which the database has a row that no earlier edition had.
  func newestEdition() throws -> Int {
    let first = "SELECT min(e.edition) FROM \(states) AS e WHERE \(isSameKey("e"))"
    let found = try connection.number(
      "SELECT max((\(first))) FROM \(nearest) AS w JOIN \(states) AS s "
        + "ON s.\(dialect.fileRow) = w.state")
    return Int(found ?? 0)
  }

  /// Counts what the comparison found, before anything is written.
  func count() throws {
    (report.columns, report.edits) = ([], [])
    let joined = "\(nearest) AS w JOIN \(states) AS s ON s.\(dialect.fileRow) = w.state"
    let now = Age.now.rawValue
    report.unchanged = try total(
      "SELECT count(*) FROM \(joined) WHERE s.age = \(now) AND w.differing = 0")
    report.edited = try total("SELECT count(*) FROM \(joined) WHERE w.differing > 0")
    if report.edited == 0 { return }
    // A query has at most 2,000 columns.
    for part in compared.chunks(of: 500) {
      let sums = part.map {
        "sum(CASE WHEN \(agrees("m", "s", $0)) THEN 0 ELSE 1 END)"
      }
      let found =
        try connection.rows(
          "SELECT \(sums.listed) FROM \(joined) JOIN \(target.sql) AS m ON \(isRow("m")) "
            + "WHERE w.differing > 0"
        ).first ?? []
      for (slot, value) in zip(part, found) {
        guard let rows = value.integer, rows > 0 else { continue }
        report.columns.append(.init(name: columns[slot].name, rows: Int(rows)))
        try addEdits(slot, joined)
      }
    }
  }

  private func addEdits(_ slot: Int, _ joined: String) throws {
    let column = columns[slot]
    let keys = target.key.names
    let key = keys.map { "m.\($0.quoted)" }.listed
    let mine = "m.\(column.name.quoted)"
    let rows = try connection.rows(
      "SELECT \(key), s.c\(slot), \(mine) FROM \(joined) "
        + "JOIN \(target.sql) AS m ON \(isRow("m")) "
        + "WHERE w.differing > 0 AND NOT (\(agrees("m", "s", slot))) "
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

  /// Whether a row of the table has a state's value of a column, or the state has none to compare.
  private func agrees(_ row: String, _ state: String, _ slot: Int) -> String {
    let column = columns[slot]
    let same = target.same("\(row).\(column.name.quoted)", "\(state).c\(slot)", column)
    return chosen.contains(slot) ? "(\(state).u\(slot) = 1 OR \(same))" : same
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
