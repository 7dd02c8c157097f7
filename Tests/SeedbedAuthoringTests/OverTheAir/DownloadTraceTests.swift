import Foundation
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring
@testable import SeedbedOverTheAir

/// What a download that is damaged leaves behind.
struct DownloadTraceTests {
  @Test func `a damaged download leaves no trace at each start`() throws {
    let publisher = try Publisher()
    _ = try publisher.migrator(publisher.newest([])).up()
    let runs = { try publisher.bench.rows("SELECT id, outcome, backup FROM seedbed_runs") }
    let before = try runs()
    let content = ["0003_words/words.csv": Array("id,word\n9,forged\n".utf8)]
    let path = try publisher.download(publisher.bundle(since: 2, content: content))
    var migrator = publisher.migrator(try publisher.newest([path]))
    migrator.options.takesBackup = true
    for _ in 1...3 {
      let report = try migrator.up()
      #expect(report.passedOver.words == ["damaged"] && report.backup == nil)
      #expect(try runs() == before)
      #expect(try migrator.backups() == [])
    }
    // The backup of a run that failed for another reason stays.
    try publisher.bench.execute("ALTER TABLE words RENAME TO mine")
    let good = try publisher.download(publisher.bundle(since: 2), as: "good")
    var failing = publisher.migrator(try publisher.newest([good]))
    failing.options.takesBackup = true
    #expect(throws: SeedbedError.self) { _ = try failing.up() }
    try publisher.bench.execute("ALTER TABLE mine RENAME TO words")
    for _ in 1...2 {
      _ = try migrator.up()
      #expect(try runs().count == before.count + 1)
      #expect(try runs().last?[2].text == migrator.backups().first?.path)
      let paths = try migrator.backups().map(\.path)
      #expect(paths.count == 1, "\(paths)")
    }
  }
}
