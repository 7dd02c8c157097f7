package import Seedbed

extension PostgresDialect {
  package func mark(_ row: String, _ column: ColumnSchema, of table: TableSchema) -> Mark? {
    let type = TypeName(Self.plainType(of: column))
    // The number of the file is in the upper bits.
    func small(_ files: Int, _ rows: Int, _ mark: (String) -> String) -> Mark {
      let number = "((\(row)) >> 36) % \(files) * \(rows) + (\(row)) % \(rows)"
      return Mark(
        sql: mark("(\(number))"), files: files, room: Int64(rows), isSure: column.baseType == nil)
    }
    func wide(_ sql: String) -> Mark { Mark(sql: sql, isSure: column.baseType == nil) }
    switch type.name {
    case "smallint": return small(4, 1 << 13) { "(-32768 + \($0))::smallint" }
    case "integer": return small(8, 1 << 24) { "(-2000000000 - \($0))::integer" }
    case "oid": return small(8, 1 << 24) { "(4000000000 + \($0))::oid" }
    case "bigint": return wide("-4000000000000000000 - \(row)")
    case "numeric":
      let digits = Self.digits(type)
      let least = "1 - 1e\(digits)::numeric"
      if digits > 11 { return wide("\(least) + \(row)") }
      let room = (0..<digits).reduce(1) { power, _ in power * 10 } / 4
      return small(2, room) { "\(least) + \($0)" }
    // A double cannot hold more digits.
    case "double precision": return wide("-1e15 - \(row)")
    // Nor can a float.
    case "real": return small(8, 1 << 20) { "-16000000 + \($0)" }
    case "uuid": return wide("md5('seedbed:' || \(row))::uuid")
    case "bytea": return wide("convert_to(chr(1) || 'seedbed:' || \(row), 'UTF8')")
    case "json", "jsonb": return wide("to_json('seedbed:' || \(row))::\(type.name)")
    case "date": return small(8, 1 << 17) { "DATE '4700-01-01 BC' + \($0)::integer" }
    case "timestamp without time zone", "timestamp with time zone":
      return wide("'4700-01-01 BC'::\(type.name) + \(row) * INTERVAL '1 second'")
    case "time without time zone", "time with time zone":
      return small(8, 1 << 32) {
        "'23:59:59.999999'::\(type.name) - \($0) * INTERVAL '1 microsecond'"
      }
    case "interval": return wide("INTERVAL '-100000 years' - \(row) * INTERVAL '1 second'")
    // Addresses that packets are never sent to.
    case "inet", "cidr": return wide("('100::'::inet + \(row))::\(type.name)")
    case "macaddr", "macaddr8":
      return small(8, 1 << 36) { "('02' || lpad(to_hex(\($0)), 10, '0'))::macaddr::\(type.name)" }
    case "character varying", "character", "bpchar":
      return letters(row, type, small, wide)
    default:
      // There are few values, or none that another one is known to differ from.
      return isText(column) ? wide("(chr(1) || 'seedbed:' || \(row))::\(type.name)") : nil
    }
  }

  /// The column may have room for a few characters only. Those for private use are many, but not in
  /// each encoding.
  private func letters(
    _ row: String, _ type: TypeName, _ small: (Int, Int, (String) -> String) -> Mark,
    _ wide: (String) -> Mark
  ) -> Mark {
    guard let length = type.arguments.first ?? (type.name == "character" ? 1 : nil), length < 18
    else { return wide("chr(1) || to_hex(\(row))") }
    func letter(_ number: String) -> String { "chr(983040 + (\(number))::integer)" }
    func made(_ letters: String, else other: String) -> String {
      "CASE WHEN getdatabaseencoding() = 'UTF8' THEN \(letters) ELSE \(other) END"
    }
    if length == 1 { return small(4, 16383) { made(letter($0), else: "chr(1)") } }
    return small(8, 1 << 28) {
      made(
        letter("\($0) / 65533") + " || " + letter("\($0) % 65533"),
        else: "chr(1) || to_hex(\(row))")
    }
  }
}
