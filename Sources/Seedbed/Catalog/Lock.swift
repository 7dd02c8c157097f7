/// `seedbed.lock` as it was read: what the catalog held when `migrate lock` ran.
///
/// Documentation/CatalogFormat.md has the format. Its first three lines are the head; with nothing
/// pending nobody reads further.
package struct Lock: Sendable {
  package static let fileName = "seedbed.lock"
  package static let optionsName = "catalog.json"
  /// The highest format that this version reads and writes. One with neither base, snapshots,
  /// a first database nor a second engine is written as format 1, which readers that know none of
  /// them can read.
  package static let format = 2
  /// Of the whole file: that of a catalog of 100,000 migrations is smaller.
  package static let sizeLimit = 64 << 20

  var head: LockHead
  /// What it says of catalog.json; nil if there was none.
  package var options: LockedFile?
  /// The database that new devices begin with; nil if there was none.
  package var first: FirstDatabase?
  /// Where its old folders were dropped.
  package var base: CatalogBase?
  /// In version order, with the chain up to their versions.
  package var snapshots: [Migration] = []
  /// In version order, every file with what is locked of it.
  package var migrations: [Migration]
}

/// The first lines of the lock.
package struct LockHead: Sendable, Equatable {
  /// The catalog's last version.
  var version: Version
  /// The chain up to it. If the ledger has the same, nothing is pending.
  var chain: String
  /// The number of lines below the head.
  var lines: Int
  /// The CRC-32 of these lines, in hexadecimal digits.
  var check: String
  /// Where in the file these lines begin.
  var length: Int
  /// The chain of the other engine; nil in a catalog for one.
  var otherChain: String?

  /// As the other engine reads it; nil in a catalog for one engine.
  var ofOtherEngine: LockHead? {
    guard let otherChain else { return nil }
    var head = self
    (head.chain, head.otherChain) = (otherChain, chain)
    return head
  }

  /// No head is longer than this.
  static let limit = 512
}
