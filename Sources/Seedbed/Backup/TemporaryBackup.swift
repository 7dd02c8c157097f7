/// A file in the backup folder that no other process knows yet: `app.9f3c2a51d07be864.partial`.
///
/// Each is discarded in a `defer`. If the process was killed, the next run removes it.
final class TemporaryBackup {
  let name: String
  let file: OpenFile
  private let folder: Folder
  private var isThere = true

  private static let ending = ".partial"
  /// The files that SQLite may create next to it.
  private static let companions = ["-journal", "-wal", "-shm"]

  var path: String { folder.path + "/" + name }

  /// Creates the file with the owner, mode and data protection of the file at `model`.
  init(in folder: Folder, base: String, like model: String) throws {
    name = Self.freshName(base: base)
    self.folder = folder
    // SQLite would create the backup of a 0600 database as 0644, and would follow a link. The
    // descriptor stays open until the fsync, because Linux reports write errors only to descriptors
    // that were open at the time.
    file = try folder.create(name, like: model)
  }

  static func freshName(base: String) -> String {
    // Always 16 digits.
    base + "." + String(UInt64.random(in: 1 << 60 ... .max), radix: 16) + ending
  }

  /// Removes the file, unless it was published.
  func discard() {
    guard isThere else { return }
    isThere = false
    let names = [name] + Self.companions.map { name + $0 }
    for name in names where folder.size(of: name) != nil {
      // If it cannot be removed now, the next run removes it. The first error is the one to report.
      try? folder.remove(name)
    }
  }

  /// Gives the file its final name and makes that durable.
  func publish(as name: String) throws {
    try folder.publish(self.name, as: name)
    isThere = false
    do {
      try folder.sync()
    } catch let error {
      // The backup is not used any more. The first error is the one to report.
      try? folder.remove(name)
      throw error
    }
  }

  /// Removes the files of killed processes. The caller holds the database's write lock, so no other
  /// process is working here.
  static func sweep(
    _ folder: Folder, base: String, sparing spared: String? = nil
  ) throws {
    for entry in try folder.entries() where isOurs(entry.name, base: base) {
      if let spared, entry.name.utf8.starts(with: spared.utf8) { continue }
      // A leftover that cannot be removed does not prevent the backup.
      try? folder.remove(entry.name)
    }
  }

  /// Whether the name is exactly that of such a file of this database, or of a companion file of
  /// SQLite's.
  static func isOurs(_ name: String, base: String) -> Bool {
    let start = base + "."
    guard name.utf8.starts(with: start.utf8) else { return false }
    let rest = name.utf8.dropFirst(start.utf8.count)
    return rest.count > 16
      && rest.prefix(16).allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
      && ([""] + companions).contains { rest.dropFirst(16).elementsEqual((ending + $0).utf8) }
  }
}
