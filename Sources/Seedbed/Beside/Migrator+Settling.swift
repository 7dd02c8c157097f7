// A person's decisions after a release, row by row.

extension Migrator {
  /// Settles conflicts: the user's values stay or come back, or the rows take the seed's.
  ///
  ///     let open = try migrator.conflicts().filter { $0.settled == nil && $0.table == "words" }
  ///     try migrator.resolve(open, with: .seed)
  ///
  /// A person decides about a row: all its open conflicts are settled with the given ones, and the
  /// newest says how. Those settled after a given one are settled again. All of it is one
  /// transaction. The user's values that leave the database are in the log, and choosing the other
  /// side brings them back, whatever releases set meanwhile. A row that the user changed since is
  /// not touched: it is among `refused`, with the reason, or stays the user's with `mine`.
  ///
  /// - Parameters:
  ///   - conflicts: as `conflicts()` lists them.
  ///   - side: the side whose values the rows get.
  ///   - cancellation: checked at each conflict. Nothing was changed then.
  /// - Throws: `newer` or `drift` if the catalog is not the one that was applied, and errors from
  ///   applying it to a scratch database.
  @discardableResult
  public func resolve(
    _ conflicts: [Conflict], with side: Conflict.Side, cancellation: Cancellation? = nil
  ) throws(SeedbedError) -> Settlement {
    try onExisting(needingFilesAbove: 0, cancellation) { try $0.resolve(conflicts, with: side) }
  }

  /// Leaves a seed row to the user for good: no release changes or retires it, or brings it back.
  ///
  ///     try migrator.pin(["number": 113], in: "elements")
  ///
  /// The changes that releases make to it meanwhile are not stored. After `unpin`, `reseed` applies
  /// them.
  ///
  /// - Throws: `usage` if the catalog does not have the row, or it is the user's already.
  public func pin(_ key: Row, in table: String) throws(SeedbedError) {
    try onExisting(needingFilesAbove: 0) { _ = try $0.pin([.row(key)], in: table) }
  }

  /// Lets releases change a pinned row again.
  ///
  /// - Throws: `usage` if it is not pinned.
  public func unpin(_ key: Row, in table: String) throws(SeedbedError) {
    _ = try unpin([.row(key)], in: table)
  }

  /// Whether a row is the seed's, the user's, or the seed's with changes of the user, and its
  /// values in the catalog at the version of the database.
  ///
  ///     if let origin = try migrator.origin(of: ["number": 113], in: "elements") {
  ///       show(origin.kind, original: origin.original?["name"])
  ///     }
  ///
  /// For many rows, ask once with `origins(of:in:)`.
  ///
  /// - Returns: nil if neither the database nor the catalog has the row.
  public func origin(of key: Row, in table: String) throws(SeedbedError) -> Origin? {
    try origins(of: [key], in: table)[0]
  }

  /// The origins of many rows, in their order.
  ///
  /// It changes nothing. It creates the catalog's tables in a temporary database first: for a large
  /// catalog, call it off the main thread.
  public func origins(of keys: [Row], in table: String) throws(SeedbedError) -> [Origin?] {
    try onExisting(needingFilesAbove: 0, mayBeBackup: true) { run in
      try run.origins(keys.map { .row($0) }, in: table)
    }
  }

  /// The keys that are left to the user, whose rows releases leave alone, and why. It changes
  /// nothing.
  public func userOwnedKeys() throws(SeedbedError) -> [UserOwnedKey] {
    try readingLedger { try $1.leftToUser(on: $0) } ?? []
  }

  private func pins(in table: String) throws(SeedbedError) -> [UserOwnedKey] {
    try userOwnedKeys().filter { $0.isPinned && $0.table.isSameName(as: table) }
  }

  /// Pins rows by their keys as a person writes them.
  package func pin(written texts: [String], in table: String) throws -> [Row] {
    try onExisting(needingFilesAbove: 0) { try $0.pin(texts.map { .text($0) }, in: table) }
  }

  /// The origin of a row by its key as a person writes it.
  package func origin(written text: String, in table: String) throws -> Origin? {
    try onExisting(needingFilesAbove: 0, mayBeBackup: true) {
      try $0.origins([.text(text)], in: table)[0]
    }
  }

  /// Unpins rows by their keys as a person writes them.
  package func unpin(written texts: [String], in table: String) throws -> [Row] {
    try unpin(texts.map { .text($0) }, in: table)
  }

  private func unpin(_ keys: [GivenKey], in table: String) throws(SeedbedError) -> [Row] {
    let pins = try pins(in: table)
    return try onExisting(needingFilesAbove: nil) { run in
      let found = try keys.map { given in
        let found = pins.filter { given.isKey($0.key) }
        // Names of columns say what is meant.
        let named = given.namesColumns(of: pins) ? [] : try run.pinned(pins, named: given)
        guard let pin = found.first ?? named.first else {
          throw SeedbedError.notPinned(table, given.text)
        }
        if let other = (found + named).first(where: { $0 != pin }) {
          throw SeedbedError.ambiguousPin(table, given, pin.key, other.key)
        }
        return pin
      }
      for pin in found { try run.unpin(pin) }
      return found.map(\.key)
    }
  }
}
