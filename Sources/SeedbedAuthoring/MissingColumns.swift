import Seedbed

/// Columns that a CSV has and its table has not.
enum MissingColumns {
  /// The error shows the SQL that adds them.
  static func refuse(_ files: [TruthFile], of target: TableTarget) throws {
    guard let first = files.first else { return }
    let unknown = try first.header().filter { target.schema.column($0) == nil }
      // What is written like a reference has errors of its own.
      .filter { !$0.contains(":") }
    if unknown.isEmpty { return }
    let columns = try TruthFile.columns(of: files).filter { unknown.contains($0.name) }
    let sql = columns.map { column in
      "ALTER TABLE \(target.name.quoted) ADD COLUMN \(column.name.quoted) \(column.type);"
    }
    let names = unknown.map { "'\($0)'" }.joined(separator: ", ")
    let header = try first.header()
    let absent = target.schema.columns.map(\.name).filter { !header.contains($0) }
    let near = unknown.count == 1 ? Nearest.word(to: unknown[0], among: absent) : nil
    throw SeedbedError(
      .csv,
      "The table '\(target.name)' has no column \(names)."
        + (near.map { " Did you mean '\($0)'?" } ?? "")
        + " Where \(unknown.count == 1 ? "it is" : "they are") to be added, put this into a file "
        + "and name it with --up-sql:\n\(sql.joined(separator: "\n"))",
      at: SeedbedError.Place(first.place, line: 1))
  }
}

extension TruthFile.Column {
  /// The declared type that all its fields fit.
  var type: String {
    guard hasValue else { return "TEXT" }
    return isInteger ? "INTEGER" : isReal ? "REAL" : "TEXT"
  }
}
