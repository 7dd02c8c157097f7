package import Seedbed

/// The value of a reference whose natural key has no row. It is a value of the column's type that
/// no seed contains, since a key column cannot hold another type.
extension PostgresDialect {
  package func unresolved(_ name: String, _ column: ColumnSchema) -> String {
    let type = TypeName(Self.plainType(of: column))
    let number = "(hashtextextended(\(name), 0) & 9223372036854775807)"
    switch type.name {
    case "smallint": return "(-32768 + \(number) % 700)::smallint"
    case "integer": return "(-2147483648 + \(number) % 100000)::integer"
    case "bigint": return "(-9223372036854775807 + \(number) % 200000000000000000)"
    case "numeric":
      let digits = Self.digits(type)
      return "(1 - 1e\(digits)::numeric + mod(\(number)::numeric, 1e\(digits - 1)::numeric))"
    case "double precision": return "(-1e300 - \(number) % 1000000000 * 1e290)::double precision"
    case "real": return "(-1e37 - \(number) % 100000 * 1e32)::real"
    case "uuid": return "('\(Self.unresolvedUUID)' || lpad(to_hex(\(number) >> 15), 12, '0'))::uuid"
    case "bytea": return "convert_to(\(name), 'UTF8')"
    case "date": return "(DATE '4713-01-02 BC' + (\(number) % 3000)::integer)"
    case "timestamp without time zone", "timestamp with time zone":
      return "('4713-01-02 BC'::\(type.name) + \(number) % 200000000 * INTERVAL '1 second')"
    // The column may have room for a few characters only.
    case "character varying", "character":
      return "left(chr(2) || to_hex(\(number)), \(type.arguments.first ?? 20))"
    default: return "(chr(2) || \(name))::\(type.name)"
    }
  }

  package func isUnresolved(_ value: String, _ column: ColumnSchema) -> String {
    let type = TypeName(Self.plainType(of: column))
    switch type.name {
    case "smallint": return "\(value) < -32068"
    case "integer": return "\(value) < -2147383648"
    case "bigint": return "\(value) < -9000000000000000000"
    case "numeric": return "\(value) <= -9e\(Self.digits(type) - 1)::numeric"
    case "double precision": return "\(value) <= -1e300"
    case "real": return "\(value) <= '-9.9e36'::real"
    case "uuid": return "starts_with(\(value)::text, '\(Self.unresolvedUUID)')"
    case "bytea":
      let mark = Unresolved.mark
      return "substring(\(value) FROM 1 FOR \(mark.utf8.count)) = convert_to('\(mark)', 'UTF8')"
    case "date", "timestamp without time zone", "timestamp with time zone":
      return "\(value) < '4704-01-01 BC'::\(type.name)"
    default: return "starts_with(\(value)::text, chr(2))"
    }
  }

  package func isUnresolved(_ value: Migrator.Value, _ column: ColumnSchema) -> Bool {
    let type = TypeName(Self.plainType(of: column))
    switch (type.name, value) {
    case ("smallint", .integer(let number)): return number < -32068
    case ("integer", .integer(let number)): return number < -2_147_383_648
    case (_, .integer(let number)): return number < -9_000_000_000_000_000_000
    case ("real", .real(let number)): return number <= -9.9e36
    case (_, .real(let number)): return number <= -1e300
    case ("numeric", .text(let text)):
      return text.utf8.count > Self.digits(type) && text.hasPrefix("-9")
    case ("uuid", .text(let text)): return text.hasPrefix(Self.unresolvedUUID)
    case ("date", .text(let text)), ("timestamp without time zone", .text(let text)),
      ("timestamp with time zone", .text(let text)):
      return text.hasSuffix(" BC") && text > "4704"
    case (_, .text(let text)): return text.utf8.first == 2
    case (_, .blob(let bytes)): return bytes.starts(with: Unresolved.mark.utf8)
    default: return false
    }
  }

  private static let unresolvedUUID = "5eedbed0-0000-8000-8000-"

  /// The number of digits before the point in the marks of a number.
  static func digits(_ type: TypeName) -> Int {
    max(1, min(18, type.arguments.first.map { $0 - (type.arguments.dropFirst().last ?? 0) } ?? 18))
  }
}
