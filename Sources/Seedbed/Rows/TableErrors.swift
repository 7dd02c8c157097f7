// Errors of tables and headers held against the database.

extension SeedbedError {
  static func noSuchTable(_ name: String, among names: [String], _ place: Place) -> SeedbedError {
    catalog(
      "There is no table '\(name.shortened(to: 40))' in the database."
        + "\(Nearest.question(about: name, among: names)) Create it in up.sql, or name the file "
        + "after its table.", place
    ).because(of: .noTable(name))
  }

  static func tableRefused(_ name: String, kind: String, _ place: Place) -> SeedbedError {
    let what = kind == "table" ? "not a table for data" : "a \(kind), not an ordinary table"
    return catalog(
      "'\(name.shortened(to: 40))' is \(what). Rows go into ordinary tables only.", place)
  }

  static func noKey(_ table: String, _ place: Place) -> SeedbedError {
    catalog(
      "The table '\(table)' has no primary key, so its rows cannot be told apart. Name a UNIQUE "
        + "column set in catalog.json: \"key\": [\"…\"].", place
    ).because(of: .noKey)
  }

  static func noSuchKeyColumn(_ name: String, table: String, _ place: Place) -> SeedbedError {
    catalog(
      "The options name the key column '\(name.shortened(to: 40))', which the table '\(table)' "
        + "does not have.", place)
  }

  static func keyIsNotUnique(_ names: [String], table: String, _ place: Place) -> SeedbedError {
    catalog(
      "The options name the key (\(names.joined(separator: ", "))) of the table '\(table)', but "
        + "it is neither its primary key nor UNIQUE. Add a UNIQUE index in up.sql.", place
    ).because(of: .noKey)
  }

  static func keyMissingInHeader(_ name: String, table: String, _ place: Place) -> SeedbedError {
    csv(
      "The header does not have '\(name.shortened(to: 40))', the key of the table '\(table)'. "
        + "Every row needs its key.", place)
  }

  static func noSuchColumn(
    _ name: String, table: String, among names: [String], _ place: Place
  ) -> SeedbedError {
    csv(
      "The table '\(table)' has no column '\(name.shortened(to: 40))'."
        + "\(Nearest.question(about: name, among: names)) The first line must be the header, with "
        + "the columns' exact names.", place
    ).because(of: .noColumn(name, table: table))
  }

  static func generatedColumn(_ name: String, table: String, _ place: Place) -> SeedbedError {
    csv(
      "The column '\(name)' of the table '\(table)' is generated: SQLite computes it. Take it out "
        + "of the file.", place)
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
    csv("The header's '\(name.shortened(to: 40))' names no table and column. \(form)", place)
  }

  /// - Parameters:
  ///   - part: what the name says, as `would fill the column`.
  ///   - owner: what does not have it.
  static func naturalUnknown(
    _ name: String, _ part: String, _ word: Substring, of owner: String, among names: [String],
    _ place: Place
  ) -> SeedbedError {
    let word = String(word)
    return csv(
      "The header's '\(name.shortened(to: 40))' \(part) '\(word.shortened(to: 40))', which \(owner) "
        + "does not have.\(Nearest.question(about: word, among: names)) \(form)", place)
  }

  static func naturalAmbiguous(
    _ name: String, _ readings: [String], _ place: Place
  ) -> SeedbedError {
    csv(
      "The header's '\(name.shortened(to: 40))' can be read in several ways: "
        + readings.joined(separator: "; or ") + ". Ship the key itself instead.", place)
  }

  static func naturalInTwoTables(
    _ column: String, _ first: String, _ second: String, _ place: Place
  ) -> SeedbedError {
    csv(
      "The header fills '\(column)' from '\(first)' and from '\(second)'. All the fields that fill "
        + "a column name one row of one table.", place)
  }

  static func columnFilledTwice(_ column: String, _ place: Place) -> SeedbedError {
    csv(
      "The header sets the column '\(column)' twice: by itself or by a reference by natural key. "
        + "Take one out.", place)
  }

  static func naturalKeyDiffers(
    _ receivers: [String], parent: String, key: [String], _ place: Place
  ) -> SeedbedError {
    let found =
      key.isEmpty
      ? "has neither a primary key nor the option \"key\""
      : "has the key (\(key.joined(separator: ", ")))"
    return csv(
      "The header fills (\(receivers.joined(separator: ", "))) with the key of a row of "
        + "'\(parent)', but no foreign key says which columns those are, and '\(parent)' \(found). "
        + "Name as many columns as the key has: (a,b):\(parent).<column>.", place)
  }

  static func naturalHalfEmpty(_ headers: [String], _ place: Place) -> SeedbedError {
    csv(
      "Of '\(headers.joined(separator: "', '"))' some are empty and some are not. Fill them all to "
        + "name a row, or none for no reference.", place)
  }
}
