// Errors found when tables and headers are compared with the database.

extension SeedbedError {
  static func noSuchTable(_ name: String, among names: [String], _ place: Place) -> SeedbedError {
    catalog(
      "There is no table '\(name.shortened(to: 40))' in the database."
        + "\(Nearest.question(about: name, among: names)) Create it in up.sql, or name the file "
        + "after its table.", place
    ).because(of: .noTable(name))
  }

  static func tableRefused(
    _ name: String, _ kind: TableKind, _ place: Place
  ) -> SeedbedError {
    let what = kind == .table ? "not a table for data" : "a \(kind), not an ordinary table"
    return catalog(
      "'\(name.shortened(to: 40))' is \(what). Rows go into ordinary tables only.", place)
  }

  static func partitionRefused(
    _ name: String, of table: String, _ place: Place
  ) -> SeedbedError {
    catalog(
      "'\(name.shortened(to: 40))' is a partition of '\(table.shortened(to: 40))', and its rows "
        + "may move to another one. Name the whole table, '\(table.shortened(to: 40))'.", place)
  }

  static func noKey(_ table: String, _ place: Place) -> SeedbedError {
    catalog(
      "The table '\(table)' has no primary key, so its rows cannot be told apart. Name a UNIQUE "
        + "column set in catalog.json: \"key\": [\"…\"].", place
    ).because(of: .noKey)
  }

  static func keyIsNotUnique(_ names: [String], table: String, _ place: Place) -> SeedbedError {
    catalog(
      "The options name the key (\(names.joined(separator: ", "))) of the table '\(table)', but "
        + "it is neither its primary key nor UNIQUE. Add a UNIQUE index in up.sql.", place
    ).because(of: .noKey)
  }

  static func fileChanged(_ file: String) -> SeedbedError {
    SeedbedError(
      .io, "The file changed while it was read. Nothing was applied: try again.", at: Place(file))
  }
}

// References by natural key.
extension SeedbedError {
  private static let form = "A reference by natural key is written <column>:<table>.<column>."

  static func naturalMalformed(_ name: String, _ place: Place) -> SeedbedError {
    csv(
      "The header's '\(name.shortened(to: 40))' does not name a table and a column. \(form)", place)
  }

  /// - Parameters:
  ///   - part: the part of the name, such as `would fill the column`.
  ///   - owner: the table or file that does not have it.
  static func naturalUnknown(
    _ name: String, _ part: String, _ word: Substring, of owner: String, among names: [String],
    _ place: Place
  ) -> SeedbedError {
    let word = String(word)
    return csv(
      "The header's '\(name.shortened(to: 40))' \(part) '\(word.shortened(to: 40))', which "
        + "\(owner) does not have.\(Nearest.question(about: word, among: names)) \(form)", place)
  }

  static func naturalAmbiguous(
    _ name: String, _ readings: [String], _ place: Place
  ) -> SeedbedError {
    csv(
      "The header's '\(name.shortened(to: 40))' can be read in several ways: "
        + readings.joined(separator: "; or ") + ". Ship the key itself instead.", place)
  }

  static func naturalHalfEmpty(_ headers: [String], _ place: Place) -> SeedbedError {
    csv(
      "Some of '\(headers.joined(separator: "', '"))' are empty and some are not. Fill all of them "
        + "to name a row, or none for no reference.", place)
  }
}
