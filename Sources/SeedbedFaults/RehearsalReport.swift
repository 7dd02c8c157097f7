package import Seedbed

/// The forecast for users' devices.
package struct RehearsalReport: Sendable {
  /// A point at which something was lost, or the next run failed.
  package struct Failure: Sendable, Equatable {
    /// The number of operations on the disk before it.
    package var operation: Int
    /// The fault at this point: `kill`, `power loss`, `disk full`.
    package var fault: String
    /// The operation itself: `write app.sqlite-journal`.
    package var last: String
    /// The state that was found afterwards.
    package var found: String
  }

  /// The result of `up` on the copy: rows, conflicts, moved keys.
  package let report: Migrator.Report
  /// The database's path.
  package let database: String
  /// The seed that chose the points. With it, the same points are tried again.
  package let seed: UInt64
  /// The number of operations on the disk in the run.
  package private(set) var operations = 0
  /// The number of points at which something can be lost or refused. `Points.all` tries all of
  /// them.
  package internal(set) var allPoints = 0
  /// Whether the time ended before all requested points were tried.
  package internal(set) var isTimeOver = false
  /// The number of killed processes.
  package private(set) var kills = 0
  /// The number of power cuts.
  package private(set) var powerLosses = 0
  /// The number of full disks.
  package private(set) var fullDisks = 0
  /// The points at which something was lost or the next run failed; empty if all is well.
  package private(set) var failures: [Failure] = []
  /// The duration of one undisturbed run.
  package let duration: Duration
  /// The longest time for which the run held the write lock.
  package let lockDuration: Duration
  /// The most disk space that the run used in addition to the database.
  package private(set) var diskBytes: Int64 = 0
  /// The peak memory of this process up to the end of that run; 0 if unknown.
  package let peakMemoryBytes: Int64

  /// The number of crashes that were tried.
  package var points: Int { kills + powerLosses + fullDisks }

  init(_ measured: Measured, database: String, seed: UInt64) {
    report = measured.report
    self.database = database
    self.seed = seed
    duration = measured.duration
    lockDuration = measured.lockDuration
    peakMemoryBytes = measured.peakMemoryBytes
  }

  mutating func note(_ replay: CrashReplay) {
    operations = replay.entries.count
    diskBytes = replay.peakBytes
  }

  mutating func add(
    _ point: CrashReplay.Point, _ entries: [DiskLog.Entry], _ finding: Judge.Finding?
  ) {
    if point.crash == .kill { kills += 1 } else { powerLosses += 1 }
    guard let finding else { return }
    let last = point.operation == 0 ? "nothing yet" : entries[point.operation - 1].change.sentence
    failures.append(
      Failure(
        operation: point.operation, fault: point.crash == .kill ? "kill" : "power loss",
        last: last, found: finding.sentence))
  }

  mutating func add(_ fault: PlannedFault, _ finding: Judge.Finding?) {
    fullDisks += 1
    guard let finding else { return }
    failures.append(
      Failure(
        operation: fault.number, fault: "disk full", last: "write \(fault.number)",
        found: finding.sentence))
  }
}

/// The result of one undisturbed run, measured before anything else is in memory.
struct Measured {
  var report: Migrator.Report
  var duration: Duration
  var lockDuration: Duration
  var peakMemoryBytes: Int64

  init(_ up: (Seedbed.Host) throws -> Migrator.Report) throws {
    let clock = ContinuousClock()
    let times = Guarded((locked: clock.now, longest: Duration.zero))
    var host = Seedbed.Host()
    host.reaching = { moment in
      times.withLock { times in
        if moment == .locked { times.locked = clock.now }
        if moment == .afterCommit { times.longest = max(times.longest, clock.now - times.locked) }
      }
    }
    let started = clock.now
    report = try up(host)
    duration = clock.now - started
    lockDuration = times.withLock { $0.longest }
    peakMemoryBytes = Memory.peakBytes()
  }
}

extension Judge.Finding {
  fileprivate var sentence: String {
    switch fault {
    case .lost: "lost: \(text)"
    case .mixed: "half done: \(text)"
    case .corrupt: "damaged: \(text)"
    case .backup: "backup: \(text)"
    case .stuck: "the next run: \(text)"
    case .unclear: "the error: \(text)"
    }
  }
}

extension DiskChange {
  fileprivate var sentence: String {
    switch self {
    case .created(let name): "create \(name)"
    case .written(let name, let offset, let bytes):
      "write \(bytes.count) bytes at \(offset) of \(name)"
    case .truncated(let name, let size): "truncate \(name) to \(size)"
    case .synced(let name): "fsync \(name)"
    case .linked(_, let name), .renamed(_, let name): "publish \(name)"
    case .removed(let name): "remove \(name)"
    case .madeFolder(let name): "create the folder \(name)"
    case .syncedFolder(let name): "fsync the folder \(name.isEmpty ? "." : name)"
    }
  }
}
