/// Compares the names that the lock holds with those that are in the folders.
///
/// Nearly always they are the same, and the look that tells so makes no strings. Only where
/// something differs are the folders read again, slowly and with every name checked, to say what.
struct LockComparison: Sendable {
  let lock: Lock
  let root: Folder

  /// Below so many folders a second thread costs more than it saves.
  private static let foldersForTwoThreads = 64

  /// - Throws: `catalog` at the first difference, which tells how many there are.
  func check() throws {
    if try isSame() { return }
    let differences = try differences()
    guard let first = differences.first else { return }
    let others = differences.count - 1
    switch first {
    case .notInLock(let path): throw SeedbedError.notInLock(path, others: others)
    case .onlyInLock(let path): throw SeedbedError.onlyInLock(path, others: others)
    }
  }

  // MARK: the quick look

  private func isSame() throws -> Bool {
    guard try isRootSame() else { return false }
    let names = lock.names
    let count = names.folders.count
    guard count >= Self.foldersForTwoThreads else { return areSame(0..<count) }
    let isSecondHalfSame = Guarded(false)
    let thread = try Thread {
      let isSame = areSame((count / 2)..<count)
      isSecondHalfSame.withLock { $0 = isSame }
    }
    let isFirstHalfSame = areSame(0..<(count / 2))
    thread.join()
    return isFirstHalfSame && isSecondHalfSame.withLock { $0 }
  }

  /// Whether the catalog's own folder holds the folders of the lock and no other numbered name.
  private func isRootSame() throws -> Bool {
    var listing = Listing()
    try root.list(into: &listing)
    var found = 0
    var hasOptions = false
    for item in listing.items {
      let name = listing.bytes[item.range]
      if name.first?.isDigit == true {
        guard item.kind == .folder, holds(item, of: listing) else { return false }
        found += 1
      } else if name.elementsEqual(Lock.optionsName.utf8) {
        guard item.kind == .file else { return false }
        hasOptions = true
      }
    }
    return found == lock.migrations.count && hasOptions == (lock.options != nil)
  }

  /// Whether the lock has a folder of this name; found by its number.
  private func holds(_ item: Listing.Item, of listing: Listing) -> Bool {
    let digits = listing.bytes[item.range].prefix { $0.isDigit }
    guard let version = FolderName.version(digits) else { return false }
    let names = lock.names
    var (low, high) = (0, names.folders.count)
    while low < high {
      let middle = (low + high) / 2
      if names.folders[middle].version < version { low = middle + 1 } else { high = middle }
    }
    return low < names.folders.count
      && names.bytes.isSame(names.folders[low].name, as: item.range, of: listing.bytes)
  }

  /// A folder that cannot be listed is not the same: the slow look says why.
  private func areSame(_ folders: Range<Int>) -> Bool {
    let names = lock.names
    var listing = Listing()
    for folder in folders {
      // The error is thrown again by the slow look, which tells it in full.
      guard (try? root.list(lock.migrations[folder].folder, into: &listing)) != nil else {
        return false
      }
      let expected = names.files[names.folders[folder].files]
      var found = 0
      for item in listing.items {
        if FileName.isIgnored(listing.bytes[item.range]) { continue }
        let isExpected = expected.contains {
          names.bytes.isSame($0, as: item.range, of: listing.bytes)
        }
        guard isExpected, item.kind == .file else { return false }
        found += 1
      }
      if found != expected.count { return false }
    }
    return true
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
    let present = Self.byFolder(folder.migrations)
    let locked = Self.byFolder(lock.migrations)
    let all = folder.migrations + lock.migrations.filter { present[$0.folder] == nil }
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
