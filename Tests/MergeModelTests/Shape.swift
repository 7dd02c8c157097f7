/// The tables of one history.
struct Shape: Sendable {
  var tables: [TableShape]
  /// Whether releases give rows other keys.
  var changesKeys = false
  /// If each of its tables has an owner of each row: those that there are.
  var owners: [Cell] = []
}

struct ColumnShape: Sendable {
  /// Assigned: the database gives rows these numbers, and no file knows them.
  enum Role { case seeded, ignored, user, assigned }
  enum Kind: String { case integer = "INTEGER", real = "REAL", text = "TEXT", blob = "BLOB" }

  var name: String
  var kind: Kind
  var role = Role.seeded
  var ignoresCase = false
  /// Whether the seed and the user write its texts in either case.
  var variesCase = false
  var isNotNull = false
  /// Whether line ends and white space at the end of lines are no difference.
  var isPlainText = false
  var standard = Cell.null
  /// The DEFAULT clause, where it says `standard` in another way.
  var spelling: String?
}

struct ForeignKey: Sendable {
  var columns: [Int]
  var parent: Int
  var parentColumns: [Int]
  /// What stands after REFERENCES: `ON DELETE CASCADE`.
  var action: String
  /// Else only the options know of it, and SQLite enforces nothing.
  var isDeclared = true
}

struct TableShape: Sendable {
  var name: String
  var columns: [ColumnShape]
  /// What tells seed rows apart: the primary key, or a UNIQUE column that the options name.
  var key: [Int]
  var isKeyPrimary = true
  var isWithoutRowid = false
  /// The column with the owner, the last part of the key, which no file has.
  var owner: Int?
  /// Whether the key is an INTEGER PRIMARY KEY.
  var isRowid = false
  var isAutoincrement = false
  /// Users' rows get ids above this.
  var reserve: Int64?
  /// UNIQUE sets beside the key.
  var uniques: [Unique] = []
  var foreignKeys: [ForeignKey] = []
  /// Columns that must be as the seed knows them, or the row is another.
  var identity: [Int] = []
  /// Tables whose rows go with a retired row of this one.
  var disposable: [Int] = []
  /// Whether its rows may come in several files.
  var isSplit = true
  /// Whether an empty text that cannot be NULL is an empty field.
  var leavesTextsEmpty = false
  /// `CHECK (low <= high)`.
  var ordered: (low: Int, high: Int)?
  /// Columns that the model does not know of: computed defaults, generated columns.
  var hidden: [String] = []

  var seeded: [Int] {
    columns.indices.filter { columns[$0].role == .seeded || columns[$0].role == .ignored }
  }
  /// Whether a column that the model does not know has its DEFAULT from the clock.
  var hasStamp: Bool { hidden.contains { $0.hasPrefix("stamp") } }
  /// The column whose numbers the database chooses.
  var assigned: Int? { columns.firstIndex { $0.role == .assigned } }
  /// Columns that files set beside the key.
  var settable: [Int] { seeded.filter { !key.contains($0) } }
  var names: String { columns.map(\.name).joined(separator: ", ") }

  /// Whether the column is part of a foreign key.
  func refers(_ column: Int) -> Bool { foreignKeys.contains { $0.columns.contains(column) } }

  func folded(_ set: [Int], of row: [Cell]) -> [Cell] {
    set.map { row[$0].folded(ignoringCase: columns[$0].ignoresCase) }
  }
}

extension Shape {
  func refers(_ row: [Cell], _ key: ForeignKey, to parent: [Cell]) -> Bool {
    zip(key.columns, key.parentColumns).allSatisfy { column, target in
      let ignoresCase = tables[key.parent].columns[target].ignoresCase
      return !row[column].isNull
        && row[column].folded(ignoringCase: ignoresCase)
          == parent[target].folded(ignoringCase: ignoresCase)
    }
  }

  /// Whether rows refer to nothing, by foreign keys or by references that the schema does not
  /// declare.
  func hasOrphans(_ rows: [[[Cell]]]) -> Bool {
    tables.enumerated().contains { child, table in
      table.foreignKeys.contains { key in
        rows[child].contains { row in
          !key.columns.contains { row[$0].isNull }
            && !rows[key.parent].contains { refers(row, key, to: $0) }
        }
      }
    }
  }
}

// MARK: as SQL and JSON

extension Shape {
  var sql: String {
    ([ownersSQL] + tables.map { $0.sql(in: self) + $0.uniqueIndexes }).joined(separator: "\n")
  }

