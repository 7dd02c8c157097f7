/// Compares the names that the lock holds with those that are in the folders.
///
/// Nearly always they are the same, and the look that tells so makes no strings. Only where
/// something differs are the folders read again, slowly and with every name checked, to say what.
struct LockComparison {
  let lock: Lock
  let walk: CatalogWalk
  private var root: any ReadableFolder { walk.root }

  init(lock: Lock, walk: CatalogWalk) {
    (self.lock, self.walk) = (lock, walk)
  }

  /// - Throws: `catalog` at the first difference, which tells how many there are.
  func check() throws {
    // A folder that cannot be listed is not the same: the slow look says why.
    if let listing = walk.result(), isSame(listing) { return }
    let differences = try differences()
    guard let first = differences.first else { return }
    let others = differences.count - 1
    switch first {
    case .notInLock(let path): throw SeedbedError.notInLock(path, others: others)
    case .onlyInLock(let path): throw SeedbedError.onlyInLock(path, others: others)
    }
  }

  // MARK: the quick look

  private func isSame(_ listing: CatalogListing) -> Bool {
    guard isRootSame(listing.root) else { return false }
    for part in listing.parts {
      for (item, files) in part.folders {
        guard let folder = lockedFolder(listing.root.items[item], of: listing.root),
          areSame(part.listing.items[files], of: part.listing, as: lock.names.folders[folder].files)
        else { return false }
      }
    }
    return true
  }

  /// Whether the catalog's own folder holds as many folders as the lock and no other numbered name.
  private func isRootSame(_ root: Listing) -> Bool {
    var found = 0
    var hasOptions = false
    for item in root.items {
      let name = root.bytes[item.range]
      if name.first?.isDigit == true {
        guard item.kind == .folder else { return false }
        found += 1
      } else if name.elementsEqual(Lock.optionsName.utf8) {
        guard item.kind == .file else { return false }
        hasOptions = true
      }
    }
    return found == lock.names.folders.count && hasOptions == (lock.options != nil)
  }

  /// The place of the folder of this name in the lock, found by its number; nil for none.
  private func lockedFolder(_ item: Listing.Item, of listing: Listing) -> Int? {
    let digits = listing.bytes[item.range].prefix { $0.isDigit }
    guard let version = FolderName.version(digits) else { return nil }
    let names = lock.names
    var (low, high) = (0, names.folders.count)
    while low < high {
      let middle = (low + high) / 2
      if names.folders[middle].version < version { low = middle + 1 } else { high = middle }
    }
    // A migration and a snapshot may have one number.
    return (low..<min(low + 2, names.folders.count)).first {
      names.bytes.isSame(names.folders[$0].name, as: item.range, of: listing.bytes)
    }
  }

  private func areSame(
    _ items: ArraySlice<Listing.Item>, of listing: Listing, as files: Range<Int>
  ) -> Bool {
    let names = lock.names
    var found = 0
    for item in items where !FileName.isIgnored(listing.bytes[item.range]) {
      let isExpected = names.files[files].contains {
        names.bytes.isSame($0, as: item.range, of: listing.bytes)
      }
      guard isExpected, item.kind == .file else { return false }
      found += 1
    }
    return found == files.count
  }

  // MARK: the slow look

  enum Difference: Equatable {
    case notInLock(String)
    case onlyInLock(String)
  }

  /// In the order of the versions and names.
  func differences() throws -> [Difference] {
    let folder = try CatalogFolder(reading: root)
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
      differences += Self.differences(
        migration.folder, present: present[migration.folder], locked: locked[migration.folder])
    }
    return differences
  }

  private static func byFolder(_ migrations: [Migration]) -> [String: Migration] {
    Dictionary(migrations.map { ($0.folder, $0) }) { first, _ in first }
  }

  private static func differences(
    _ folder: String, present: Migration?, locked: Migration?
  ) -> [Difference] {
    guard let present else { return [.onlyInLock(folder)] }
    guard let locked else { return [.notInLock(folder)] }
    let here = Set(present.files.map(\.name))
    let there = Set(locked.files.map(\.name))
    return here.subtracting(there).sorted().map { .notInLock(folder + "/" + $0) }
      + there.subtracting(here).sorted().map { .onlyInLock(folder + "/" + $0) }
  }
}
