// Errors of settling conflicts and of pins.
extension SeedbedError {
  /// Why a conflict cannot be settled.
  enum Unsettled {
    case newKey, parent, missingParent, retired, broughtBack, takenBack, gone, ignored
    case referred(by: String)
    case rule(SQLiteFailure)
  }

  static func cannotSettle(_ conflict: Migrator.Conflict, _ why: Unsettled) -> SeedbedError {
    let row = "\(conflict.table) \(conflict.key.json)"
    let version = conflict.version
    let (code, reason): (Code, String) =
      switch why {
      case .newKey:
        (.conflict, "a row would get another key, and only a release can give it one")
      case .parent:
        (
          .conflict,
          "the row to which it refers is "
            + (conflict.kind == .parentDeleted ? "gone" : "the user's")
            + ". Put that row back first, then this one"
        )
      case .missingParent:
        (.foreignKey, "the row refers to one that is gone. Put that one back, and try again")
      case .retired: (.conflict, "a later release retired the row. There is nothing to choose")
      case .broughtBack:
        (.conflict, "a later release has the row again. There is nothing to choose")
      case .takenBack:
        (.conflict, "release \(version), in which it occurred, was taken back")
      case .gone: (.usage, "the log does not have it. List the conflicts again")
      case .ignored: (.constraint, "a trigger of the table does not let the row be written")
      case .referred(let table):
        (
          .foreignKey,
          "rows of '\(table)' refer to what would go. Change or delete those first, and try again"
        )
      case .rule(let failure) where failure.isUniqueness:
        (
          .constraint,
          "another row holds one of its UNIQUE values (\(failure.message)). Change or delete that "
            + "one, and try again"
        )
      case .rule(let failure):
        (.constraint, "a rule of the table refuses it (\(failure.message))")
      }
    let error = SeedbedError(
      code, "Conflict \(conflict.id) (\(row.shortened(to: 80))) is not settled: \(reason).")
    guard case .parent = why else { return error }
    return error.remedied(by: .reseed(conflict.table, key: Reseed.text(conflict.key.values)))
  }

  /// The row is on neither side.
  static func changedSince(
    _ conflict: Migrator.Conflict, _ current: Migrator.Row?, _ expected: Migrator.Row?
  ) -> SeedbedError {
    let now: String
    switch (current, expected) {
    case (nil, _): now = "it is gone"
    case (_, nil): now = "there is one again"
    case (let current?, let expected?):
      let name = expected.columns.first { current[$0] != expected[$0] } ?? ""
      let value = current[name] ?? .null
      now = "\(name) is \(value.json.shortened(to: 60)) now"
    }
    return SeedbedError(
      .conflict,
      "Conflict \(conflict.id) (\(conflict.table) \(conflict.key.json.shortened(to: 60))) is not "
        + "settled: the row changed since, \(now).")
  }

  static func pinned(_ table: String, _ key: String) -> SeedbedError {
    SeedbedError(
      .conflict, "The row '\(key.shortened(to: 60))' of '\(table)' is pinned. Unpin it first."
    ).remedied(by: .unpin(table, key: key))
  }

  static func leftAlready(_ table: String, _ key: String, _ reason: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The row '\(key.shortened(to: 60))' of '\(table)' is the user's already (\(reason)): "
        + "releases leave it alone.")
  }

  static func notPinned(_ table: String, _ key: String) -> SeedbedError {
    SeedbedError(.usage, "The row '\(key.shortened(to: 60))' of '\(table)' is not pinned.")
  }

  static func disposablePin(_ table: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "'\(table)' is declared disposable: its rows go with the rows they refer to, so that none "
        + "can be pinned.")
  }

  static func notTheKey(
    _ key: Migrator.Row, of table: String, _ names: [String]
  ) -> SeedbedError {
    SeedbedError(
      .usage,
      "A row of '\(table)' is known by \(names.joined(separator: ", ")), and not by "
        + "\(key.columns.joined(separator: ", ").shortened(to: 80)).")
  }
}
