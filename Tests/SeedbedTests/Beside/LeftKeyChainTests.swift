import Foundation
import Testing

@testable import Seedbed

/// In doubt it is the user's: a settled, pinned or left row stays what it was until a person says
/// otherwise, in whatever order `resolve`, `pin`, `unpin`, `down` and releases come.
struct LeftKeyChainTests {
  /// A disagreement about the row y. Each release from 2 on has SQL for `down`.
  struct Shape: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// What the user does before release 2.
    let user: String
    let files: [String: String]
  }

  static let shapes = [
    Shape(
      testDescription: "the user has the key", user: "INSERT INTO t VALUES ('y', 'mine', '2')",
      files: [
        "0001_t/t.csv": "k,a,b\nx,1,1\n", "0002_t/t.csv": "k,a,b\ny,2,2\n",
        "0003_t/t.update.csv": "k,b,was:b\ny,3,2\n",
      ]),
    Shape(
      testDescription: "the user deleted the row", user: "DELETE FROM t WHERE k = 'y'",
      files: [
        "0001_t/t.csv": "k,a,b\nx,1,1\ny,2,2\n", "0002_t/t.update.csv": "k,b,was:b\ny,3,2\n",
        "0003_t/t.update.csv": "k,b,was:b\ny,4,3\n",
      ]),
    Shape(
      testDescription: "the user edited what is retired",
      user: "UPDATE t SET a = 'mine' WHERE k = 'y'",
      files: [
        "0001_t/t.csv": "k,a,b\nx,1,1\ny,2,2\n", "0002_t/t.delete.csv": "k,a,b\ny,2,2\n",
        "0003_t/t.csv": "k,a,b\ny,5,5\n",
      ]),
    Shape(
      testDescription: "the user has a UNIQUE value", user: "INSERT INTO t VALUES ('z', 'z', '2')",
      files: [
        "0001_t/t.csv": "k,a,b\nx,1,1\n", "0002_t/t.csv": "k,a,b\ny,2,2\n",
        "0003_t/t.update.csv": "k,a,was:a\ny,3,2\n",
      ]),
    Shape(
      testDescription: "the user edited the row", user: "UPDATE t SET b = 'mine' WHERE k = 'y'",
      files: [
        "0001_t/t.csv": "k,a,b\nx,1,1\ny,2,2\n", "0002_t/t.update.csv": "k,b,was:b\ny,3,2\n",
        "0003_t/t.update.csv": "k,b,was:b\ny,4,3\n",
      ]),
    Shape(
      testDescription: "another row gets the key",
      user: "INSERT INTO t VALUES ('y', 'mine', '2')",
      files: [
        "0001_t/t.csv": "k,a,b\nx,1,1\n", "0002_t/t.update.csv": "k,was:k\ny,x\n",
        "0003_t/t.update.csv": "k,b,was:b\ny,3,1\n",
      ]),
  ]

  enum Step: String, CaseIterable { case seed, mine, pin, unpin, down, up }

  /// What there is about the row y.
  struct State: Hashable {
    var rows: [String]
    var reasons: [String]
    var conflicts: Set<String>
    var version: Version

    var isPinned: Bool { reasons.contains { $0.hasPrefix("pinned") } }
    var others: [String] { reasons.filter { !$0.hasPrefix("pinned") } }
  }

  private static func state(_ device: Device) throws -> State {
    try State(
      rows: device.rows("SELECT * FROM t WHERE k = 'y'"),
      reasons: device.rows(
        "SELECT kind, version FROM seedbed_left_to_user WHERE key = '{\"k\":\"y\"}' ORDER BY 1"),
      conflicts: Set(
        device.rows(
          "SELECT version, kind, coalesce(settled, '-'), mine, seed FROM seedbed_conflicts")),
      version: Version(device.rows("SELECT max(version) FROM seedbed_migrations")[0]) ?? 0)
  }

  /// - Returns: the conflicts that were settled as asked.
  private static func play(
    _ step: Step, _ device: Device, at version: Version
  ) throws -> [Migrator.Conflict] {
    let migrator = try device.migrator()
    switch step {
    case .seed, .mine:
      let all = try migrator.conflicts()
      let found = try migrator.resolve(all, with: step == .seed ? .seed : .mine)
      return all.filter {
        found.conflicts.contains($0.id) && !found.changedSince.contains($0.id)
      }
    case .pin: try migrator.pin(["k": "y"], in: "t")
    case .unpin: try migrator.unpin(["k": "y"], in: "t")
    case .down: try migrator.down(to: version - 1)
    case .up: try migrator.up(to: version + 1)
    }
    return []
  }

  /// The sentence that is broken; nil if the law holds.
  private static func fault(
    _ step: Step, _ before: State, _ after: State, settled: [Migrator.Conflict]
  ) -> String? {
    switch step {
    case .pin, .unpin:
      if after.others != before.others { return "a pin changes the other reasons" }
      return after.isPinned == (step == .pin) && after.rows == before.rows ? nil : "no pin alone"
    case .seed, .mine:
      if after.isPinned != before.isPinned { return "settling changes a pin" }
      let isOfRow = settled.contains { $0.key == ["k": "y"] && $0.isOfRow }
      if isOfRow, after.others.isEmpty != (step == .seed) { return "it is not the chosen side's" }
      return step == .mine && !before.others.isEmpty && after.others.isEmpty ? "lost" : nil
    case .up, .down:
      if after.isPinned != before.isPinned { return "a release changes a pin" }
      if before.isPinned, after.rows != before.rows { return "a pinned row changes" }
      if before.others.isEmpty { return nil }
      // It comes again once what was in its place is gone.
      let comes = step == .up && before.rows.isEmpty && !before.reasons[0].hasPrefix("deleted")
      if after.rows != before.rows, !comes { return "a row of the user changes" }
      let isEnded =
        comes || step == .down && before.others.contains { $0.hasSuffix("\(before.version)") }
      return !isEnded && after.others.isEmpty ? "a reason is lost" : nil
    }
  }

  /// Plays all chains of five steps, but goes on from each state only once.
  @Test(arguments: shapes) func `what is the user's stays theirs`(_ shape: Shape) throws {
    let device = try Device(shape.files)
    device.options.takesBackup = false
    try device.write([
      "0001_t/up.sql": "CREATE TABLE t (k TEXT PRIMARY KEY NOT NULL, a TEXT UNIQUE, b TEXT);",
      "0002_t/down.sql": "-- Rows.", "0003_t/down.sql": "-- Rows.",
    ])
    try device.up(to: 1)
    try device.run(shape.user)
    try device.up(to: 2)
    let file = URL(fileURLWithPath: device.database)
    var seen: Set<State> = [try Self.state(device)]
    var now = [(try Self.state(device), try Data(contentsOf: file), [Step]())]
    for _ in 0..<5 {
      var next: [(State, Data, [Step])] = []
      for (before, bytes, chain) in now {
        for step in Step.allCases {
          if step == .down && before.version < 2 || step == .up && before.version > 2 { continue }
          try bytes.write(to: file)
          do {
            let settled = try Self.play(step, device, at: before.version)
            let after = try Self.state(device)
            let fault = Self.fault(step, before, after, settled: settled)
            #expect(fault == nil, "\(chain) \(step): \(before) → \(after)")
            guard seen.insert(after).inserted else { continue }
            next.append((after, try Data(contentsOf: file), chain + [step]))
          } catch let error as SeedbedError {
            #expect(error.code == .usage, "\(chain) \(step): \(error.message)")
            #expect(try Self.state(device) == before)
          }
        }
      }
      now = next
    }
    #expect(seen.count > 8)
  }

  @Test(
    arguments: [
      "UPDATE t SET a = 'mine' WHERE k = 'y'", "DELETE FROM t WHERE k = 'y'",
    ], [Migrator.Conflict.Side.seed, .mine])
  func `a row that has a retired one's key is another`(
    _ user: String, _ side: Migrator.Conflict.Side
  ) throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (k TEXT PRIMARY KEY NOT NULL, a TEXT UNIQUE, b TEXT);",
      "0001_t/t.csv": "k,a,b\nx,1,1\ny,2,2\n", "0002_t/t.update.csv": "k,a,was:a\ny,3,2\n",
      "0003_t/up.sql": "ALTER TABLE t RENAME TO u; ALTER TABLE u RENAME k TO j;",
      "0003_t/u.delete.csv": "j,a,b\ny,3,2\n",
      "0004_t/u.csv": "j,a,b\ny,another,4\n",
      "0005_t/up.sql": "ALTER TABLE u RENAME TO v;",
      "0005_t/v.csv": "j,a,b\nz,z,z\n",
    ])
    try device.up(to: 1)
    try device.run(user)
    try device.up(to: 2)
    let migrator = try device.migrator()
    #expect(try migrator.resolve(migrator.conflicts(), with: .seed).refused.isEmpty)
    try device.up()
    let isDeleted = user.hasPrefix("DELETE")
    let settled = try migrator.resolve(migrator.conflicts(), with: side)
    // A row of the seed's is there, so nothing changes with that side of a whole row.
    let words = "no longer has the row under this key, but another one. There is nothing to choose"
    #expect(settled.refused.count == (isDeleted && side == .seed ? 0 : 1))
    #expect(settled.refused.allSatisfy { $0.error.message.contains(words) }, "\(settled)")
    #expect(try device.rows("SELECT * FROM v WHERE j = 'y'") == ["y|another|4"])
  }
}
