import Foundation
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring
@testable import SeedbedOverTheAir

/// A device that takes downloads for a while: what its ledger remembers, and what it goes on with.
struct DownloadTests {
  @Test func `the ledger remembers the newest release by each key`() throws {
    let publisher = try Publisher()
    let path = try publisher.download(publisher.bundle(since: 2))
    let catalog = try publisher.newest([path])
    #expect(try publisher.migrator(catalog).status().signedHeads == [])
    _ = try publisher.migrator(catalog).up()
    let signature = try publisher.signature()
    var head = Migrator.SignedHead(key: publisher.keys[0], version: 4, lock: signature.lock)
    head.signedAt = Migrator.Timestamp(text: signature.time)
    #expect(try publisher.migrator(catalog).status().signedHeads == [head])
    // Without the file, nothing says when.
    let without = try publisher.migrator(publisher.newest([])).status().signedHeads
    #expect(without.map(\.version) == [4] && without.map(\.signedAt) == [nil])
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
      #expect(try migrator.plan().outcome == .upToDate)
      let status = try migrator.status()
      #expect(status.state == .upToDate && status.target == 4 && status.current == 4)
      #expect(status.migrations.map(\.state) == [.applied, .applied, .applied, .applied])
      #expect(try migrator.verify() == [] && migrator.emptiedTables().isEmpty)
      // Those that need the file say which.
      let calls: [(Migrator) throws -> Void] = [
        { _ = try $0.reseed("words") }, { _ = try $0.suggestions() }, { _ = try $0.down(to: 1) },
        { try $0.pin(Migrator.Row(["id"], [.integer(1)]), in: "words") },
        { _ = try $0.origin(of: Migrator.Row(["id"], [.integer(1)]), in: "words") },
      ]
      for call in calls {
        let error = #expect(throws: SeedbedError.self) { try call(migrator) }
        #expect(error?.code == .newer && error?.version == 4)
        #expect(error?.message.contains("Name a download that has 4") == true)
      }
    }
    // A catalog that knows of no downloads says that the database is newer.
    let plain = publisher.migrator(try Catalog(locked: publisher.shipped(to: 2)))
    let error = #expect(throws: SeedbedError.self) { _ = try plain.up() }
    #expect(error?.code == .newer)
    #expect(try plain.status().state == .newer && plain.verify().map(\.code) == [.newer, .newer])
    // And what continues it is taken, from a bundle that leaves the others out.
    try publisher.bench.write(["0005_words/words.csv": "id,word\n5,word 5\n"])
    try CatalogLock.write(directory: publisher.bench.catalog)
    let july = try publisher.download(publisher.bundle(since: 4), as: "july")
    let report = try publisher.migrator(publisher.newest([july])).up()
    #expect(report.to == 5 && report.passedOver == [])
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
    let migrator = publisher.migrator(try publisher.newest([mixed]), on: "alone.sqlite")
    let plan = try migrator.plan()
    let alone = try migrator.up()
    #expect(plan.passedOver == alone.passedOver && plan.to == alone.to)
    #expect(plan.migrations.map(\.version) == [1, 2, 3])
    #expect(alone.passedOver.words == ["damaged"])
    #expect(alone.to == 3 && alone.migrations.map(\.version) == [1, 2, 3])
    // What it brought itself is no news to it.
    #expect(!alone.notes.contains { $0.contains("newer than this catalog") }, "\(alone.notes)")
    let both = publisher.migrator(try publisher.newest([mixed, good]))
    #expect(try both.plan().passedOver.words == ["damaged"])
    #expect(try both.plan().migrations.map(\.version) == [1, 2, 3, 4])
    let report = try both.up()
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
      let plan = try publisher.migrator(catalog).plan()
      #expect(plan.passedOver.words == ["damaged"] && plan.to == 2)
      let report = try publisher.migrator(catalog).up()
      #expect(report.passedOver.words == ["damaged"])
      #expect(try publisher.words() == [1, 2])
      try publisher.download(publisher.bundle(since: 2))
      try FileManager.default.removeItem(atPath: publisher.bench.database)
    }
    let catalog = try publisher.newest([path])
    try FileManager.default.removeItem(atPath: path)
    #expect(try publisher.migrator(catalog).up().passedOver.words == ["unreadable"])
  }

  @Test func `what is wrong with the rows themselves is an error`() throws {
    let publisher = try Publisher(["0004_words/words.csv": "id,word\n4,a\n4,b\n"])
    let path = try publisher.download(publisher.bundle(since: 2))
    let error = #expect(throws: SeedbedError.self) {
      _ = try publisher.migrator(publisher.newest([path])).up()
    }
    #expect(error?.version == 4 && error?.applied == [1, 2, 3])
  }

  @Test func `what is wrong with the database is no damage of a download`() throws {
    let publisher = try Publisher()
    let path = try publisher.download(publisher.bundle(since: 2))
    _ = try publisher.migrator(publisher.newest([])).up()
    try publisher.bench.execute("ALTER TABLE words RENAME TO mine")
    let error = #expect(throws: SeedbedError.self) {
      _ = try publisher.migrator(publisher.newest([path])).up()
    }
    #expect(error?.version == 3 && error?.message.contains("'words'") == true)
  }

  @Test func `a process that another has overtaken chooses again`() throws {
    let publisher = try Publisher()
    let june = try publisher.download(
      publisher.bundle(of: publisher.shipped(to: 3), since: 2), as: "june")
    let july = try publisher.download(publisher.bundle(since: 2), as: "july")
    for moment in [Moment.runStarted, .locked, .ledgerPrepared] {
      try? FileManager.default.removeItem(atPath: publisher.bench.database)
      _ = try publisher.migrator(publisher.newest([])).up()
      let other = publisher.migrator(try publisher.newest([july]))
      var migrator = publisher.migrator(try publisher.newest([june]))
      migrator.options.lockTimeout = .milliseconds(200)
      let hasPlayed = Guarded(false)
      migrator.host.reaching = { reached in
        // Before the write lock, or where it cannot get in, after it.
        guard reached == moment, !hasPlayed.withLock({ $0 }) else { return }
        hasPlayed.withLock { $0 = true }
        _ = try? other.up()
      }
      let report = try migrator.up()
      #expect([3, 4].contains(report.to), "\(moment)")
      #expect(try publisher.words().count == report.to, "\(moment)")
    }
  }

  @Test func `a file that is written while it is read is passed over for now`() throws {
    // Its rows cannot be applied, but they may not be those that were read.
    let publisher = try Publisher(["0004_words/words.csv": "id,word\n4,a\n4,b\n"])
    let bytes = try publisher.bundle(since: 2)
    let path = try publisher.download(bytes)
    let past = Date(timeIntervalSinceNow: -60)
    try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
    let catalog = try publisher.newest([path])
    try publisher.download(bytes)
    let report = try publisher.migrator(catalog).up()
    #expect(report.passedOver.words == ["unreadable"] && report.to == 3)
    #expect("\(report.passedOver)".contains("It changed while it was read: 0004_words/"))
  }

  @Test func `no more of a file is decompressed than was signed`() throws {
    let bomb = Gzip([UInt8](repeating: 0, count: 8 << 20), level: 9).bytes
    let found = try LockedFile.read(
      MemoryFile(bomb, "bomb.csv.gz"), place: "bomb.csv.gz", isCompressed: true, isRows: false,
      limit: 1000)
    #expect(found.contentSize < 1 << 20)
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
    for path in paths {
      _ = try Connection(path, .create, setup: nil).executeAll("CREATE TABLE a (b)")
    }
    let fleet = Fleet(catalog: catalog, at: paths, options: options)
    _ = try fleet.up()
    for number in 1...3 { #expect(try publisher.words(on: "tenant\(number).sqlite").count == 4) }
    var spoiled = try publisher.bundle(since: 2)
    let start = BundleFacts(spoiled).files[0] + 512
    spoiled[start] ^= 1
    let wrong = try publisher.newest([publisher.download(spoiled, as: "spoiled")])
    #expect(wrong.passedOver.words == ["damaged"])
    let summary = try Fleet(catalog: wrong, at: paths, options: options).up()
    #expect(summary.failures.isEmpty && summary.passedOver.map(\.download) == wrong.passedOver)
    #expect(summary.passedOver.map(\.databases) == [3])
    let connection = try Connection("\(publisher.bench.path)/lent.sqlite", .create, setup: nil)
    let report = try HandleMigrator(catalog: catalog, options: options).up(on: connection.handle)
    #expect(report.to == 4 && report.passedOver == [])
    let late = try publisher.newest([publisher.download(publisher.bundle(since: 3), as: "late")])
    let other = try Connection("\(publisher.bench.path)/late.sqlite", .create, setup: nil)
    let second = try HandleMigrator(catalog: late, options: options).up(on: other.handle)
    #expect(second.passedOver.map(\.reason) == [.needsFrom(3)] && second.to == 2)
  }

  @Test func `a fleet counts what its databases passed over`() throws {
    let publisher = try Publisher()
    let mixed = try publisher.download(
      publisher.bundle(
        since: 2, content: ["0004_words/words.csv": Array("id,word\n9,forged\n".utf8)]))
    let all = try publisher.newest([publisher.download(publisher.bundle(since: 2), as: "all")])
    for name in ["a", "b", "c"] {
      let catalog = name == "c" ? all : try publisher.newest([])
      _ = try publisher.migrator(catalog, on: name).up()
    }
    let paths = ["a", "b", "c", "none"].map { "\(publisher.bench.path)/\($0)" }
    var fleet = Fleet(catalog: try publisher.newest([mixed]), at: paths)
    (fleet.options.takesBackup, fleet.keepsGoing) = (false, true)
    let summary = try fleet.up()
    #expect(summary.passedOver.map(\.download.reason.word) == ["damaged"])
    #expect(summary.passedOver.map(\.databases) == [2] && summary.failures.count == 1)
    #expect(summary.json.contains(#""reason":"damaged""#))
    #expect(summary.json.contains(#""databases":2"#))
    #expect(try Fleet(catalog: all, at: paths).plan().passedOver.isEmpty)
  }
}
