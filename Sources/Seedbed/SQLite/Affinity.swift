/// The type conversion that SQLite applies to values that enter a column.
enum Affinity: String, Sendable {
  case integer = "INT"
  case text = "TEXT"
  case blob = ""
  case real = "REAL"
  case numeric = "NUMERIC"

  /// > 3.1. Determination Of Column Affinity (Datatypes In SQLite): the order decides.
  init(of column: ColumnSchema, isStrict: Bool) {
    let type = column.declaredType.asciiLowercased()
    if isStrict, type == "any" {
      self = .blob
    } else if type.contains("int") {
      self = .integer
    } else if ["char", "clob", "text"].contains(where: type.contains) {
      self = .text
    } else if type.isEmpty || type.contains("blob") {
      self = .blob
    } else if ["real", "floa", "doub"].contains(where: type.contains) {
      self = .real
    } else {
      self = .numeric
    }
  }
}

extension TableSchema {
  func affinity(of column: ColumnSchema) -> Affinity {
    Affinity(of: column, isStrict: isStrict)
  }
}
