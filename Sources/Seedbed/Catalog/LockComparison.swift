/// Compares the names that the lock holds with those that are in the folders.
struct LockComparison {
  let lock: Lock
  let root: any ReadableFolder

  enum Difference: Equatable {
    case notInLock(String)
    case onlyInLock(String)
  }

  /// Looks into the catalog's own folder only, as at every start: what is applied is not read.
  ///
  /// - Throws: `catalog` at the first difference, with the number of the others.
  func checkFolders() throws {
    try Self.refuse(differences(in: CatalogFolder(namesIn: root)))
  }

  /// Looks into each migration's folder too.
  func checkAll() throws {
    try Self.refuse(differences(in: CatalogFolder(reading: root)))
  }

  /// Looks into the folder of one migration.
  static func check(_ migration: Migration, in root: any ReadableFolder) throws {
    let files = try CatalogFolder.files(of: root.folder(migration.folder), named: migration.folder)
    try refuse(differences(migration.folder, files, migration.files))
  }

  private static func refuse(_ differences: [Difference]) throws {
    let others = differences.count - 1
    switch differences.first {
    case .notInLock(let path): throw SeedbedError.notInLock(path, others: others)
    case .onlyInLock(let path): throw SeedbedError.onlyInLock(path, others: others)
    case nil: break
    }
  }

  /// In the order of the versions and names.
  private func differences(in folder: CatalogFolder) -> [Difference] {
    var differences: [Difference] = []
    switch (folder.optionsSize, lock.options) {
    case (nil, .some): differences.append(.onlyInLock(Lock.optionsName))
    case (.some, nil): differences.append(.notInLock(Lock.optionsName))
    default: break
    }
    let here = folder.migrations + folder.snapshots
    let there = lock.migrations + lock.snapshots
    let present = Self.byFolder(here)
    let locked = Self.byFolder(there)
    let all = here + there.filter { present[$0.folder] == nil }
    for migration in all.sorted(by: { $0.version < $1.version }) {
      guard let found = present[migration.folder] else {
        differences.append(.onlyInLock(migration.folder))
        continue
      }
      guard let expected = locked[migration.folder] else {
        differences.append(.notInLock(migration.folder))
        continue
      }
      guard folder.hasFiles else { continue }
      differences += Self.differences(migration.folder, found.files, expected.files)
    }
    return differences
  }

  private static func byFolder(_ migrations: [Migration]) -> [String: Migration] {
    Dictionary(migrations.map { ($0.folder, $0) }) { first, _ in first }
  }

  private static func differences(
    _ folder: String, _ found: [MigrationFile], _ expected: [MigrationFile]
  ) -> [Difference] {
    let here = Set(found.map(\.name))
    let there = Set(expected.map(\.name))
    return here.subtracting(there).sorted().map { .notInLock(folder + "/" + $0) }
      + there.subtracting(here).sorted().map { .onlyInLock(folder + "/" + $0) }
  }
}
