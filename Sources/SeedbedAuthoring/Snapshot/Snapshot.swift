package import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder that brings an empty database to the state after all migrations up to a version.
///
///     let summary = try Snapshot.write(directory: "Migrations")
package enum Snapshot {
  /// Writes the snapshot of a version, proves that it gives the same as all migrations, and writes
  /// the lock again. If the same snapshot already exists, nothing is written.
  ///
  /// - Parameters:
  ///   - version: the last of the migrations that it replaces; nil for the catalog's last.
  ///   - settings: how the scratch databases are opened.
  ///   - server: the server on which its SQL for PostgreSQL is made and compared, if the catalog
  ///     has any.
  ///   - first: the version that `drop` will be called with. If that cannot work, it is refused
  ///     here.
  /// - Throws: `SeedbedError` if the two ways give different tables.
  package static func write(
    directory: String, version: Migrator.Version? = nil,
    _ settings: ScratchSettings = ScratchSettings(),
    droppingBefore first: Migrator.Version? = nil
  ) throws -> SnapshotSummary {
    let turn = try CatalogTurn(directory)
    defer { turn.end() }
    return try reporting {
      let catalog = try Catalog(authoring: directory)
      if let pack = catalog.pack { throw SeedbedError.begins(pack) }
      if try !catalog.servesSQLite() {
        throw SeedbedError.servesNoDevice("A snapshot fills empty databases on SQLite")
      }
      if let first {
        let catalog = try Catalog(directory: directory)
        try DroppedFolders.refuseServers(of: catalog)
        try DroppedFolders.refuseMissing(first, of: catalog)
      }
      return try SnapshotMaker(directory: directory, version: version, settings).make()
    }
  }

  /// Removes the folders of all migrations below a version. The lock's line 'base' keeps their
  /// chain.
  ///
  /// From then on, a database older than the remaining folders is refused with `tooOld`.
  ///
  /// - Throws: `SeedbedError` if no snapshot could fill an empty database then. No snapshot fills
  ///   one on a server.
  package static func drop(
    directory: String, before version: Migrator.Version
  ) throws -> DropSummary {
    let turn = try CatalogTurn(directory)
    defer { turn.end() }
    return try reporting { try DroppedFolders(directory: directory, before: version).drop() }
  }

  /// Makes the tables of every snapshot in both ways, and reports differences.
  package static func verify(
    directory: String, _ settings: ScratchSettings = ScratchSettings()
  ) throws -> [SnapshotCheck] {
    try reporting {
      let catalog = try Catalog(directory: directory)
      return try catalog.snapshots().map { try check($0, of: catalog, settings) }
    }
  }

  private static func check(
    _ snapshot: Migration, of catalog: Catalog, _ settings: ScratchSettings
  ) throws -> SnapshotCheck {
    var check = SnapshotCheck(folder: snapshot.folder, version: snapshot.version)
    try catalog.refuseStale(snapshot)
    // If the first folders were dropped, the long way begins with the oldest snapshot.
    if try catalog.base() != nil, try catalog.snapshots().first == snapshot {
      check.isProven = false
      return check
    }
    let proof = try SnapshotProof(
      long: try ScratchDatabase(notingWritesOf: catalog, to: snapshot.version, settings),
      short: try ScratchDatabase(
        .authored(catalog), to: snapshot.version, settings, startingWith: snapshot))
    check.difference = try proof.difference()
    return check
  }
}

/// The result of `Snapshot.write`.
package struct SnapshotSummary: Sendable, Equatable {
  /// The folder's name.
  package let folder: String
  /// The last of the migrations that it replaces.
  package let version: Migrator.Version
  /// The number of migrations that it replaces.
  package let migrations: Int
  /// The number of the folder's row files.
  package let tables: Int
  /// The number of rows in them and in its SQL.
  package let rows: Int
  /// False if the folder already existed with the same content.
  package let isChanged: Bool
}

/// The result of `Snapshot.drop`.
package struct DropSummary: Sendable, Equatable {
  /// The removed folders, in version order.
  package let folders: [String]
  /// The last version without a folder.
  package let base: Migrator.Version
}

/// Whether a snapshot gives the same as all migrations.
package struct SnapshotCheck: Sendable, Equatable {
  /// The folder's name.
  package let folder: String
  /// The last of the migrations that it replaces.
  package let version: Migrator.Version
  /// The first difference, in words; nil if there is none.
  package var difference: String?
  /// False if the first folders were dropped, so that there is nothing to compare with.
  package var isProven = true
}
