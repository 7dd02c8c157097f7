/// Rows that refer to columns of others which change.
extension MergeContext {
  /// The columns of a table to which rows of others refer, in lower case.
  func referredColumns(of table: String) throws -> Set<String> {
    Set(try children(of: table).flatMap(\.key.parentColumns).map { $0.asciiLowercased() })
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
