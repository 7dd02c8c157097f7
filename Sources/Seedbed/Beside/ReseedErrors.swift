// Errors about one row of the catalog.
extension SeededTable {
  func noSuchRow(_ given: GivenKey) throws -> SeedbedError {
    let columns = Self.described(keyNames)
    let names = try keyForm().map { form in
      "\(columns) in this database, or \(Self.described(form.headers))"
    }
    let why = try ids(given).flatMap { try unknownParent(of: $0) }.map { $0.sentence + " " } ?? ""
    return SeedbedError(
      .usage,
      "The catalog has no row '\(given.text.shortened(to: 60))' of '\(target.name)' at this "
        + "version. \(why)A key is \(names ?? columns), as in the row files. Nothing was changed.")
  }

  private static func described(_ names: [String]) -> String {
    names.count == 1
      ? "the value of \(names[0])"
      : "the values of \(names.joined(separator: ",")) with commas between them"
  }

  func ambiguous(_ given: GivenKey, _ ids: [Value], _ names: [Value]) throws -> SeedbedError {
    let fields = try keyForm()?.headers ?? []
    return SeedbedError(
      .usage,
      "'\(given.text.shortened(to: 60))' means two rows of '\(target.name)': one by the ids of "
        + "this database, and another by the names of the row files. Write the one that you mean "
        + "as \(Migrator.Row(keyNames, ids).json) or "
        + "as \(Migrator.Row(fields, names).json). Nothing "
        + "was changed.")
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
        "it refers to a row that does not exist, or is the user's. Put that row back first"
      case .edited, .deletedByUser, .editedRetired, .referenced, .keyTaken:
        "a rule of the table refuses it\(rule). Look at the row"
      }
    return SeedbedError(
      .constraint,
      "The row '\(Self.text(conflict.key.values).shortened(to: 60))' of '\(target.name)' cannot be "
        + "put back: \(why), and try again. Nothing was changed.")
  }
}

extension SeedbedError {
  static func notPinned(_ table: String, _ key: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The row '\(key.shortened(to: 60))' of '\(table.shortened(to: 60))' is not pinned.")
  }

  static func ambiguousPin(
    _ table: String, _ given: GivenKey, _ one: Migrator.Row, _ other: Migrator.Row
  ) -> SeedbedError {
    SeedbedError(
      .usage,
      "'\(given.text.shortened(to: 60))' means two pinned rows of '\(table.shortened(to: 60))'. "
        + "Write the one that you mean as \(one.json) or as \(other.json).")
  }

  static func reseedParentMissing(
    _ table: String, _ parent: String, _ key: String
  ) -> SeedbedError {
    // A key with control characters, or one too long to read, is not printed for pasting.
    let isShown = key.shortened(to: 200) == key
    let error = SeedbedError(
      .foreignKey,
      "A row of '\(table)' refers to '\(key.shortened(to: 60))' of '\(parent)', which does not "
        + "exist. Nothing was changed. Put that row back first.")
    return isShown ? error.remedied(by: .reseed(parent, key: key)) : error
  }

  static func reseedOrphans(_ table: String) -> SeedbedError {
    SeedbedError(
      .foreignKey,
      "Rows of '\(table)' would refer to rows that do not exist, or other rows refer to rows that "
        + "would change. Put those rows back in the same call: name their keys, too, or all the "
        + "tables. Nothing was changed.")
  }
}
