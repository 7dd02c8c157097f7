import CSeedbedSQLite
import Testing

@testable import Seedbed

/// COMMIT where the disk fails, and where somebody else is in the way.
struct CommitTests {
  static let files = [
    "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY, v TEXT);",
    "0001_t/t.csv": "a,v\n1,x\n2,y\n",
    "0002_t/t.csv": "a,v\n3,z\n",
  ]

  static func device(_ journal: String) throws -> Device {
    try Device(
      files,
      app: "PRAGMA journal_mode = \(journal); CREATE TABLE mine (a); INSERT INTO mine VALUES (1)")
  }

  static func golden(_ journal: String) throws -> [String] {
    let device = try device(journal)
    try device.up()
    return try device.dump()
  }

  /// Lets a fault act once, from the first COMMIT of a migration on.
  final class Trap: Sendable {
    private let state = Guarded((isArmed: false, hasFired: false))

    var host: Host {
      var host = Host()
      host.reaching = { moment in
        if moment == .beforeCommit { self.state.withLock { $0.isArmed = true } }
      }
      return host
    }

    var hasFired: Bool { state.withLock { $0.hasFired } }

    func springs() -> Bool {
      state.withLock { state in
        guard state.isArmed, !state.hasFired else { return false }
        state.hasFired = true
        return true
      }
    }
  }

  struct Fault: CustomTestStringConvertible {
    var journal: String
    var operation: FaultyDisk.Operation
    var suffix: String
    var takesEffect: Bool
    var code: Int32

    var testDescription: String {
      "\(journal): \(operation) of '\(suffix)' \(takesEffect ? "after" : "before") its effect"
    }
  }

  static let faults = [
    // > IOERR from the directory's fsync after the journal was unlinked: it is committed.
    Fault(
      journal: "delete", operation: .delete, suffix: "-journal", takesEffect: true, code: 1290),
    Fault(
      journal: "delete", operation: .delete, suffix: "-journal", takesEffect: false, code: 2570),
    Fault(journal: "delete", operation: .sync, suffix: "", takesEffect: true, code: 1034),
    Fault(journal: "delete", operation: .sync, suffix: "", takesEffect: false, code: 1034),
    Fault(journal: "delete", operation: .write, suffix: "", takesEffect: false, code: 778),
    Fault(
      journal: "delete", operation: .write, suffix: "-journal", takesEffect: true, code: 778),
    Fault(journal: "wal", operation: .sync, suffix: "-wal", takesEffect: true, code: 1034),
    Fault(journal: "wal", operation: .write, suffix: "-wal", takesEffect: true, code: 778),
    Fault(journal: "wal", operation: .write, suffix: "-wal", takesEffect: false, code: 13),
  ]

  @Test(arguments: faults)
  func `after an error from COMMIT the ledger decides`(_ fault: Fault) throws {
    let device = try Self.device(fault.journal)
    let before = try device.dump()
    let trap = Trap()
    device.host = trap.host
    let result = Result {
      try FaultyDisk.with(device.database) { operation, suffix in
        guard operation == fault.operation, suffix == fault.suffix, trap.springs() else {
          return .pass
        }
        return fault.takesEffect ? .doneButFail(fault.code) : .fail(fault.code)
      } _: {
        try device.up(to: 1)
      }
    }
    #expect(trap.hasFired)
    let applied = try device.ledger()
    switch result {
    case .success(let report):
      #expect(report.lines == ["1 t +2 ~0 -0 =0 kept 0"])
      #expect(applied == ["1|applied|2|0|0|0|0"])
      #expect(try device.rows("SELECT count(*) FROM t") == ["2"])
      #expect(try device.rows("SELECT outcome FROM seedbed_runs") == ["applied"])
    case .failure(let error):
      let error = try #require(error as? SeedbedError)
      #expect(error.code == (fault.code == 13 ? .diskFull : .io))
      #expect(error.applied == [])
      #expect(error.isDatabaseUnchanged)
      #expect(applied == [])
      #expect(try device.dump() == before)
      #expect(try device.rows("SELECT outcome FROM seedbed_runs") == ["failed"])
    }
    device.host = .real
    try device.up()
    #expect(try device.dump() == Self.golden(fault.journal))
  }

  @Test func `a journal that is gone although its removal failed means committed`() throws {
    let device = try Self.device("delete")
    let trap = Trap()
    device.host = trap.host
    let report = try FaultyDisk.with(device.database) { operation, suffix in
      operation == .delete && suffix == "-journal" && trap.springs() ? .doneButFail(1290) : .pass
    } _: {
      try device.up()
    }
    #expect(trap.hasFired)
    #expect(report.lines == ["1 t +2 ~0 -0 =0 kept 0", "2 t +1 ~0 -0 =0 kept 0"])
  }

  @Test(arguments: [true, false])
  func `a request to stop during a failing COMMIT does not hide the outcome`(
    _ takesEffect: Bool
  ) throws {
    let device = try Self.device("delete")
    let trap = Trap()
    let cancellation = Migrator.Cancellation()
    device.host = trap.host
    let result = Result {
      try FaultyDisk.with(device.database) { operation, suffix in
        guard operation == .delete, suffix == "-journal", trap.springs() else { return .pass }
        cancellation.cancel()
        return takesEffect ? .doneButFail(1290) : .fail(2570)
      } _: {
        try device.up(to: 1, cancellation: cancellation)
      }
    }
    #expect(trap.hasFired)
    if takesEffect {
      #expect(try result.get().outcome == .applied)
    } else {
      let error = #expect(throws: SeedbedError.self) { try result.get() }
      #expect(error?.code == .io)
    }
    #expect(try device.ledger().count == (takesEffect ? 1 : 0))
  }

  @Test(arguments: [true, false])
  func `after an error from COMMIT the ledger tells whether a row is pinned`(
    _ takesEffect: Bool
  ) throws {
    let device = try Self.device("delete")
    try device.up()
    let trap = Trap()
    device.host = trap.host
    let result = Result {
      try FaultyDisk.with(device.database) { operation, suffix in
        guard operation == .delete, suffix == "-journal", trap.springs() else { return .pass }
        return takesEffect ? .doneButFail(1290) : .fail(2570)
      } _: {
        try device.migrator().pin(["a": 1], in: "t")
      }
    }
    #expect(trap.hasFired)
    #expect(try device.leftToUser() == (takesEffect ? [#"0|t|{"a":1}"#] : []))
    if takesEffect {
      #expect(throws: Never.self) { try result.get() }
    } else {
      #expect(throws: SeedbedError.self) { try result.get() }
    }
  }

  @Test func `a disk that is dead for good leaves the outcome unknown`() throws {
    let device = try Self.device("delete")
    let trap = Trap()
    device.host = trap.host
    // It dies when the first pages of COMMIT are in the database, and the journal is hot.
    let error = try FaultyDisk.with(device.database) { operation, suffix in
      if operation == .sync, suffix.isEmpty, trap.springs() { return .doneButFail(1034) }
      return trap.hasFired ? .fail(778) : .pass
    } _: {
      try device.failure()
    }
    #expect(try device.migrator().status().state == .needsRecovery)
    #expect(error.code == .outcomeUnknown)
    #expect(!error.isDatabaseUnchanged)
    #expect(
      error.message == """
        COMMIT failed (SQLite error 10: disk I/O error - while executing 'COMMIT'), and the \
        database could not be opened again to see whether it took effect (SQLite error 10: disk \
        I/O error - while executing 'PRAGMA synchronous=3'.). Check again later.
        """)
    device.host = .real
    try device.up()
    #expect(try device.dump() == Self.golden("delete"))
  }
}
