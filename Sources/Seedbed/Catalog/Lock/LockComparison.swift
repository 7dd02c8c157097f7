/// Compares the names in the lock with those in the folders.
final class LockComparison {
  let lock: Lock
  let root: any ReadableFolder

  init(lock: Lock, root: any ReadableFolder) { (self.lock, self.root) = (lock, root) }

  /// Checks the folder of one migration.
  static func check(_ migration: Migration, in root: any ReadableFolder) throws {
    var found = migration
    found.files = try CatalogFolder.files(
      of: root.folder(migration.folder), named: migration.folder)
    found.other = nil
    try refuse([found], [migration], withFiles: true)
  }

  /// Checks the catalog's own folder, and the migrations' folders only if asked to: applied
  /// migrations are not read at every start.
  ///
  /// - Throws: `catalog` for the first difference, with the number of the others.
  func check(withFiles: Bool = false) throws {
    let found = try CatalogFolder(root, hasFiles: withFiles, mayBeEmpty: !withFiles)
    if found.hasOptions != (lock.options != nil) {
      throw Self.difference(Lock.optionsName, isInLock: !found.hasOptions, of: 1)
    }
    try Self.refuse(
      found.migrations + found.snapshots, lock.migrations + lock.snapshots, withFiles: withFiles)
  }

  private static func refuse(
    _ found: [Migration], _ locked: [Migration], withFiles: Bool
  ) throws {
    // A folder that exists on one side only counts as one difference.
    let both = withFiles ? Set(found.map(\.folder)).intersection(locked.map(\.folder)) : []
    func paths(_ migrations: [Migration]) -> [String] {
      migrations.map(\.folder)
        + migrations.filter { both.contains($0.folder) }.flatMap { migration in
          migration.allFiles.map { migration.place(of: $0) }
        }
    }
    let (here, there) = (paths(found), paths(locked))
    if here == there { return }
    let (known, locked) = (Set(here), Set(there))
    let surplus = here.filter { !locked.contains($0) }
    let missing = there.filter { !known.contains($0) }
    if let first = surplus.first ?? missing.first {
      throw difference(first, isInLock: surplus.isEmpty, of: surplus.count + missing.count)
    }
  }

  /// The error for the first of `count` paths that only one side has.
  private static func difference(_ path: String, isInLock: Bool, of count: Int) -> SeedbedError {
    let more =
      switch count {
      case 1: ""
      case 2: " There is one more such difference."
      default: " There are \(count - 1) more such differences."
      }
    return SeedbedError.inCatalog(
      isInLock
        ? "This is in seedbed.lock, but not in the folder.\(more) Put it back, or, if it was never "
          + "released, write the lock again."
        : "This is not in seedbed.lock.\(more) Write the lock again.", path, .writeLock)
  }
}
