import Seedbed

/// A file with a private key: PKCS#8 (RFC 5958, 8410) in PEM (RFC 7468), as OpenSSL writes it.
///
/// Files with anything else are refused in a sentence that says what they hold. No error shows any
/// of the file's text but the label of a block, which is in capitals.
enum PrivateKeyFile {
  private static let label = "PRIVATE KEY"

  /// PKCS#8 up to the key: version 0, the algorithm Ed25519, and an octet string in another.
  private static let prefix: [UInt8] = [
    0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
  ]

  private static let remedy = "Name a file with an Ed25519 private key, or make a new one."

  static func text(of seed: [UInt8]) -> [UInt8] {
    // 48 bytes are 64 characters, which is the length of a line.
    let lines = [
      "-----BEGIN \(label)-----", String.base64(prefix + seed), "-----END \(label)-----",
    ]
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  /// Whether a text has the private key of a file, or the line before it.
  static func isPart(of text: String) -> Bool {
    // Of the last byte of the prefix, some bits are in the letter that follows.
    let start = String.base64(prefix).prefix(prefix.count * 8 / 6)
    return text.contains(start) || text.contains(label + "-----")
  }

  static func seed(in pem: [UInt8], named path: String) throws(SeedbedError) -> [UInt8] {
    let lines = pem.split { $0 == 0x0A || $0 == 0x0D }.map(withoutBlanks).filter { !$0.isEmpty }
    let text = try body(of: lines, path)
    guard let der = [UInt8](base64: text) else {
      throw refused(
        path, "is damaged: between its lines BEGIN and END is no base64. Copy it again.")
    }
    guard der.starts(with: prefix), der.count == prefix.count + Ed25519.keySize else {
      throw refused(path, unfit(content(of: der)))
    }
    return Array(der[prefix.count...])
  }

  /// The base64 of the only block. Text around it is a comment.
  private static func body(of lines: [String], _ path: String) throws(SeedbedError) -> String {
    let starts = lines.indices.filter { lines[$0].hasPrefix("-----BEGIN ") }
    guard let start = starts.first else {
      let found = lines.isEmpty ? "is empty" : "holds no key: no line begins with '-----BEGIN '"
      throw refused(path, "\(found). \(remedy)")
    }
    guard let name = blockLabel(lines[start]) else {
      throw refused(
        path,
        "has lost its line breaks: the key must begin in the line after "
          + "'-----BEGIN \(label)-----'. Copy it again.")
    }
    // OpenSSL writes two blocks for an elliptic curve, and the first says enough.
    guard starts.count == 1 || name == "EC PARAMETERS" else {
      throw refused(
        path,
        "holds \(starts.count) keys or other blocks, so it is unclear which one signs. "
          + "Name a file with one Ed25519 private key and nothing else.")
    }
    guard name == label else { throw refused(path, other(name)) }
    let rest = lines[start...].dropFirst()
    let text = rest.prefix { !$0.hasPrefix("-----") }
    guard rest.dropFirst(text.count).first == "-----END \(label)-----" else {
      throw refused(
        path, "is truncated: its key does not end with '-----END \(label)-----'. Copy it again.")
    }
    return text.joined()
  }

  /// `PRIVATE KEY` in `-----BEGIN PRIVATE KEY-----`; nil if the line is not only that.
  private static func blockLabel(_ line: String) -> String? {
    guard line.hasSuffix("-----") else { return nil }
    let label = line.dropFirst("-----BEGIN ".count).dropLast(5)
    let isLabel = label.utf8.allSatisfy {
      $0 == 0x20 || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
    }
    return isLabel ? String(label) : nil
  }

  /// What is wrong with a block that has another label.
  private static func other(_ label: String) -> String {
    switch label {
    case "ENCRYPTED PRIVATE KEY":
      "holds an encrypted private key, whose passphrase Seedbed does not ask for. Decrypt it, or "
        + "make a new one, and let no one else read its file."
    case "PUBLIC KEY":
      "holds a public key, which can check a signature but not make one. Name the file of its "
        + "private key."
    case "RSA PRIVATE KEY": unfit("an RSA key")
    case "EC PRIVATE KEY", "EC PARAMETERS": unfit(ellipticCurve)
    case "OPENSSH PRIVATE KEY": unfit("a key in the format of OpenSSH")
    case "CERTIFICATE": unfit("a certificate")
    default: unfit("'\(label.shortened(to: 40))'")
    }
  }

  /// What PKCS#8 holds if it is not what we write.
  private static func content(of der: [UInt8]) -> String {
    let algorithms: [(identifier: [UInt8], name: String)] = [
      ([0x2B, 0x65, 0x70], "an Ed25519 key that is not in PKCS#8, version 1"),
      ([0x2B, 0x65, 0x6E], "an X25519 key"), ([0x2B, 0x65, 0x71], "an Ed448 key"),
      ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01], "an RSA key"),
      ([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01], ellipticCurve),
    ]
    // The identifier begins after the lengths and the version, at most 12 bytes from the start.
    let starts = der.indices.prefix(13)
    let found = algorithms.first { algorithm in
      let identifier = [0x06, UInt8(clamping: algorithm.identifier.count)] + algorithm.identifier
      return starts.contains { der[$0...].starts(with: identifier) }
    }
    return found?.name ?? "a private key of another kind"
  }

  private static let ellipticCurve = "a key of an elliptic curve other than Ed25519"

  private static func unfit(_ found: String) -> String {
    "holds \(found), which cannot sign a lock. \(remedy)"
  }

  private static func refused(_ path: String, _ found: String) -> SeedbedError {
    SeedbedError(.usage, "'\(path)' \(found)")
  }

  private static func withoutBlanks(_ line: ArraySlice<UInt8>) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    let end = line.lastIndex { !isBlank($0) } ?? line.startIndex
    return String(decoding: line[...end].drop(while: isBlank), as: UTF8.self)
  }
}
