package import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One folder that gives an empty database what all migrations up to a version make.
///
///     let summary = try Snapshot.write(directory: "Migrations")
package enum Snapshot {
  /// Writes the snapshot of a version, proves that it makes the same as all migrations, and writes
  /// the lock again. If it is there already, as it must be, nothing is written.
  ///
  /// - Parameters:
  ///   - version: the last of the migrations that it stands for; nil for the catalog's last.
  ///   - ledger: the prefix of the ledger's tables.
  /// - Throws: `SeedbedError` where both roads do not lead to the same tables.
  package static func write(
    directory: String, version: Migrator.Version? = nil, ledger: String = Migrator.Options().ledger
  ) throws -> SnapshotSummary {
    do {
      return try SnapshotMaker(directory: directory, version: version, ledger: ledger).make()
    } catch {
      throw SeedbedError.from(error)
    }
  }

  /// Removes the folders of all migrations below a version; the lock's base line keeps their chain.
  ///
  /// A database that is older than what is left is refused from then on, as `tooOld`.
  ///
  /// - Throws: `SeedbedError` if no snapshot could begin an empty database then.
  package static func drop(
    directory: String, before version: Migrator.Version
  ) throws -> DropSummary {
    do {
      return try DroppedFolders(directory: directory, before: version).drop()
    } catch {
      throw SeedbedError.from(error)
    }
  }

  /// Makes every snapshot by both roads, and tells where the tables differ.
  package static func verify(
    directory: String, ledger: String = Migrator.Options().ledger
  ) throws -> [SnapshotCheck] {
    do {
      let catalog = try Catalog(directory: directory)
      return try catalog.snapshots().map { try check($0, of: catalog, ledger) }
    } catch {
      throw SeedbedError.from(error)
    }
  }

  private static func check(
    _ snapshot: Migration, of catalog: Catalog, _ ledger: String
  ) throws -> SnapshotCheck {
    var check = SnapshotCheck(folder: snapshot.folder, version: snapshot.version)
    try catalog.refuseStale(snapshot)
    // With the first folders gone, the long road begins with the oldest snapshot.
    if try catalog.base() != nil, try catalog.snapshots().first == snapshot {
      check.isProven = false
      return check
    }
    let proof = try SnapshotProof(
      long: try ScratchDatabase(
        notingWritesOf: catalog, to: snapshot.version, ledger: ledger),
      short: try ScratchDatabase(
        catalog, to: snapshot.version, ledger: ledger, startingWith: snapshot))
    check.difference = try proof.difference()
    return check
  }
}

/// What `Snapshot.write` wrote.
package struct SnapshotSummary: Sendable, Equatable {
  /// The folder's name.
  package let folder: String
  /// The last of the migrations that it stands for.
  package let version: Migrator.Version
  /// How many migrations it stands for.
  package let migrations: Int
  /// How many of the folder's files hold rows.
  package let tables: Int
  /// How many rows they hold, and its SQL.
  package let rows: Int
  /// False if the folder was there already with just that.
  package let isChanged: Bool
}

/// What `Snapshot.drop` removed.
package struct DropSummary: Sendable, Equatable {
  /// The folders that are gone, in version order.
  package let folders: [String]
  /// The last version that has no folder any more.
  package let base: Migrator.Version
}

/// Whether a snapshot makes what all migrations make.
package struct SnapshotCheck: Sendable, Equatable {
  /// The folder's name.
  package let folder: String
  /// The last of the migrations that it stands for.
  package let version: Migrator.Version
  /// What differs first, in words; nil if nothing does.
  package var difference: String?
  /// False if the first folders were dropped, so that there is no other road to compare with.
  package var isProven = true
}
