package import Seedbed

/// The content of a `seedbed.lock.sig`: what the author signed, and the signatures.
///
///     seedbed.lock.sig 1
///     catalog 4f3c…
///     head 12
///     lock sha256:9a0b…
///     time 2026-11-26T10:00:00Z
///     ed25519:Qm9… kqk5…
///
/// The first five lines are signed. After them each key has a line, and they are sorted. A content
/// has one spelling only. Reading a file checks no signature: on a
/// device `SignedBundle` does, for authors `signers`.
package struct LockSignature: Sendable, Equatable {
  package static let fileName = "seedbed.lock.sig"
  package static let format = 1
  package static let sizeLimit = 64 << 10
  /// Enough to replace keys. Each signature costs a device time before it trusts anything.
  package static let signatureLimit = 16

  package struct Signature: Sendable, Equatable {
    package let key: PublicKey
    package let bytes: [UInt8]
  }

  /// The catalog's id: 32 hexadecimal digits.
  package let catalog: String
  package let head: Version
  /// SHA-256 of the whole lock: `sha256:` and 64 hexadecimal digits.
  package let lock: String
  /// When the author signed, in UTC. It is for people: a device has no clock to compare it with.
  package let time: String
  /// Sorted by key, no key twice.
  package private(set) var signatures: [Signature] = []

  /// What is still to be signed. The fields must be as a file has them.
  package init(catalog: String, head: Version, lock: String, time: String) {
    (self.catalog, self.head, self.lock, self.time) = (catalog, head, lock, time)
  }

  /// Reads a file.
  ///
  /// - Parameter path: the file's path, for errors.
  /// - Throws: `catalog` if this is not what `bytes` would be.
  package init(_ bytes: [UInt8], named path: String) throws(SeedbedError) {
    var reader = try LockSignatureReader(bytes, path)
    try reader.readFormat()
    self.init(
      catalog: try reader.field("catalog", "<32 hexadecimal digits>") { $0.isHexadecimal(32) },
      head: try reader.version(),
      lock: try reader.field("lock", "sha256:<64 hexadecimal digits>") {
        $0.hasPrefix("sha256:") && String($0.dropFirst(7)).isHexadecimal(64)
      },
      time: try reader.field("time", "<like 2026-11-26T10:00:00Z>") { $0.isTime })
    signatures = try reader.signatures()
    try reader.finish(self.bytes)
  }

  /// The first five lines.
  private var statement: String {
    """
    \(Self.fileName) \(Self.format)
    catalog \(catalog)
    head \(head)
    lock \(lock)
    time \(time)

    """
  }

  /// The content of the file.
  package var text: String {
    statement
      + signatures.map { "\($0.key.text) \(String.base64($0.bytes))\n" }.joined()
  }

  package var bytes: [UInt8] { Array(text.utf8) }

  /// What each key signs. The prefix keeps a signature from meaning anything else.
  package var signedBytes: [UInt8] { Array(Self.prefix.utf8) + Array(statement.utf8) }

  static let prefix = "seedbed-lock-1\0"
}

// MARK: signatures

extension LockSignature {
  /// Adds the key's signature, unless there is a valid one: signing again changes no byte.
  ///
  /// - Throws: `usage` if all places are taken by other keys.
  package mutating func sign(by key: SigningKey) throws(SeedbedError) {
    if signers(among: [key.publicKey]).valid.isEmpty {
      try add(key.sign(signedBytes), by: key.publicKey)
    }
  }

  /// Adds a signature that was made elsewhere, in place of the key's earlier one.
  ///
  /// - Throws: `usage` if it is not the key's signature of `signedBytes`, or if all places are
  ///   taken by other keys.
  package mutating func add(_ signature: [UInt8], by key: PublicKey) throws(SeedbedError) {
    guard key.isSignature(signature, of: signedBytes) else {
      throw SeedbedError(
        .usage,
        "This is no signature of the lock by the key \(key). Sign the lock as it is now with the "
          + "private key of this one.")
    }
    let others = signatures.filter { $0.key != key }
    guard others.count < Self.signatureLimit else {
      throw SeedbedError(
        .usage,
        "The lock has signatures of \(others.count) keys, and no more fit. Remove the line of a "
          + "key that is no longer used from \(Self.fileName).")
    }
    signatures = (others + [Signature(key: key, bytes: signature)]).sorted { $0.key < $1.key }
  }

  /// Which of these keys have a valid signature here, and which one that is not valid, in their
  /// order. The others have none.
  package func signers(
    among keys: [PublicKey]
  ) -> (valid: [PublicKey], invalid: [PublicKey]) {
    let message = signedBytes
    var (valid, invalid): ([PublicKey], [PublicKey]) = ([], [])
    for key in keys {
      guard let signature = signatures.first(where: { $0.key == key }) else { continue }
      if key.isSignature(signature.bytes, of: message) {
        valid.append(key)
      } else {
        invalid.append(key)
      }
    }
    return (valid, invalid)
  }
}
