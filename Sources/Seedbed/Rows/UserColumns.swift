/// The columns that no seed file sets, and whether the user has changed them.
package enum UserColumns {
  /// A condition that holds if each of them still has the value of its DEFAULT.
  ///
  /// A default from the clock or from chance shows nothing about edits, so such columns do not
  /// count. Their values are logged when the row is deleted.
  static func atDefault(
    _ file: RowFile, table: String, on connection: any DatabaseSession
  ) throws -> String {
    let conditions = try file.userColumns.compactMap { column in
      try isAtDefault(column, of: file.target.schema, in: table, on: connection)
    }
    return "(\(conditions.allTrue))"
  }

  /// Whether one of them has a default from the clock or from chance.
  static func sayNothing(_ file: RowFile, on connection: any DatabaseSession) throws -> Bool {
    try file.userColumns.contains { try connection.constantDefault(of: $0) == nil }
  }

  /// A condition that holds if a column has the value of its DEFAULT, with the same bytes and
  /// storage class; nil if the default comes from the clock or from chance.
  package static func isAtDefault(
    _ column: ColumnSchema, of schema: TableSchema, in table: String,
    on connection: any DatabaseSession
  ) throws -> String? {
    guard let made = try connection.constantDefault(of: column) else { return nil }
    let mine = "\(table).\(column.name.quoted)"
    return connection.dialect.isDefault(mine, made, column, of: schema)
  }
}
