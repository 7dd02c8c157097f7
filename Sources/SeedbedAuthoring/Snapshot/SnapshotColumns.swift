import Seedbed

/// The columns for which a snapshot has values. It leaves others to their DEFAULT on each device.
struct SnapshotColumns {
  private let scratch: ScratchDatabase
  /// For tables whose SQL uses the time or chance: the number of rows in which a column's value
  /// differs from one time to the next, and the number of all rows.
  private var differing: [Name: [Name: (rows: Int, all: Int)]] = [:]
  private let leavesComputed: Bool

  /// - Parameter leavesComputed: leave all computed defaults that no file sets to the device.
  init(_ scratch: ScratchDatabase, _ schema: SnapshotSchema, leavesComputed: Bool = false) throws {
    self.scratch = scratch
    self.leavesComputed = leavesComputed
    guard try !leavesComputed && scratch.asksClockOrChance() else { return }
    let other = try scratch.again()
    for table in schema.tables where try !schema.isApps(table) || scratch.isFilled(table.name) {
      differing[table.name] = try compare(table.name, with: other)
    }
  }

  private func compare(
    _ table: String, with other: ScratchDatabase
  ) throws -> [Name: (rows: Int, all: Int)] {
    let schema = try scratch.connection.schema(of: table)
    let columns = schema.columns.filter { $0.generated == .no }.map(\.name)
    let key = try scratch.servedTarget(table)?.key.map(\.name.quoted)
    let order = try key ?? SnapshotRows.rowid(of: table, scratch).map { [$0] } ?? ["1"]
    let sql =
      "SELECT \(columns.quotedList) FROM main.\(table.quoted) "
      + "ORDER BY \(order.joined(separator: ", "))"
    let one = try scratch.connection.prepare(sql)
    let two = try other.connection.prepare(sql)
    var counts = [Int](repeating: 0, count: columns.count)
    var all = 0
    while true {
      let (hasOne, hasTwo) = (try one.step(), try two.step())
      guard hasOne == hasTwo else { throw SeedbedError.rowsByChance(table) }
      guard hasOne else { break }
      all += 1
      for index in columns.indices where one[index] != two[index] { counts[index] += 1 }
    }
    return Dictionary(
      zip(columns, counts).map { (Name($0), ($1, all)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The columns that the catalog fills, and others if some row does not have their default.
  ///
  /// - Throws: if a snapshot would give all devices the same value where each should have its own.
  func written(of table: String, _ target: TableTarget?) throws -> [String] {
    let seeded = try target.map { try scratch.seededColumns(of: $0) }?.map(\.name).asNames ?? []
    let key = target?.key.map(\.name).asNames ?? []
    let schema = try scratch.connection.schema(of: table)
    return try schema.columns.filter { column in
      guard column.generated == .no, try !isLeft(column, of: table, seeded, key) else {
        return false
      }
      let isIgnored = try ignored(table).contains(column.name)
      if let found = differing[table]?[column.name], found.rows > 0, !isIgnored {
        throw SeedbedError.valuesByChance(table, column.name)
      }
      guard !seeded.contains(column.name), !key.contains(column.name),
        let isAtDefault = try UserColumns.isAtDefault(
          column, of: schema, in: "t", on: scratch.connection)
      else { return true }
      return try scratch.connection.value(
        "SELECT 1 FROM main.\(table.quoted) AS t WHERE NOT (\(isAtDefault)) LIMIT 1") != nil
    }.map(\.name)
  }

  /// All columns, except those that each device fills itself and those that are ignored.
  func compared(of table: String, _ target: TableTarget?) throws -> [String] {
    let seeded = try target.map { try scratch.seededColumns(of: $0) }?.map(\.name).asNames ?? []
    let key = target?.key.map(\.name).asNames ?? []
    let ignored = try ignored(table)
    return try scratch.connection.schema(of: table).columns.filter {
      try $0.generated == .no && !ignored.contains($0.name)
        && !isLeft($0, of: table, seeded, key)
    }.map(\.name)
  }

  private func ignored(_ table: String) throws -> Set<Name> {
    let options = try scratch.servingOptions(of: table).table(table)
    return options.ignore.asNames
  }

  /// Whether a computed default that no file sets comes from the clock or chance in each row.
  private func isLeft(
    _ column: ColumnSchema, of table: String, _ seeded: Set<Name>, _ key: Set<Name>
  ) throws -> Bool {
    if seeded.contains(column.name) || key.contains(column.name) { return false }
    if try scratch.connection.constantDefault(of: column) != nil { return false }
    if leavesComputed { return true }
    guard let found = differing[table]?[column.name], found.rows > 0 else { return false }
    if found.rows == found.all { return true }
    if try ignored(table).contains(column.name) { return true }
    throw SeedbedError.valuesOfBothKinds(table, column.name)
  }
}

extension SeedbedError {
  fileprivate static func rowsByChance(_ table: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The number of rows of '\(table)' depends on a clock or on random(), and differs on each "
        + "device: a snapshot cannot reproduce that. Drop that table in the next migration, or "
        + "keep the folders without a snapshot.")
  }

  fileprivate static func valuesByChance(_ table: String, _ column: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "SQL files fill the column '\(column)' of '\(table)' from a clock or by random(): a snapshot "
        + "would give all devices one value. Use a computed DEFAULT of the column instead; or name "
        + "the column under 'ignore' in catalog.json, if one value for all is acceptable.")
  }

  fileprivate static func valuesOfBothKinds(_ table: String, _ column: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "Some rows of '\(table)' have their own value in the column '\(column)', and others its "
        + "DEFAULT, which each device computes: a snapshot cannot keep both. Name the column under "
        + "'ignore' in catalog.json, if the default is acceptable for all.")
  }
}
