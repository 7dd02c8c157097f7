import Seedbed

/// Holds what a snapshot makes of an empty database against what all migrations make of it.
struct SnapshotProof {
  /// By all migrations.
  let long: Scratch
  /// By the snapshot.
  let short: Scratch

  /// What differs first, in words; nil where nothing does.
  func difference() throws -> String? {
    let schema = try SnapshotSchema(long)
    if let difference = try schemaDifference(schema) { return difference }
    for table in schema.tables where !schema.isApps(table) || long.isServed(table.name) {
      if let difference = try rowDifference(table.name) { return difference }
    }
    for table in schema.virtualTables {
      if let difference = try contentDifference(table) { return difference }
    }
    return try sequenceDifference()
  }

  private func schemaDifference(_ schema: SnapshotSchema) throws -> String? {
    let other = try SnapshotSchema(short)
    for object in schema.objects where !other.objects.contains(object) {
      return "the \(object.type) '\(object.name)' is not the same"
    }
    let names = Set(schema.objects.map(\.name))
    return other.objects.first { !names.contains($0.name) }
      .map { "only the snapshot makes the \($0.type) '\($0.name)'" }
  }

  /// Both in the order of the key, value by value.
  private func rowDifference(_ table: String) throws -> String? {
    let target = try long.servedTarget(table)
    let ignored = Set(target?.options.ignore.map { $0.asciiLowercased() } ?? [])
    let seeded = try target.map { try long.seededColumns(of: $0) } ?? []
    let columns = try long.connection.schema(of: table).columns.filter {
      // What the device's clock or dice fill differs from one database to the next.
      !ignored.contains($0.name.asciiLowercased()) && $0.generated == .no
        && (seeded.contains($0.name) || UserColumns.constantDefault($0) != nil)
    }.map(\.name)
    if columns.isEmpty { return nil }
    let names = columns.map(\.quoted)
    // Rows that a key does not tell apart have no other order than that of all their values.
    let keys = (target?.key.map(\.name.quoted) ?? []) + names
    return try difference(
      "SELECT \(names.joined(separator: ", ")) FROM main.\(table.quoted) "
        + "ORDER BY \(keys.joined(separator: ", "))", of: table, columns)
  }

  private func difference(_ sql: String, of table: String, _ columns: [String]) throws -> String? {
    let one = try long.connection.prepare(sql)
    let other = try short.connection.prepare(sql)
    while true {
      let (hasOne, hasOther) = (try one.step(), try other.step())
      if !hasOne, !hasOther { return nil }
      guard hasOne, hasOther else {
        return "'\(table)' has \(hasOne ? "fewer" : "more") rows by the snapshot"
      }
      for index in columns.indices where one[index] != other[index] {
        return "'\(table)' holds \(other[index].display) in the column '\(columns[index])' by the "
          + "snapshot, and \(one[index].display) by all migrations"
      }
    }
  }

  /// What virtual tables show; of a full-text index also its terms.
  private func contentDifference(_ table: SnapshotSchema.Object) throws -> String? {
    if table.isView { return nil }
    let columns = try long.connection.rows(
      "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid", [.text(table.name)]
    ).compactMap { $0[0].text }
    let names = columns.map(\.quoted).joined(separator: ", ")
    let found = try difference(
      "SELECT \(names) FROM main.\(table.name.quoted) ORDER BY \(names)", of: table.name, columns)
    if found != nil || table.module != "fts5" { return found }
    for scratch in [long, short] {
      try scratch.connection.execute(
        "CREATE VIRTUAL TABLE temp.\(Self.terms.quoted) "
          + "USING fts5vocab(main, \(table.name.quoted), 'col')")
    }
    defer {
      // Both go with their connections in any case.
      for scratch in [long, short] {
        try? scratch.connection.execute("DROP TABLE temp.\(Self.terms.quoted)")
      }
    }
    return try difference(
      "SELECT term, col, doc, cnt FROM temp.\(Self.terms.quoted) ORDER BY term, col",
      of: table.name, ["term", "col", "doc", "cnt"])
  }

  private static let terms = "seedbed terms"

  private func sequenceDifference() throws -> String? {
    func sequences(_ scratch: Scratch) throws -> [[Value]] {
      let isThere = try scratch.connection.value(
        "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'")
      if isThere == nil { return [] }
      return try scratch.connection.rows("SELECT name, seq FROM sqlite_sequence ORDER BY name, seq")
        .filter { !scratch.isOwn($0[0].text ?? "") }
    }
    let (one, other) = (try sequences(long), try sequences(short))
    return one == other ? nil : "the next ids of AUTOINCREMENT are not the same"
  }
}
