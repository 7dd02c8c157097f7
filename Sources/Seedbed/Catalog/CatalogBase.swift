/// The last of the migrations whose folders were dropped: where the chain of the others begins.
package struct CatalogBase: Sendable, Equatable {
  package var version: Version
  /// The words after the number.
  package var name: String
  package var folder: String
  package var checksum: String
  package var chain: String
  /// Of a catalog for two engines, the other one's digests.
  package var other: OtherEngine?

  package init(_ migration: Migration) {
    (version, name, folder) = (migration.version, migration.name, migration.folder)
    (checksum, chain) = (migration.checksum ?? "", migration.chain ?? "")
    other = migration.other.map { OtherEngine(checksum: $0.checksum, chain: $0.chain) }
  }

  /// `base 0012_iupac_2016/`, and the digests; nil for any other line.
  init?(line: ArraySlice<UInt8>) {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count > 2, words[0].elementsEqual("base".utf8), words[1].last == 0x2F,
      let sums = LockedSums(words[2...])
    else { return nil }
    folder = String(decoding: words[1].dropLast(), as: UTF8.self)
    guard case .migration(let version, let name) = FolderName(folder) else { return nil }
    (self.version, self.name) = (version, name)
    (checksum, chain, other) = (sums.checksum, sums.chain, sums.other)
  }

  package var line: String { "base \(folder)/ \(LockedSums.text(checksum, chain, other))" }

  /// As the other engine reads it.
  ///
  /// - Throws: `catalog` if the catalog was for one engine when the folders were dropped.
  package func ofOtherEngine() throws -> CatalogBase {
    guard let other, let otherChecksum = other.checksum, let otherChain = other.chain else {
      throw SeedbedError.baseOfOneEngine(folder)
    }
    var base = self
    (base.checksum, base.chain) = (otherChecksum, otherChain)
    base.other = OtherEngine(checksum: checksum, chain: chain)
    return base
  }

  /// As a row of the ledger wants it; its files are gone.
  var migration: Migration {
    Migration(
      version: version, name: name, folder: folder, files: [], isWithdrawn: false,
      checksum: checksum, chain: chain, other: other)
  }

  /// What the lock says, even if the rest of it is out of date or torn by a merge; nil if it
  /// names none. Of those of two branches that both dropped folders the later one is left.
  ///
  /// - Throws: if two lines speak of one version otherwise.
  static func read(in root: any ReadableFolder) throws -> CatalogBase? {
    guard try root.kind(of: Lock.fileName) == .file else { return nil }
    let bytes = try root.open(Lock.fileName).content(limit: Lock.sizeLimit)
    // One line in thousands: the others are not even copied.
    let found = bytes.split(separator: 0x0A).compactMap { line in
      line.first == UInt8(ascii: "b") ? CatalogBase(line: line) : nil
    }
    guard let last = found.max(by: { $0.version < $1.version }) else { return nil }
    if let other = found.first(where: { $0.version == last.version && $0.chain != last.chain }) {
      throw SeedbedError.twoBases(last.folder, other.folder)
    }
    return last
  }
}
