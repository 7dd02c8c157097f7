import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring
@testable import SeedbedOverTheAir

/// Signed releases that do not continue what a database has, whoever signed them.
struct ForkTests {
  @Test func `a fork under the same number is passed over, and one below it`() throws {
    let publisher = try Publisher()
    let path = try publisher.download(publisher.bundle(since: 2))
    _ = try publisher.migrator(publisher.newest([path])).up()
    let same = try publisher.forked(at: 4)
    let bytes = try publisher.bundle(of: same)
    let first = try publisher.migrator(publisher.newest([publisher.download(bytes)])).up()
    #expect(first.passedOver.words == ["forked"] && first.to == 4)
    // It goes further, but from other rows than were applied.
    try FileManager.default.createDirectory(
      atPath: same + "/0005_words", withIntermediateDirectories: true)
    try Data("id,word\n67,forged\n".utf8).write(
      to: URL(fileURLWithPath: same + "/0005_words/words.csv"))
    try CatalogLock.write(directory: same)
    let longer = try publisher.bundle(of: same)
    let second = try publisher.migrator(publisher.newest([publisher.download(longer)])).up()
    #expect(second.passedOver.words == ["forked"] && second.to == 4)
    #expect(try publisher.words() == [1, 2, 3, 4])
  }

  @Test func `a fork that differs in options alone is passed over`() throws {
    let publisher = try Publisher()
    let first = try publisher.download(publisher.bundle(since: 2))
    _ = try publisher.migrator(publisher.newest([first])).up()
    try publisher.bench.write([
      "catalog.json": #"{"id": "\#(Publisher.id)", "tables": {"words": {"onEdited": "keepRow"}}}"#
    ])
    try CatalogLock.write(directory: publisher.bench.catalog)
    let second = try publisher.download(publisher.bundle(since: 2), as: "second")
    // `up` has nothing to do, and does not look. What plays the release would play the other.
    let migrator = try publisher.migrator(publisher.newest([second]))
    #expect(try migrator.plan().passedOver.words == ["forked"])
    #expect(try migrator.status().passedOver.words == ["forked"])
    #expect(try publisher.migrator(publisher.newest([first])).plan().passedOver == [])
  }

  /// Two processes may wait for each other, each with a download.
  @Test func `a release is not noted after a later one by the same key`() throws {
    let publisher = try Publisher()
    let path = try publisher.download(publisher.bundle(since: 2))
    _ = try publisher.migrator(publisher.newest([path])).up()
    let connection = try Connection(publisher.bench.database, .readWrite, setup: nil)
    let ledger = try Ledger(prefix: "seedbed")
    let known = try ledger.signedHeads(on: connection)
    #expect(known.map(\.version) == [4])
    for (version, lock) in [(3, known[0].lock), (4, "sha256:other")] {
      let head = Migrator.SignedHead(key: known[0].key, version: Version(version), lock: lock)
      let error = #expect(throws: SeedbedError.self) { try ledger.note([head], on: connection) }
      #expect(error?.code == .busy)
    }
    try ledger.note(known, on: connection)
    #expect(try ledger.signedHeads(on: connection) == known)
  }

  @Test func `a stolen key cannot lock out the next one`() throws {
    let publisher = try Publisher()
    let next = SigningKey()
    let keys = publisher.keys + [next.publicKey.text]
    let june = try publisher.download(publisher.bundle(of: publisher.shipped(to: 3)), as: "june")
    let database = publisher.bench.database
    _ = try publisher.migrator(publisher.newest([june], signedBy: keys)).up()
    try FileManager.default.copyItem(atPath: database, toPath: database + ".before")
    // The thief signs a release that no other can be above.
    let forged = try publisher.download(
      publisher.bundle(of: publisher.raised(to: 99_999)), as: "forged")
    let taken = try publisher.migrator(publisher.newest([forged], signedBy: keys)).up()
    // It does not continue what is applied.
    #expect(taken.passedOver.words == ["forked"])
    // On a device that had nothing else, it is taken, as by the author.
    let victim = publisher.migrator(try publisher.newest([forged], signedBy: keys), on: "v.sqlite")
    #expect(try victim.up().to == 99_999)
    let known = Dictionary(
      uniqueKeysWithValues: try victim.status().signedHeads.map { ($0.key, $0.version) })
    #expect(known == [publisher.keys[0]: 99_999])
    // Its backup is restored, and the app passes on what it knows: the thief's older ones are no
    // news, and the author signs with the next key alone.
    let victims = "\(publisher.bench.path)/v.sqlite"
    try FileManager.default.removeItem(atPath: victims)
    try FileManager.default.copyItem(atPath: database + ".before", toPath: victims)
    let older = try publisher.newest([june], signedBy: keys, known: known)
    #expect(try publisher.migrator(older, on: "v.sqlite").up().passedOver.words == ["older"])
    let recovered = try publisher.bundle(
      signature: publisher.signature(by: [next]).bytes)
    let last = try publisher.newest(
      [publisher.download(recovered)], signedBy: keys, known: known)
    let report = try publisher.migrator(last, on: "v.sqlite").up()
    #expect(report.to == 4 && report.passedOver == [])
    #expect(try publisher.words(on: "v.sqlite") == [1, 2, 3, 4])
  }

  @Test func `a high number by a stolen key skips nothing without a word`() throws {
    let publisher = try Publisher()
    let next = SigningKey()
    let keys = publisher.keys + [next.publicKey.text]
    let forged = try publisher.download(
      publisher.bundle(of: publisher.raised(to: 99_999)), as: "forged")
    #expect(try publisher.migrator(publisher.newest([forged], signedBy: keys)).up().to == 99_999)
    // The author's releases do not continue it.
    let signature = try publisher.signature(by: [next])
    let good = try publisher.download(publisher.bundle(signature: signature.bytes), as: "good")
    let report = try publisher.migrator(publisher.newest([good], signedBy: keys)).up()
    #expect(report.passedOver.words == ["forked"] && report.to == 99_999)
    // Nor is a later version of the app satisfied, whose releases would be skipped.
    let later = publisher.migrator(
      try publisher.newest([], shipped: 3, signedBy: [next.publicKey.text]))
    let error = #expect(throws: SeedbedError.self) { _ = try later.up() }
    #expect(error?.code == .newer)
    #expect(try later.outlook() == .newer)
  }

  @Test func `each key that signed must not have signed a later one`() throws {
    let publisher = try Publisher()
    let next = SigningKey()
    let keys = publisher.keys + [next.publicKey.text]
    let whole = try publisher.download(publisher.bundle(since: 2))
    _ = try publisher.migrator(publisher.newest([whole], signedBy: keys)).up()
    let folder = try publisher.shipped(to: 3)
    let both = try publisher.signature(of: folder, by: [publisher.key, next])
    let old = try publisher.download(publisher.bundle(of: folder, signature: both.bytes))
    let report = try publisher.migrator(publisher.newest([old], signedBy: keys)).up()
    #expect(report.passedOver.words == ["older"])
  }
}
