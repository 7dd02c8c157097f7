import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring
@testable import SeedbedOverTheAir

/// A device that takes downloads for a while: what its ledger remembers, and what it goes on with.
struct DownloadTests {
  /// A release of other rows under the same numbers.
  private static func forked(_ publisher: Publisher, at version: Version) throws -> String {
    let folder = publisher.bench.path + "/Forked"
    try FileManager.default.copyItem(atPath: publisher.bench.catalog, toPath: folder)
    try Data("id,word\n66,forged\n".utf8).write(
      to: URL(fileURLWithPath: "\(folder)/000\(version)_words/words.csv"))
    try CatalogLock.write(directory: folder)
    return folder
  }

  /// The releases up to a version, and one with a high number.
  private static func raised(_ publisher: Publisher, to number: Version) throws -> String {
    let folder = publisher.bench.path + "/Raised"
    try FileManager.default.copyItem(atPath: publisher.shipped(to: 2), toPath: folder)
    try FileManager.default.createDirectory(
      atPath: "\(folder)/\(number)_words", withIntermediateDirectories: true)
    try Data("id,word\n666,forged\n".utf8).write(
      to: URL(fileURLWithPath: "\(folder)/\(number)_words/words.csv"))
    try CatalogLock.write(directory: folder)
    return folder
  }

  @Test func `the ledger remembers the newest release by each key`() throws {
    let publisher = try Publisher()
    let path = try publisher.download(publisher.bundle(since: 2))
    let catalog = try publisher.newest([path])
    #expect(try publisher.migrator(catalog).status().signedHeads == [])
    _ = try publisher.migrator(catalog).up()
    let signature = try publisher.signature()
    let heads = [
      Migrator.SignedHead(key: publisher.keys[0], version: 4, lock: signature.lock)
    ]
    #expect(try publisher.migrator(catalog).status().signedHeads == heads)
    // Of what the app ships itself, it remembers nothing.
    let other = publisher.migrator(try publisher.newest([]), on: "other.sqlite")
    _ = try other.up()
    #expect(try other.status().signedHeads == [])
  }

  @Test func `an older release is no news, and the app starts`() throws {
    let publisher = try Publisher()
    let new = try publisher.download(publisher.bundle(since: 2), as: "new")
    _ = try publisher.migrator(publisher.newest([new])).up()
    let old = try publisher.download(publisher.bundle(of: publisher.shipped(to: 3)), as: "old")
    let migrator = publisher.migrator(try publisher.newest([old]))
    let report = try migrator.up()
    #expect(report.passedOver.words == ["older"])
    #expect(report.outcome == .upToDate && report.to == 4)
    #expect(report.notes.count == 1 && report.notes[0].contains("newer than this catalog"))
    #expect(try migrator.outlook() == .upToDate)
    #expect(try publisher.words() == [1, 2, 3, 4])
    // The new one beside it is taken, in whichever order they are named.
    for downloads in [[old, new], [new, old]] {
      let both = try publisher.migrator(publisher.newest(downloads), on: "fresh.sqlite").up()
      #expect(both.to == 4 && both.passedOver == [])
      try FileManager.default.removeItem(atPath: publisher.bench.path + "/fresh.sqlite")
    }
  }

  @Test func `a database goes on without the download that filled it`() throws {
    let publisher = try Publisher()
    let path = try publisher.download(publisher.bundle(since: 2))
    _ = try publisher.migrator(publisher.newest([path])).up()
    try FileManager.default.removeItem(atPath: path)
    for downloads in [[], [path]] {
      let migrator = publisher.migrator(try publisher.newest(downloads))
      #expect(try migrator.up().outcome == .upToDate)
      #expect(try migrator.outlook() == .upToDate)
    }
    // A catalog that knows of no downloads says that the database is newer.
    let plain = publisher.migrator(try Catalog(locked: publisher.shipped(to: 2)))
    let error = #expect(throws: SeedbedError.self) { _ = try plain.up() }
    #expect(error?.code == .newer)
    // And what continues it is taken, from a bundle that leaves the others out.
    try publisher.bench.write(["0005_words/words.csv": "id,word\n5,word 5\n"])
    try CatalogLock.write(directory: publisher.bench.catalog)
    let july = try publisher.download(publisher.bundle(since: 4), as: "july")
    let report = try publisher.migrator(publisher.newest([july])).up()
    #expect(report.to == 5 && report.passedOver == [])
  }

  @Test func `a fork under the same number is passed over, and one below it`() throws {
    let publisher = try Publisher()
    let path = try publisher.download(publisher.bundle(since: 2))
    _ = try publisher.migrator(publisher.newest([path])).up()
    let same = try Self.forked(publisher, at: 4)
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
      publisher.bundle(of: Self.raised(publisher, to: 99_999)), as: "forged")
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

