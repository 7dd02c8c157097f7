import Foundation
import Testing

@testable import Seedbed

struct BackupPruneTests {
  /// Each backup is its from-version; `d` marks a damaged copy, `*` the protected one. The oldest
  /// comes first.
  struct Case: CustomTestStringConvertible {
    var there: String
    var keep: Int
    var removed: String
    var testDescription: String { "\(there.isEmpty ? "nothing" : there), keep \(keep)" }
  }

  static let cases = [
    Case(there: "", keep: 2, removed: ""),
    Case(there: "1", keep: 1, removed: ""),
    Case(there: "1 2 3", keep: 2, removed: "1"),
    Case(there: "1 2 3", keep: 1, removed: "1 2"),
    Case(there: "1 2 3", keep: 0, removed: ""),
    Case(there: "1 2 3", keep: 9, removed: ""),
    Case(there: "1* 2 3", keep: 1, removed: "2"),
    // Several of one version count once, and go together.
    Case(there: "1 1 2 2 3 3", keep: 2, removed: "1 1"),
    // Of each the first and the last stay: up and down, again and again.
    Case(there: "1 2 1 2 1 2 1 2 1 2", keep: 2, removed: "1 2 1 2"),
    Case(there: "1 1 1 1", keep: 1, removed: "1 1"),
    Case(there: "1 1 1* 1 1 1", keep: 1, removed: "1 1 1"),
    Case(there: "1 1d 1 1d 1d 1 1 1", keep: 2, removed: "1d 1 1"),
    Case(there: "1 1 1 1 1 1", keep: 0, removed: ""),
    // After a restore to 1 the last from-versions are 3 and 1.
    Case(there: "1 2 3 1", keep: 2, removed: "2"),
    // The newest stays, whatever it is.
    Case(there: "1 2 0d", keep: 1, removed: "1"),
    Case(there: "0d 0d 0d 1 2", keep: 2, removed: "0d"),
    Case(there: "0d 1 0d 2 0d", keep: 1, removed: "0d 1 0d"),
    Case(there: "0d", keep: 1, removed: ""),
    Case(there: "0 1", keep: 1, removed: "0"),
  ]

  @Test(arguments: cases) func `old backups go`(_ c: Case) {
    var protected: Set<String> = []
    let backups = c.there.split(separator: " ").enumerated().map { index, word in
      let version = Version(word.filter(\.isNumber))
      let path = "/b/\(index)"
      if word.hasSuffix("*") { protected.insert(path) }
      return Migrator.Backup(
        path: path, version: version ?? 0, takenAt: .init(text: "\(index)"), bytes: 1,
        isVerified: true,
        isDamaged: word.hasSuffix("d"))
    }
    let removed = BackupStore.superfluous(backups, keep: c.keep, protecting: protected)
    let words = removed.map { "\($0.version)\($0.isDamaged ? "d" : "")" }
    #expect(words.joined(separator: " ") == c.removed)
  }

  @Test func `pruning removes files, and nothing that is not ours`() throws {
    let shop = try Workshop()
    try shop.make(notes: 1)
    let made = try [1, 2, 3].map { try shop.take(version: $0) }
    let folder = shop.store().path
    let others = [
      "other.v1.20200101T000000.000Z.sqlite", "app.v1.20200101T000000.000Z.sqlite-wal",
      "app.v1.sqlite", "read me",
    ]
    for name in others {
      try name.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
    }
    try FileManager.default.createDirectory(
      atPath: folder + "/app.v1.20200101T000000.000Z.sqlite", withIntermediateDirectories: false)
    try shop.store().prune(keep: 1, protecting: made[0].path)
    #expect(try shop.store().list() == [made[0], made[2]])
    for name in others { #expect(Paths.exists(folder + "/" + name)) }
  }

  @Test func `where there is no folder there is nothing to prune`() throws {
    let shop = try Workshop()
    try shop.store().prune(keep: 1, protecting: nil)
    #expect(shop.names(shop.folder) == [])
  }

  @Test func `what cannot be removed does not keep the others`() throws {
    let shop = try Workshop()
    try shop.make(notes: 1)
    let made = try [1, 2, 3].map { try shop.take(version: $0) }
    let store = shop.store(failing: { call, path in
      call == .remove && path.contains("app.v1.") ? EACCES : 0
    })
    let error = seedbedError { try store.prune(keep: 1, protecting: nil) }
    #expect(error?.message == "Cannot remove '\(made[0].path)': Permission denied.")
    #expect(try shop.store().list() == [made[0], made[2]])
  }

  // MARK: a retry

  /// One run from version 2, and whether its backup goes when the next run has made its own.
  struct Retry: CustomTestStringConvertible {
    var name: String
    var outcome: Migrator.Status.LastRun.Outcome?
    var direction = Ledger.Run.Direction.up
    var from: Version = 2
    /// Whether the run came to note its backup in its row.
    var notes = true
    var process = "1:1:another boot"
    var goes: Bool
    var testDescription: String { name }
  }

  static let retries = [
    Retry(name: "a failed run", outcome: .failed, goes: true),
    Retry(name: "a cancelled run", outcome: .cancelled, goes: true),
    Retry(name: "a killed run", outcome: nil, notes: false, goes: true),
    Retry(
      name: "a run that still goes on", outcome: nil, notes: false,
      process: ProcessIdentity.current().text, goes: false),
    Retry(name: "a failed run that noted nothing", outcome: .failed, notes: false, goes: true),
    Retry(name: "a run that did its work", outcome: .applied, goes: false),
    Retry(name: "a failed run from another version", outcome: .failed, from: 1, goes: false),
    Retry(name: "a restore", outcome: .restored, direction: .restore, goes: false),
  ]

  @Test(arguments: retries) func `a retry replaces the backup of`(_ c: Retry) throws {
    let shop = try Workshop()
    try shop.make(version: 2)
    let writer = try shop.open()
    let first = try shop.ledger.startRun(c.direction, from: c.from, to: 3, on: writer)
    Clock.sleep(milliseconds: 2)
    let old = try shop.take(version: c.from)
    if c.notes { try shop.ledger.setBackup(old.path, of: first, on: writer) }
    if let outcome = c.outcome { try shop.ledger.finishRun(first.id, outcome, on: writer) }
    try writer.execute("UPDATE seedbed_runs SET process = ?", [.text(c.process)])
    Clock.sleep(milliseconds: 2)
    _ = try shop.ledger.startRun(.up, from: 2, to: 3, on: writer)
    let new = try shop.take(version: 2)
    try shop.store().removeSuperseded(by: new, ledger: shop.ledger, on: writer)
    #expect(try shop.store().list() == (c.goes ? [new] : [old, new]))
  }
}
