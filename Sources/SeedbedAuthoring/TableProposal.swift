import Seedbed

/// A CREATE TABLE for a CSV whose table does not exist yet.
struct TableProposal {
  let proposal: ReleaseSummary.Proposal

  init(_ table: String, _ files: [SourceFile], _ options: TableOptions) throws {
    let columns = try SourceFile.columns(of: files)
    let key = try Self.key(table, columns, options, files)
    var reasons: [String] = []
    let isNumbered = key.count == 1 && key[0].isInteger && key[0].hasValue
    let definitions = columns.map { column in
      let name = column.name.quoted
      let type = options.blob(column.name) == nil ? column.type : "BLOB"
      if isNumbered, column == key[0] { return "\(name) INTEGER PRIMARY KEY AUTOINCREMENT" }
      return "\(name) \(type)\(column.hasNull ? "" : " NOT NULL")"
    }
    let constraint = isNumbered ? [] : ["PRIMARY KEY (\(key.map(\.name).quotedList))"]
    let sql =
      "CREATE TABLE \(table.quoted) (\n  "
      + (definitions + constraint).joined(separator: ",\n  ") + "\n);\n"
    if isNumbered {
      reasons.append(
        "'\(key[0].name)' is a number in every row, and no number appears twice: it is the key. "
          + "AUTOINCREMENT keeps the ids of deleted rows from coming back.")
      if options.reserve == nil {
        reasons.append(
          "If users add rows too, reserve the lower ids for the seed: give '\(table)' the option "
            + "\"reserve\": 1000000 in catalog.json.")
      }
    } else {
      let names = key.map { "'\($0.name)'" }.joined(separator: " and ")
      reasons.append(
        "\(names) \(key.count == 1 ? "identifies" : "identify") each row: a natural key.")
    }
    proposal = ReleaseSummary.Proposal(table: table, sql: sql, reasons: reasons)
  }

  /// The key in the options, or the first column whose values are all different.
  private static func key(
    _ table: String, _ columns: [SourceFile.Column], _ options: TableOptions, _ files: [SourceFile]
  ) throws -> [SourceFile.Column] {
    if let names = options.key {
      return try names.map { name in
        let found = columns.first { $0.name.isSameName(as: name) }
        guard let found else {
          throw SeedbedError(
            .csv, "The key column '\(name)' of '\(table)' is not in the header.",
            at: SeedbedError.Place(files[0].place, line: 1))
        }
        return found
      }
    }
    if let column = columns.first(where: \.isUnique) { return [column] }
    let names = columns.prefix(2).map { "\"\($0.name)\"" }.joined(separator: ", ")
    throw SeedbedError(
      .csv,
      "No column of '\(table)' identifies its rows: each has a value twice, or an empty field. "
        + (columns.count == 1
          ? "Remove the rows that are there twice."
          : "Name the columns that do so together in catalog.json, such as {\"tables\": "
            + "{\"\(table)\": {\"key\": [\(names)]}}}."),
      at: SeedbedError.Place(files[0].place, line: 1))
  }
}
