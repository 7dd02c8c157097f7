/// The last of the migrations whose folders were dropped: where the chain of the others begins.
package struct CatalogBase: Sendable, Equatable {
  package var version: Version
  /// The words after the number.
  package var name: String
  package var folder: String
  package var checksum: String
  package var chain: String

  package init(_ migration: Migration) {
    (version, name, folder) = (migration.version, migration.name, migration.folder)
    (checksum, chain) = (migration.checksum ?? "", migration.chain ?? "")
  }

  /// `base 0012_iupac_2016/ sha256:… sha256:…`; nil for any other line.
  init?(line: ArraySlice<UInt8>) {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 4, words[0].elementsEqual("base".utf8), words[1].last == 0x2F,
      words[2...].allSatisfy({ $0.isDigest() })
    else { return nil }
    folder = String(decoding: words[1].dropLast(), as: UTF8.self)
    guard case .migration(let version, let name) = FolderName(folder) else { return nil }
    (self.version, self.name) = (version, name)
    checksum = String(decoding: words[2], as: UTF8.self)
    chain = String(decoding: words[3], as: UTF8.self)
  }

  package var line: String { "base \(folder)/ \(checksum) \(chain)" }

  /// As a row of the ledger wants it; its files are gone.
  var migration: Migration {
    Migration(
      version: version, name: name, folder: folder, files: [], isWithdrawn: false,
      checksum: checksum, chain: chain)
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
