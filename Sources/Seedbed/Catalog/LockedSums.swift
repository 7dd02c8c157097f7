/// A checksum and a chain, as the lock has them for a folder:
/// `sha256:… sha256:…`, followed by ` postgresql sha256:… sha256:…` in a catalog for both engines.
package struct LockedSums {
  var checksum: String
  var chain: String
  var other: OtherEngine?

  /// nil for other words.
  init?(_ words: ArraySlice<ArraySlice<UInt8>>) {
    let texts = words.map { String(decoding: $0, as: UTF8.self) }
    guard texts.count == 2 || texts.count == 5 && texts[2] == EngineName.postgresql.rawValue,
      (texts[..<2] + texts.dropFirst(3)).allSatisfy({ $0.utf8.isDigest() })
    else { return nil }
    (checksum, chain) = (texts[0], texts[1])
    if texts.count == 5 { other = OtherEngine(checksum: texts[3], chain: texts[4]) }
  }

  package static func text(_ checksum: String?, _ chain: String?, _ other: OtherEngine?) -> String {
    let sums = "\(checksum ?? "") \(chain ?? "")"
    guard let other else { return sums }
    return sums + " \(EngineName.postgresql.rawValue) \(other.checksum ?? "") \(other.chain ?? "")"
  }
}
