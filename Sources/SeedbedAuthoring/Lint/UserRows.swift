import Seedbed

/// Tries SQL after changes that users may make to its tables: adding rows, and deleting seed rows.
struct UserRows {
  let scratch: ScratchDatabase
  let text: SQLText

  private var connection: Connection { scratch.connection }

  /// What an added row has in columns that are not unique.
  private enum Filling: String, CaseIterable {
    case same = "values that another row has"
    case empty = "no value in an optional column"
    case other = "values that no row of the seed has"
  }

  /// The change that makes the query return a row; nil if none of them does.
  func trips(_ sql: String) throws -> String? {
    let tables = try tables()
    if try returnsRow(sql) { return nil }
    for table in tables {
      let isTripped = try connection.trying {
        try delete(from: table) && returnsRow(sql)
      }
      if isTripped { return "users deleted rows of '\(table.name)'" }
      for filling in [Filling.same, .empty] {
        let isTripped = try connection.trying {
          try addRow(to: table, filling) && returnsRow(sql)
        }
        if isTripped { return "users added rows to '\(table.name)'" }
      }
    }
    return nil
  }

  /// Calls `found` for each table whose constraint users' rows break while a file runs, unless the
  /// file fails without them, too.
  func breaks(
    _ script: Script, besides fresh: Set<Name>, _ found: (SeedbedError.Place?, String) -> Void
  ) throws {
    for table in try scratch.tables() where !fresh.contains(table.name) && text.names(table.name) {
      for filling in Filling.allCases {
        let error: SeedbedError? = try connection.trying {
          guard try addRow(to: table, filling) else { return nil }
          // The first row of a table is like no other.
          _ = try addRow(to: table, filling)
          return try failure(of: script)
        }
        guard let error, error.code == .constraint,
          try connection.trying({ try failure(of: script) }) == nil
        else { continue }
        found(
          error.place,
          "This fails if users have rows of '\(table.name)' with \(filling.rawValue): "
            + error.message)
        break
      }
    }
  }

  private func failure(of script: Script) throws -> SeedbedError? {
    do {
      let isEnforced = try connection.enforcesForeignKeys()
      try connection.run(script, .change(enforcesForeignKeys: isEnforced)) { _, _ in }
      return nil
    } catch {
      let error = SeedbedError.from(error)
      if error.code == .cancelled { throw error }
      return error
    }
  }

  /// The tables that the query names, and those of the views that it names.
  private func tables() throws -> [TableSchema] {
    let views = try connection.rows("SELECT name, sql FROM main.sqlite_schema WHERE type = 'view'")
    let texts =
      [text]
      + views.compactMap { row in
        guard let name = row[0].text, let sql = row[1].text, text.names(name) else { return nil }
        return SQLText(sql)
      }
    return try scratch.tables().filter { table in texts.contains { $0.names(table.name) } }
  }

  private func returnsRow(_ sql: String) throws -> Bool {
    let statement = try connection.prepare(sql)
    return try statement.step()
  }

  /// False if no user could do it: others refer to the rows, or a trigger refuses.
  private func delete(from table: TableSchema) throws -> Bool {
    let name = "main." + table.name.quoted
    guard try connection.value("SELECT 1 FROM \(name) LIMIT 1") != nil else { return false }
    return try succeeds("DELETE FROM \(name)")
  }

  /// If a row is refused, users can have no row like it.
  private func succeeds(_ sql: String, _ values: [Value] = []) throws -> Bool {
    do {
      try connection.execute(sql, values)
    } catch {
      if SeedbedError.from(error).code == .cancelled { throw error }
      return false
    }
    return try !connection.hasForeignKeyViolations()
  }

  /// Adds a row like the last one with another key, or an invented row if there is none.
  private func addRow(to table: TableSchema, _ filling: Filling) throws -> Bool {
    let columns = table.columns.filter { $0.generated == .no }
    let name = "main." + table.name.quoted
    let names = columns.map(\.name).quotedList
    let last = try connection.rows("SELECT \(names) FROM \(name) LIMIT 1").first
    var values: [Value] = []
    for (index, column) in columns.enumerated() {
      let old = try last?[index] ?? madeUp(column, of: table)
      let isReference = table.foreignKeys.contains { key in
        key.childColumns.contains(name: column.name)
      }
      if isReference {
        values.append(old)
      } else if isUnique(column, in: table) || filling == .other {
        values.append(try fresh(column, old, name))
      } else {
        values.append(filling == .empty && !column.isNotNull ? .null : old)
      }
    }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    return try succeeds("INSERT INTO \(name) (\(names)) VALUES (\(marks))", values)
  }

  private func isUnique(_ column: ColumnSchema, in table: TableSchema) -> Bool {
    let isKey = table.primaryKey.map(\.name).contains(name: column.name)
    return isKey
      || table.indexes.contains { index in
        index.isUnique && index.columns.compactMap { $0 }.contains(name: column.name)
      }
  }

  /// A value that no row has.
  private func fresh(_ column: ColumnSchema, _ old: Value, _ table: String) throws -> Value {
    switch old {
    case .integer:
      let highest = try connection.value("SELECT max(\(column.name.quoted)) FROM \(table)")
      let (next, isOver) = (highest?.integer ?? 0).addingReportingOverflow(1)
      return isOver ? old : .integer(next)
    case .real(let number): return .real(number + 0.5)
    case .text(let text): return .text(text + " of a user's")
    default: return old
    }
  }

  private func madeUp(_ column: ColumnSchema, of table: TableSchema) throws -> Value {
    for key in table.foreignKeys {
      guard let index = key.childColumns.firstIndex(where: column.name.isSameName),
        try scratch.isOrdinaryTable(key.parent)
      else { continue }
      let parent = try scratch.tables().first {
        $0.name.isSameName(as: key.parent)
      }
      let names = key.parentColumns.isEmpty ? parent?.primaryKey.map(\.name) : key.parentColumns
      guard let names, names.indices.contains(index) else { continue }
      return try connection.value(
        "SELECT \(names[index].quoted) FROM main.\(key.parent.quoted) LIMIT 1") ?? .null
    }
    let type = column.declaredType.asciiLowercased()
    if type.contains("int") || type.contains("bool") { return .integer(1) }
    if ["real", "floa", "doub", "num", "dec"].contains(where: { type.contains($0) }) {
      return .real(1)
    }
    return type.contains("blob") ? .blob([1]) : "x"
  }
}
