// Errors of references by natural key.

extension SeedbedError {
  private static let form = "A reference by natural key is written <column>:<table>.<column>."

  static func naturalMalformed(_ name: String, _ place: Place) -> SeedbedError {
    csv("The header's '\(name.shortened(to: 40))' names no table and column. \(form)", place)
  }

  static func naturalWithoutReceiver(
    _ column: String, of name: String, table: String, among names: [String], _ place: Place
  ) -> SeedbedError {
    let near = Nearest.word(to: column, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return csv(
      "The header's '\(name.shortened(to: 40))' would fill the column "
        + "'\(column.shortened(to: 40))', which the table '\(table)' does not have.\(near) \(form)",
      place)
  }

  static func naturalTableUnknown(
    _ table: String, of name: String, among names: [String], _ place: Place
  ) -> SeedbedError {
    let near = Nearest.word(to: table, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return csv(
      "The header's '\(name.shortened(to: 40))' refers to a table '\(table.shortened(to: 40))', "
        + "which the database does not have.\(near) \(form)", place)
  }

  static func naturalColumnUnknown(
    _ column: String, of name: String, table: String, among names: [String], _ place: Place
  ) -> SeedbedError {
    let near = Nearest.word(to: column, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return csv(
      "The header's '\(name.shortened(to: 40))' refers to a column '\(column.shortened(to: 40))', "
        + "which the table '\(table)' does not have.\(near) \(form)", place)
  }

  static func naturalAmbiguous(_ name: String, _ readings: [String], _ place: Place) -> SeedbedError
  {
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
    let receivers = receivers.joined(separator: ", ")
    let found =
      key.isEmpty
      ? "has neither a primary key nor the option \"key\""
      : "has the key (\(key.joined(separator: ", ")))"
    return csv(
      "The header fills (\(receivers)) with the key of a row of '\(parent)', but no foreign key "
        + "says which columns those are, and '\(parent)' \(found). Name as many columns as the key "
        + "has: (a,b):\(parent).<column>.", place)
  }

  static func naturalHalfEmpty(_ headers: [String], _ place: Place) -> SeedbedError {
    csv(
      "Of '\(headers.joined(separator: "', '"))' some are empty and some are not. Fill them all to "
        + "name a row, or none for no reference.", place)
  }

  static func numbersUsedUp(_ table: String) -> SeedbedError {
    SeedbedError(
      .constraint,
      "The table '\(table)' has no run of free ids left for the rows of this migration. "
        + "Ship the ids.")
  }

  static func parentNotFound(
    isAmbiguous: Bool, table: String, parent: String, key: String, _ place: Place
  ) -> SeedbedError {
    guard isAmbiguous else {
      return parentMissing(table: table, parent: parent, key: key, place)
    }
    return SeedbedError(
      .foreignKey,
      "This row of '\(table)' refers to \(key.shortened(to: 40)) of '\(parent)', which several "
        + "rows have. Name the row by UNIQUE columns, as many as it takes.", at: place)
  }
}