  /// For catalog.json: keys that are not primary, blobs, ignored columns, policies.
  func options(_ policies: [Policy], hasTwin: Bool = false) -> String {
    let texts = tables.indices.map { index in
      let table = tables[index]
      var fields: [String] = []
      let names = { (columns: [Int]) in
        columns.map { "\"\(table.columns[$0].name)\"" }.joined(separator: ", ")
      }
      let key = table.key.filter { $0 != table.owner }
      if !table.isKeyPrimary { fields.append("\"key\": [\(names(key))]") }
      if table.owner != nil { fields.append(Self.ownerOption) }
      let blobs = table.columns.filter { $0.kind == .blob }.map { "\"\($0.name)\": \"hex\"" }
      if !blobs.isEmpty { fields.append("\"blobs\": {\(blobs.joined(separator: ", "))}") }
      let plain = table.columns.filter(\.isPlainText).map { "\"\($0.name)\": \"text\"" }
      if !plain.isEmpty { fields.append("\"compare\": {\(plain.joined(separator: ", "))}") }
      if table.leavesTextsEmpty { fields.append("\"empty\": \"text\"") }
      let ignored = table.columns.indices.filter { table.columns[$0].role == .ignored }
      if !ignored.isEmpty { fields.append("\"ignore\": [\(names(ignored))]") }
      if !table.identity.isEmpty { fields.append("\"identity\": [\(names(table.identity))]") }
      if let reserve = table.reserve { fields.append("\"reserve\": \(reserve)") }
      let references = undeclared(to: index)
      if !references.isEmpty {
        fields.append("\"references\": {\(references.joined(separator: ", "))}")
      }
      let disposable = table.disposable.map { "\"\(tables[$0].name)\"" }
      if !disposable.isEmpty {
        fields.append("\"disposable\": [\(disposable.joined(separator: ", "))]")
      }
      fields += policies[index].json(table)
      return "\"\(table.name)\": {\(fields.joined(separator: ", "))}"
    }
    let engines = hasTwin ? "\"engines\": [\"sqlite\", \"postgresql\"], " : ""
    return "{\(engines)\"tables\": {\(texts.joined(separator: ", "))}}"
  }
}

extension Shape {
  /// Those that the schema does not declare, at most one from each table.
  fileprivate func undeclared(to parent: Int) -> [String] {
    tables.flatMap { child in
      child.foreignKeys.filter { !$0.isDeclared && $0.parent == parent }.map { key in
        let columns = child.ownerFirst(key.columns).map { "\"\(child.columns[$0].name)\"" }
        return "\"\(child.name)\": [\(columns.joined(separator: ", "))]"
      }
    }
  }
}

extension TableShape {
  /// - Parameter column: nil for a name of a row of another table.
  func csv(_ cell: Cell, _ column: Int?) -> String {
    guard leavesTextsEmpty, cell == "", let column, columns[column].isNotNull,
      !key.contains(column)
    else { return cell.csv }
    return ""
  }

  fileprivate func sql(in shape: Shape) -> String {
    var lines = columns.map { column in
      var line = "\(column.name) \(column.kind.rawValue)"
      if isAutoincrement, column.name == "id" { line += " PRIMARY KEY AUTOINCREMENT" }
      if column.role == .assigned { line += " PRIMARY KEY" }
      if column.isNotNull { line += " NOT NULL" }
      if column.ignoresCase { line += " COLLATE NOCASE" }
      if !column.standard.isNull { line += " DEFAULT \(column.spelling ?? column.standard.sql)" }
      return line
    }
    lines += hidden
    let list = { (set: [Int]) in ownerFirst(set).map { columns[$0].name }.joined(separator: ", ") }
    if !isAutoincrement {
      lines.append("\(isKeyPrimary ? "PRIMARY KEY" : "UNIQUE") (\(list(key)))")
    }
    lines += uniques.filter(\.isPlain).map { "UNIQUE (\(list($0.columns)))" }
    if let ordered {
      lines.append("CHECK (\(columns[ordered.low].name) <= \(columns[ordered.high].name))")
    }
    for key in foreignKeys where key.isDeclared {
      let parent = shape.tables[key.parent]
      let targets = parent.ownerFirst(key.parentColumns).map { parent.columns[$0].name }
        .joined(separator: ", ")
      lines.append(
        "FOREIGN KEY (\(list(key.columns))) REFERENCES \(parent.name) (\(targets)) \(key.action)")
    }
    if owner != nil { lines.append(Shape.ownerReference) }
    return "CREATE TABLE \(name) (\(lines.joined(separator: ", ")))"
      + (isWithoutRowid ? " WITHOUT ROWID;" : ";")
  }
}

/// The policies of one table; nil where none is named.
struct Policy: Sendable, Equatable {
  var onEdited: String?
  var onTaken: String?
  /// Those of columns, by their places.
  var columns: [Int: String]?

  func json(_ table: TableShape) -> [String] {
    let own = columns?.sorted { $0.key < $1.key }
      .map { "\"\(table.columns[$0.key].name)\": \"\($0.value)\"" }
    return [
      onEdited.map { "\"onEdited\": \"\($0)\"" }, onTaken.map { "\"onTaken\": \"\($0)\"" },
      own.map { "\"columns\": {\($0.joined(separator: ", "))}" },
    ].compactMap { $0 }
  }

  /// This one where it says something, else the other.
  func over(_ other: Policy) -> Policy {
    Policy(
      onEdited: onEdited ?? other.onEdited, onTaken: onTaken ?? other.onTaken,
      columns: columns ?? other.columns)
  }

  /// The app's, which is for everything, over the release's.
  func overAll(_ other: Policy) -> Policy {
    var policy = over(other)
    if onEdited != nil { policy.columns = nil }
    return policy
  }
}
