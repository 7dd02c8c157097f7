import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring
@testable import SeedbedOverTheAir

/// What a later version of Seedbed signed. It is whole, and another download changes nothing.
struct LaterSeedbedTests {
  /// What the app makes of a download: the one that was passed over, and the words.
  private static func play(
    _ publisher: Publisher, _ bytes: [UInt8]
  ) throws -> (reasons: [String], words: [Int64], found: String) {
    let path = try publisher.download(bytes)
    let migrator = publisher.migrator(try publisher.newest([path]))
    #expect(try migrator.plan().passedOver.words == ["newer"])
    let report = try migrator.up()
    #expect(try migrator.status().passedOver == report.passedOver)
    let found = report.passedOver.map(\.description).joined()
    return (report.passedOver.words, try publisher.words(), found)
  }

  /// The bytes of a lock of a format, and their signature.
  private static func lock(_ publisher: Publisher, format: Int) throws -> (
    lock: [UInt8], signature: LockSignature
  ) {
    var lock = try Publisher.bytes(publisher.bench.catalog + "/" + Lock.fileName)
    lock["seedbed.lock ".utf8.count] = UInt8(ascii: "0") + UInt8(format)
    var signature = LockSignature(
      catalog: Publisher.id, head: 4, lock: "sha256:" + Checksum.digest(of: lock),
      time: "2026-11-26T10:00:00Z")
    try signature.sign(by: publisher.key)
    return (lock, signature)
  }

  @Test func `a later format of the lock is newer`() throws {
    let publisher = try Publisher()
    let (lock, signature) = try Self.lock(publisher, format: Lock.format + 1)
    let bytes = try publisher.bundle(
      signature: signature.bytes, content: [Lock.fileName: lock])
    let (reasons, words, found) = try Self.play(publisher, bytes)
    #expect(reasons == ["newer"] && words == [1, 2])
    #expect(found.contains("The lock has the format 3"), "\(found)")
    // Without the key, nobody knows what it is.
    let thief = try publisher.bundle(
      signature: publisher.signature().bytes, content: [Lock.fileName: lock])
    #expect(try publisher.newest([publisher.download(thief)]).passedOver.words == ["damaged"])
  }

  @Test func `a later format of the signature is newer`() throws {
    let publisher = try Publisher()
    let text = try publisher.signature().text.replacingOccurrences(
      of: "seedbed.lock.sig 1", with: "seedbed.lock.sig 2")
    let bytes = try publisher.bundle(signature: Array(text.utf8))
    let (reasons, words, found) = try Self.play(publisher, bytes)
    #expect(reasons == ["newer"] && words == [1, 2])
    #expect(found.contains("The file has the format 2"), "\(found)")
  }

  /// Options that this version cannot read.
  private static let options = [
    #"{"id": "\#(Publisher.id)", "later": 1}"#,
    #"{"id": "\#(Publisher.id)", "tables": {"words": {"later": 1}}}"#,
    #"{"id": "\#(Publisher.id)", "tables": {"words": {"onEdited": "askTheUser"}}}"#,
    #"{"id": "\#(Publisher.id)", "tables": {"words": {"ignore": {"word": "always"}}}}"#,
  ]

  @Test(arguments: options)
  func `an option of a later version is newer`(_ options: String) throws {
    let publisher = try Publisher()
    _ = try publisher.shipped()
    try publisher.write(later: options, to: Lock.optionsName)
    let whole = try publisher.bundle(since: 2)
    let (reasons, words, _) = try Self.play(publisher, whole)
    #expect(reasons == ["newer"] && words == [1, 2])
    // One byte less is damage.
    var damaged = whole
    damaged[BundleFacts(whole).files[0] + 512] ^= 1
    #expect(try publisher.newest([publisher.download(damaged)]).passedOver.words == ["damaged"])
  }

  @Test func `an option of a later version is newer in a catalog of a server, too`() throws {
    let publisher = try Publisher()
    try publisher.bench.remove("0001_words/up.sql")
    try publisher.bench.write([
      "0001_words/up.postgresql.sql": "CREATE TABLE words (id bigint PRIMARY KEY, word text);",
      "catalog.json": #"{"id": "\#(Publisher.id)", "engines": ["postgresql"]}"#,
    ])
    try CatalogLock.write(directory: publisher.bench.catalog)
    _ = try publisher.shipped()
    try publisher.write(
      later: #"{"id": "\#(Publisher.id)", "engines": ["postgresql"], "later": 1}"#,
      to: Lock.optionsName)
    let path = try publisher.download(publisher.bundle(since: 2))
    #expect(try publisher.newest([path]).passedOver.words == ["newer"])
  }

  @Test func `an option of a later version in a migration is newer, and no error`() throws {
    let publisher = try Publisher(["0004_words/migration.json": "{}"])
    _ = try publisher.shipped()
    try publisher.write(later: #"{"later": 1}"#, to: "0004_words/migration.json")
    let whole = try publisher.download(publisher.bundle(since: 2), as: "whole")
    let may = try publisher.download(
      publisher.bundle(of: publisher.shipped(to: 3), since: 2), as: "may")
    let (reasons, words, found) = try Self.play(publisher, publisher.bundle(since: 2))
    #expect(reasons == ["newer"] && words == [1, 2])
    #expect(found.contains("0004_words/migration.json:1:2: 'later' is not an option"), "\(found)")
    // The next best is taken in its place.
    let report = try publisher.migrator(publisher.newest([whole, may])).up()
    #expect(report.passedOver.words == ["newer"] && report.to == 3, "\(report.passedOver)")
  }
}
