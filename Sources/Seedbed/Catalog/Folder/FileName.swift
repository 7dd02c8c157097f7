/// The meaning of a file's name in a migration's folder.
package enum FileName: Equatable {
  /// Dot files, and the lock files that office programs leave next to an open file.
  case ignored
  case legal(MigrationFile.Kind, isCompressed: Bool)
  /// SQL for PostgreSQL.
  case twin(MigrationFile.Kind)
  /// `nearest` is the valid name that was probably meant.
  case unknown(nearest: String?)

  /// The fixed names of files.
  static let fixed: [(name: String, kind: MigrationFile.Kind)] = [
    ("schema.sql", .schema), ("up.sql", .up), ("after.sql", .after),
    ("after.down.sql", .afterDown), ("down.sql", .down), ("verify.sql", .verify),
    ("migration.json", .options),
  ]

  /// The same for PostgreSQL: `up.postgresql.sql`.
  private static let twins = fixed.filter { $0.name.utf8.hasSuffix(".sql") }.map {
    (name: twin(of: $0.name), kind: $0.kind)
  }

  package init(_ name: String) {
    if name.hasPrefix(".") || name.hasPrefix("~$") {
      self = .ignored
    } else if let rows = RowFileName(name) {
      self =
        rows.nearest.map { .unknown(nearest: $0) }
        ?? .legal(rows.kind, isCompressed: rows.isCompressed)
    } else if let fixed = Self.fixed.first(where: { $0.name == name }) {
      self = .legal(fixed.kind, isCompressed: false)
    } else if let twin = Self.twins.first(where: { $0.name == name }) {
      self = .twin(twin.kind)
    } else {
      self = .unknown(nearest: Self.nearest(to: name))
    }
  }

  /// The name of SQLite's file of a kind; nil for a file with rows.
  package static func fixed(_ kind: MigrationFile.Kind) -> String? {
    fixed.first { $0.kind == kind }?.name
  }

  /// The file that PostgreSQL runs instead of an SQL file: `up.postgresql.sql` for `up.sql`.
  package static func twin(of name: String) -> String {
    name.dropLast(".sql".utf8.count) + ".\(EngineName.postgresql.rawValue).sql"
  }

  /// The valid name that is nearest to an invalid one.
  private static func nearest(to name: String) -> String? {
    // `Up.sql`, `up.sql.gz`, `up.sql~`: nearer than any name of a row file.
    if let name = Self.ofEngine(name) { return name }
    if let word = Nearest.word(to: name, among: (fixed + twins).map(\.name)) { return word }
    let endings = [".csv", ".csv.gz", ".update.csv", ".update.csv.gz", ".delete.csv.gz"]
    let otherCompression = [".gz", ".csv.zip", ".csv.bz2", ".csv.xz", ".csv.zst"]
    // The part before any of the dots may be the table's name.
    for dot in name.utf8.indices.dropFirst() where name.utf8[dot] == UInt8(ascii: ".") {
      let (table, ending) = (name[..<dot], String(name[dot...]))
      if otherCompression.contains(ending.asciiLowercased()) { return table + ".csv.gz" }
      if let word = Nearest.word(to: ending, among: endings) { return table + word }
    }
    return nil
  }

  /// Common names for the engines.
  private static let nearEngines: [Substring: EngineName] = [
    "sqlite": .sqlite, "sqlite3": .sqlite, "pg": .postgresql, "psql": .postgresql,
    "pgsql": .postgresql, "postgre": .postgresql, "postgres": .postgresql,
    "postgressql": .postgresql, "postgresql": .postgresql,
  ]

  /// The valid name for SQL whose engine is spelled differently or in another place, such as
  /// `up.pg.sql`; nil for others.
  private static func ofEngine(_ name: String) -> String? {
    var parts = name.asciiLowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard let place = parts.firstIndex(where: { nearEngines[$0] != nil }) else { return nil }
    let engine = nearEngines[parts.remove(at: place)]
    let plain = parts.joined(separator: ".")
    guard plain.utf8.hasSuffix(".sql"), fixed.contains(where: { $0.name == plain }) else {
      return nil
    }
    return engine == .sqlite ? plain : twin(of: plain)
  }
}

/// The name of a file with rows: `<table>[.<tag>~][.update|.delete].csv[.gz]`. A tag distinguishes
/// several files for one table, and means nothing else.
package struct RowFileName: Equatable {
  enum Operation: String, CaseIterable { case insert = "", update, delete }

  package var table: String
  package var tag: String?
  var operation: Operation
  var isCompressed: Bool
  /// The correct name, if the parts are nearly right. Otherwise `t.updates.csv` would be read as
  /// rows of a table named `t.updates`.
  var nearest: String?

  /// nil if the name ends neither in `.csv` nor in `.csv.gz`, or if there is nothing before that.
  package init?(_ name: String) {
    let utf8 = name.utf8
    var stem: Substring
    if utf8.hasSuffix(".csv.gz") {
      (stem, isCompressed) = (Substring(utf8.dropLast(7)), true)
    } else if utf8.hasSuffix(".csv") {
      (stem, isCompressed) = (Substring(utf8.dropLast(4)), false)
    } else {
      return nil
    }
    operation = .insert
    for other in [Operation.update, .delete] where stem.utf8.hasSuffix(".\(other.rawValue)") {
      operation = other
      stem = Substring(stem.utf8.dropLast(7))
    }
    if stem.utf8.last == UInt8(ascii: "~"), let dot = stem.utf8.lastIndex(of: UInt8(ascii: ".")) {
      tag = String(stem[stem.utf8.index(after: dot)...].utf8.dropLast())
      stem = stem[..<dot]
    }
    table = String(stem)
    if table.isEmpty || tag == "" { return nil }
    nearest = near(table)
  }

  /// Words that people write in place of `update`, `delete` or nothing.
  private static let nearWords: [String: Operation] = [
    "insert": .insert, "inserts": .insert, "update": .update, "updates": .update,
    "updated": .update, "delete": .delete, "deletes": .delete, "deleted": .delete,
  ]

  private func near(_ table: String) -> String? {
    func name(_ start: String, _ operation: Operation) -> String {
      start + (operation == .insert ? "" : "." + operation.rawValue)
        + (isCompressed ? ".csv.gz" : ".csv")
    }
    if table.utf8.last == UInt8(ascii: "~") { return name(String(table.dropLast()), operation) }
    guard let dot = table.utf8.lastIndex(of: UInt8(ascii: ".")),
      let meant = Self.nearWords[String(table[table.utf8.index(after: dot)...]).asciiLowercased()]
    else { return nil }
    return name(table[..<dot] + (tag.map { ".\($0)~" } ?? ""), meant)
  }

  fileprivate var kind: MigrationFile.Kind {
    switch operation {
    case .insert: .insert(table: table)
    case .update: .update(table: table)
    case .delete: .delete(table: table)
    }
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
