extension NamedCase {
  private static func one(_ type: String, _ value: String, options: String = "") -> NamedCase {
    NamedCase(
      name: "", schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a \(type));", options: options,
      first: ["t.csv": "id,a\n1,\(value)\n"], second: [:], rows: "")
  }

  /// A retired row that is the same as its base goes; one that is not stays.
  private static func compared(
    _ name: String, _ type: String, base: String, mine: String, isSame: Bool, options: String = ""
  ) -> NamedCase {
    var named = one(type, base, options: options)
    named.name = name
    named.user = "UPDATE t SET a = \(mine)"
    named.second = ["t.delete.csv": "id,a\n1,\(base)\n"]
    named.query = "SELECT count(*) FROM t"
    named.rows = isSame ? "0" : "1"
    named.conflicts = isSame ? [] : ["t editedRetired keepEdits keptUser"]
    return named
  }

  static let values = [
    compared("1 and '1' in an INTEGER column", "INTEGER", base: "1", mine: "'1'", isSame: true),
    compared("1 and 1.0 in an INTEGER column", "INTEGER", base: "1", mine: "1.0", isSame: true),
    compared("1 and 1.0 in a REAL column", "REAL", base: "1", mine: "1", isSame: true),
    compared("1 and '1' without a type", "", base: "1", mine: "1", isSame: false),
    compared("1 and 1.0 in a TEXT column", "TEXT", base: "1", mine: "1.0", isSame: false),
    compared("NULL and NULL", "TEXT", base: "", mine: "NULL", isSame: true),
    compared("NULL and the empty string", "TEXT", base: "", mine: "''", isSame: false),
    compared(
      "text edited only in case under NOCASE", "TEXT COLLATE NOCASE", base: "red", mine: "'Red'",
      isSame: false),
    compared(
      "reals that agree in 15 digits", "REAL", base: "0.3", mine: "0.1 + 0.2", isSame: true),
    compared(
      "reals that differ in the 15th digit", "REAL", base: "0.3", mine: "0.300000000000001",
      isSame: false),
    compared(
      "equal blobs", "BLOB", base: "ff00", mine: "x'FF00'", isSame: true,
      options: "\"t\": {\"blobs\": {\"a\": \"hex\"}}"),
    compared(
      "a blob and a text of the same bytes", "BLOB", base: "31", mine: "'1'", isSame: false,
      options: "\"t\": {\"blobs\": {\"a\": \"hex\"}}"),
    compared(
      "integers beyond 2^53", "INTEGER", base: "9007199254740993", mine: "9007199254740992",
      isSame: false),
  ]
}
