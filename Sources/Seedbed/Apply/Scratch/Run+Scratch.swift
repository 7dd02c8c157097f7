extension Run {
  /// A scratch database to which nothing is applied yet.
  func emptyScratch(of catalog: ResolvedCatalog, startingWith start: Migration?) throws -> Scratch {
    let empty = try Scratch(
      empty: catalog, on: database.empty(options, cancellation), ledger: options.ledger,
      startingWith: start)
    empty.passesFail = true
    return empty
  }
}
