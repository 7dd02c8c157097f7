/// The content of a `seedbed.lock`: the state of the catalog when `migrate lock` ran.
///
/// Documentation/CatalogFormat.md describes the format. The first three lines are the head; if
/// nothing is pending, only they are read.
package final class Lock: Sendable {
  package static let fileName = "seedbed.lock"
  package static let optionsName = "catalog.json"
  /// The highest format that this version reads and writes. A lock without a base, snapshots, a
  /// first database, a second engine and a pack's name is written as format 1, for readers that
  /// know none of these.
  package static let format = 2
  /// The limit for the whole file. The lock of a catalog with 100,000 migrations is smaller.
  package static let sizeLimit = 64 << 20

  package let head: LockHead
  /// The facts about catalog.json; nil if there was none.
  package let options: LockedFile?
  /// The database that new devices begin with; nil if there was none.
  package let first: FirstDatabase?
  /// The last migration whose folder was dropped. The chain of the others begins with it.
  package let base: Migration?
  /// The snapshots in version order, with the chain up to their versions.
  package let snapshots: [Migration]
  /// The migrations in version order, with the lock's facts about every file.
  package let migrations: [Migration]

  init(
    head: LockHead, options: LockedFile? = nil, first: FirstDatabase? = nil,
    base: Migration? = nil, snapshots: [Migration] = [], migrations: [Migration]
  ) {
    (self.head, self.options, self.first, self.base) = (head, options, first, base)
    (self.snapshots, self.migrations) = (snapshots, migrations)
  }

  /// The chain up to a version; nil if the version has no folder, and is not the base.
  package func chain(of version: Version) -> String? {
    if let base, base.version == version { return base.chain }
    return migrations.chain(of: version)
  }

  /// The base in a lock, even if the rest of the lock is out of date or damaged by a merge; nil if
  /// it has none. If two branches dropped folders, it is the later base.
  ///
  /// - Throws: if two lines give the same version different sums.
  static func base(in root: any ReadableFolder) throws -> Migration? {
    guard try root.kind(of: fileName) == .file else { return nil }
    let bytes = try root.open(fileName).content(limit: sizeLimit)
    let found = bytes.split(separator: 0x0A).compactMap(LockReader.base)
    guard let last = found.max(by: { $0.version < $1.version }) else { return nil }
    if let other = found.first(where: { $0.version == last.version && $0.chain != last.chain }) {
      throw SeedbedError.staleLock(
        "The lock has two lines 'base' for one version, '\(last.folder)' and '\(other.folder)', "
          + "with different chains: two branches dropped different migrations. Keep the line of "
          + "the branch that was released, and write the lock again.")
    }
    return last
  }
}

