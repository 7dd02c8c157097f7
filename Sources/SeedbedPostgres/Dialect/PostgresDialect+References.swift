package import Seedbed

extension PostgresDialect {
  /// > No operator matches the given name and argument types.
  ///
  /// Types of one family compare with each other; any other type only with itself.
  package func canCompare(_ first: ColumnSchema, _ second: ColumnSchema) -> Bool {
    Self.family(of: first) == Self.family(of: second)
  }

  private static func family(of column: ColumnSchema) -> String {
    let name = TypeName(plainType(of: column)).name
    switch name {
    case "smallint", "integer", "bigint", "numeric", "real", "double precision", "oid":
      return "number"
    case "text", "character varying", "character", "bpchar", "name", "citext": return "text"
    case "date", "timestamp without time zone", "timestamp with time zone": return "time"
    case "inet", "cidr": return "address"
    case "bit", "bit varying": return "bits"
    default: return name.hasSuffix(".citext") ? "text" : name
    }
  }
}
