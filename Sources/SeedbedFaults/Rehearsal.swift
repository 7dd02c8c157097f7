public import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Applies what is pending on a copy of a database, and takes the copy through what happens on
/// devices: processes that are killed, power that fails, disks that are full.
///
///     @Test func `our next release survives everything`() throws {
///       let migrator = Migrator(
///         catalog: try Catalog(directory: "Migrations"), database: .file("last-release.sqlite"))
///       #expect(try Rehearsal(migrator).run().failures.isEmpty)
///     }
///
/// The database is only read. It is held in memory several times over meanwhile.
public struct Rehearsal: Sendable {
  /// Which of all points are tried.
  public enum Points: Sendable, Equatable {
    /// Every operation on the disk.
    case all
    /// So many, drawn by the seed.
    case some(Int)
  }

  let migrator: Migrator
  var points: Points
  var seed: UInt64

  /// - Parameters:
  ///   - migrator: the catalog, the database that is copied, and the options of the run.
  ///   - points: how many operations of the run are looked at.
  ///   - seed: draws the same points, and the same losses at each, again.
  public init(_ migrator: Migrator, points: Points = .some(300), seed: UInt64 = 1) {
    self.migrator = migrator
    self.points = points
    self.seed = seed
  }

  /// - Parameters:
  ///   - cancellation: asked between two points.
  ///   - progress: hears numbers from 0 to 1.
  /// - Throws: what `up` itself would throw on the copy.
  public func run(
    cancellation: Cancellation? = nil, progress: (Double) -> Void = { _ in }
  ) throws -> RehearsalReport {
    try run(cancellation: cancellation, progress: progress, plant: nil)
  }

  /// `plant`: a mistake that must show, for tests.
  package func run(
    cancellation: Cancellation? = nil, progress: (Double) -> Void = { _ in },
    plant: (@Sendable (DiskLog, inout Seedbed.Host) -> Void)?
  ) throws -> RehearsalReport {
    let folder = try TemporaryFolder(for: migrator.databaseBytes)
    let home = folder.path + "/copy"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    if FileManager.default.fileExists(atPath: migrator.path) {
      try migrator.copyDatabase(to: home + "/" + Subject.database)
    }
    var subject = Subject(catalog: migrator.catalog, options: migrator.options)
    subject.options.backupFolder = nil
    let start = try DiskImage(of: home)
    let measured = try Measured(subject, in: home)
    var report = RehearsalReport(measured, database: migrator.path, seed: seed)
    if measured.report.migrations.isEmpty { return report }

    let work = folder.path + "/work"
    try start.write(to: work)
    let judge = Judge(
      subject, from: start, stages: try subject.stages(in: work), folder: folder.path + "/crash")
    let replay = try CrashReplay(recording: subject, from: start, in: work, plant: plant)
    report.note(replay)
    let faults = FaultTrial(subject, from: start, judge: judge, folder: work)
    try play(chosen(replay), replay, judge, faults, &report, cancellation, progress)
    return report
  }

  private enum Trial {
    case crash(CrashReplay.Point)
    /// The disk is full from this write on.
    case diskFull(Int)
  }

  private func chosen(_ replay: CrashReplay) -> [Trial] {
    var trials = replay.points(draws: 1, seed: seed).map(Trial.crash)
    let writes = replay.entries.count {
      if case .written = $0.change { true } else { false }
    }
    trials += (0..<writes).map { .diskFull($0 + 1) }
    guard case .some(let count) = points, count < trials.count else { return trials }
    var dice = Dice(seed: seed)
    // In their order: the disk of each point is built from that of the one before.
    return trials.indices.shuffled(using: &dice).prefix(count).sorted().map { trials[$0] }
  }

  private func play(
    _ trials: [Trial], _ replay: CrashReplay, _ judge: Judge, _ faults: FaultTrial,
    _ report: inout RehearsalReport, _ cancellation: Cancellation?, _ progress: (Double) -> Void
  ) throws {
    var done = 0
    func next() throws {
      done += 1
      progress(Double(done) / Double(trials.count))
      if cancellation?.isCancelled == true { throw SeedbedError.cancelled() }
    }
    let crashes = trials.compactMap { if case .crash(let point) = $0 { point } else { nil } }
    try replay.replay(crashes) { point, image, told in
      report.add(point, replay.entries, try judge.finding(on: image, told: told))
      try next()
    }
    for case .diskFull(let number) in trials {
      let plan = FaultPlan(.write, .diskFull, number: number, isSticky: true)
      if let outcome = try faults.outcome(of: plan) { report.add(plan, outcome.finding) }
      try next()
    }
    progress(1)
  }
}

/// A folder for this process alone, gone with this value.
final class TemporaryFolder {
  let path: String

  /// In memory where the system has a folder there, with room for several copies.
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

  // What cannot be removed is the system's to clear: it is a folder for temporary files.
  deinit { try? FileManager.default.removeItem(atPath: path) }
}
