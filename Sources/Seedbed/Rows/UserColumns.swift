/// The columns that no seed file sets, and whether the user has touched them.
package enum UserColumns {
  /// A condition that holds if each of them is still what its DEFAULT makes.
  ///
  /// A default from the clock or from chance says nothing about edits, so such columns do not
  /// count: their values are logged when the row goes.
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

  /// A condition that holds if a column is what its DEFAULT makes, byte for byte and in the same
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