/// The first lines of the lock.
package struct LockHead: Sendable, Equatable {
  /// The catalog's last version.
  package var version: Version
  /// The chain up to that version. If the ledger has the same one, nothing is pending.
  var chain: String
  /// The number of lines below the head.
  var lines: Int
  /// The CRC-32 of these lines, in hexadecimal digits.
  var check: String
  /// The offset in the file at which these lines begin.
  var length: Int
  /// The other engine's chain; nil in a catalog for one engine.
  package var otherChain: String?
  /// What makes it the lock of a pack.
  package var pack: Pack?

  /// The longest possible head.
  static let limit = 512

  /// The head as the other engine reads it; nil in a catalog for one engine.
  var ofOtherEngine: LockHead? {
    guard let otherChain else { return nil }
    var head = self
    (head.chain, head.otherChain) = (otherChain, chain)
    return head
  }

  /// Reads the three lines at the start of `bytes`. The bytes may end anywhere after them.
  static func parse(_ bytes: [UInt8]) throws -> LockHead {
    if bytes.isEmpty { throw SeedbedError.staleLock("The file is empty. Write it again.") }
    var rest = bytes[...]
    try checkFormat(try nextLine(&rest, 1))
    let head = try nextLine(&rest, 2)
    var words = head.words
    var (otherChain, pack): (String?, Pack?)
    if words.count >= 6, words[words.count - 3].elementsEqual(Pack.word.utf8),
      let needs = words[words.count - 1].decimal
    {
      pack = Pack(name: words[words.count - 2].text, needs: needs)
      words.removeLast(3)
    }
    if words.count == 5, words[3].elementsEqual(EngineName.postgresql.rawValue.utf8),
      words[4].isDigest()
    {
      otherChain = words[4].text
      words.removeLast(2)
    }
    guard words.count == 3, words[0].elementsEqual("head".utf8), let version = words[1].decimal,
      words[2].isDigest()
    else {
      throw SeedbedError.lockLine(head, expected: "'head <version> sha256:<digest>'", line: 2)
    }
    let chain = words[2].text
    let body = try nextLine(&rest, 3)
    words = body.words
    guard words.count == 3, words[0].elementsEqual("body".utf8),
      let lines = words[1].decimal, lines < LockReader.tooMany,
      words[2].isDigest("crc32:", digits: 8)
    else { throw SeedbedError.lockLine(body, expected: "'body <lines> crc32:<digest>'", line: 3) }
    return LockHead(
      version: version, chain: chain, lines: Int(clamping: lines), check: words[2].suffix(8).text,
      length: rest.startIndex, otherChain: otherChain, pack: pack)
  }

  /// Removes one line from `rest`; `number` is the line's number, for errors.
  private static func nextLine(
    _ rest: inout ArraySlice<UInt8>, _ number: Int
  ) throws -> ArraySlice<UInt8> {
    let end = rest.firstIndex(of: 0x0A)
    let line = rest[..<(end ?? rest.endIndex)]
    try LockReader.refuseGits(line, number)
    guard let end else { throw SeedbedError.lockTruncated(found: number - 1, expected: 3) }
    rest = rest[(end + 1)...]
    return line
  }

  private static func checkFormat(_ line: ArraySlice<UInt8>) throws {
    let words = line.words
    // In a later format, punctuation may follow the number.
    guard words.count > 1, words[0].elementsEqual(Lock.fileName.utf8),
      let format = words[1].prefix(while: \.isDigit).decimal
    else {
      throw SeedbedError.lockLine(line, expected: "'seedbed.lock \(Lock.format)'", line: 1)
    }
    if (1...Int64(Lock.format)).contains(format) { return }
    throw SeedbedError.lock(
      "The lock has the format \(format), which a newer Seedbed wrote; this one reads format "
        + "\(Lock.format). Use the newer one.", line: 1
    ).because(of: .laterSeedbed)
  }
}

extension Collection<UInt8> {
  /// Whether this is the prefix and exactly `digits` hexadecimal digits.
  func isDigest(_ prefix: String = "sha256:", digits: Int = 64) -> Bool {
    let hexadecimal = dropFirst(prefix.utf8.count)
    return starts(with: prefix.utf8) && hexadecimal.count == digits
      && hexadecimal.allSatisfy(\.isHexadecimal)
  }

  /// The number in decimal digits; nil for other text, or a number too large for an Int64.
  var decimal: Int64? {
    // Int64 would accept a sign.
    if isEmpty || !allSatisfy(\.isDigit) { return nil }
    // 18 digits cannot overflow, and need no string.
    if count <= 18 { return reduce(0) { $0 * 10 + Int64($1 - 0x30) } }
    return Int64(String(decoding: self, as: UTF8.self))
  }
}

extension ArraySlice<UInt8> {
  var text: String { String(decoding: self, as: UTF8.self) }

  /// The words between single spaces. A lock has thousands of lines, and `split` would call a
  /// closure for each byte.
  var words: [ArraySlice<UInt8>] {
    var words: [ArraySlice<UInt8>] = []
    words.reserveCapacity(8)
    var rest = self
    while let end = rest.firstIndex(of: UInt8(ascii: " ")) {
      words.append(rest[..<end])
      rest = rest[(end + 1)...]
    }
    words.append(rest)
    return words
  }
}

extension UInt8 {
  /// A digit of the digests that we write, in lower case.
  var isHexadecimal: Bool { isDigit || self >= 0x61 && self <= 0x66 }
}
