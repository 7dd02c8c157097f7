/// The downloads that `Catalog.newest` found for an app's own catalog. Only the ledger of a
/// database knows which of them it can take: `ResolvedCatalog` is its choice.
package struct Downloads: Sendable {
  /// The app's own catalog, continued by a download.
  package struct Candidate: Sendable {
    package let catalog: Catalog
    package let download: Download

    package init(_ catalog: Catalog, _ download: Download) {
      (self.catalog, self.download) = (catalog, download)
    }
  }

  /// The best first.
  let candidates: [Candidate]
  /// Those that no database can take, and why.
  package let passedOver: [Migrator.PassedOver]
  /// The last version of the app's own catalog.
  let bundled: Version
  // A catalog has its downloads, so a list breaks the circle.
  private let owns: [Catalog]

  /// The app's own catalog alone.
  var own: Catalog { owns[0] }

  fileprivate init(
    _ candidates: [Candidate], _ own: Catalog, _ passedOver: [Migrator.PassedOver]
  ) {
    assert(own.downloads == nil && candidates.allSatisfy { $0.catalog.downloads == nil })
    (self.candidates, self.passedOver, owns) = (candidates, passedOver, [own])
    bundled = own.head?.version ?? 0
  }

  /// The same with each catalog changed.
  func mapped(_ change: (Catalog) throws -> Catalog) rethrows -> Downloads {
    try Downloads(
      candidates.map { Candidate(try change($0.catalog), $0.download) }, change(own), passedOver)
  }
}

/// A file whose signature is that of a key which the app trusts.
package struct Download: Sendable {
  package let path: String
  /// The keys that signed it, each with its version and lock.
  package let heads: [Migrator.SignedHead]
  /// When they signed it, as the signature says.
  let signedAt: Migrator.Timestamp
  /// The last version whose folder it leaves out; 0 if it has all.
  let since: Version
  /// Whether it may do all that the app's own catalog may: run SQL, and weaken options.
  let isTrusted: Bool
  /// The file before anything of it was read.
  let state: FileState?

  package init(
    path: String, heads: [Migrator.SignedHead], signedAt: Migrator.Timestamp, since: Version,
    isTrusted: Bool, state: FileState?
  ) {
    (self.path, self.heads, self.signedAt, self.since) = (path, heads, signedAt, since)
    (self.isTrusted, self.state) = (isTrusted, state)
  }
}

extension Catalog {
  /// The app's own catalog, with downloads among which each database chooses. Until then it is as
  /// the best of them continues it.
  ///
  /// - Parameter candidates: the best first.
  package func choosing(
    among candidates: [Downloads.Candidate], _ passedOver: [Migrator.PassedOver]
  ) -> Catalog {
    (candidates.first?.catalog ?? self).with(Downloads(candidates, self, passedOver))
  }

  /// What a ledger remembers, with the time of the signature if the download is at hand.
  func dated(_ head: Migrator.SignedHead) -> Migrator.SignedHead {
    let found = downloads?.candidates.map(\.download).first { $0.heads.contains(head) }
    var head = head
    head.signedAt = found?.signedAt
    return head
  }

  /// Whether a download has no files of it, since it begins later.
  func isLeftOut(_ migration: Migration) -> Bool { migration.version <= since ?? 0 }
}
