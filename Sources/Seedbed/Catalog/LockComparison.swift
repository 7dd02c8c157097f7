/// Compares the names that the lock holds with those that are in the folders.
struct LockComparison {
  let lock: Lock
  let root: any ReadableFolder

  /// A path that only one of them has.
  struct Difference {
    var path: String
    var isInLock: Bool
  }

  /// Looks into the catalog's own folder only, as at every start: what is applied is not read.
  ///
  /// - Throws: `catalog` at the first difference, with the number of the others.
  func checkFolders() throws { try check(CatalogFolder(namesIn: root), withFiles: false) }

  /// Looks into each migration's folder too.
  func checkAll() throws {
    try check(CatalogFolder(reading: root, hasTwins: true), withFiles: true)
  }

  /// Looks into the folder of one migration.
  static func check(_ migration: Migration, in root: any ReadableFolder) throws {
    var found = migration
    found.files = try CatalogFolder.files(
      of: root.folder(migration.folder), named: migration.folder, true)
    found.other = nil
    try refuse([found], [migration], withFiles: true)
  }

  private func check(_ folder: CatalogFolder, withFiles: Bool) throws {
    let hasOptions = folder.optionsSize != nil
    if hasOptions != (lock.options != nil) {
      let options = Difference(path: Lock.optionsName, isInLock: !hasOptions)
      throw SeedbedError.lockDiffers(options, of: 1)
    }
    try Self.refuse(
      folder.migrations + folder.snapshots, lock.migrations + lock.snapshots, withFiles: withFiles)
  }

  private static func refuse(
    _ found: [Migration], _ locked: [Migration], withFiles: Bool
  ) throws {
    // A folder that is only on one side counts as one difference.
    let both = withFiles ? Set(found.map(\.folder)).intersection(locked.map(\.folder)) : []
    func paths(_ migrations: [Migration]) -> [String] {
      migrations.flatMap { migration in
        let files = both.contains(migration.folder) ? migration.allFiles : []
        return [migration.folder] + files.map { migration.folder + "/" + $0.name }
      }
    }
    let (here, there) = (paths(found), paths(locked))
    let known = (here: Set(here), there: Set(there))
    let differences =
      here.filter { !known.there.contains($0) }.map { Difference(path: $0, isInLock: false) }
      + there.filter { !known.here.contains($0) }.map { Difference(path: $0, isInLock: true) }
    if let first = differences.first {
      throw SeedbedError.lockDiffers(first, of: differences.count)
    }
  }
}
