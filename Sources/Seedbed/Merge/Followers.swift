/// Rows that refer to columns of others which change.
extension MergeContext {
  /// The columns of a table to which rows of others refer, in lower case.
  func referredColumns(of table: String) throws -> Set<String> {
    Set(try children(of: table).flatMap(\.key.parentColumns).map { $0.asciiLowercased() })
  }

  /// By table, in lower case: the columns that may follow such columns which update files change.
  func followingColumns(_ files: [RowFile]) throws -> [String: Set<String>] {
    var following: [String: Set<String>] = [:]
    var open: [(table: String, columns: Set<String>)] = []
    for file in files {
      let changed = Set(file.changes.map { $0.column.name.asciiLowercased() })
      open.append((file.target.name, changed))
    }
    while let parent = open.popLast() {
      for child in try children(of: parent.table) {
        let columns = zip(child.key.childColumns, child.key.parentColumns)
          .filter { parent.columns.contains($1.asciiLowercased()) }
          .map { $0.0.asciiLowercased() }
        let new = Set(columns).subtracting(following[child.table] ?? [])
        if new.isEmpty { continue }
        following[child.table, default: []].formUnion(new)
        open.append((child.table, new))
      }
    }
    return following
  }

  /// Whether rows of others have a value in a column that refers to this one.
  func isReferred(_ table: String, _ column: String, by value: Value) throws -> Bool {
    for child in try children(of: table) {
      for (name, parent) in zip(child.key.childColumns, child.key.parentColumns)
      where parent.asciiLowercased() == column.asciiLowercased() {
        let sql = "SELECT 1 FROM main.\(child.table.quoted) WHERE \(name.quoted) = ? LIMIT 1"
        if try connection.value(sql, [value]) != nil { return true }
      }
    }
    return false
  }

  /// Has what refers to columns of a row follow to their new values, and sets them. What refers to
  /// a value that becomes NULL cannot follow.
  func follow(
    _ target: TableTarget, _ columns: [String], _ values: [Value],
    where key: [(name: String, value: Value)]
  ) throws {
    let referred = try referredColumns(of: target.name)
    let pairs = zip(columns, values).filter {
      referred.contains($0.0.asciiLowercased()) && !$0.1.isNull
    }
    if pairs.isEmpty { return }
    let found = target.schema.identity.map { "m.\($0.quoted)" } + pairs.map { _ in "?" }
    let matches = key.map { "m.\($0.name.quoted) = ?" }.allTrue
    try Rekey(context: self).run(
      target.schema, set: pairs.map(\.0),
      to: "SELECT \(found.joined(separator: ", ")) FROM \(target.sql) AS m WHERE \(matches)",
      pairs.map(\.1) + key.map(\.value))
  }
}
