package import Seedbed

/// Runs a catalog's migrations on an empty database on a server, which is dropped afterwards.
package enum ServerTrial {
  /// A closure that a tool calls with the catalog that it found or made, and with migrations whose
  /// rows must meet no conflict. It throws the server's error.
  package typealias Closure = @Sendable (Catalog, _ added: [Migration]) throws -> Void

  /// - Parameter added: migrations whose rows must meet no conflict.
  /// - Returns: the reason if not everything was tried; otherwise nil.
  /// - Throws: the server's error, at its place in the catalog.
  package static func run(
    _ catalog: Catalog, added: [Migration] = [], on server: any DatabaseKind,
    _ options: Migrator.Options,
    cancellation: Migrator.Cancellation? = nil
  ) throws -> String? {
    let (twin, database): (Catalog, EmptyDatabase)
    do {
      // If SQL for it is missing, `lint` has already reported that.
      twin = try catalog.forPostgreSQL()
      database = try server.empty(options, cancellation)
    } catch {
      return SeedbedError.from(error).description
    }
    do {
      let scratch = try Scratch(empty: .authored(twin), on: database, ledger: options.ledger)
      let report = try scratch.up(scratch.resolved)
      try refuseConflicts(of: report, in: added, on: scratch)
      return nil
    } catch {
      let error = SeedbedError.from(error)
      // The connection was lost, the role lacks a privilege for the migration, or the first folders
      // were dropped.
      guard [.io, .busy, .tooOld].contains(error.code) else { throw error }
      return error.description
    }
  }

  private static func refuseConflicts(
    of report: Migrator.Report, in added: [Migration], on scratch: Scratch
  ) throws {
    let versions = Set(added.map(\.version))
    let conflicts = report.migrations.filter { versions.contains($0.version) }.flatMap(\.conflicts)
    // On a server, rows whose parents the app makes are left out.
    let parents = try Set(conflicts.map(\.table)).flatMap { table in
      try scratch.session.parentKeys(of: scratch.session.schema(of: table)).sound.map(\.parent)
    }
    let leavesOut = try parents.contains { try scratch.isLeftToApp($0, in: scratch.catalog) }
    let conflict = conflicts.first {
      !$0.isDoneAlready && !(leavesOut && $0.kind == .parentDeleted)
    }
    guard let conflict else { return }
    throw SeedbedError(
      .conflict,
      "Applied to the catalog's own rows on the server, the new migration has the conflict "
        + "\(conflict.kind.rawValue) in '\(conflict.table)', \(conflict.key.json). SQL or a "
        + "trigger may have changed the row, which the comparison with the CSV does not see: list "
        + "such columns in 'ignore' in catalog.json, or first make a release in which the CSV "
        + "has what they wrote. Nothing was written.")
  }
}
