extension Migrator {
  /// What the user changed in the seed's rows, for the author of the data to review.
  ///
  ///     let lines = try migrator.suggestions().map(\.json).joined(separator: "\n")
  ///
  /// There is one for each changed value of a seed row, pinned or not. Columns that no file sets
  /// and columns under `ignore` are the user's own, and are never in it. A value that refers to a
  /// row of the user's own is left out, since no one else has that row.
  ///
  /// It changes nothing. It creates the catalog's tables in a temporary database first: for a large
  /// catalog, call it off the main thread.
  ///
  /// - Parameters:
  ///   - tables: nil for all that the catalog's files fill.
  ///   - deletions: whether to suggest the deletion of seed rows that the user deleted.
  ///   - additions: whether to suggest the user's own rows.
  /// - Throws: `newer` or `drift` if the catalog is not the one that was applied, `usage` for a
  ///   table that the catalog does not fill, and errors from applying it to a scratch database.
  public func suggestions(
    tables: [String]? = nil, deletions: Bool = false, additions: Bool = false
  ) throws(SeedbedError) -> [Suggestion] {
    try SeedbedError.catching {
      var found: [Suggestion] = []
      _ = try findingUserRows { rows in
        try rows.suggestions(tables, deletions: deletions, additions: additions) {
          found.append($0)
        }
      }
      return found
    }
  }

  /// Finds the rows that the user made or changed, at the version of the database. It changes
  /// nothing.
  package func findingUserRows<Result>(
    _ body: (UserRowFinder) throws -> Result
  ) throws -> Result {
    try reading { connection, _ in
      let finder = try finder(on: connection)
      finder.others = try others(on: connection).map { other in
        try other.beside { try $0.finder(on: connection) }
      }
      return try connection.withFixedSchema { try body(finder) }
    }
  }

  private func finder(on connection: any DatabaseSession) throws -> UserRowFinder {
    try choosing(on: connection, needingFilesAbove: 0) { resolved in
      try UserRowFinder(run(resolved, cancellation, ProgressMeter(nil), on: connection))
    }
  }
}
