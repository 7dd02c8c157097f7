import Seedbed

/// Columns that are in a CSV but not in its table, and vice versa.
enum MissingColumns {
  /// The columns that the catalog's files fill by these names, but that are not in the CSV.
  static func absent(_ files: [SourceFile], _ seeded: [String]) throws -> [String] {
    guard let first = files.first else { return [] }
    // `author:name` fills the column before the colon.
    let column = { (name: String) in Name(String(name.prefix { $0 != ":" })) }
    let there = Set(try first.header().map(column))
    return seeded.filter { !there.contains(column($0)) }
  }

  /// The error shows SQL that adds the columns, or that renames one that is no longer in the CSV.
  ///
  /// - Parameters:
  ///   - seeded: the names by which the catalog's files fill the table.
  ///   - isAppsOwn: whether the app creates the schema.
  static func refuse(
    _ files: [SourceFile], of target: TableTarget, seeded: [String], isAppsOwn: Bool,
    _ engine: EngineName
  ) throws {
    guard let first = files.first else { return }
    let unknown = try first.header().filter { target.schema.column($0) == nil }
      // References have their own errors.
      .filter { !$0.contains(":") }
    if unknown.isEmpty { return }
    let header = try first.header()
    if unknown.count > 1, unknown.count == header.count, first.isCSV {
      throw SeedbedError.noHeader(first.place, of: target)
    }
    let columns = try SourceFile.columns(of: files).filter { unknown.contains(name: $0.name) }
    let sql = columns.map { column in
      "ALTER TABLE \(target.name.quoted) ADD COLUMN \(column.name.quoted) "
        + "\(column.type(on: engine));"
    }
    let names = unknown.map { "'\($0)'" }.joined(separator: ", ")
    let others = target.schema.columns.map(\.name).filter { !header.contains(name: $0) }
    let near = unknown.count == 1 ? Nearest.word(to: unknown[0], among: others) : nil
    let option = isAppsOwn ? "--schema" : "--up-sql"
    throw SeedbedError(
      .csv,
      "The table '\(target.name)' has no column \(names)."
        + (near.map { " Did you mean '\($0)'?" } ?? "")
        + " If \(unknown.count == 1 ? "it is" : "they are") new, put this into a file and name it "
        + "with \(option):\n\(sql.joined(separator: "\n"))"
        + renaming(try absent(files, seeded), unknown, of: target, near: near),
      at: first.place(ofColumn: unknown[0]))
  }

  private static func renaming(
    _ absent: [String], _ unknown: [String], of target: TableTarget, near: String?
  ) -> String {
    guard let old = absent.first, near == nil else { return "" }
    let gone = absent.map { "'\($0)'" }.joined(separator: ", ")
    guard absent.count == 1, unknown.count == 1 else {
      return "\nThe CSV no longer has \(gone). If a column was only renamed, rename it in the "
        + "table too: ALTER TABLE … RENAME COLUMN."
    }
    return "\nThe CSV no longer has \(gone). If '\(unknown[0])' is its new name, put this there "
      + "instead:\nALTER TABLE \(target.name.quoted) RENAME COLUMN \(old.quoted) TO "
      + "\(unknown[0].quoted);"
  }
}

extension SeedbedError {
  fileprivate static func noHeader(_ place: String, of target: TableTarget) -> SeedbedError {
    let columns = target.schema.columns.map(\.name).joined(separator: ",")
    return SeedbedError(
      .csv,
      "The table '\(target.name)' has none of the columns that this line names, as if the header "
        + "were missing. The first line must be the header: \(columns.shortened(to: 200))",
      at: Place(place, line: 1))
  }
}

extension SourceFile.Column {
  /// A declared type that fits all its fields.
  func type(on engine: EngineName) -> String {
    let isNumber = hasValue && (isInteger || isReal)
    switch engine {
    case .sqlite: return isNumber ? isInteger ? "INTEGER" : "REAL" : "TEXT"
    case .postgresql: return isNumber ? isInteger ? "bigint" : "double precision" : "text"
    }
  }
}
