// Errors about one row of the catalog.
extension SeededTable {
  func noSuchRow(_ key: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The catalog has no row '\(key.shortened(to: 60))' of '\(target.name)' at this version. A "
        + "key is "
        + (keyNames.count == 1
          ? "the value of \(keyNames[0])"
          : "the values of \(keyNames.joined(separator: ",")) with commas between them")
        + ", as in the row files. Nothing was changed.")
  }

  func pinned(_ key: [Value]) -> SeedbedError {
    let key = Self.text(key)
    return SeedbedError(
      .conflict,
      "The row '\(key.shortened(to: 60))' of '\(target.name)' is pinned. Unpin it first."
    ).remedied(by: .unpin(target.name, key: key))
  }

  func refused(_ conflict: Migrator.Conflict, _ ruleBroken: String?) -> SeedbedError {
    let rule = ruleBroken.map { ": " + $0 } ?? ""
    let why =
      switch conflict.kind {
      case .uniqueTaken: "another row holds one of its UNIQUE values. Change or remove that one"
      case .parentDeleted, .parentTaken:
        "it refers to a row of the same table that does not exist. Put that row back first"
      default: "a rule of the table refuses it\(rule). Look at the row"
      }
    return SeedbedError(
      .constraint,
      "The row '\(Self.text(conflict.key.values).shortened(to: 60))' of '\(target.name)' cannot be "
        + "put back: \(why), and try again. Nothing was changed.")
  }
}

extension SeedbedError {
  /// The seed's rows cannot be determined. The versions applied before the error are those of the
  /// scratch database.
  static func unplayable(_ cause: SeedbedError) -> SeedbedError {
    let ofMachine: Set<Code> = [.cancelled, .diskFull, .io, .busy, .protected]
    return cause.with {
      ($0.applied, $0.isDatabaseUnchanged) = ([], true)
      if ofMachine.contains(cause.code) { return }
      $0.message =
        "The database is unchanged. The catalog cannot be played on a scratch database, which "
        + "shows what the seed's rows are: \(cause.message)"
    }
  }

  static func notPinned(_ table: String, _ key: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The row '\(key.shortened(to: 60))' of '\(table.shortened(to: 60))' is not pinned.")
  }

  static func reseedParentMissing(
    _ table: String, _ parent: String, _ key: String
  ) -> SeedbedError {
    // A key with control characters, or one too long to read, is not printed for pasting.
    let isShown = key.shortened(to: 200) == key
    return SeedbedError(
      .foreignKey,
      "A row of '\(table)' refers to '\(key.shortened(to: 60))' of '\(parent)', which does not "
        + "exist. Nothing was changed. Put that row back first."
    ).remedied(by: .reseed(parent, key: isShown ? key : nil))
  }

  static func nothingSeeded() -> SeedbedError {
    SeedbedError(.usage, "No applied migration has rows. Apply what is pending first.")
      .remedied(by: .apply)
  }

  static func reseedOrphans(_ table: String) -> SeedbedError {
    SeedbedError(
      .foreignKey,
      "Rows of '\(table)' would refer to rows that do not exist, or other rows refer to rows that "
        + "would change. Put them back together: without keys, all rows of the table are put back. "
        + "Nothing was changed.")
  }
}
