extension LockHead {
  /// Reads the three lines at the start of `bytes`, which may be cut off after them.
  static func parse(_ bytes: [UInt8]) throws -> LockHead {
    if bytes.isEmpty { throw SeedbedError.lockEmpty }
    var rest = bytes[...]
    try checkFormat(try nextLine(&rest, 1))
    var text = try nextLine(&rest, 2)
    let other = takeOther(off: &text)
    let head = try fields(text, 2, ("head", "version", "sha256", 64))
    let body = try fields(try nextLine(&rest, 3), 3, ("body", "lines", "crc32", 8))
    return LockHead(
      version: head.number, chain: head.digest, lines: Int(clamping: body.number),
      check: String(body.digest.dropFirst(6)), length: rest.startIndex,
      otherChain: other)
  }

  /// ` postgresql sha256:…` at the end of the head's line; nil if there is none.
  private static func takeOther(off line: inout String) -> String? {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 5, words[3] == EngineName.postgresql.rawValue[...],
      words[4].utf8.isDigest()
    else { return nil }
    line = words[..<3].joined(separator: " ")
    return String(words[4])
  }

  /// Takes one line off `rest`; `number` is the line's, for errors.
  private static func nextLine(_ rest: inout ArraySlice<UInt8>, _ number: Int) throws -> String {
    let end = rest.firstIndex(of: 0x0A)
    let line = String(decoding: rest[..<(end ?? rest.endIndex)], as: UTF8.self)
    if let marker = LockDamage.conflictMarker(line.utf8) {
      throw SeedbedError.lockConflict(marker, line: number)
    }
    guard let end else { throw SeedbedError.lockTruncated(found: number - 1, expected: 3) }
    if line.utf8.last == 0x0D { throw SeedbedError.lockLineEndings(line: number) }
    rest = rest[(end + 1)...]
    return line
  }

  private static func checkFormat(_ line: String) throws {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count > 1, words[0] == Lock.fileName, let format = Int(words[1].digits) else {
      throw SeedbedError.lockLine(line, expected: "'seedbed.lock \(Lock.format)'", line: 1)
    }
    if !(1...Lock.format).contains(format) {
      throw SeedbedError.lockNewer(format: "\(format)", known: Lock.format)
    }
  }

  /// A line of a word, a number and a digest.
  private static func fields(
    _ line: String, _ number: Int,
    _ form: (word: String, number: String, algorithm: String, digits: Int)
  ) throws -> (number: Int64, digest: String) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[0] == form.word,
      let value = FolderName.version(words[1].utf8), words[1].utf8.allSatisfy(\.isDigit),
      !words[1].isEmpty, words[2].utf8.isDigest(form.algorithm, digits: form.digits)
    else {
      let expected = "'\(form.word) <\(form.number)> \(form.algorithm):<digest>'"
      throw SeedbedError.lockLine(line, expected: expected, line: number)
    }
    return (value, String(words[2]))
  }
}

extension Substring {
  /// Without the punctuation that may follow a number.
  fileprivate var digits: Substring { prefix { $0.isNumber } }
}

extension Collection<UInt8> {
  /// Whether it is the algorithm, a colon, and so many hexadecimal digits.
  func isDigest(_ algorithm: String = "sha256", digits: Int = 64) -> Bool {
    let hexadecimal = dropFirst(algorithm.utf8.count + 1)
    return starts(with: (algorithm + ":").utf8) && hexadecimal.count == digits
      && hexadecimal.allSatisfy(\.isHexadecimal)
  }
}

extension UInt8 {
  /// A digit of the digests that we write: small letters.
  var isHexadecimal: Bool { isDigit || self >= 0x61 && self <= 0x66 }
}
