package import Seedbed

/// Where each file of a bundle lies. The lock decides that, so a reader believes nothing that is
/// not signed.
package struct BundleLayout: Sendable {
  package let lock: Lock
  /// The last version whose folder it leaves out; 0 if it has all.
  package let since: Migrator.Version
  /// The offset of the header after the lock.
  let start: Int64

  /// The name's ending: `june.seedbed`.
  package static let ending = ".seedbed"

  package init(_ lock: Lock, since: Migrator.Version, start: Int64) {
    (self.lock, self.since, self.start) = (lock, since, start)
  }

  /// The offset after the lock, by the sizes of the first two files.
  package static func start(_ signature: Int, _ lock: Int) -> Int64 {
    2 * Int64(Ustar.blockSize) + Ustar.padded(Int64(signature)) + Ustar.padded(Int64(lock))
  }

  /// The migrations whose folders it has.
  package var migrations: ArraySlice<Migration> {
    lock.migrations.drop { $0.version <= since }
  }

  /// Calls `body` with each file in the order of the archive.
  ///
  /// - Parameter body: gets the folder, which is nil at the top; the name, the offset of the header
  ///   and the size.
  /// - Returns: the offset after the last file.
  @discardableResult
  package func walk(
    _ body: (_ folder: String?, _ name: String, _ header: Int64, _ size: Int64) throws -> Void
  ) rethrows -> Int64 {
    var offset = start
    func pass(_ folder: String?, _ name: String, _ size: Int64) throws {
      try body(folder, name, offset, size)
      offset += Int64(Ustar.blockSize) + Ustar.padded(size)
    }
    if let options = lock.options { try pass(nil, Lock.optionsName, options.size) }
    for migration in migrations {
      for file in migration.allFiles { try pass(migration.folder, file.name, file.size) }
    }
    return offset
  }

  /// The size of the whole archive.
  package var size: Int64 { walk { _, _, _, _ in } + Ustar.endSize }
}
