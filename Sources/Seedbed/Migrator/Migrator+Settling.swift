// What a person decides after a release, row by row.

extension Migrator {
  /// Settles conflicts: the user's values stay or come back, or the seed's come.
  ///
  ///     for conflict in try migrator.conflicts() where conflict.settled == nil {
  ///       try migrator.resolve([conflict], ask(conflict) ? .mine : .seed)
  ///     }
  ///
  /// All of it is one transaction. The values that leave the database are in the log, and choosing
  /// the other side brings them back. A row that changed since the conflict was logged is not
  /// touched: it is among `refused`, with the reason.
  ///
  /// - Parameters:
  ///   - conflicts: as `conflicts()` lists them.
  ///   - side: whose values the rows get.
  ///   - cancellation: checked at each conflict; then nothing was changed.
  /// - Throws: `newer` or `drift` if the catalog is not the one that was applied.
  @discardableResult
  public func resolve(
    _ conflicts: [Conflict], _ side: Conflict.Side, cancellation: Cancellation? = nil
  ) throws -> Settled {
    try onExisting(cancellation) { try $0.resolve(conflicts, side) }
  }

  /// Leaves a seed row to the user for good: no release changes or retires it, or brings it back.
  ///
  ///     try migrator.pin(["number": 113], in: "elements")
  ///
  /// What releases want of it in the meantime is not kept: after `unpin`, `reseed` gets it.
  ///
  /// - Throws: `usage` if the catalog does not have the row, or it is the user's already.
  public func pin(_ key: Row, in table: String) throws {
    try onExisting { try $0.pin(key, in: table, true) }
  }

  /// Lets releases change a pinned row again.
  ///
  /// - Throws: `usage` if it is not pinned.
  public func unpin(_ key: Row, in table: String) throws {
    try onExisting { try $0.pin(key, in: table, false) }
  }

  /// Whether a row is the seed's, the user's, or the seed's with changes of the user, and how the
  /// catalog has it at the version of the database.
  ///
  ///     if let origin = try migrator.origin(of: ["number": 113], in: "elements") {
  ///       show(origin.kind, original: origin.original?["name"])
  ///     }
  ///
  /// It changes nothing. It makes the catalog's tables in a temporary database first: for a large
  /// catalog, ask off the main thread.
  ///
  /// - Returns: nil if neither the database nor the catalog has the row.
  public func origin(of key: Row, in table: String) throws -> Origin? {
    try onExisting { try $0.origin(of: key, in: table) }
  }

  /// A key of a seed row as a person writes it, `de,Berlin`.
  package func key(written text: String, in table: String) throws -> Row {
    try onExisting { try $0.key(written: text, in: table) }
  }

  private func onExisting<Result>(
    _ cancellation: Cancellation? = nil, _ body: (Run) throws -> Result
  ) throws -> Result {
    try metered(nil) { meter in
      try refuseMissingDatabase()
      var options = options
      options.requiresExistingDatabase = true
      return try body(try run(cancellation, meter, options))
    }
  }

  /// The rows that are left to the user, and why.
  package func leftToUser() throws -> [LeftRow] {
    try throwingSeedbedErrors(onConnection) {
      try reading { connection, ledger in
        guard try ledger.exists(on: connection) else { return [] }
        return try ledger.leftToUser(on: connection)
      }
    }
  }

  /// A row that releases leave alone.
  package struct LeftRow: Sendable, Equatable {
    package var table: String
    package var key: Row
    package var reason: String
    /// The release that left it to the user; nil if a person pinned it.
    package var version: Version?

    package var isPinned: Bool { version == nil }
  }
}
