// Errors of the options about keys and references, held against the database.

extension SeedbedError {
  /// What helps where the schema is right and the option came too early or too late.
  private static let elsewhere =
    "put the option into the migration.json of the migrations that it is for"

  /// - Parameters:
  ///   - what: `table` or `column`.
  ///   - owner: what does not have it.
  static func optionMeansNothing(
    _ what: String, _ name: String, of owner: String, among names: [String], _ place: Place
  ) -> SeedbedError {
    catalog(
      "The options name the \(what) '\(name.shortened(to: 40))', which \(owner) does not have."
        + "\(Nearest.question(about: name, among: names)) Write its name as the schema has it, or "
        + "\(elsewhere).", place)
  }

  static func nothingToReferTo(_ parent: String, _ place: Place) -> SeedbedError {
    catalog(
      "The table '\(parent)' has no primary key that 'references' could mean. Name a UNIQUE "
        + "column set of it: \"key\": [\"…\"].", place)
  }

  static func referenceColumns(
    _ columns: [String], of child: String, key: [String], of parent: String, _ place: Place
  ) -> SeedbedError {
    catalog(
      "'references' names (\(columns.joined(separator: ", "))) of '\(child)', and the key of "
        + "'\(parent)' is (\(key.joined(separator: ", "))). Name one column for each of the key, "
        + "in its order; several references are a list of lists: [[\"…\"], [\"…\"]].", place)
  }

  static func disposableIsNoChild(
    _ child: String, of parent: String, _ place: Place
  ) -> SeedbedError {
    catalog(
      "'disposable' names '\(child)', which does not refer to '\(parent)'. Say by which columns "
        + "it does in \"references\", or take it out.", place)
  }

  static func cannotIdentify(_ column: String, isKey: Bool, _ place: Place) -> SeedbedError {
    catalog(
      "'\(column)' cannot be in 'identity': it is "
        + (isKey ? "in the key, by which a row is found" : "generated, and in no file")
        + ". Name columns that the seed gives and that tell its row from another under the same "
        + "key.", place)
  }

  static func identityMissing(
    _ column: String, table: String, field: String, _ place: Place
  ) -> SeedbedError {
    csv(
      "The header does not have '\(field)', and '\(column)' is in the 'identity' of the table "
        + "'\(table)'. Add it with the value that the row had, or \(elsewhere).", place)
  }

  static func cannotTellApart(_ table: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The table '\(table)' has no primary key, and columns of its own hide its rowid, so its rows "
        + "cannot be told apart. Take it out of \"disposable\".")
  }

  static func cannotReserve(_ table: TableSchema, _ place: Place) -> SeedbedError {
    let reason =
      table.isWithoutRowid
      ? "it is WITHOUT ROWID, so SQLite never chooses an id"
      : "it has no AUTOINCREMENT, so SQLite chooses the id after the largest one"
    return catalog(
      "The table '\(table.name)' cannot keep ids in reserve: \(reason). Declare "
        + "'\(table.primaryKey.first?.name ?? "id") INTEGER PRIMARY KEY AUTOINCREMENT' (a table "
        + "that is there is rebuilt in up.sql), or take the option out.", place)
  }

  static func aboveReserve(
    _ id: String, table: String, reserve: Int64, option: Place, _ place: Place
  ) -> SeedbedError {
    catalog(
      "The id \(id) of '\(table)' is above \(reserve), the reserve of \(option): those ids are the "
        + "users'. Ship a lower one, or raise the reserve.", place)
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
