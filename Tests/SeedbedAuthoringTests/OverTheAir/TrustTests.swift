import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring
@testable import SeedbedOverTheAir

/// What a download may not be: each attack, and what becomes of it. The app starts each time.
struct TrustTests {
  /// What an app that ships 2 makes of a download, and what its database has then.
  private static func play(
    _ publisher: Publisher, _ bytes: [UInt8], signedBy keys: [String]? = nil
  ) throws -> (reasons: [String], words: [Int64]) {
    let path = try publisher.download(bytes)
    try? FileManager.default.removeItem(atPath: publisher.bench.database)
    let report = try publisher.migrator(publisher.newest([path], signedBy: keys)).up()
    return (report.passedOver.words, try publisher.words())
  }

  @Test func `a signed download continues what the app ships`() throws {
    let publisher = try Publisher()
    for since in [0, 1, 2] as [Version] {
      let (reasons, words) = try Self.play(publisher, publisher.bundle(since: since))
      #expect(reasons == [] && words == [1, 2, 3, 4])
    }
  }

  @Test func `what nobody signed is passed over`() throws {
    let publisher = try Publisher()
    let whole = try publisher.bundle()
    let unsigned = Array(whole[BundleFacts(whole).lock...])
    #expect(try Self.play(publisher, unsigned) == (["unsigned"], [1, 2]))
    let bare = try publisher.bundle(signature: publisher.signature(by: []).bytes)
    #expect(try Self.play(publisher, bare) == (["wrongKey"], [1, 2]))
    for bytes in [[], [0], Array("PK".utf8), [UInt8](repeating: 0, count: 4096)] as [[UInt8]] {
      #expect(try Self.play(publisher, bytes) == (["damaged"], [1, 2]))
    }
    let nothing = try publisher.newest(["\(publisher.bench.path)/none.seedbed"])
    #expect(nothing.passedOver.words == ["missing"])
  }

