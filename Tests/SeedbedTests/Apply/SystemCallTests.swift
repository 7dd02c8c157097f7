import Foundation
import Testing

@testable import Seedbed

/// Each system call of a run fails in turn: an error that says which file, and nothing changed.
struct SystemCallTests {
  /// Counts calls, and fails one of them.
  final class Calls: Sendable {
    private let state: Guarded<[(call: SystemCall, path: String)]> = Guarded([])
    private let failing: Int
    private let number: Int32

    init(failing: Int = 0, with number: Int32 = EIO) {
      self.failing = failing
      self.number = number
    }

    var host: Seedbed.Host {
      var host = Seedbed.Host()
      host.failing = { call, path in
        self.state.withLock { calls in
          calls.append((call, path))
          return calls.count == self.failing ? self.number : 0
        }
      }
      return host
    }

    var all: [(call: SystemCall, path: String)] { state.withLock { $0 } }
  }

  private func device() throws -> Device {
    let device = try CommitTests.device("delete")
    try device.lock()
    return device
  }

  @Test(arguments: [(EIO, true), (ENOSPC, false)])
  func `every call of a run fails once`(_ number: Int32, _ isLocked: Bool) throws {
    let golden = try CommitTests.golden("delete")
    var position = 1
    while true {
      let device = try device()
      let before = try device.dump()
      let calls = Calls(failing: position, with: number)
      device.host = calls.host
      let result = Result { try device.migrator(locked: isLocked).up() }
      guard calls.all.count >= position else { break }
      let (call, path) = calls.all[position - 1]
      let label: Comment = "call \(position), \(call) of \(path)"
      if case .failure(let error) = result {
        let error = try #require(error as? SeedbedError, label)
        #expect([.io, .diskFull, .backup, .catalog].contains(error.code), label)
        #expect(error.isDatabaseUnchanged == error.applied.isEmpty, label)
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        #expect("\(error)".contains(name), "\(label): \(error)")
        if error.isDatabaseUnchanged { #expect(try device.dump() == before, label) }
      } else {
        // Only tidying up after the run may fail unseen, and the quick comparison of lock and
        // folders, which is made again in full.
        let isTidying = path.contains(".backups")
        #expect([.remove, .syncFolder, .list, .open].contains(call), label)
        #expect(isTidying || call == .list && path.contains("/Migrations"), label)
      }
      device.host = .real
      try device.up()
      #expect(try device.dump() == golden, label)
      position += 1
    }
    #expect(position > 20)
  }

  @Test func `nothing pending with a locked catalog costs one look at the lock`() throws {
    let device = try device()
    try device.up()
    let calls = Calls()
    device.host = calls.host
    let report = try device.migrator(locked: true).up()
    #expect(report.outcome == .upToDate)
    #expect(report.from == 2)
    #expect(report.to == 2)
    #expect(calls.all.map(\.call) == [.open, .open, .stat, .read])
    #expect(calls.all.allSatisfy { !$0.path.contains("0001") })
    #expect(calls.all.filter { $0.call == .list }.isEmpty)
  }

  @Test func `the fast path holds while an app writes`() throws {
    let device = try device()
    try device.up()
    device.options.lockTimeout = .milliseconds(100)
    let other = BusyTests.Other()
    other.begin(device.database, BusyTests.writing)
    #expect(try device.migrator(locked: true).up().outcome == .upToDate)
    other.end()
  }

  @Test func `a database that is behind, ahead or drifted takes the long road`() throws {
    let device = try device()
    try device.up(to: 1)
    #expect(try device.migrator(locked: true).up().lines == ["2 t +1 ~0 -0 =0 kept 0"])
    try device.write(["0002_t/t.csv": "a,v\n3,other\n"])
    try device.lock()
    let drift = #expect(throws: SeedbedError.self) { try device.migrator(locked: true).up() }
    #expect(drift?.code == .drift)
    try device.remove("0002_t")
    try device.lock()
    let newer = #expect(throws: SeedbedError.self) { try device.migrator(locked: true).up() }
    #expect(newer?.code == .newer)
  }

  @Test func `a full disk is refused before anything is touched, with both numbers`() throws {
    let device = try Device()
    let row = String(repeating: "x", count: 1000)
    try device.write([
      "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY, v TEXT);",
      "0001_t/t.csv": "a,v\n1,\(row)\n",
    ])
    try device.lock()
    // A lock that promises more than any disk has.
    let url = URL(fileURLWithPath: device.catalog + "/0001_t/t.csv")
    try Data("a,v\n".utf8).write(to: url)
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 1 << 42)
    try handle.close()
    try device.remove("seedbed.lock")
    let error = try device.failure()
    #expect(error.code == .diskFull)
    #expect(error.message.hasPrefix("The pending migrations need about 4398046511104 bytes in '"))
    #expect(error.message.hasSuffix(" are free. Free some space and try again."))
    #expect(try device.dump() == [])
  }

  @Test(arguments: SystemCall.allCases)
  func `the words for a failed`(_ call: SystemCall) {
    let error = SeedbedError.system(call, "a/b", EIO)
    #expect(error.code == .io)
    #expect(error.message.hasPrefix("Cannot "))
    #expect(error.message.hasSuffix(" 'a/b': Input/output error."))
    let full = SeedbedError.system(call, "a/b", ENOSPC)
    #expect(full.code == .diskFull)
    #expect(
      full.message.hasSuffix("'a/b': No space left on device. Free some space and try again."))
  }
}
