/// The downloads among which `Catalog.newest` chose. Only the ledger of a database knows whether it
/// can take one, so there are others to take in its place.
package struct Downloads: Sendable {
  /// The one that continues this catalog; nil for the app's own catalog alone.
  package var used: Download?
  /// The catalogs to take in its place, the best first: the last one is the app's own.
  package var others: [Catalog]
  /// The last version of the app's own catalog.
  package var bundled: Version
  package var passedOver: [Migrator.PassedOver]
  /// The version of the database when the choice was made.
  var current: Version = 0
  /// Whether a download brought the database to its version, even one that was removed since.
  var hasFilled = false

  package init(
    used: Download?, others: [Catalog], bundled: Version,
    passedOver: [Migrator.PassedOver]
  ) {
    (self.used, self.others, self.bundled) = (used, others, bundled)
    self.passedOver = passedOver
  }

  func forPostgreSQL() throws -> Downloads {
    var downloads = self
    downloads.others = try others.map { try $0.forPostgreSQL() }
    return downloads
  }

  mutating func share(_ cache: ContentCache?) {
    for index in others.indices { others[index].cache = cache }
  }
}

/// A file whose signature is that of a key which the app trusts.
package struct Download: Sendable {
  package var path: String
  /// The keys that signed it, each with its version and lock.
  package var heads: [Migrator.SignedHead]
  /// The last version whose folder it leaves out; 0 if it has all.
  package var since: Version

  package init(path: String, heads: [Migrator.SignedHead], since: Version) {
    (self.path, self.heads, self.since) = (path, heads, since)
  }
}

extension Catalog {
  /// Whether a download has no files of it, since it begins later.
  func isLeftOut(_ migration: Migration) -> Bool { migration.version <= since ?? 0 }

  /// Whether a migration is read from the download.
  func isDownloaded(_ migration: Migration) -> Bool {
    downloads?.used != nil && migration.part == parts.count - 1
  }
}
