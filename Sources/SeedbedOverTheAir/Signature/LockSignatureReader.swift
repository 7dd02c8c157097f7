import Seedbed

/// Reads the lines of a signature file, which anyone may have written.
struct LockSignatureReader {
  private let bytes: [UInt8]
  private let path: String
  /// The lines that are still to be read.
  private var lines: ArraySlice<ArraySlice<UInt8>>

  private static let remedy = "Copy the file again, or sign the lock again."

  init(_ bytes: [UInt8], _ path: String) throws(SeedbedError) {
    (self.bytes, self.path) = (bytes, path)
    lines =
      bytes.prefix(LockSignature.sizeLimit)
      .split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    if bytes.isEmpty { throw wrong("The file is empty. \(Self.remedy)") }
    if bytes.count > LockSignature.sizeLimit {
      throw wrong(
        "The file has \(bytes.count) bytes, but a signature file has at most "
          + "\(LockSignature.sizeLimit). \(Self.remedy)")
    }
    if lines.first?.last == 0x0D {
      throw wrong(
        "The lines end in CRLF; git does this on some systems. Put "
          + "'\(LockSignature.fileName) text eol=lf' into .gitattributes, and check the file out "
          + "again.", line: 1)
    }
    // Nothing follows the last line feed.
    if lines.popLast()?.isEmpty == false {
      throw wrong("The file is truncated within this line. \(Self.remedy)", line: lines.count + 1)
    }
  }

  mutating func readFormat() throws(SeedbedError) {
    let first = "\(LockSignature.fileName) \(LockSignature.format)"
    let name = "\(LockSignature.fileName) "
    if let line = lines.first, line.starts(with: name.utf8) {
      // In a later format, more may follow the number.
      let digits = line.dropFirst(name.utf8.count).prefix { (0x30...0x39).contains($0) }
      if let format = Int64(String(decoding: digits, as: UTF8.self)), format > LockSignature.format
      {
        throw wrong(
          "The file has the format \(format), which a newer Seedbed wrote; this one reads format "
            + "\(LockSignature.format). Use the newer one.", line: 1
        ).because(of: .laterSeedbed)
      }
    }
    _ = try next("'\(first)'") { $0 == first ? first : nil }
  }

  /// What follows the name in the next line.
  mutating func field(
    _ name: String, _ expected: String, _ isValid: (String) -> Bool
  ) throws(SeedbedError) -> String {
    try next("'\(name) \(expected)'") { line in
      let start = "\(name) "
      guard line.utf8.starts(with: start.utf8) else { return nil }
      let text = String(decoding: line.utf8.dropFirst(start.utf8.count), as: UTF8.self)
      return isValid(text) ? text : nil
    }
  }

  mutating func version() throws(SeedbedError) -> Version {
    // Version would accept a sign and leading zeros.
    func version(_ text: String) -> Version? {
      Version(text).flatMap { $0 >= 0 && String($0) == text ? $0 : nil }
    }
    return version(try field("head", "<version>") { version($0) != nil }) ?? 0
  }

  /// All lines that are left.
  mutating func signatures() throws(SeedbedError) -> [LockSignature.Signature] {
    var all: [LockSignature.Signature] = []
    while !lines.isEmpty {
      let number = lines.startIndex + 1
      let found = try next("'ed25519:<public key> <signature>', both in base64", signature)
      if let last = all.last, last.key >= found.key {
        let what = last.key == found.key ? "has a second line" : "is not in order"
        throw wrong("The key \(found.key) \(what). \(Self.remedy)", line: number)
      }
      all.append(found)
      if all.count > LockSignature.signatureLimit {
        throw wrong(
          "The file has more than \(LockSignature.signatureLimit) signatures. Sign the lock again "
            + "with the keys that apps still use.", line: number)
      }
    }
    return all
  }

  /// - Parameter expected: what would be written. Two spellings of one content would let a file
  ///   change without anyone seeing it.
  func finish(_ expected: [UInt8]) throws(SeedbedError) {
    guard bytes == expected else {
      throw wrong("The file is not spelled as it was written. \(Self.remedy)")
    }
  }

  private func signature(_ line: String) -> LockSignature.Signature? {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    // The error shows the whole line, and so more than that of the key.
    guard words.count == 2, let key = try? PublicKey(words[0]),
      let bytes = [UInt8](base64: words[1]), bytes.count == Ed25519.signatureSize
    else { return nil }
    return LockSignature.Signature(key: key, bytes: bytes)
  }

  /// The next line as `read` understands it; nil means that it does not.
  private mutating func next<Value>(
    _ expected: String, _ read: (String) -> Value?
  ) throws(SeedbedError) -> Value {
    guard let line = lines.popFirst() else {
      throw wrong("The file is truncated: the line \(expected) is missing. \(Self.remedy)")
    }
    let text = String(decoding: line, as: UTF8.self)
    guard let value = read(text) else {
      throw wrong(
        "Found '\(text.shortened(to: 60))', expected \(expected). \(Self.remedy)",
        line: lines.startIndex)
    }
    return value
  }

  private func wrong(_ message: String, line: Int? = nil) -> SeedbedError {
    SeedbedError(.catalog, message, at: SeedbedError.Place(path, line: line))
  }
}

extension String {
  /// Whether this is `count` digits as our digests have them, in lower case.
  func isHexadecimal(_ count: Int) -> Bool {
    utf8.count == count
      && utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Whether this looks like `2026-11-26T10:00:00Z`.
  var isTime: Bool {
    let pattern = "0000-00-00T00:00:00Z".utf8
    return utf8.count == pattern.count
      && zip(utf8, pattern).allSatisfy { $1 == 0x30 ? (0x30...0x39).contains($0) : $0 == $1 }
  }
}
