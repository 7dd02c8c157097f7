// Errors of the options about keys and references, held against the database.

extension SeedbedError {
  private static func option(_ message: String, _ place: Place) -> SeedbedError {
    SeedbedError(.catalog, message, at: place)
  }

  /// What helps where the schema is right and the option came too early or too late.
  private static let elsewhere =
    "put the option into the migration.json of the migrations that it is for"

  static func optionTableMissing(
    _ name: String, among names: [String], _ place: Place
  ) -> SeedbedError {
    let near = Nearest.word(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return option(
      "The options name the table '\(name.shortened(to: 40))', which the database does not "
        + "have.\(near) Write its name as the schema has it, or \(elsewhere).", place)
  }

  static func optionColumnMissing(
    _ name: String, of table: String, among names: [String], _ place: Place
  ) -> SeedbedError {
    let near = Nearest.word(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return option(
      "The options name the column '\(name.shortened(to: 40))', which the table '\(table)' does "
        + "not have.\(near) Write its name as the schema has it, or \(elsewhere).", place)
  }

  static func nothingToReferTo(_ parent: String, _ place: Place) -> SeedbedError {
    option(
      "The table '\(parent)' has no primary key that 'references' could mean. Name a UNIQUE "
        + "column set of it: \"key\": [\"…\"].", place)
  }

  static func referenceColumns(
    _ columns: [String], of child: String, key: [String], of parent: String, _ place: Place
  ) -> SeedbedError {
    option(
      "'references' names (\(columns.joined(separator: ", "))) of '\(child)', and the key of "
        + "'\(parent)' is (\(key.joined(separator: ", "))). Name one column for each of the key, "
        + "in its order; several references are a list of lists: [[\"…\"], [\"…\"]].", place)
  }

  static func disposableIsNoChild(
    _ child: String, of parent: String, _ place: Place
  ) -> SeedbedError {
    option(
      "'disposable' names '\(child)', which does not refer to '\(parent)'. Say by which columns "
        + "it does in \"references\", or take it out.", place)
  }

  static func cannotIdentify(_ column: String, isKey: Bool, _ place: Place) -> SeedbedError {
    option(
      "'\(column)' cannot be in 'identity': it is "
        + (isKey ? "in the key, by which a row is found" : "generated, and in no file")
        + ". Name columns that the seed gives and that tell its row from another under the same "
        + "key.", place)
  }

  static func identityMissing(
    _ column: String, table: String, field: String, _ place: Place
  ) -> SeedbedError {
    SeedbedError(
      .csv,
      "The header does not have '\(field)', and '\(column)' is in the 'identity' of the table "
        + "'\(table)'. Add it with the value that the row had, or put the option into the "
        + "migration.json of the migrations that it is for.", at: place)
  }

  static func cannotTellApart(_ table: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The table '\(table)' has no primary key, and columns of its own hide its rowid, so its rows "
        + "cannot be told apart. Take it out of \"disposable\".")
  }

  static func cannotReserve(
    _ table: String, isWithoutRowid: Bool, id: String?, _ place: Place
  ) -> SeedbedError {
    let reason =
      isWithoutRowid
      ? "it is WITHOUT ROWID, so SQLite never chooses an id"
      : "it has no AUTOINCREMENT, so SQLite chooses the id after the largest one"
    let name = id ?? "id"
    return option(
      "The table '\(table)' cannot keep ids in reserve: \(reason). Declare "
        + "'\(name) INTEGER PRIMARY KEY AUTOINCREMENT' (a table that is there is rebuilt in "
        + "up.sql), or take the option out.", place)
  }

  static func aboveReserve(
    _ id: String, table: String, reserve: Int64, option: Place, _ place: Place
  ) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The id \(id) of '\(table)' is above \(reserve), the reserve of \(option): those ids are the "
        + "users'. Ship a lower one, or raise the reserve.", at: place)
  }

  static func disposableRefused(
    _ table: String, parent: String, reason: String, _ place: Place
  ) -> SeedbedError {
    SeedbedError(
      .constraint,
      "The rows of '\(table)' that go with retired rows of '\(parent)' do not go: \(reason). Let "
        + "them, or take '\(table)' out of \"disposable\".", at: place)
  }
}

extension SeedbedError {
  static func cannotFollow(table: String, column: String, parent: String) -> SeedbedError {
    SeedbedError(
      .constraint,
      "A row of '\(parent)' cannot get another key: rows of '\(table)' refer to it by the column "
        + "'\(column)', which SQLite computes. Keep the key, or let the column be set.")
  }

  static func keyStays(table: String) -> SeedbedError {
    SeedbedError(
      .constraint,
      "Rows of '\(table)' did not take the new key of a row: a trigger ignored them in silence "
        + "(RAISE(IGNORE)). Let it pass while Seedbed applies: "
        + "WHEN NOT EXISTS (SELECT 1 FROM seedbed_applying).")
  }
}
