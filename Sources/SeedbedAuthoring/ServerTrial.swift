package import Seedbed

/// Runs a catalog's migrations on an empty database on a server, which is dropped afterwards.
package enum ServerTrial {
  /// A closure that a tool calls with the catalog that it found or made. It throws the server's
  /// error.
  package typealias Closure = @Sendable (Catalog) throws -> Void

  /// - Returns: the reason if not everything was tried; otherwise nil.
  /// - Throws: the server's error, at its place in the catalog.
  package static func run(
    _ catalog: Catalog, on server: any DatabaseKind, _ options: Migrator.Options,
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
      _ = try Scratch(twin, to: .max, on: database, ledger: options.ledger)
      return nil
    } catch {
      let error = SeedbedError.from(error)
      // The connection was lost, the role lacks a privilege for the migration, or the first folders
      // were dropped.
      guard [.io, .busy, .tooOld].contains(error.code) else { throw error }
      return error.description
    }
  }
}
