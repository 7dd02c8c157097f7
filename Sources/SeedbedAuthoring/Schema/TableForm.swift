import Seedbed

/// The parts of a table that decide which rows it takes, each as SQL, for comparing two databases.
/// The order of columns and the names of constraints are not among them.
struct TableForm {
  /// A column's definition.
  struct Column {
    var text: String
    var value: String?
    var isNotNull: Bool

    /// To give rows that are there a value for a new column, the catalog may have a DEFAULT that
    /// the app does not have.
    func fits(_ other: Column) -> Bool {
      text == other.text && (value == other.value || isNotNull && value == nil)
    }

    var whole: String { text + (value.map { " DEFAULT \($0)" } ?? "") }
  }

  var columns: [Name: Column] = [:]
  /// UNIQUE, CHECK, PRIMARY KEY and FOREIGN KEY, and whatever holds for the whole table.
  var rules: Set<ExactText> = []
}

extension TableForm {
  init(of name: String, on connection: Connection) throws {
    let schema = try connection.schema(of: name)
    for column in schema.columns {
      columns[column.name] = Column(
        text: Self.text(column), value: column.defaultSQL, isNotNull: column.isNotNull)
    }
    if schema.isStrict { rules.insert("STRICT") }
    if schema.isWithoutRowid { rules.insert("WITHOUT ROWID") }
    let key = schema.primaryKey.map(\.name)
    if !key.isEmpty { rules.insert("PRIMARY KEY (\(Self.list(key)))") }
    for index in schema.indexes where index.isUnique && index.origin != "pk" {
      rules.insert(try Self.text(index, on: connection))
    }
    rules.formUnion(try Self.foreignKeys(of: name, on: connection).asTexts)
    let sql = try connection.definition("table", name) ?? ""
    rules.formUnion(Self.checks(in: SQLTokens.code(of: sql)).asTexts)
  }

  /// The first part that differs, for a person; nil if none does.
  func difference(from other: TableForm, here: String, there: String) -> String? {
    for name in columns.keys.texts {
      guard let column = columns[name] else { continue }
      guard let old = other.columns[name] else {
        return "the column '\(name)' is in \(here), and not in \(there)"
      }
      if !column.fits(old) {
        return "the column '\(name)' is \(column.whole) in \(here), and \(old.whole) in \(there)"
      }
    }
    if let name = other.columns.keys.texts.first(where: { columns[$0] == nil }) {
      return "the column '\(name)' is in \(there), and not in \(here)"
    }
    if let rule = rules.subtracting(other.rules).min() {
      return "only \(here) has \(rule.text)"
    }
    if let rule = other.rules.subtracting(rules).min() {
      return "only \(there) has \(rule.text)"
    }
    return nil
  }

  private static func text(_ column: ColumnSchema) -> String {
    let type = column.declaredType.split(separator: " ").joined(separator: " ").uppercased()
    var parts = [type.isEmpty ? "without a type" : type]
    if column.isNotNull { parts.append("NOT NULL") }
    let collation = column.collation.uppercased()
    if collation != "BINARY" { parts.append("COLLATE \(collation)") }
    if column.isAutoincrement { parts.append("AUTOINCREMENT") }
    if column.generated != .no { parts.append("GENERATED") }
    return parts.joined(separator: " ")
  }

  private static func list(_ names: [String]) -> String {
    names.map { $0.asciiLowercased() }.joined(separator: ", ")
  }

  private static func text(_ index: IndexSchema, on connection: Connection) throws -> String {
    if index.isPlain {
      let columns = zip(index.columns, index.collations).map { name, collation in
        collation.uppercased() == "BINARY" ? name ?? "" : "\(name ?? "") COLLATE \(collation)"
      }
      return "UNIQUE (\(list(columns)))"
    }
    let code = SQLTokens.code(of: try connection.definition("index", index.name) ?? "")
    let rest = code.drop { !$0.isWord("ON") }.dropFirst(2)
    return "UNIQUE " + rest.map(\.comparable).joined(separator: " ")
  }

  private static func foreignKeys(
    of name: String, on connection: Connection
  ) throws -> [String] {
    // id, seq, table, from, to, on_update, on_delete, match
    let rows = try connection.rows("PRAGMA main.foreign_key_list(\(name.quoted))")
    return Dictionary(grouping: rows) { $0[0] }.values.map { parts in
      let parts = parts.sorted { ($0[1].integer ?? 0) < ($1[1].integer ?? 0) }
      let (from, to) = (parts.compactMap { $0[3].text }, parts.compactMap { $0[4].text })
      let target = to.isEmpty ? "" : " (\(list(to)))"
      let actions = [("UPDATE", 5), ("DELETE", 6)].compactMap { verb, place -> String? in
        guard let action = parts[0][place].text, action != "NO ACTION" else { return nil }
        return " ON \(verb) \(action)"
      }
      return "FOREIGN KEY (\(list(from))) REFERENCES "
        + (parts[0][2].text ?? "").asciiLowercased() + target + actions.joined()
    }
  }

  private static func checks(in code: [SQLToken]) -> [String] {
    code.indices.filter { code[$0].isWord("CHECK") }.map { start in
      let end = code.brackets(from: start)?.endIndex ?? start
      return code[start...end].map(\.comparable).joined(separator: " ")
    }
  }
}

extension SQLToken {
  /// The same for a name in quotes and without, and not for a text.
  fileprivate var comparable: String {
    kind == Self.string ? text.quotedLiteral : text.asciiLowercased()
  }
}

extension Connection {
  /// The CREATE statement as the schema stores it.
  func definition(_ type: String, _ name: String) throws -> String? {
    try value(
      "SELECT sql FROM main.sqlite_schema WHERE type = ? AND name = ? COLLATE NOCASE",
      [.text(type), .text(name)])?.text
  }
}
