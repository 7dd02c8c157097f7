/// The facts in the lock about the catalog's ready-made database, with which new devices begin.
///
/// It is not part of the chain: building it again changes no migration.
package struct FirstDatabase: Sendable, Equatable {
  /// Its path in the catalog.
  package static let name = "data/first.sqlite"

  /// The size in bytes.
  package var size: Int64
  /// The last migration in it.
  package var version: Version
  /// The chain up to that migration.
  package var chain: String
  /// SHA-256 of the file, 64 hexadecimal digits.
  package var digest: String

  package init(size: Int64, version: Version, chain: String, digest: String) {
    (self.size, self.version, self.chain, self.digest) = (size, version, chain, digest)
  }

  /// Reads `data/first.sqlite 40960 2 sha256:… 5b77…`; nil for any other line.
  init?(line: ArraySlice<UInt8>) {
    let words = line.words
    guard words.count == 5, words[0].elementsEqual(Self.name.utf8), let size = words[1].decimal,
      let version = words[2].decimal, words[3].isDigest(), words[4].count == 64,
      words[4].allSatisfy(\.isHexadecimal)
    else { return nil }
    self.init(size: size, version: version, chain: words[3].text, digest: words[4].text)
  }
}
