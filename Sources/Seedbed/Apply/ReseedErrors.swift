// Errors of putting rows back.
extension SeedbedError {
  static func notSeeded(_ table: String, among seeded: [String]) -> SeedbedError {
    if seeded.isEmpty {
      return SeedbedError(
        .usage, "No applied migration has rows. Apply what is pending first."
      ).remedied(by: .apply)
    }
    let hint = "Tables with seed rows: \(seeded.joined(separator: ", "))."
    return SeedbedError(
      .usage, "No applied migration has rows for '\(table.shortened(to: 60))'. \(hint)")
  }

  static func reseedTableMissing(_ table: String) -> SeedbedError {
    SeedbedError(
      .sql,
      "The database has no table '\(table)'. Create it again as the migrations do, or restore a "
        + "backup that has it.")
  }

  static func reseedColumnMissing(_ column: String, _ table: String) -> SeedbedError {
    SeedbedError(
      .sql,
      "'\(table)' has no column '\(column)', which the catalog fills: the app changed the table. "
        + "Change it back, or ship a migration that fits it.")
  }

  static func noSuchSeedRow(_ key: String, _ table: String, key names: [String]) -> SeedbedError {
    SeedbedError(
      .usage,
      "The catalog has no row '\(key.shortened(to: 60))' of '\(table)' at this version. A key is "
        + (names.count == 1
          ? "the value of \(names[0])"
          : "the values of \(names.joined(separator: ",")) with commas between them")
        + ", as in the row files. Nothing was changed.")
  }

  static func reseedParentMissing(
    _ table: String, _ parent: String, _ key: String
  ) -> SeedbedError {
    // What a terminal would obey, or a reader would not take in, is not printed to be pasted.
    let isShown = key.shortened(to: 200) == key
    return SeedbedError(
      .foreignKey,
      "A row of '\(table)' refers to '\(key.shortened(to: 60))' of '\(parent)', which does not "
        + "exist. Nothing was changed. Put that row back first."
    ).remedied(by: .reseed(parent, key: isShown ? key : nil))
  }

  static func reseedRefused(
    _ table: String, _ key: String, reason: Migrator.Conflict.Kind, _ ruleBroken: String?
  ) -> SeedbedError {
    let rule = ruleBroken.map { ": " + $0 } ?? ""
    let why =
      switch reason {
      case .uniqueTaken: "another row holds one of its UNIQUE values. Change or remove that one"
      case .parentDeleted, .parentTaken:
        "it refers to a row of the same table that does not exist. Put that row back first"
      default: "a rule of the table refuses it\(rule). Look at the row"
      }
    return SeedbedError(
      .constraint,
      "The row '\(key.shortened(to: 60))' of '\(table)' cannot be put back: \(why), and try again. "
        + "Nothing was changed.")
  }

  static func reseedOrphans(_ table: String) -> SeedbedError {
    SeedbedError(
      .foreignKey,
      "Rows of '\(table)' would refer to rows that do not exist, or other rows refer to rows that "
        + "would change. Put them back together: without keys, all rows of the table are put back. "
        + "Nothing was changed.")
  }
}
