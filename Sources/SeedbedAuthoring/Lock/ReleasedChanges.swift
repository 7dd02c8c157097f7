package import Seedbed

/// The differences between a catalog and an earlier lock. Released migrations are on devices, and
/// their changes stay there.
///
///     let changes = try ReleasedChanges(directory: "Migrations", released: bytes, place: "v2.1")
package struct ReleasedChanges: Sendable, Equatable {
  /// A folder, or catalog.json, and the differences in it that do not change data.
  package struct Difference: Sendable, Equatable {
    /// The folder's name, or `catalog.json`.
    package let name: String
    /// One sentence or more.
    package let changes: [String]
  }

  /// Migrations whose data would differ from that on devices, with the reason.
  package private(set) var rewritten: [SeedbedError] = []
  /// Differences that do not matter to devices.
  package private(set) var harmless: [Difference] = []

  /// - Parameters:
  ///   - bytes: an earlier `seedbed.lock`.
  ///   - place: its name in errors.
  /// - Throws: `SeedbedError` if that lock or a file of the catalog cannot be read.
  package init(directory: String, released bytes: [UInt8], place: String) throws {
    let old = try Lock.read(released: bytes, place: place)
    let (catalog, migrations) = try CatalogLock.read(directory: directory)
    let last = old.migrations.last?.version ?? old.base?.version ?? 0
    let base = try catalog.base()
    compareBases(old, base, migrations)
    for migration in old.migrations where migration.version > base?.version ?? 0 {
      compare(
        migration, with: migrations,
        onSQLite: (try? catalog.servesSQLite()) != false
          && !old.migrations.haveSQLForPostgreSQLAlone)
    }
    let versions = Set(old.migrations.map(\.version))
    for migration in migrations
    where migration.version < last && migration.version > old.base?.version ?? 0
      && !versions.contains(migration.version)
    {
      rewritten.append(.insertedBefore(migration, last: last))
    }
    let options = try catalog.optionsSummary()
    if options?.digest != old.options?.digest {
      let word = old.options == nil ? "added" : options == nil ? "removed" : "changed"
      harmless.append(Difference(name: Lock.optionsName, changes: [word]))
    }
  }

  /// Folders may be dropped or put back, as long as the chain stays the same.
  private mutating func compareBases(
    _ old: Lock, _ base: Migration?, _ migrations: [Migration]
  ) {
    let oldBase = old.base?.version ?? 0
    if let base, base.version > oldBase {
      let last = old.migrations.last?.version ?? oldBase
      if last > 0, last < base.version {
        rewritten.append(.leavesBehind(base, last: last))
      } else if let chain = old.chain(of: base.version), chain == base.chain {
        let dropped = old.migrations.count { $0.version <= base.version }
        harmless.append(
          Difference(name: base.folder, changes: ["dropped, with this one \(dropped) in all"]))
      } else if last > 0 {
        rewritten.append(.otherBase(base.folder))
      }
    } else if let known = old.base {
      let now = base?.version == oldBase ? base?.chain : migrations.chain(of: oldBase)
      if now != known.chain { rewritten.append(.otherBase(known.folder)) }
    }
  }

  /// - Parameter onSQLite: whether databases on SQLite have it.
  private mutating func compare(
    _ old: Migration, with migrations: [Migration], onSQLite: Bool
  ) {
    guard let now = migrations.first(where: { $0.version == old.version }) else {
      let moved = migrations.first { $0.checksum == old.checksum && $0.name == old.name }
      rewritten.append(.gone(old, moved: moved))
      return
    }
    let changes = Self.changes(from: old.allFiles, to: now.allFiles)
    // If there are no digests for PostgreSQL, nothing was released for it.
    let isSameThere =
      old.other == nil || now.other == nil || old.other?.checksum == now.other?.checksum
    let isSameHere = now.checksum == old.checksum || !onSQLite && now.other != nil
    guard isSameHere, isSameThere else {
      rewritten.append(.rewritten(now, changes.filter(\.isData).map(\.words)))
      return
    }
    var words = changes.map(\.words)
    if now.folder != old.folder { words.insert("was called '\(old.folder)'", at: 0) }
    if now.isWithdrawn != old.isWithdrawn {
      words.append(now.isWithdrawn ? "withdrawn" : "no longer withdrawn")
    }
    if !words.isEmpty { harmless.append(Difference(name: now.folder, changes: words)) }
  }

  /// Compares files by their names without `.gz`: compression does not matter.
  private static func changes(
    from old: [MigrationFile], to new: [MigrationFile]
  ) -> [(words: String, isData: Bool)] {
    let before = Dictionary(old.map { ($0.plainName, $0) }, uniquingKeysWith: { $1 })
    let after = Dictionary(new.map { ($0.plainName, $0) }, uniquingKeysWith: { $1 })
    return Set(before.keys).union(after.keys).sorted().compactMap { name in
      let word: String
      switch (before[name], after[name]) {
      case (nil, _): word = "added"
      case (_, nil): word = "removed"
      case (let one?, let other?):
        if one.locked?.digest == other.locked?.digest { return nil }
        word = "changed"
      }
      return ("\(name) \(word)", (after[name] ?? before[name])?.changesData ?? false)
    }
  }
}

