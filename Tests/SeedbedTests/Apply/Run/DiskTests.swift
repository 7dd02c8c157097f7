import CSeedbedSQLite
import Testing

@testable import Seedbed

/// Every single operation on the disk fails once: a run ends in the old state or the new one.
struct DiskTests {
  struct Sweep: CustomTestStringConvertible {
    var journal: String
    var code: Int32
    /// From the chosen operation on, all fail.
    var isForGood = false

    var testDescription: String {
      "\(journal), \(code == SQLITE_FULL ? "full" : "broken")\(isForGood ? " for good" : "")"
    }
  }

  static let sweeps = ["delete", "wal"].flatMap { journal in
    [
      Sweep(journal: journal, code: SQLITE_FULL), Sweep(journal: journal, code: SQLITE_IOERR),
      Sweep(journal: journal, code: SQLITE_FULL, isForGood: true),
    ]
  }

  @Test(arguments: sweeps)
  func `a disk that fails at each operation`(_ sweep: Sweep) throws {
    let golden = try CommitTests.golden(sweep.journal)
    var number = 1
    while try fails(at: number, sweep, golden) { number += 1 }
    // A run that never met the fault ends the sweep: it must have met many before.
    #expect(number > 20)
  }

  /// False where the run made fewer operations than that.
  private func fails(at number: Int, _ sweep: Sweep, _ golden: [String]) throws -> Bool {
    let device = try CommitTests.device(sweep.journal)
    device.options.takesBackup = false
    device.options.lockTimeout = .milliseconds(100)
    let before = try device.dump()
    let count = Guarded(0)
    let result = Result {
      try FaultyDisk.with(device.database) { operation, _ in
        let position = count.withLock { count in
          count += 1
          return count
        }
        guard position == number || sweep.isForGood && position > number else { return .pass }
        // What does not write cannot find the disk full.
        let isRoomNeeded = operation == .write
        return sweep.code == SQLITE_FULL && !isRoomNeeded ? .pass : .fail(sweep.code)
      } _: {
        try device.up()
      }
    }
    let label: Comment = "operation \(number)"
    let versions = Set(try appliedVersions(device))
    switch result {
    case .success: #expect(versions == [1, 2], label)
    case .failure(let error):
      let error = try #require(error as? SeedbedError, label)
      #expect([.io, .diskFull, .outcomeUnknown, .corrupt].contains(error.code), label)
      if error.code != .outcomeUnknown { #expect(Set(error.applied) == versions, label) }
      if error.isDatabaseUnchanged { #expect(try device.dump() == before, label) }
    }
    #expect(try device.rows("SELECT * FROM mine") == ["1"], label)
    try device.up()
    #expect(try device.dump() == golden, label)
    return count.withLock { $0 } >= number
  }

  private func appliedVersions(_ device: Device) throws -> [Version] {
    let ledger = try Ledger(prefix: "seedbed")
    let connection = try device.open()
    guard try ledger.exists(on: connection) else { return [] }
    return try ledger.applied(on: connection).map(\.version)
  }
}
