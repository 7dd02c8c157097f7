package import Seedbed

// Signatures that are made elsewhere, by whatever holds a key that never leaves its device.

extension LockSignature {
  /// Reads `signedBytes`.
  ///
  /// - Parameter path: the file's path, for errors.
  /// - Throws: `catalog` if these bytes are anything else.
  package init(message: [UInt8], named path: String) throws(SeedbedError) {
    let prefix = Array(Self.prefix.utf8)
    guard message.starts(with: prefix) else {
      throw SeedbedError(
        .catalog,
        "'\(path)' is no message to sign: it does not begin with 'seedbed-lock-1' and a zero byte. "
          + "Write it again.")
    }
    try self.init(Array(message[prefix.count...]), named: path)
    guard signatures.isEmpty else {
      throw SeedbedError(
        .catalog, "'\(path)' has signatures, which no message has. Write it again.")
    }
  }

  /// The bytes of a signature in a file: as they are, as OpenSSL writes them, or in base64.
  ///
  /// - Parameter path: the file's path, for errors.
  /// - Throws: `usage` for anything else.
  package static func signature(
    in file: [UInt8], named path: String
  ) throws(SeedbedError) -> [UInt8] {
    if file.count == Ed25519.signatureSize { return file }
    let digits = file.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let bytes = [UInt8](base64: String(decoding: digits, as: UTF8.self))
    if let bytes, bytes.count == Ed25519.signatureSize { return bytes }
    throw SeedbedError(
      .usage,
      "'\(path)' has \(file.count) bytes, and is no signature: those of Ed25519 have "
        + "\(Ed25519.signatureSize) bytes, or 88 characters of base64. Name the file with the "
        + "signature alone.")
  }
}
