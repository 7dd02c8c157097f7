package import Seedbed

package struct PostgresDialect: Dialect {
  package init() {}

  /// `content.words` is a table of the schema `content`.
  package func table(_ name: String) -> String {
    name.split(separator: ".", maxSplits: 1).map { String($0).quoted }.joined(separator: ".")
  }

  package func temporary(_ name: String) -> String { "pg_temp." + name.quoted }

  package func temporaryIndex(_ name: String, on table: String) -> String {
    "\(name.quoted) ON \(temporary(table))"
  }

  package func index(_ name: String, on table: String) -> String {
    "\(name.quoted) ON \(self.table(table))"
  }

  package var byKey: String { "" }
  package var fileRows: String { temporary(Self.fileRowsName) }
  package var fileRow: String { "\"row\"" }
  package var rowNumber: String { "BIGINT" }

  /// No table of a user is called like that.
  static let fileRowsName = "seedbed:rows"

  package func type(of column: ColumnSchema, in table: TableSchema) -> String {
    collated(Self.plainType(of: column), column.collation)
  }

  package func bareType(of column: ColumnSchema) -> String { column.declaredType }

  package func fieldType(of column: ColumnSchema, in table: TableSchema) -> String {
    Self.plainType(of: column)
  }

  /// Not a domain, which may refuse the NULL of a value that there was not.
  static func plainType(of column: ColumnSchema) -> String {
    column.baseType ?? column.declaredType
  }

  package func decoder(
    of column: ColumnSchema, in table: TableSchema, blob: BlobEncoding?
  ) throws -> FieldDecoder {
    try FieldDecoder(postgres: column, blob: blob)
  }

  package func computed(_ expression: String, isStored: Bool) -> String {
    "GENERATED ALWAYS AS (\(expression)) STORED"
  }

  package func collated(_ value: String, _ collation: String) -> String {
    collation.isEmpty ? value : "\(value) COLLATE \(collation.quoted)"
  }

  /// Text by its bytes, floats that agree in 15 digits (or 6, as `real` has), JSON by its content,
  /// and all else by value.
  package func same(
    _ first: String, _ second: String, _ column: ColumnSchema, of table: TableSchema
  ) -> String {
    let form = Comparison(Self.plainType(of: column))
    return "\(form.of(first)) IS NOT DISTINCT FROM \(form.of(second))"
  }

  package func differ(_ first: String, _ second: String) -> String {
    "\(first) IS DISTINCT FROM \(second)"
  }

  package func differExactly(_ first: String, _ second: String) -> String {
    "\(Comparison.text.of(first)) IS DISTINCT FROM \(Comparison.text.of(second))"
  }

  package func exactly(_ value: String, _ column: ColumnSchema) -> String {
    Comparison(column.declaredType) == .text ? "\(value) COLLATE \"C\"" : value
  }

  package func isDefault(
    _ value: String, _ made: String, _ column: ColumnSchema, of table: TableSchema
  ) -> String {
    same(value, made, column, of: table)
  }

  package func mark(_ row: String, _ column: ColumnSchema, of table: TableSchema) -> String {
    let type = TypeName(Self.plainType(of: column))
    // The number of the file is in the upper bits.
    let small = { (files: Int, rows: Int) in
      "((\(row)) >> 36) % \(files) * \(rows) + (\(row)) % \(rows)"
    }
    switch type.name {
    case "smallint": return "(-32000 - (\(small(3, 256))))::smallint"
    case "integer": return "(-2000000000 - (\(small(8, 1 << 24))))::integer"
    case "bigint": return "-4000000000000000000 - \(row)"
    case "numeric":
      return "1 - 1e\(Self.digits(type))::numeric + \(row)"
    // A double has no room for more.
    case "double precision": return "-1e15 - \(row)"
    // Neither has a float.
    case "real": return "-16000000 + \(small(8, 1 << 20))"
    case "uuid": return "md5('seedbed:' || \(row))::uuid"
    case "bytea": return "convert_to(chr(1) || 'seedbed:' || \(row), 'UTF8')"
    case "json", "jsonb": return "to_json('seedbed:' || \(row))::\(type.name)"
    case "date": return "DATE '4700-01-01 BC' + (\(small(8, 1 << 17)))::integer"
    case "timestamp without time zone", "timestamp with time zone":
      return "'4700-01-01 BC'::\(type.name) + \(row) * INTERVAL '1 second'"
    // There may be room for a few signs only.
    case "character varying", "character": return "chr(1) || to_hex(\(row))"
    default: return "(chr(1) || 'seedbed:' || \(row))::\(type.name)"
    }
  }

  package func literal(_ value: String) -> String { "quote_nullable(\(value))" }

  package func anyOf(_ value: String, _ filter: String) -> String {
    "(array_agg(\(value)) \(filter))[1]"
  }

  package var insert: String { "INSERT" }
  package var update: String { "UPDATE" }
  package var withGivenIDs: String { "OVERRIDING SYSTEM VALUE" }
  package var mostColumns: Int { 1600 }
  package var orderedJoin: String { "JOIN" }
  package var notSearched: String { "" }
}

/// How two values of a type are compared.
enum Comparison {
  /// As the type compares them.
  case plain
  /// By the bytes of their text: of a text, and of types that may have no comparison.
  case text
  /// > float8 to numeric: 15 digits; float4: 6.
  case digits
  case json

  /// - Parameter declared: as `format_type` writes it, such as `character varying(20)`.
  init(_ declared: String) {
    switch TypeName(declared).name {
    case "smallint", "integer", "bigint", "numeric", "boolean", "uuid", "bytea", "oid", "money",
      "date", "timestamp without time zone", "timestamp with time zone",
      "time without time zone", "time with time zone", "interval", "inet", "cidr", "macaddr",
      "bit", "bit varying":
      self = .plain
    case "real", "double precision": self = .digits
    case "json", "jsonb": self = .json
    default: self = .text
    }
  }

  func of(_ value: String) -> String {
    switch self {
    case .plain: value
    case .text: "(\(value))::text COLLATE \"C\""
    case .digits: "(\(value))::numeric"
    case .json: "(\(value))::jsonb"
    }
  }
}
