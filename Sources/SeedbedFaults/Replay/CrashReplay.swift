package import Seedbed

/// Records one run, and then rebuilds the disk as a crash at any of its operations would leave it.
package struct CrashReplay {
  package enum Crash: Sendable, Equatable {
    case kill
    case powerLoss(PowerLoss)

    package static let all: [Crash] = [
      .kill, .powerLoss(.losesAll), .powerLoss(.drops), .powerLoss(.tears(sector: 512)),
      .powerLoss(.tears(sector: 4096)),
    ]
  }

  /// An operation after which the disk is examined, and the kind of crash.
  package struct Point: Sendable {
    package var operation: Int
    package var crash: Crash
    package var seed: UInt64
  }

  package let start: DiskImage
  package let entries: [DiskLog.Entry]
  /// The number of steps that were done before the operation began.
  package let stage: Int
  /// The number of steps reported at the end. No operation may follow after the last one.
  private let toldInTheEnd: Int

  /// - Parameters:
  ///   - folder: the folder for the run. Its content is deleted.
  ///   - plant: spoils the log, to test the harness.
  package init(
    recording subject: Subject, from start: DiskImage, stage: Int = 0, in folder: String,
    plant: (@Sendable (DiskLog, inout Seedbed.Host) -> Void)? = nil
  ) throws {
    try start.write(to: folder)
    let log = DiskLog(folder: folder, journal: subject.journal)
    var host = Seedbed.Host()
    host.changing = { log.changed($0) }
    host.reaching = { moment in
      if [.begun, .afterCommit, .afterRestoreCopy].contains(moment) { log.tell() }
    }
    subject.shrinkCache(of: log.writer, &host)
    plant?(log, &host)
    try DiskLayer.observing(folder, with: log) {
      try subject.beside.hearing({ log.tell() }) { _ = try subject.perform(in: folder, host: host) }
    }
    self.start = start
    self.stage = stage
    entries = log.entries
    toldInTheEnd = log.told
  }

  /// Calls `body` with each disk that a crash may leave, and with the number of steps reported as
  /// done before it.
  ///
  /// - Parameter points: in the order of their operations; 0 is before the first.
  package func replay(
    _ points: [Point], _ body: (Point, DiskImage, _ told: Int) throws -> Void
  ) rethrows {
    var disk = SimulatedDisk(start)
    var done = 0
    for point in points {
      while done < point.operation {
        disk.apply(entries[done].change)
        done += 1
      }
      let told = stage + (done < entries.count ? entries[done].told : toldInTheEnd)
      var dice = Dice(seed: point.seed)
      switch point.crash {
      case .kill: try body(point, disk.afterKill(), told)
      case .powerLoss(let luck):
        if disk.hasUnsynced { try body(point, disk.afterPowerLoss(luck, &dice), told) }
      }
    }
  }

  /// The largest size of the disk during the run, less its size at the beginning.
  var peakBytes: Int64 {
    var disk = SimulatedDisk(start)
    let before = disk.totalBytes
    return entries.reduce(0) { peak, entry in
      disk.apply(entry.change)
      return max(peak, disk.totalBytes - before)
    }
  }

  /// The points, in the order of their operations, at which a crash can lose anything. `replay`
  /// skips the others.
  package func losing(_ points: [Point]) -> [Point] {
    var disk = SimulatedDisk(start)
    var done = 0
    return points.filter { point in
      while done < point.operation {
        disk.apply(entries[done].change)
        done += 1
      }
      return point.crash == .kill || disk.hasUnsynced
    }
  }

  /// Every operation with each kind of crash; `draws` times for the random kinds.
  package func points(draws: Int, seed: UInt64) -> [Point] {
    var dice = Dice(seed: seed)
    return (0...entries.count).flatMap { operation in
      Crash.all.flatMap { crash -> [Point] in
        let isDrawn = crash != .kill && crash != .powerLoss(.losesAll)
        return (0..<(isDrawn ? draws : 1)).map { _ in
          Point(operation: operation, crash: crash, seed: dice.next())
        }
      }
    }
  }
}

extension Seedbed.Host {
  /// Adds work to a moment of the run.
  package mutating func also(at moment: Moment, _ body: @escaping @Sendable () -> Void) {
    let before = reaching
    reaching = { reached in
      if reached == moment { body() }
      before?(reached)
    }
  }
}
