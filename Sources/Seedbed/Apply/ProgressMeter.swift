/// Adds up how far a run has come and tells the caller, at most 30 times a second.
final class ProgressMeter {
  private let report: ((Progress) -> Void)?
  private var progress: Progress
  private var finishedBytes: Int64 = 0
  private var finishedRows: Int64 = 0
  private var fileBytes: Int64 = 0
  private var fileRows: Int64 = 0
  private var file = ""
  private var lastReport = -1.0

  init(totalBytes: Int64, report: ((Progress) -> Void)?) {
    self.report = report
    progress = Progress(
      phase: .waiting, bytes: 0, totalBytes: totalBytes, rows: 0, version: 0, table: nil)
  }

  func enter(_ phase: Progress.Phase, version: Version? = nil) {
    progress.phase = phase
    if let version { progress.version = version }
    tell(always: true)
  }

  /// A file that is read a second time adds nothing until it is past where it was.
  func advance(table: String, file: String, bytes: Int64, rows: Int) {
    if file != self.file { finishFile() }
    self.file = file
    progress.table = table
    fileBytes = max(fileBytes, bytes)
    fileRows = max(fileRows, Int64(rows))
    progress.bytes = finishedBytes + fileBytes
    progress.rows = finishedRows + fileRows
    tell(always: false)
  }

  func finish() {
    finishFile()
    progress.bytes = progress.totalBytes
    tell(always: true)
  }

  private func finishFile() {
    finishedBytes += fileBytes
    finishedRows += fileRows
    (fileBytes, fileRows) = (0, 0)
  }

  private func tell(always: Bool) {
    guard let report else { return }
    let now = Clock.monotonic()
    guard always || now - lastReport >= 1.0 / 30 else { return }
    lastReport = now
    report(progress)
  }
}
