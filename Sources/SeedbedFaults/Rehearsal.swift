package import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Applies the pending migrations to a copy of a database, and subjects the copy to what happens on
/// devices: killed processes, power cuts, full disks.
///
///     @Test func `our next release survives everything`() throws {
///       let migrator = Migrator(
///         catalog: try Catalog(directory: "Migrations"), at: "last-release.sqlite")
///       #expect(try Rehearsal(migrator).run().failures.isEmpty)
///     }
///
/// The database is only read. Several copies of it are held in memory. By default, no new point is
/// started after 10 s; the report says how many of the points were tried.
package struct Rehearsal: Sendable {
  /// The points that are tried.
  package enum Points: Sendable, Equatable {
    /// Every operation on the disk.
    case all
    /// This many operations, chosen by the seed.
    case sample(Int)
  }

  private(set) var migrator: Migrator
  var points: Points
  var seed: UInt64
  /// The time after which no new point is started; at least one is tried. nil for no limit, the
  /// default for `Points.all`.
  package var timeLimit: Duration?
  /// Seconds on a clock that never goes back.
  package var now: @Sendable () -> Double = { Clock.monotonic() }

  /// - Parameters:
  ///   - migrator: the catalog, the database that is copied, and the options of the run.
  ///   - points: how many operations of the run are tried.
  ///   - seed: chooses the points and the losses at each. The same seed repeats them.
  package init(
    _ migrator: Migrator, points: Points = .sample(Rehearsal.defaultPoints),
    seed: UInt64 = Rehearsal.defaultSeed
  ) {
    self.migrator = migrator
    // Packs have releases of their own, and so rehearsals of their own.
    if migrator.catalog.pack == nil { self.migrator.catalog.others = [] }
    self.points = points
    self.seed = seed
    timeLimit = points == .all ? nil : Self.defaultTimeLimit
  }

  /// The default time limit.
  package static let defaultTimeLimit = Duration.seconds(10)

  /// The number of points that are tried by default.
  package static let defaultPoints = 300
  /// The default seed.
  package static let defaultSeed: UInt64 = 1

  /// - Parameters:
  ///   - cancellation: checked between two points, and while the first `up` runs.
  ///   - progress: called with numbers from 0 to 1.
  /// - Throws: the error that `up` itself would throw on the copy.
  package func run(
    cancellation: Migrator.Cancellation? = nil, progress: (Double) -> Void = { _ in }
  ) throws(SeedbedError) -> RehearsalReport {
    try SeedbedError.catching {
      try run(cancellation: cancellation, progress: progress, plant: nil)
    }
  }

  /// `plant`: a bug that must be found, for tests.
  package func run(
    cancellation: Migrator.Cancellation? = nil, progress: (Double) -> Void = { _ in },
    plant: (@Sendable (DiskLog, inout Seedbed.Host) -> Void)?
  ) throws -> RehearsalReport {
    let started = now()
    let folder = try TemporaryFolder(for: Paths.size(migrator.path) ?? 0)
    let home = folder.path + "/copy"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    if FileManager.default.fileExists(atPath: migrator.path) {
      try migrator.copyDatabase(
        to: home + "/" + Subject.database, cancellation: cancellation)
    }
    var subject = Subject(catalog: migrator.catalog, options: migrator.options)
    subject.options.backupFolder = nil
    subject.setup = migrator.hooks.setup
    let start = try DiskImage(of: home)
    let measured = try Measured {
      try subject.migrator(in: home, host: $0).up(cancellation: cancellation)
    }
    var report = RehearsalReport(measured, database: migrator.path, seed: seed)
    if measured.report.migrations.isEmpty, measured.report.adopted == nil { return report }

    let work = folder.path + "/work"
    try start.write(to: work)
    let judge = Judge(
      subject, from: start, stages: try subject.stages(in: work), folder: folder.path + "/crash")
    let replay = try CrashReplay(recording: subject, from: start, in: work, plant: plant)
    report.note(replay)
    let faults = FaultTrial(subject, from: start, judge: judge, folder: work)
    let trials = trials(of: replay)
    report.allPoints = trials.count
    var play = Play(replay: replay, judge: judge, faults: faults, cancellation: cancellation)
    play.total = wanted(trials.count)
    play.isOver = { isOver(since: started) }
    do {
      for round in rounds(trials.count) {
        try play.round(round.map { trials[$0] }, &report, progress)
      }
    } catch is TimeIsOver {
      report.isTimeOver = true
    }
    progress(1)
    return report
  }

  private enum Trial {
    case crash(CrashReplay.Point)
    /// The disk is full from this write on.
    case diskFull(Int)
  }

  private struct TimeIsOver: Error {}

  private func trials(of replay: CrashReplay) -> [Trial] {
    let crashes = replay.losing(replay.points(draws: 1, seed: seed))
    let writes = replay.entries.count {
      if case .written = $0.change { true } else { false }
    }
    return crashes.map(Trial.crash) + (0..<writes).map { .diskFull($0 + 1) }
  }

  private func isOver(since started: Double) -> Bool {
    timeLimit.map { now() - started >= $0.inSeconds } ?? false
  }

  private func wanted(_ count: Int) -> Int {
    if case .sample(let size) = points { min(size, count) } else { count }
  }

  /// The indexes of the points to try, chosen by the seed. If the time may end before all were
  /// tried, each round is a sample of the whole run, and twice as large as the one before.
  private func rounds(_ count: Int) -> [[Int]] {
    let wanted = wanted(count)
    guard wanted < count || timeLimit != nil else { return [Array(0..<count)] }
    var dice = Dice(seed: seed)
    var rest = (0..<count).shuffled(using: &dice).prefix(wanted)
    var size = timeLimit == nil ? wanted : 16
    var rounds: [[Int]] = []
    while !rest.isEmpty {
      // In order: the disk at each point is built from that at the one before.
      rounds.append(rest.prefix(size).sorted())
      rest = rest.dropFirst(size)
      size *= 2
    }
    return rounds
  }

  /// Tries points until all are done or the time is over.
  private struct Play {
    let replay: CrashReplay
    let judge: Judge
    let faults: FaultTrial
    let cancellation: Migrator.Cancellation?
    var total = 0
    var done = 0
    var isOver: () -> Bool = { false }

    mutating func round(
      _ trials: [Trial], _ report: inout RehearsalReport, _ progress: (Double) -> Void
    ) throws {
      let crashes = trials.compactMap { if case .crash(let point) = $0 { point } else { nil } }
      try replay.replay(crashes) { point, image, told in
        try begin()
        report.add(point, replay.entries, try judge.finding(on: image, told: told))
        try end(progress)
      }
      for case .diskFull(let number) in trials {
        try begin()
        let fault = PlannedFault(.write, .diskFull, number: number, isSticky: true)
        if let outcome = try faults.outcome(of: fault) { report.add(fault, outcome.finding) }
        try end(progress)
      }
    }

    private func begin() throws { if done > 0, isOver() { throw TimeIsOver() } }

    private mutating func end(_ progress: (Double) -> Void) throws {
      done += 1
      progress(Double(done) / Double(max(1, total)))
      if cancellation?.isCancelled == true { throw SeedbedError.cancelled() }
    }
  }
}

/// A folder for this process alone, removed when this value is released.
final class TemporaryFolder {
  let path: String

  /// In memory, if the system has such a folder with room for several copies.
  init(for bytes: Int64) throws {
    let memory = "/dev/shm"
    let free = (try? Paths.freeBytes(memory, host: .real)) ?? 0  // Not every system has it.
    let hasRoom = free > 16 * bytes + 64_000_000
    let base =
      hasRoom && FileManager.default.isWritableFile(atPath: memory)
      ? URL(fileURLWithPath: memory)
      : FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    let folder = base.appendingPathComponent("seedbed-rehearsal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    path = folder.path
  }

  // The system clears its folder for temporary files itself, if this fails.
  deinit { try? FileManager.default.removeItem(atPath: path) }
}