extension Lock {
  /// Reads an earlier lock that git returned.
  static func read(released bytes: [UInt8], place: String) throws -> Lock {
    do {
      return try LockReader.read(bytes)
    } catch let error as SeedbedError {
      throw SeedbedError(
        error.code, "The lock of the release: " + error.message,
        at: SeedbedError.Place(place, line: error.place?.line)
      ).remedied(as: error)
    }
  }
}

extension MigrationFile {
  fileprivate var plainName: String { name.hasSuffix(".gz") ? String(name.dropLast(3)) : name }
}

extension SeedbedError {
  fileprivate static func rewritten(_ migration: Migration, _ changes: [String]) -> SeedbedError {
    SeedbedError(
      .drift,
      "This migration was released, and now makes different data: "
        + "\(changes.joined(separator: ", ")). Databases that have it would never get the change. "
        + "Put its files back, and ship the change as a new migration: migrate make.",
      at: SeedbedError.Place(migration.folder), version: migration.version)
  }

  fileprivate static func gone(_ migration: Migration, moved: Migration?) -> SeedbedError {
    let words =
      moved.map { "now has the number \($0.version): devices would apply it twice" }
      ?? "was then removed: devices that have it would refuse the catalog"
    return SeedbedError(
      .missing,
      "This migration was released and \(words). Put it back under its number; to undo it, ship a "
        + "new migration: migrate revert.",
      at: SeedbedError.Place(migration.folder), version: migration.version)
  }

  fileprivate static func leavesBehind(_ base: Migration, last: Version) -> SeedbedError {
    SeedbedError(
      .tooOld,
      "The release ends at \(last), and all folders up to \(base.version) were dropped: no device "
        + "that has it could be updated. Put back the folders above \(last) and their lock, and "
        + "release them before you drop them.",
      at: SeedbedError.Place(base.folder), version: base.version)
  }

  fileprivate static func otherBase(_ folder: String) -> SeedbedError {
    SeedbedError(
      .drift,
      "The chain up to this migration is not that of the release: devices that have it would "
        + "refuse the catalog. Put back the lock's line 'base', as the last good commit has it, "
        + "then: migrate lock.", at: SeedbedError.Place(folder))
  }

  fileprivate static func insertedBefore(_ migration: Migration, last: Version) -> SeedbedError {
    SeedbedError(
      .outOfOrder,
      "This migration is new, but its number is below \(last), the last released version: devices "
        + "at that version would refuse it. Give its folder a higher number.",
      at: SeedbedError.Place(migration.folder), version: migration.version)
  }
}
