extension Run {
  /// A scratch database to which nothing is applied yet.
  ///
  /// - Parameter forAnyOwner: whether a single made-up owner replaces those in the ledger.
  func emptyScratch(
    of catalog: ResolvedCatalog, startingWith start: Migration?, forAnyOwner: Bool = false
  ) throws -> Scratch {
    let empty = try Scratch(
      empty: catalog, on: database.empty(options, cancellation), ledger: options.ledger,
      startingWith: start, owners: forAnyOwner ? nil : ledger.owners(on: connection))
    empty.passesFail = true
    return empty
  }

  /// The catalog's tables at the database's version.
  ///
  /// - Parameter forAnyOwner: whether a single made-up owner replaces those in the ledger.
  func scratchAsApplied(
    forAnyOwner: Bool = false
  ) throws -> (scratch: Scratch, version: Version) {
    let comparison = try currentComparison()
    try refuseNewer(comparison)
    try comparison.refuseDrift(lineEndings)
    do {
      let scratch = try Scratch(
        resolved.asApplied(comparison), to: comparison.current,
        on: database.empty(options, cancellation),
        ledger: options.ledger, owners: forAnyOwner ? nil : ledger.owners(on: connection))
      return (scratch, comparison.current)
    } catch {
      throw SeedbedError.unplayable(SeedbedError.from(error))
    }
  }
}
