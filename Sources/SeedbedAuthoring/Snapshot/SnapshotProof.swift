import Seedbed

/// Compares the database that a snapshot gives with the one that all migrations give.
struct SnapshotProof {
  /// The database of all migrations.
  let long: ScratchDatabase
  /// The database of the snapshot.
  let short: ScratchDatabase
  private let columns: SnapshotColumns
  private let keepsRowids: Bool

  init(long: ScratchDatabase, short: ScratchDatabase, _ columns: SnapshotColumns? = nil) throws {
    (self.long, self.short) = (long, short)
    self.columns = try columns ?? SnapshotColumns(long, try SnapshotSchema(long))
    keepsRowids = try long.knowsRowids()
  }

  /// The first difference, in words; nil if there is none.
  func difference() throws -> String? {
    let schema = try SnapshotSchema(long)
    if let difference = try schemaDifference(schema) { return difference }
    for table in schema.tables where try !schema.isApps(table) || long.isFilled(table.name) {
      if let difference = try rowDifference(table.name) { return difference }
    }
    for table in schema.virtualTables {
      if let difference = try contentDifference(table) { return difference }
    }
    return try sequenceDifference(schema)
  }

  private func schemaDifference(_ schema: SnapshotSchema) throws -> String? {
    let other = try SnapshotSchema(short)
    for object in schema.objects where !other.objects.contains(object) {
      return "the \(object.type) '\(object.name)' is not the same"
    }
    let names = schema.objects.map(\.name).asNames
    return other.objects.first { !names.contains($0.name) }
      .map { "only the snapshot makes the \($0.type) '\($0.name)'" }
  }

  /// Compares the rows of both in the order of the key, value by value.
  private func rowDifference(_ table: String) throws -> String? {
    let target = try long.servedTarget(table)
    var compared = try columns.compared(of: table, target)
    var names = compared.map(\.quoted)
    if let rowid = try SnapshotRows.rowid(of: table, long), target == nil || keepsRowids {
      names.append(rowid)
      compared.append("rowid")
    }
    if names.isEmpty { names = ["NULL"] }
    // Rows with the same key are ordered by all their values.
    let keys = (target?.key.map(\.name.quoted) ?? []) + names
    return try difference(
      "SELECT \(names.joined(separator: ", ")) FROM main.\(table.quoted) "
        + "ORDER BY \(keys.joined(separator: ", "))", of: table, compared)
  }

  private func difference(_ sql: String, of table: String, _ columns: [String]) throws -> String? {
    let one = try long.connection.prepare(sql)
    let other = try short.connection.prepare(sql)
    while true {
      let (hasOne, hasOther) = (try one.step(), try other.step())
      if !hasOne, !hasOther { return nil }
      guard hasOne, hasOther else {
        return "'\(table)' has \(hasOne ? "fewer" : "more") rows with the snapshot"
      }
      for index in columns.indices where one[index] != other[index] {
        return "'\(table)' holds \(other[index].display) in the column '\(columns[index])' with "
          + "the snapshot, and \(one[index].display) with all migrations"
      }
    }
  }

  /// Compares the rows of virtual tables; for a full-text index also its terms.
  private func contentDifference(_ table: SnapshotSchema.Object) throws -> String? {
    if table.isView { return nil }
    let columns = try table.columns(on: long.connection)
    let names = columns.map(\.quoted).joined(separator: ", ")
    if table.content != .none {
      let found = try difference(
        "SELECT \(names) FROM main.\(table.name.quoted) ORDER BY \(names)", of: table.name, columns)
      if found != nil { return found }
    }
    if table.module == "fts5" {
      let found = try difference(Self.settings(of: table), of: table.name, ["setting", "value"])
      if found != nil { return found }
    }
    return table.isFullText ? try termDifference(table) : nil
  }

  /// The configuration that INSERT made in a full-text index.
  static func settings(of table: SnapshotSchema.Object) -> String {
    "SELECT k, v FROM main.\((table.name + "_config").quoted) WHERE k <> 'version' ORDER BY k"
  }

  private func termDifference(_ table: SnapshotSchema.Object) throws -> String? {
    let isNew = table.module == "fts5"
    let columns =
      isNew ? ["term", "doc", "col", "offset"] : ["term", "col", "documents", "occurrences"]
    let module = isNew ? "fts5vocab" : "fts4aux"
    for scratch in [long, short] {
      try scratch.connection.execute(
        "CREATE VIRTUAL TABLE temp.\(Self.terms.quoted) "
          + "USING \(module)(main, \(table.name.quoted)\(isNew ? ", 'instance'" : ""))")
    }
    defer {
      // Both are released with their connections in any case.
      for scratch in [long, short] {
        try? scratch.connection.execute("DROP TABLE temp.\(Self.terms.quoted)")
      }
    }
    return try difference(
      "SELECT \(columns.quotedList) FROM temp.\(Self.terms.quoted) ORDER BY 1, 2, 3, 4",
      of: table.name, columns)
  }

  private static let terms = "seedbed terms"

  private func sequenceDifference(_ schema: SnapshotSchema) throws -> String? {
    func sequences(_ scratch: ScratchDatabase) throws -> [[Value]] {
      let isThere = try scratch.connection.value(
        "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'")
      if isThere == nil { return [] }
      return try scratch.connection.rows("SELECT name, seq FROM sqlite_sequence ORDER BY name, seq")
        .filter { row in
          guard
            let table = schema.tables.first(where: { $0.name.isSameName(as: row[0].text ?? "") })
          else {
            return false
          }
          return try !schema.isApps(table) || long.isFilled(table.name)
        }
    }
    let (one, other) = (try sequences(long), try sequences(short))
    return one == other ? nil : "the next ids of AUTOINCREMENT are not the same"
  }
}
