package import Seedbed

/// A public key of Ed25519, as an app pins it: `ed25519:` and its 32 bytes in base64.
package struct PublicKey: Sendable, Hashable {
  private static let prefix = "ed25519:"

  let bytes: [UInt8]

  /// - Parameter bytes: all 32. Others would have no signature.
  init(bytes: [UInt8]) {
    assert(bytes.count == Ed25519.keySize)
    self.bytes = bytes
  }

  /// - Throws: `usage` if this is not a key in its one spelling.
  package init(_ text: String) throws(SeedbedError) {
    let isPrefixed = text.utf8.starts(with: Self.prefix.utf8)
    let digits = isPrefixed ? String(text.dropFirst(Self.prefix.count)) : ""
    guard let bytes = [UInt8](base64: digits), bytes.count == Ed25519.keySize else {
      // It may be a private key that was pasted here: its start is enough.
      throw SeedbedError(
        .usage,
        "'\(text.shortened(to: isPrefixed ? 16 : 8))' is not a public key, which is 'ed25519:' "
          + "and 44 characters of base64. Copy the whole text that was printed for the key.")
    }
    self.init(bytes: bytes)
  }

  package var text: String { Self.prefix + String.base64(bytes) }

  package func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    Ed25519.isSignature(signature, of: message, by: bytes)
  }
}

extension PublicKey: Comparable {
  /// The order of their texts, as the lines of a file are sorted.
  package static func < (one: Self, other: Self) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }
}

extension PublicKey: CustomStringConvertible {
  package var description: String { text }
}
