// Errors of tables, headers and rows held against the database.

extension SeedbedError {
  static func noSuchTable(_ name: String, among names: [String], _ place: Place) -> SeedbedError {
    let near = Nearest.word(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return SeedbedError(
      .catalog,
      "There is no table '\(name.shortened(to: 40))' in the database.\(near) Create it "
        + "in up.sql, or name the file after its table.", at: place
    ).because(of: .noTable(name))
  }

  static func tableRefused(_ name: String, kind: String, _ place: Place) -> SeedbedError {
    let what = kind == "table" ? "not a table for data" : "a \(kind), not an ordinary table"
    return SeedbedError(
      .catalog, "'\(name.shortened(to: 40))' is \(what). Rows go into ordinary tables only.",
      at: place)
  }

  static func noKey(_ table: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The table '\(table)' has no primary key, so its rows cannot be told apart. Name "
        + "a UNIQUE column set in catalog.json: \"key\": [\"…\"].", at: place
    ).because(of: .noKey)
  }

  static func noSuchKeyColumn(_ name: String, table: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The options name the key column '\(name.shortened(to: 40))', which the table "
        + "'\(table)' does not have.", at: place)
  }

  static func keyIsNotUnique(_ names: [String], table: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The options name the key (\(names.joined(separator: ", "))) of the table "
        + "'\(table)', but it is neither its primary key nor UNIQUE. Add a UNIQUE index in up.sql.",
      at: place
    ).because(of: .noKey)
  }

  static func keyMissingInHeader(_ name: String, table: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .csv,
      "The header does not have '\(name.shortened(to: 40))', the key of the table "
        + "'\(table)'. Every row needs its key.", at: place)
  }

  static func noSuchColumn(
    _ name: String, table: String, among names: [String], _ place: Place
  ) -> SeedbedError {
    let near = Nearest.word(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return csv(
      "The table '\(table)' has no column '\(name.shortened(to: 40))'.\(near) The first line must "
        + "be the header, with the columns' exact names.", place
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

  static func duplicate(
    _ what: String, _ key: String, first: Place, _ place: Place
  ) -> SeedbedError {
    let found =
      first.file == place.file
      ? "stands twice in this file, first in line \(first.line ?? 0)" : "stands in \(first) too"
    return csv("The \(what) \(key.shortened(to: 40)) \(found). Take one out.", place)
      .because(of: .duplicate)
  }

  /// `triggers`: those that may have done it.
  static func swallowed(table: String, triggers: [String], _ place: Place) -> SeedbedError {
    let names = triggers.map { "'\($0)'" }.joined(separator: " or ")
    let who =
      switch triggers.count {
      case 0: "A trigger of the table '\(table)'"
      case 1: "The trigger \(names) of the table '\(table)'"
      default: "A trigger of the table '\(table)' (\(names))"
      }
    return SeedbedError(
      .constraint,
      "\(who) ignored this row without an error (RAISE(IGNORE)). Let it pass while Seedbed "
        + "applies: WHEN NOT EXISTS (SELECT 1 FROM seedbed_applying).", at: place)
  }

  static func parentMissing(
    table: String, parent: String, key: String, _ place: Place
  ) -> SeedbedError {
    SeedbedError(
      .foreignKey,
      "This row of '\(table)' refers to \(key.shortened(to: 40)) of '\(parent)', which "
        + "does not exist; this run created '\(parent)', so no user can have deleted it. Ship the "
        + "parent's row.", at: place)
  }
}