  @Test func `what leaves out too much waits for the rest`() throws {
    let publisher = try Publisher()
    let late = try publisher.download(publisher.bundle(since: 3), as: "late")
    let migrator = publisher.migrator(try publisher.newest([late]))
    #expect(try migrator.status().passedOver.map(\.reason) == [.needsFrom(3)])
    #expect(try migrator.plan().passedOver.map(\.reason) == [.needsFrom(3)])
    let report = try migrator.up()
    #expect(report.passedOver.map(\.reason) == [.needsFrom(3)] && report.to == 2)
    // Another download brings the rest, and then it goes on in the same call.
    let early = try publisher.download(
      publisher.bundle(of: publisher.shipped(to: 3), since: 2), as: "early")
    let both = try publisher.migrator(publisher.newest([late, early])).up()
    #expect(both.from == 2 && both.to == 4 && both.passedOver == [])
    #expect(both.migrations.map(\.version) == [3, 4])
    #expect(try publisher.words() == [1, 2, 3, 4])
  }

  @Test func `a mix of two releases ends where they differ, and the next best goes on`() throws {
    let publisher = try Publisher()
    let content = ["0004_words/words.csv": Array("id,word\n9,forged\n".utf8)]
    let mixed = try publisher.download(publisher.bundle(since: 2, content: content), as: "mixed")
    let good = try publisher.download(publisher.bundle(since: 2), as: "good")
    let alone = try publisher.migrator(publisher.newest([mixed]), on: "alone.sqlite").up()
    #expect(alone.passedOver.words == ["damaged"])
    #expect(alone.to == 3 && alone.migrations.map(\.version) == [1, 2, 3])
    let report = try publisher.migrator(publisher.newest([mixed, good])).up()
    #expect(report.passedOver.words == ["damaged"] && report.to == 4)
    #expect(report.migrations.map(\.version) == [1, 2, 3, 4])
    #expect(try publisher.words() == [1, 2, 3, 4])
  }

  @Test func `a file that is replaced after the check is found when it is read`() throws {
    let publisher = try Publisher()
    let path = try publisher.download(publisher.bundle(since: 2))
    let replaced: [[UInt8]] = [
      [], try publisher.bundle(since: 3), try publisher.bundle(of: publisher.shipped(to: 3)),
      try publisher.bundle(
        since: 2, content: ["0003_words/words.csv": Array("id,word\n8,word 8\n".utf8)]),
    ]
    for bytes in replaced {
      let catalog = try publisher.newest([path])
      try publisher.download(bytes)
      let report = try publisher.migrator(catalog).up()
      #expect(report.passedOver.words == ["damaged"])
      #expect(try publisher.words() == [1, 2])
      try publisher.download(publisher.bundle(since: 2))
      try FileManager.default.removeItem(atPath: publisher.bench.database)
    }
    let catalog = try publisher.newest([path])
    try FileManager.default.removeItem(atPath: path)
    #expect(try publisher.migrator(catalog).up().passedOver.words == ["damaged"])
  }

  @Test func `what is wrong with the rows themselves is an error`() throws {
    let publisher = try Publisher(["0004_words/words.csv": "id,word\n4,a\n4,b\n"])
    let path = try publisher.download(publisher.bundle(since: 2))
    let error = #expect(throws: SeedbedError.self) {
      _ = try publisher.migrator(publisher.newest([path])).up()
    }
    #expect(error?.version == 4 && error?.applied == [1, 2, 3])
  }

  @Test func `verbs that need earlier files say which are left out`() throws {
    let publisher = try Publisher()
    let whole = try publisher.download(publisher.bundle(), as: "whole")
    _ = try publisher.migrator(publisher.newest([whole])).up()
    try publisher.bench.write(["0005_words/words.csv": "id,word\n5,word 5\n"])
    try CatalogLock.write(directory: publisher.bench.catalog)
    let july = try publisher.download(publisher.bundle(since: 4), as: "july")
    let migrator = publisher.migrator(try publisher.newest([july]))
    _ = try migrator.up()
    #expect(try migrator.verify() == [])
    let error = #expect(throws: SeedbedError.self) { _ = try migrator.reseed("words") }
    #expect(
      error?.description.contains("leaves out the releases up to 4") == true, "\(error as Any)")
    // With all of them, nothing is left out.
    let all = try publisher.download(publisher.bundle(), as: "all")
    #expect(try publisher.migrator(publisher.newest([all])).reseed("words").counts.unchanged == 5)
  }

  @Test func `a lent handle and a fleet take downloads, too`() throws {
    let publisher = try Publisher()
    let path = try publisher.download(publisher.bundle(since: 2))
    let catalog = try publisher.newest([path])
    let paths = (1...3).map { "\(publisher.bench.path)/tenant\($0).sqlite" }
    var options = Migrator.Options()
    options.takesBackup = false
    for path in paths { _ = try Connection(path, .create, setup: nil).executeAll("CREATE TABLE a (b)") }
    let fleet = Migrator.Fleet(catalog: catalog, at: paths, options: options)
    _ = try fleet.up()
    for number in 1...3 { #expect(try publisher.words(on: "tenant\(number).sqlite").count == 4) }
    let connection = try Connection("\(publisher.bench.path)/lent.sqlite", .create, setup: nil)
    let report = try HandleMigrator(catalog: catalog, options: options).up(on: connection.handle)
    #expect(report.to == 4 && report.passedOver == [])
    let late = try publisher.newest([publisher.download(publisher.bundle(since: 3), as: "late")])
    let other = try Connection("\(publisher.bench.path)/late.sqlite", .create, setup: nil)
    let second = try HandleMigrator(catalog: late, options: options).up(on: other.handle)
    #expect(second.passedOver.map(\.reason) == [.needsFrom(3)] && second.to == 2)
  }
}
