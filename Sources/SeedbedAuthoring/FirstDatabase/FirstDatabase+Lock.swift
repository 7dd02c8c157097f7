import Seedbed

// The first database in the catalog's own place, and its line in the lock.

extension FirstDatabase {
  /// The database in the catalog's folder, read completely; nil if there is none.
  ///
  /// - Throws: `catalog` if the file is not a database with a ledger.
  static func read(in catalog: String) throws -> FirstDatabase? {
    let path = Paths.absolute(catalog) + "/" + name
    guard Paths.exists(path) else { return nil }
    do {
      let (folder, file) = Paths.split(Paths.absolute(path))
      // Digest it before SQLite opens it: closing a descriptor of a database drops SQLite's locks
      // on it.
      let digested = try FirstDatabase(of: Folder(folder).open(file), (0, ""))
      let connection = try Connection(Paths.absolute(path), .immutable, setup: nil)
      guard let head = try Ledger(of: connection)?.head(on: connection) else {
        throw SeedbedError.firstDatabaseIsOther("it has no ledger")
      }
      return FirstDatabase(
        size: digested.size, version: head.version, chain: head.chain, digest: digested.digest)
    } catch let failure as SQLiteFailure {
      throw SeedbedError.firstDatabaseIsOther(SeedbedError.from(failure).message)
    }
  }

  /// The differences between it, the lock and the catalog.
  static func findings(in catalog: Catalog) throws -> [SeedbedError] {
    guard let lock = try catalog.existingLock()?.lock else { return [] }
    let found: FirstDatabase?
    do {
      found = try read(in: catalog.path)
    } catch let error as SeedbedError {
      return [error]
    }
    guard let found else { return lock.first == nil ? [] : [.firstDatabaseMissing] }
    guard let locked = lock.first else { return [.firstDatabaseUnlocked] }
    if lock.chain(of: found.version) != found.chain {
      return [.firstDatabaseStale(version: found.version)]
    }
    return found == locked ? [] : [.firstDatabaseChanged]
  }
}

extension CatalogLock {
  /// Writes the first database's line into an existing lock, and changes no other line.
  ///
  /// - Returns: false if there is no lock.
  static func renew(first: FirstDatabase, directory: String) throws -> Bool {
    let catalog = try Catalog(directory: directory)
    guard let old = try catalog.existingLock() else { return false }
    let lock = old.lock
    let text = LockText.text(
      of: lock.migrations, snapshots: lock.snapshots, base: lock.base, first: first,
      options: lock.options, pack: lock.head.pack)
    if text != old.bytes { try AtomicFile.write(text, to: Lock.fileName, in: catalog.path) }
    return true
  }
}

extension SeedbedError {
  private static func ofFirst(_ message: String) -> SeedbedError {
    SeedbedError(.catalog, message, at: Place(FirstDatabase.name))
      .remedied(by: .buildFirstDatabase)
  }

  static func firstDatabaseIsOther(_ reason: String) -> SeedbedError {
    ofFirst(
      "This is not a database that new devices can begin with: \(reason.shortened(to: 120)). "
        + "Remove it, or build it again.")
  }

  static let firstDatabaseMissing = ofFirst(
    "This is in seedbed.lock, but not in the folder. Write the lock again, or build it again.")

  static let firstDatabaseUnlocked = SeedbedError(
    .catalog, "This is not in seedbed.lock. Write the lock again.", at: Place(FirstDatabase.name)
  ).remedied(by: .writeLock)

  static let firstDatabaseChanged = ofFirst(
    "This is not the file that seedbed.lock names. Build it again.")

  static func firstDatabaseStale(version: Version) -> SeedbedError {
    ofFirst(
      "This was made to version \(version) of other migrations than the catalog has, so devices "
        + "would not begin with it. Build it again.")
  }

  static let firstDatabaseNotBuilt = SeedbedError(
    .catalog,
    "'build' is true, but there is no \(FirstDatabase.name) to ship. Build it.",
    at: Place(Lock.optionsName)
  ).remedied(by: .buildFirstDatabase)
}
