/// The owners for whom the rows of files are read: a table with the option `per` has a copy of the
/// catalog's rows for each. To the merge, a file has a row for each of its rows and each owner, and
/// the owner is a part of the key.
package struct Owners {
  /// The app's table with a row for each owner.
  let table: TableSchema
  let key: ColumnSchema

  static let name = "seedbed:owners"

  /// Reads files for these owners from here on.
  ///
  /// - Parameter mixes: whether each copy has its own ids. A made-up owner keeps the files' ids.
  func read(
    for owners: [Value], mixes: Bool = true, on connection: any DatabaseSession
  ) throws {
    let dialect = connection.dialect
    let table = dialect.temporary(Self.name)
    try connection.execute("DROP TABLE IF EXISTS \(table)")
    try connection.execute(
      "CREATE TABLE \(table) (owner \(dialect.type(of: key, in: self.table)), number BIGINT, "
        + "count BIGINT, mixes BIGINT)")
    let insert = try connection.cursor("INSERT INTO \(table) VALUES (?, ?, ?, ?)")
    for (number, owner) in owners.enumerated() {
      try insert.run([owner, Value(number + 1), Value(owners.count), Value(mixes ? 1 : 0)])
    }
  }

  /// The number of owners for whom files are read.
  static func count(on connection: any DatabaseSession) throws -> Int {
    try Int(connection.count("SELECT count(*) FROM \(connection.dialect.temporary(name))"))
  }

  /// All owners, in order.
  func all(on connection: any DatabaseSession) throws -> [Value] {
    let name = key.name.quoted
    return try connection.rows("SELECT \(name) FROM \(table.sql) ORDER BY \(name)").map { $0[0] }
  }

  /// A value for the catalog's rows where no owner is.
  var anyOwner: Value {
    .text(
      key.declaredType.asciiLowercased() == "uuid" ? "00000000-0000-0000-0000-000000000000" : "0")
  }
}