  @Test func `what is no file is damaged, since it is no better later`() throws {
    let publisher = try Publisher()
    let pipe = publisher.bench.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    for (path, found) in [(publisher.bench.catalog, "a folder"), (pipe, "a named pipe")] {
      let catalog = try publisher.newest([path])
      #expect(
        catalog.passedOver == [
          Migrator.PassedOver(path: path, reason: .damaged("It is \(found), not a file."))
        ])
    }
  }

  @Test func `a signature by another key is none`() throws {
    let publisher = try Publisher()
    let thief = SigningKey()
    let stolen = try publisher.bundle(signature: publisher.signature(by: [thief]).bytes)
    #expect(try Self.play(publisher, stolen) == (["wrongKey"], [1, 2]))
    // Several keys may have signed, and one that is trusted is enough.
    let both = try publisher.bundle(
      signature: publisher.signature(by: [thief, publisher.key]).bytes)
    #expect(try Self.play(publisher, both) == ([], [1, 2, 3, 4]))
    #expect(
      try Self.play(publisher, both, signedBy: [SigningKey().publicKey.text] + publisher.keys)
        == ([], [1, 2, 3, 4]))
  }

  @Test func `a signature that is not one of this lock is none`() throws {
    let publisher = try Publisher()
    let own = try publisher.signature()
    let line = own.text.split(separator: "\n").last.map(String.init) ?? ""
    let statement = own.text.dropLast(line.utf8.count + 1)
    let signatures = [
      // Of an older lock.
      try publisher.signature(of: publisher.shipped(to: 3)).text,
      // By a trusted key, for something else.
      statement
        + (try publisher.signature(of: publisher.shipped(to: 3)).text.split(separator: "\n").last!)
        + "\n",
      // Truncated, and doubled.
      String(own.text.dropLast(8)) + "\n", own.text + line + "\n",
      own.text.replacingOccurrences(of: "head 4", with: "head 5"),
      own.text.replacingOccurrences(of: "2026", with: "2027"),
    ]
    for text in signatures {
      let bytes = try publisher.bundle(signature: Array(text.utf8))
      #expect(try Self.play(publisher, bytes) == (["damaged"], [1, 2]), "\(text)")
    }
  }

  @Test func `another catalog's download is passed over`() throws {
    let publisher = try Publisher()
    let other = try publisher.signature(id: "ffeeddccbbaa99887766554433221100")
    let bytes = try publisher.bundle(signature: other.bytes)
    #expect(try Self.play(publisher, bytes) == (["otherCatalog"], [1, 2]))
    // A catalog that was never signed when it was shipped has no id.
    let old = try Publisher(["catalog.json": "{}"])
    #expect(try Self.play(old, old.bundle()) == (["otherCatalog"], [1, 2]))
  }

  @Test func `a fork of what the app ships is passed over`() throws {
    let publisher = try Publisher()
    _ = try publisher.shipped()
    try publisher.bench.write(["0002_words/words.csv": "id,word\n2,another word\n"])
    try CatalogLock.write(directory: publisher.bench.catalog)
    #expect(try Self.play(publisher, publisher.bundle()) == (["forked"], [1, 2]))
  }

  @Test func `what the app ships itself is no news`() throws {
    let publisher = try Publisher()
    let path = try publisher.download(publisher.bundle())
    let catalog = try publisher.newest([path], shipped: 4)
    #expect(catalog.passedOver.words == ["older"])
    let earlier = try publisher.download(publisher.bundle(of: publisher.shipped(to: 3)))
    #expect(try publisher.newest([earlier], shipped: 4).passedOver.words == ["older"])
  }

  @Test func `SQL is refused unless the app allows it`() throws {
    let publisher = try Publisher(["0004_words/up.sql": "INSERT INTO words VALUES (99, 'sql');"])
    let path = try publisher.download(publisher.bundle(since: 2))
    let refusing = try publisher.migrator(publisher.newest([path])).up()
    #expect(refusing.passedOver.words == ["holdsSQL"])
    #expect(try publisher.words() == [1, 2])
    _ = try publisher.migrator(publisher.newest([path], allowsSQL: true)).up()
    #expect(try publisher.words() == [1, 2, 3, 4, 99])
  }

  @Test func `a key that is none is the app's mistake`() throws {
    let publisher = try Publisher()
    let error = #expect(throws: SeedbedError.self) {
      _ = try publisher.newest([], signedBy: ["ed25519:abc"])
    }
    #expect(error?.code == .usage)
  }

  // MARK: the archive

  /// What tar could express beside a plain file with its one header.
  static let headers: [(String, @Sendable (inout [UInt8]) -> Void)] = [
    ("a hard link", { $0[156] = UInt8(ascii: "1") }),
    ("a symbolic link", { $0[156] = UInt8(ascii: "2") }),
    ("a device", { $0[156] = UInt8(ascii: "3") }),
    ("a folder", { $0[156] = UInt8(ascii: "5") }),
    ("a sparse file", { $0[156] = UInt8(ascii: "S") }),
    ("a long name", { $0[156] = UInt8(ascii: "L") }),
    ("a pax header", { $0[156] = UInt8(ascii: "x") }),
    ("a global pax header", { $0[156] = UInt8(ascii: "g") }),
    ("an absolute name", { $0[0] = UInt8(ascii: "/") }),
    ("a name above", { $0.replaceSubrange(0..<3, with: "../".utf8) }),
    ("another name", { $0[5] = UInt8(ascii: "v") }),
    ("a size that lies", { $0[134] ^= 1 }),
    ("a size of a terabyte", { $0.replaceSubrange(124..<128, with: "7777".utf8) }),
    ("a binary size", { $0[124] = 0x80 }),
    ("an owner", { $0[108] = UInt8(ascii: "1") }),
    ("a time", { $0[136] = UInt8(ascii: "1") }),
    ("a mode", { $0[102] = UInt8(ascii: "7") }),
    ("GNU's magic", { $0.replaceSubrange(257..<265, with: "ustar  \0".utf8) }),
    ("a wrong sum", { $0[148] ^= 1 }),
  ]

  @Test(arguments: headers.indices, [true, false])
  func `a header is what the lock makes it, or the download is damaged`(
    _ index: Int, hasRightSum: Bool
  ) throws {
    let publisher = try Publisher()
    let whole = try publisher.bundle(since: 2)
    let facts = BundleFacts(whole)
    for offset in [0, facts.lock] + facts.files {
      var bytes = whole
      var header = Array(bytes[offset..<(offset + 512)])
      Self.headers[index].1(&header)
      if hasRightSum { header = BundleFacts.withSum(header) }
      if header == Array(whole[offset..<(offset + 512)]) { continue }
      bytes.replaceSubrange(offset..<(offset + 512), with: header)
      let (reasons, words) = try Self.play(publisher, bytes)
      #expect(reasons.count == 1 && words.starts(with: [1, 2]), "\(Self.headers[index].0)")
      #expect(!words.contains(4), "\(Self.headers[index].0)")
    }
  }

  @Test func `a file twice, one more and one less are damage`() throws {
    let publisher = try Publisher()
    let whole = try publisher.bundle(since: 2)
    let last = try #require(BundleFacts(whole).files.last)
    let file = Array(whole[last..<(last + 1024)])
    let end = [UInt8](repeating: 0, count: 1024)
    let body = Array(whole.dropLast(1024))
    for bytes in [body + file + end, Array(body.dropLast(1024)) + end, body, whole + end] {
      #expect(try Self.play(publisher, bytes) == (["damaged"], [1, 2]))
    }
  }

  @Test func `a download that stops at any byte is damaged`() throws {
    let publisher = try Publisher()
    let whole = try publisher.bundle(since: 2)
    let path = try publisher.download(whole)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    for length in stride(from: whole.count - 1, through: 0, by: -1) {
      try handle.truncate(atOffset: UInt64(length))
      let catalog = try publisher.newest([path])
      #expect(catalog.passedOver.words == ["damaged"], "\(length)")
    }
  }

  @Test func `no changed byte brings anything else than what was signed`() throws {
    let publisher = try Publisher()
    let whole = try publisher.bundle(since: 2)
    let path = try publisher.download(whole)
    let database = publisher.bench.database
    // Of the many zero bytes, some.
    for offset in whole.indices where whole[offset] != 0 || offset % 13 == 0 {
      var bytes = whole
      bytes[offset] ^= 1 << UInt8(offset % 8)
      try publisher.download(bytes)
      let catalog = try publisher.newest([path])
      if !catalog.passedOver.isEmpty { continue }
      try? FileManager.default.removeItem(atPath: database)
      let report = try publisher.migrator(catalog).up()
      let words = try publisher.bench.rows("SELECT id, word FROM words ORDER BY id")
      let signed = (1...words.count).map { [Value.integer(Int64($0)), .text("word \($0)")] }
      #expect(words == signed, "\(offset)")
      // Only the blanks between the files may change unseen.
      #expect((words.count == 4) == report.passedOver.isEmpty, "\(offset)")
    }
  }
}

/// The offsets of a bundle's headers.
struct BundleFacts {
  let lock: Int
  /// Of the files after the lock.
  let files: [Int]

  init(_ bytes: [UInt8]) {
    var headers: [Int] = []
    var offset = 0
    while offset + 512 <= bytes.count, bytes[offset] != 0 {
      headers.append(offset)
      let digits = String(decoding: bytes[(offset + 124)..<(offset + 135)], as: UTF8.self)
      offset += 512 + ((Int(digits, radix: 8) ?? 0) + 511) / 512 * 512
    }
    lock = headers[1]
    files = Array(headers.dropFirst(2))
  }

  /// The header with the sum of its bytes.
  static func withSum(_ header: [UInt8]) -> [UInt8] {
    var header = header
    header.replaceSubrange(148..<156, with: "        ".utf8)
    let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
    header.replaceSubrange(148..<156, with: "000000\0 ".utf8)
    header.replaceSubrange((154 - sum.utf8.count)..<154, with: sum.utf8)
    return header
  }
}
