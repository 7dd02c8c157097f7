import Foundation
import Seedbed
import SeedbedFaults
import Testing
import TestSupport

/// SIGKILL for the real program, at its k-th system call of a kind and at random instants. The
/// kernel keeps what was written: this proves that nothing is half done, the replay of power cuts
/// that nothing told is lost.
@Suite struct RealKillTests {
  static let calls = [
    "openat", "pread64", "pwrite64", "fdatasync", "fsync", "ftruncate", "unlink", "unlinkat",
    "linkat", "fcntl", "mmap",
  ]

  /// One of each journal: some calls are made by WAL mode alone.
  static let parts = [
    Part([(.merge, "wal"), (.threeInARun, "wal")], drawn: 1),
    Part([(.merge, "delete"), (.oneOfThree, "delete"), (.download, "delete")], drawn: 1),
  ]

  @Test func `killed at each system call, and at random instants`() throws {
    var played = 0
    let all = CrashReport.overTime(part: "real kills") { seed in
      let drawn = Part.drawn(Self.parts, "scenarios of real kills", seed)
      played += drawn.count
      return CrashReport.collected(drawn) { try Self.play($0, $1, seed) }
    }
    all.recordProblems()
    #expect(all.cases >= 60 * played)
    // With a call that is never made a sweep would pass in silence. The oldest SQLite's library is
    // built without these two, and writes and syncs by other calls.
    let isOldest = ProcessInfo.processInfo.environment["SEEDBED_SQLITE"]?.hasPrefix("3.38") == true
    let unused = isOldest ? ["pwrite64", "fdatasync"] : []
    for call in Self.calls where !unused.contains(call) {
      #expect(all.lines.keys.contains { $0.fault == "SIGKILL at \(call)" }, "never fired: \(call)")
    }
  }

  private static func play(
    _ scenario: Scenario, _ journal: String, _ seed: UInt64
  ) throws -> CrashReport {
    let place = try Place(in: Place.memory)
    let stand = try Stand(scenario, journal: journal, in: place.path)
    let judge = stand.judge()
    var report = CrashReport()
    let home = place.path + "/home"
    func judged(_ fault: String, _ replay: String) throws {
      let finding = try judge.finding(on: DiskImage(of: home), told: 0, isKnown: false)
      report.add(
        scenario.name, journal, fault, finding,
        replay: "\(replay)\n\(Settings.replay("RealKillTests", seed: seed))")
    }
    for call in calls {
      var number = 1
      while true {
        try stand.start.write(to: home)
        let command = try Command(
          stand.subject, in: home,
          tracer: [
            "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=SIGKILL:when=\(number)",
          ])
        guard command.wasKilled else { break }
        try judged("SIGKILL at \(call)", "\(call) \(number)")
        number += max(1, number / 3)
      }
    }
    var dice = Dice(seed: seed)
    for _ in 0..<40 {
      try stand.start.write(to: home)
      let command = try Command(stand.subject, in: home)
      usleep(UInt32(dice.below(40_000)))
      command.kill()
      if command.wasKilled { try judged("SIGKILL at a random instant", "") }
    }
    return report
  }
}
