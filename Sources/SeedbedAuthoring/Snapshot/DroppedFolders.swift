import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Removes the folders of old migrations, and keeps their chain in the lock.
struct DroppedFolders {
  private let catalog: Catalog
  private let base: Migration
  private let folders: [Migration]

  init(directory: String, before version: Version) throws {
    catalog = try Catalog(directory: directory)
    try Self.refuseServers(of: catalog)
    // The chain of the removed folders can only be computed now.
    guard catalog.hasLock else { throw SeedbedError.notLocked(catalog.path) }
    if let finding = try catalog.findings().first { throw finding }
    try Self.refuseMissing(version, of: catalog)
    let old = try catalog.migrations().filter { $0.version < version }
    guard let last = old.last else {
      throw SeedbedError.nothingToDrop(version, first: try catalog.migrations().first?.version)
    }
    base = last.asBase
    let snapshots = try catalog.snapshots()
    guard snapshots.contains(where: { $0.version >= last.version }) else {
      throw SeedbedError.dropsAllRoads(last.version, snapshot: snapshots.last?.version)
    }
    folders = old + snapshots.filter { $0.version < last.version }
  }

  /// Refuses servers: a snapshot fills no database on a server.
  static func refuseServers(of catalog: Catalog) throws {
    if try catalog.generalOptions().engines.contains(.postgresql) {
      throw SeedbedError.dropsWhatServersNeed()
    }
  }

  /// Refuses a version before a snapshot is written.
  static func refuseMissing(_ version: Version, of catalog: Catalog) throws {
    guard let last = try catalog.migrations().last?.version else { return }
    if version > last, version - last > 1 {
      throw SeedbedError.dropsWhatIsNotThere(version, last: last)
    }
  }

  /// The lock is written first: a surplus folder is reported, but a missing one could not be
  /// restored.
  func drop() throws -> DropSummary {
    let names = folders.map(\.folder)
    _ = try CatalogLock.write(catalog, base: base, dropping: Set(names))
    for name in names {
      do {
        try FileManager.default.removeItem(atPath: catalog.path + "/" + name)
      } catch {
        throw SeedbedError.file("remove '\(catalog.path)/\(name)'", error)
      }
    }
    return DropSummary(folders: names, base: base.version)
  }
}

extension SeedbedError {
  fileprivate static func nothingToDrop(_ version: Version, first: Version?) -> SeedbedError {
    SeedbedError(
      .usage,
      "There is no folder below \(version) to drop: the first is \(first ?? 0).")
  }

  fileprivate static func dropsWhatIsNotThere(_ version: Version, last: Version) -> SeedbedError {
    SeedbedError(
      .usage,
      "All migrations of the catalog are below \(version): its last is \(last). Nothing was "
        + "dropped. To drop all of them, give \(last + 1).")
  }

  fileprivate static func dropsWhatServersNeed() -> SeedbedError {
    SeedbedError(
      .usage,
      "No folder was dropped, because \"engines\" in catalog.json has postgresql, and an empty "
        + "database on a server begins with the first folder; keep them all, or remove postgresql "
        + "there if no server gets this catalog.")
  }

  fileprivate static func dropsAllRoads(_ base: Version, snapshot: Version?) -> SeedbedError {
    SeedbedError(
      .usage,
      "Without the folders up to \(base) an empty database would need a snapshot of \(base) or "
        + "later, and "
        + (snapshot.map { "the last one is of \($0)" } ?? "there is none")
        + ". Make one first: migrate snapshot.")
  }
}

extension Migration {
  /// The migration as a lock has it after its folder was dropped: the chain of the others begins
  /// with it.
  fileprivate var asBase: Migration {
    var base = self
    (base.files, base.isWithdrawn) = ([], false)
    return base
  }
}
