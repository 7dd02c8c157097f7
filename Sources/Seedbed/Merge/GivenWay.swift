/// What of a user's row gave way to the seed, by the columns that the schema still has; others
/// went with a later migration.
struct GivenWay {
  let conflict: Conflict
  let target: TableTarget
  let columns: [String]
  private let values: [Value]

  /// `mine` is the user's row as the ledger's JSON.
  init(_ conflict: Conflict, _ mine: String, _ target: TableTarget) throws {
    let row = try LoggedRow(mine, of: conflict)
    let known = zip(row.columns, row.values).compactMap { name, value in
      target.schema.column(name).flatMap { $0.generated == .no ? ($0.name, value) : nil }
    }
    self.conflict = conflict
    self.target = target
    columns = known.map(\.0)
    values = known.map(\.1)
  }

  var key: String {
    let names = target.key.map(\.name)
    return RowJSON.object(names, names.map { self[$0] })
  }

  subscript(column: String) -> Value {
    columns.firstIndex(of: column).map { values[$0] } ?? .null
  }

  func hasParent(_ parent: ParentKey, on connection: Connection) throws -> Bool {
    let values = parent.childColumns.map { self[$0] }
    // It may refer to itself.
    if parent.parent == target.name, values == parent.parentColumns.map({ self[$0] }) {
      return true
    }
    return try parent.isThere(values, on: connection)
  }
}

extension ParentKey {
  /// Whether a child with these values has its parent, or needs none.
  func isThere(_ values: [Value], on connection: Connection) throws -> Bool {
    if values.contains(where: \.isNull) { return true }
    let matches = parentColumns.map { "\($0.quoted) = ?" }.allTrue
    return try connection.value(
      "SELECT 1 FROM main.\(parent.quoted) WHERE \(matches) LIMIT 1", values) != nil
  }
}
