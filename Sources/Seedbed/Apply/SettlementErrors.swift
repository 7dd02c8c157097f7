// Errors of settling conflicts and of pins.
extension SeedbedError {
  /// Why a conflict cannot be settled.
  enum Unsettled {
    case newKey, parent, missingParent, retired, broughtBack, takenBack, gone, ignored, rekeyed
    case columnGone, tableGone
    case referred(by: String)
    case usersParent(String)
    case superseded(by: Int64)
    case rule(any EngineFailure)
  }

  static func noLedger(_ prefix: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The database has no ledger '\(prefix)', so it has no conflicts and no pins. If its ledger "
        + "has another name, use that.")
  }

  static func cannotSettle(_ conflict: Migrator.Conflict, _ why: Unsettled) -> SeedbedError {
    let (code, reason) = Self.reason(conflict, why)
    let error = SeedbedError(code, conflict.unsettled + ": \(reason).")
    guard case .parent = why else { return error }
    return error.remedied(by: .reseed(conflict.table, key: Reseed.text(conflict.key.values)))
  }

  private static func reason(
    _ conflict: Migrator.Conflict, _ why: Unsettled
  ) -> (Code, String) {
    switch why {
    case .newKey: (.conflict, "a row would get another key, and only a release can give it one")
    case .parent:
      (
        .conflict,
        "the row to which it refers was "
          + (conflict.kind == .parentDeleted ? "gone" : "the user's")
          + ". Decide about that row first, and then put this one back"
      )
    case .missingParent:
      (.foreignKey, "the row refers to one that is gone. Put that one back, and try again")
    case .usersParent(let table):
      (.conflict, "it would refer to a row of '\(table)' that is the user's")
    case .retired:
      (.conflict, "the catalog no longer has the row under this key. There is nothing to choose")
    case .broughtBack:
      (.conflict, "a later release has the row again. There is nothing to choose")
    case .takenBack:
      (.conflict, "release \(conflict.version), in which it occurred, was taken back")
    case .gone: (.usage, "the log does not have it. List the conflicts again")
    case .ignored:
      (.constraint, "a trigger of the table keeps the row from becoming as you chose")
    case .rekeyed:
      (
        .conflict,
        "a later release changed keys of the table, and the log knows the row by an old one"
      )
    case .columnGone: (.conflict, "the table no longer has a column that it is about")
    case .tableGone: (.conflict, "the database no longer has the table")
    case .superseded(let id): (.conflict, "conflict \(id) is about the same row, and newer")
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
  }

  /// The row is on neither side.
  static func changedSince(
    _ conflict: Migrator.Conflict, _ current: Migrator.Row?, _ expected: Migrator.Row?
  ) -> SeedbedError {
    let now: String
    switch (current, expected) {
    case (nil, _): now = "it is gone"
    case (_, nil): now = "another has its key"
    case (let current?, let expected?):
      let name = expected.columns.first { current[$0] != expected[$0] } ?? ""
      let value = current[name] ?? .null
      now = "\(name) is \(value.json.shortened(to: 60)) now"
    }
    return SeedbedError(.conflict, conflict.unsettled + ": the row changed since, \(now).")
  }

  /// Any other error, as what kept a conflict from being settled.
  func keeping(_ conflict: Migrator.Conflict) -> SeedbedError {
    if message.hasPrefix(conflict.unsettled) { return self }
    return SeedbedError(code, conflict.unsettled + ". " + message).remedied(as: self)
  }

  // MARK: pins

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
    let given = key.columns.isEmpty ? "nothing" : key.columns.joined(separator: ", ")
    return SeedbedError(
      .usage,
      "A row of '\(table)' is known by \(names.joined(separator: ", ")), and not by "
        + "\(given.shortened(to: 80)).")
  }

  /// The key of a row holds an id of another row, which differs between databases.
  static func chosenID(_ table: String, _ parent: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The key of '\(table)' holds ids of '\(parent)' that each database chose itself, so the "
        + "catalog does not know the row by it. Put the row back instead."
    ).remedied(by: .reseed(table, key: nil))
  }

  static func noSuchTable(_ table: String) -> SeedbedError {
    SeedbedError(.usage, "The database has no table '\(table.shortened(to: 60))'.")
  }
}

extension Migrator.Conflict {
  /// `Conflict 3 (elements {"number":113}) is not settled`
  fileprivate var unsettled: String {
    "Conflict \(id) (\("\(table) \(key.json)".shortened(to: 80))) is not settled"
  }
}
