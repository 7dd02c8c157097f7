/// Adds up the progress of a call and reports it to the caller, at most 30 times a second.
///
/// Reported values never go back: files that are read a second time, because a migration begins
/// again or is tried first, add nothing until they are past their earlier position.
final class ProgressMeter {
  private let report: ((Migrator.Progress) -> Void)?
  private let now: () -> Double
  private var progress = Migrator.Progress(
    phase: .waiting, bytes: 0, totalBytes: 0, rows: 0, version: 0, table: nil)
  /// The bytes and rows before the current migration.
  private var passed: (bytes: Int64, rows: Int64) = (0, 0)
  /// The progress of the current migration's files, by their places.
  private var files: [String: FileState] = [:]
  /// The times of the last reports, as a ring.
  private var times = [Double](repeating: -.infinity, count: ProgressMeter.perSecond - 1)
  private var told = 0
  private var isBehind = false

  private struct FileState {
    var bytes: Int64 = 0
    var rows: Int64 = 0
    var size: Int64 = 0
    /// The progress at the time when its rows had to be read again from the first.
    var before = 0.0
    var part = 0.0

    var done: Double { before + (1 - before) * part }
  }

  /// The approximate part of a migration's time for COMMIT and the checks before it.
  private static let lastShare = 0.05
  static let perSecond = 30
  /// Rows are reported less often, so that the start of a phase can always be reported.
  private static let pause = 1.0 / 20

  /// Reports at once that it begins.
  init(_ report: ((Migrator.Progress) -> Void)?, now: @escaping () -> Double = Clock.monotonic) {
    self.report = report
    self.now = now
    tell()
  }

  /// Sets the number of bytes to read, again if the run starts over.
  func expect(_ bytes: Int64) {
    progress.totalBytes = bytes
    passed = (0, 0)
    files = [:]
  }

  func enter(_ phase: Migrator.Progress.Phase) {
    progress.phase = phase
    if phase == .waiting { progress.table = nil }
    tell()
  }

  /// A migration waits for its turn, for the first time or again.
  func begin(_ version: Version) {
    progress.version = version
    enter(.waiting)
  }

  /// The current migration was applied, by this run or by another.
  func pass(_ migration: Migration) {
    passed.rows += files.values.reduce(0) { $0 + $1.rows }
    pass(to: passed.bytes + migration.rowBytes)
  }

  /// All bytes before `bytes` are done.
  func pass(to bytes: Int64) {
    passed.bytes = max(passed.bytes, bytes)
    files = [:]
    show()
  }

  /// Sets a file's progress: `part` is from 0 to 1, and counts reading and merging.
  func advance(
    table: String, file: String, size: Int64, part: Double, bytes: Int64? = nil, rows: Int? = nil
  ) {
    progress.table = table
    var state = files[file, default: FileState()]
    state.size = size
    state.bytes = max(state.bytes, bytes ?? 0)
    state.rows = max(state.rows, Int64(rows ?? 0))
    // The file begins again, which could not be foreseen. The remaining part is divided again among
    // its rows.
    if part < state.part { state.before = state.done }
    state.part = min(part, 1)
    files[file] = state
    show()
    tell(after: Self.pause)
  }

  /// Sets the progress of a restore, from 0 to 1. It begins again if another connection wrote
  /// meanwhile.
  func copied(_ fraction: Double) {
    let isFirst = progress.phase != .applying
    progress.phase = .applying
    progress.bytes = max(progress.bytes, Int64(Double(progress.totalBytes) * fraction))
    progress.share = max(progress.share, fraction)
    tell(after: isFirst ? 0 : Self.pause)
  }

  /// Reports values that were held back.
  func tick() {
    if isBehind { tell() }
  }

  @inline(never) func finish() {
    progress.bytes = progress.totalBytes
    progress.isFinished = true
    report?(progress)
  }

  private func show() {
    // The bytes of the files also measure the work.
    var (bytes, rows, work) = (passed.bytes, passed.rows, Double(passed.bytes))
    for file in files.values {
      bytes += file.bytes
      rows += file.rows
      work += Double(file.size) * file.done * (1 - Self.lastShare)
    }
    progress.bytes = max(progress.bytes, min(bytes, progress.totalBytes))
    progress.rows = max(progress.rows, rows)
    if progress.totalBytes > 0 {
      progress.share = max(progress.share, work / Double(progress.totalBytes))
    }
  }

  /// One report in each second is left for `finish`.
  private func tell(after pause: Double = 0) {
    guard let report else { return }
    let time = now()
    let oldest = times[told % times.count]
    let last = times[(told + times.count - 1) % times.count]
    isBehind = time - oldest < 1 || time - last < pause
    if isBehind { return }
    times[told % times.count] = time
    told += 1
    report(progress)
  }
}

extension Migration {
  /// The size of the row files on disk.
  var rowBytes: Int64 { files.filter(\.isRows).reduce(0) { $0 + $1.size } }
}
