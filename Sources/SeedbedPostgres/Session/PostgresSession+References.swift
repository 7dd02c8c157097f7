package import Seedbed

extension PostgresSession {
  /// In PostgreSQL, text does not refer to numbers.
  package func highestReference(
    _ column: ColumnSchema, of table: TableSchema
  ) throws -> Int64? {
    let (name, source) = (column.name.quoted, dialect.table(table.name))
    switch TypeName(column.baseType ?? column.declaredType).name {
    case "smallint", "integer", "bigint":
      return try value("SELECT max(\(name))::bigint FROM \(source)")?.integer
    case "numeric":
      return try value(
        "SELECT max(trunc(\(name)))::bigint FROM \(source) WHERE abs(\(name)) < 9e18")?.integer
    default: return nil
    }
  }

  /// DROP INDEX would block readers until COMMIT.
  package func setAside(_ indexes: [String]) throws -> () throws -> Void { {} }

  /// The server's own error names the row.
  package func danglingRow() -> (child: String, parent: String)? { nil }

  /// The server checks its pages as it reads them.
  package func damage() throws -> [String] { [] }
}
